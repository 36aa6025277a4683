// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/rates.h"

#include "core/base/units.h"

namespace outlay::core {
namespace {

constexpr Formula TokenHoursFormula{"rate.hours", "{0} tokens / {1} tokens/s / 3,600"};
constexpr Formula SerialFormula{"rate.serial", "1,000 / {0} ms, one request at a time"};
constexpr Formula EnergyFormula{"rate.energy", "{0} W x {1} s / 3,600,000"};

} // namespace

Quantity hoursForTokens(double tokens, const Quantity& tokensPerS)
{
    return quotient(Quantity::exact(tokens / SecondsPerHour, Unit::One, {}), tokensPerS,
                    Unit::Hours)
        .because(how(TokenHoursFormula, {tokens, tokensPerS.value()}));
}

Quantity serialRequestsPerS(const Quantity& latencyMs)
{
    return quotient(Quantity::exact(MillisPerS, Unit::One, {}), latencyMs, Unit::SamplesPerSecond)
        .because(how(SerialFormula, {latencyMs.value()}));
}

Quantity energyOf(const Quantity& watts, const Quantity& seconds)
{
    return product(watts, seconds * (1 / JoulesPerKwh), Unit::KilowattHours)
        .because(how(EnergyFormula, {watts.value(), seconds.value()}, watts.how().note));
}

} // namespace outlay::core
