// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// One environment as two lines of fields.
#pragma once

#include "gui/view/environment_view.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QStringListModel;

namespace outlay::gui {

class EnvironmentFields final : public QWidget {
    Q_OBJECT
public:
    /// `number`: which of the environments, from 0.
    EnvironmentFields(std::size_t number, QStringListModel* machines, QWidget* parent);

    void show(const EnvironmentView& view);

Q_SIGNALS:
    void edited(const outlay::gui::EnvironmentView& environment);
    void removed();

private:
    void name(QWidget* field, const char* id, const QString& spoken) const;
    QLineEdit* makeField(const char* id, const QString& spoken, int width);
    [[nodiscard]] QHBoxLayout* makeWhat(QStringListModel* machines);
    [[nodiscard]] QHBoxLayout* makeHowMuch();
    void commit();

    std::size_t m_number;
    QLineEdit* m_name;
    QLineEdit* m_machine;
    QComboBox* m_purchase;
    QLineEdit* m_count;
    QLineEdit* m_hours;
    QLineEdit* m_days;
    QLabel* m_cost;
    EnvironmentView m_shown;
};

} // namespace outlay::gui
