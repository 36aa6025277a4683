// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How near the design comes to what is attainable, part by part, and what would raise each.
#pragma once

#include "gui/view/display_locale.h"
#include "gui/view/figure_view.h"
#include "gui/view/table_data.h"
#include "pricing/report/report.h"

namespace outlay::gui {

/// One of a score's parts, or the score itself.
struct ScoreView {
    QString name;
    QString text;                // "74", or a dash
    std::optional<double> score; // 0 to 100
    double low = 0;              // in 80 of 100 cases it lies from here
    double high = 0;             // to here; the same number where it is exact
    QString range;               // "55 to 78"; empty where it is exact
    QString remedy;              // or why there is no score
    QString why;

    bool operator==(const ScoreView&) const = default;
};

struct EfficiencyView {
    QString verdict;
    QString description; // one sentence for those who don't see the gauge
    ScoreView whole;
    FigureView figure;
    std::vector<ScoreView> parts;
    TableData table; // the gauge's twin

    bool operator==(const EfficiencyView&) const = default;
};

/// From where on a score is good, and excellent.
inline constexpr double GoodScore = 60;
inline constexpr double ExcellentScore = 80;

[[nodiscard]] EfficiencyView makeEfficiencyView(const pricing::Report& report,
                                                const pricing::Report* baseline,
                                                const DisplayLocale& locale);

} // namespace outlay::gui
