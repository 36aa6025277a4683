// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// So much traffic on so many instances: what it costs and how long a request takes; and how training grows.
#pragma once

#include "gui/view/display_locale.h"
#include "gui/view/growth_view.h"
#include "pricing/report/report.h"

namespace outlay::gui {

struct ScalingView {
    QString verdict;
    ChartModel cost;
    ChartModel latency;
    TableData table;
    TableData ways; // serverless, an instance, the edge
    QString waysTitle;
    std::vector<GrowthPart> parts;

    bool operator==(const ScalingView&) const = default;
};

[[nodiscard]] ScalingView makeScalingView(const pricing::Report& report,
                                          const DisplayLocale& locale);

/// Requests a day where the line of the plan's traffic was dragged to.
[[nodiscard]] core::Json trafficValue(double at);

} // namespace outlay::gui
