// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The designer's last section: what the training reached, typed in or read from a file.
#pragma once

#include "gui/view/quality_view.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace outlay::gui {

class SettingNote;

class QualityEditor final : public QWidget {
    Q_OBJECT
public:
    QualityEditor(const QLocale& locale, QWidget* parent);

    void show(const core::Json& quality);
    /// A JSON or CSV file of figures or losses.
    void readFile(const QString& path);

Q_SIGNALS:
    /// All of the experiment's quality.
    void changed(const outlay::core::Json& quality);

private:
    struct Row {
        QWidget* box = nullptr;
        QLineEdit* name = nullptr; // of the row for a new figure alone
        QLineEdit* value = nullptr;
        QComboBox* better = nullptr;
    };

    Row makeRow(const QString& suffix, const QString& spoken);
    [[nodiscard]] bool hasNamesOf(const QualityView& view) const;
    void refillRows(const QualityView& view);
    void buildRows(const QualityView& view);
    void addButtons(QVBoxLayout* layout);
    void take(const QualityLine& line);
    void chooseFile();

    QLocale m_locale;
    core::Json m_quality = core::Json::object();
    QualityView m_shown;
    std::vector<Row> m_rows;
    QVBoxLayout* m_rowLayout;
    Row m_new;
    SettingNote* m_note;
    QLabel* m_curve;
    QPushButton* m_dropCurve = nullptr;
};

} // namespace outlay::gui
