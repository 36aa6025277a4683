// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A chart under its title and what its subtitle says, for pages that have several.
#pragma once

#include "gui/view/chart_model.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace outlay::gui {

class Chart;

class TitledChart final : public QWidget {
    Q_OBJECT
public:
    TitledChart(const QString& name, const DisplayLocale& locale, QWidget* parent);

    void show(const ChartModel& model);
    /// As high as it has to be on a page; hidden where there is nothing to show.
    void show(const std::optional<ChartModel>& model);

Q_SIGNALS:
    /// As of its chart.
    void limitMoved(std::size_t limit, std::optional<double> at, int drag);

private:
    QLabel* m_title;
    QLabel* m_subtitle;
    Chart* m_chart;
};

} // namespace outlay::gui
