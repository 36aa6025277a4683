// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// So much traffic on so many instances: what it costs and how long a request takes.
#pragma once

#include "gui/view/chart_model.h"
#include "gui/view/display_locale.h"
#include "pricing/report/report.h"

namespace outlay::gui {

struct ScalingView {
    QString verdict;
    ChartModel cost;
    ChartModel latency;
    TableData table;
    TableData ways; // serverless, an instance, the edge
    QString waysTitle;

    bool operator==(const ScalingView&) const = default;
};

[[nodiscard]] ScalingView makeScalingView(const pricing::Report& report,
                                          const DisplayLocale& locale);

} // namespace outlay::gui
