// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Energy and emissions of a run: what they compare to, and what they would be elsewhere.
#pragma once

#include "gui/view/chart_model.h"
#include "gui/view/figure_view.h"
#include "pricing/report/report.h"

namespace outlay::gui {

struct CarbonView {
    QString verdict;
    ChartModel chart;                // the same run elsewhere
    std::vector<FigureView> figures; // energy, run, month, offset
    QString equivalents;

    bool operator==(const CarbonView&) const = default;
};

/// `baseline` may be null.
[[nodiscard]] CarbonView makeCarbonView(const pricing::Report& report,
                                        const pricing::Report* baseline,
                                        const DisplayLocale& locale);

} // namespace outlay::gui
