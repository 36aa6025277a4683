// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the weights take in each precision.
#pragma once

#include "gui/view/chart_model.h"
#include "gui/view/display_locale.h"
#include "pricing/report/report.h"

namespace outlay::gui {

struct WeightsView {
    QString verdict;
    ChartModel chart;

    bool operator==(const WeightsView&) const = default;
};

[[nodiscard]] WeightsView makeWeightsView(const pricing::Report& report,
                                          const DisplayLocale& locale);

} // namespace outlay::gui
