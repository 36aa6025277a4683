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

/// What a month is for: the service with its waiting machines is one thing.
struct MonthShare {
    QString name; // in the middle of a sentence
    bool isServing = false;
    double usd = 0;
};
/// The largest of what is known; nothing where nothing costs anything.
[[nodiscard]] std::optional<MonthShare> largestShare(const pricing::MonthReport& month);

/// "transfer" -> "Data transfer".
[[nodiscard]] QString monthItemTitle(std::string_view item);
/// The same before "is".
[[nodiscard]] QString monthItemSubject(std::string_view item);

} // namespace outlay::gui
