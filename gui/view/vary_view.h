// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// One field over its range: what a run then costs, takes, keeps in memory and emits.
#pragma once

#include "gui/view/chart_model.h"
#include "gui/view/display_locale.h"
#include "gui/view/form_view.h"
#include "pricing/report/report.h"

namespace outlay::gui {

/// What remains of a Report in the chart.
struct VaryPoint {
    double at = 0; // of the field
    core::Quantity usd;
    core::Quantity seconds;
    core::Quantity memory;
    core::Quantity kgCo2e;
    core::Quantity
        measured; // the time of a run on the machine that was asked for; unavailable until then
};

/// `on`: the host whose measurements are shown beside; empty: this machine.
[[nodiscard]] VaryPoint varyPointOf(double at, const pricing::Report& report,
                                    const std::string& on = {});

/// The values to try: the stops of the field's slider, thinned; none where it has no range.
[[nodiscard]] std::vector<double> valuesToVary(const FormField& field);

/// Cost, time, memory and emissions, each over the field. Values that can't be are missing in all. What was measured
/// stands beside the time, under this name.
[[nodiscard]] std::vector<ChartModel> makeVaryView(const FormField& field,
                                                   const std::vector<VaryPoint>& points,
                                                   const DisplayLocale& locale,
                                                   const QString& measuredOn = {});

} // namespace outlay::gui
