// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/report.h"

#include <algorithm>

namespace outlay::pricing {

OUTLAY_VALUE_DEFAULTED(Report);
OUTLAY_VALUE_DEFAULTED(TrainingReport);
OUTLAY_VALUE_DEFAULTED(ServingReport);
OUTLAY_VALUE_DEFAULTED(Recommendation);

const HostedRow* HostedReport::best() const
{
    return rows.empty() || rows.front().trust == Trust::Doubtful ? nullptr : &rows.front();
}

const ServingWay* ServingReport::way(std::string_view name) const
{
    const auto found = std::find_if(ways.begin(), ways.end(),
                                    [&](const ServingWay& one) { return one.name == name; });
    return found == ways.end() ? nullptr : &*found;
}

const ServingWay* ServingReport::wayTaken() const
{
    switch (by) {
    case ServedBy::Function: return way("serverless");
    case ServedBy::Api: return way("api");
    case ServedBy::Machines: break;
    }
    return nullptr;
}

const Capacity* ServingReport::plannedCapacity() const
{
    return by == ServedBy::Machines && recommended.chosen
               ? &capacities[recommended.chosen->forecast]
               : nullptr;
}

const core::Quantity& ServingReport::plannedP95Ms() const
{
    static const core::Quantity OfApi = core::Quantity::unavailable(
        core::Unit::Milliseconds, "no list says how soon a hosted API answers");
    if (by == ServedBy::Api)
        return OfApi;
    const ServingWay* function = wayTaken();
    if (function != nullptr && function->p95Ms.isAvailable())
        return function->p95Ms;
    const Capacity* capacity = plannedCapacity();
    // Where it holds whatever is promised, nobody waits for an answer.
    const bool isKnown =
        capacity != nullptr && (capacity->p95Ms.isAvailable() || capacity->holdsLatency);
    return isKnown ? capacity->p95Ms : p95Ms;
}

} // namespace outlay::pricing
