// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments side by side: a table of all figures, and a chart of one of them.
#pragma once

#include "gui/view/chart_model.h"
#include "pricing/report/comparison.h"

namespace outlay::gui {

struct CompareView {
    QString verdict;
    TableData table;
    ChartModel chart;
    std::vector<QString> figures; // that the chart can show

    bool operator==(const CompareView&) const = default;
};

/// The first experiment is the baseline. `chosen` is the figure's place among those of the view.
[[nodiscard]] CompareView makeCompareView(const pricing::Comparison& comparison, std::size_t chosen,
                                          const QLocale& locale);

} // namespace outlay::gui
