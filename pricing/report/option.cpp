// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/option.h"

#include <cmath>

namespace outlay::pricing {

bool isUsable(const Option& option)
{
    return option.hasUsd && std::isfinite(option.usd.value) && option.usd.value > 0 &&
           option.fits == core::Fits::Yes && option.isAllowed && option.isWorthIt &&
           option.trust != Trust::Doubtful && !option.isTooLong;
}

bool keepsPlan(const Option& option)
{
    return isUsable(option) && option.meetsDeadline && option.isWithinBudget;
}

bool isPractical(const Machine& machine, double hours)
{
    constexpr double DayHours = 24;
    return !machine.accelerator.empty() || hours <= DayHours;
}

} // namespace outlay::pricing
