// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Environments, each as two lines of fields, and a button for one more.
#pragma once

#include "gui/view/environment_view.h"

#include <QWidget>

#include <vector>

class QLabel;
class QStringListModel;
class QVBoxLayout;

namespace outlay::gui {

class EnvironmentFields;

class EnvironmentEditor final : public QWidget {
    Q_OBJECT
public:
    explicit EnvironmentEditor(QWidget* parent);

    /// What a machine may be chosen from.
    void setMachines(const std::vector<QString>& machines);
    void show(const std::vector<EnvironmentView>& environments);
    [[nodiscard]] const EnvironmentView& shown(std::size_t row) const { return m_shown.at(row); }
    /// What was typed instead is dropped.
    void showAgain() { show(std::vector(m_shown)); }

Q_SIGNALS:
    /// A field was left with another value.
    void edited(std::size_t row, const outlay::gui::EnvironmentView& environment);
    void added();
    void removed(std::size_t row);

private:
    QStringListModel* m_machines;
    QLabel* m_empty;
    QVBoxLayout* m_rows;
    std::vector<EnvironmentView> m_shown;
    std::vector<EnvironmentFields*> m_fields;
};

} // namespace outlay::gui
