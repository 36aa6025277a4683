// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a month costs, and what most of it goes to.
#pragma once

#include "gui/view/chart_model.h"
#include "gui/view/figure_view.h"
#include "pricing/report/report.h"

namespace outlay::gui {

struct CostView {
    QString verdict;
    ChartModel chart;
    FigureView total;
    QString lacking; // items that aren't in the total, with their reasons; empty if all are

    bool operator==(const CostView&) const = default;
};

/// `baseline` may be null.
[[nodiscard]] CostView makeCostView(const pricing::Report& report, const pricing::Report* baseline,
                                    const DisplayLocale& locale);

/// "transfer" -> "Data transfer".
[[nodiscard]] QString monthItemTitle(std::string_view item);
/// The same before "is".
[[nodiscard]] QString monthItemSubject(std::string_view item);

} // namespace outlay::gui
