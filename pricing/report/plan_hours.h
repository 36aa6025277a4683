// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The month of a plan: 730 h, unless it names its days.
#pragma once

#include "core/base/units.h"
#include "core/settings/settings.h"

namespace outlay::pricing {

inline constexpr double HoursInMonth = 730;

[[nodiscard]] inline double daysPerMonth(const core::Plan& plan)
{
    return plan.daysPerMonth.value_or(HoursInMonth / 24);
}

/// That the service is on.
[[nodiscard]] inline double hoursPerMonth(const core::Plan& plan)
{
    return plan.hoursPerDay * daysPerMonth(plan);
}

/// Of the hours that the service is on; none where it never is.
[[nodiscard]] inline double meanRequestsPerS(const core::Serving& serving, const core::Plan& plan)
{
    const double seconds = plan.hoursPerDay * core::SecondsPerHour;
    return seconds > 0 ? serving.requestsPerDay / seconds : 0;
}

/// A day's requests that are answered at once have no peak.
[[nodiscard]] inline double peakRequestsPerS(const core::Serving& serving, const core::Plan& plan)
{
    const double peak = plan.running == core::Running::AtOnce ? 1 : serving.peakFactor;
    return meanRequestsPerS(serving, plan) * peak;
}

} // namespace outlay::pricing
