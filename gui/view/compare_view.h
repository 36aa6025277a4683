// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments side by side: a table of all figures, a chart of one of them, and cost against quality.
#pragma once

#include "gui/view/chart_model.h"
#include "gui/view/display_locale.h"
#include "pricing/report/compare/comparison.h"

namespace outlay::gui {

struct CompareView {
    QString verdict;
    TableData table;
    ChartModel chart;
    std::vector<QString> figures;   // that the chart can show
    ChartModel quality;             // its points' keys are the experiments' places
    std::vector<QString> qualities; // that the experiments say of themselves
    QString unplaced;               // who is missing in it, and why

    bool operator==(const CompareView&) const = default;
};

/// Places among `figures` and `qualities`.
struct CompareChoice {
    std::size_t figure = 0;
    std::size_t quality = 0;
};

[[nodiscard]] std::vector<QString> comparedNames(const std::vector<pricing::Compared>& all);

/// All of them with the one at `baseline` first and the others in their order.
[[nodiscard]] pricing::Comparison comparisonTo(std::size_t baseline,
                                               const std::vector<pricing::Compared>& all,
                                               const pricing::Catalogs& catalogs);
/// Which of `all` stands at this place of that order.
[[nodiscard]] std::size_t comparedAt(std::size_t place, std::size_t baseline);

/// The first experiment is the baseline.
[[nodiscard]] CompareView makeCompareView(const pricing::Comparison& comparison,
                                          const CompareChoice& choice, const DisplayLocale& locale);

} // namespace outlay::gui
