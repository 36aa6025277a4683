// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The names of a chart's series: chips above lines and bars, rows with figures beside a doughnut.
#pragma once

#include "gui/view/chart_model.h"

#include <QWidget>

#include <vector>

class QToolButton;

namespace outlay::gui {

class ChartLegend final : public QWidget {
    Q_OBJECT
public:
    explicit ChartLegend(QWidget* parent);

    void show(const ChartModel& model);

Q_SIGNALS:
    void toggled(int series, bool isShown);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void applyTheme();
    void arrangeChips();
    void addChip(const ChartSeries& series, int index);
    void fillRow(const ChartSeries& slice, int index);
    void addRow(const ChartSeries& slice, int index);

    ChartModel m_shown;
    std::vector<QToolButton*> m_chips; // owned as children
};

} // namespace outlay::gui
