// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/report.h"

#include <algorithm>

namespace outlay::pricing {

OUTLAY_VALUE_DEFAULTED(Report);
OUTLAY_VALUE_DEFAULTED(TrainingReport);
OUTLAY_VALUE_DEFAULTED(ServingReport);
OUTLAY_VALUE_DEFAULTED(Recommendation);

const core::Quantity& ServingReport::plannedP95Ms() const
{
    const auto function = std::find_if(
        ways.begin(), ways.end(), [](const ServingWay& way) { return way.name == "serverless"; });
    if (isFunction && function != ways.end() && function->p95Ms.isAvailable())
        return function->p95Ms;
    const bool isForecast = !isFunction && recommended.chosen &&
                            capacities[recommended.chosen->forecast].p95Ms.isAvailable();
    return isForecast ? capacities[recommended.chosen->forecast].p95Ms : p95Ms;
}

} // namespace outlay::pricing
