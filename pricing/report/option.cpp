// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/option.h"

namespace outlay::pricing {

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
