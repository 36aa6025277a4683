// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/forecast_parts.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/hardware/rates.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {
namespace {

constexpr Formula PowerFormula{"forecast.power", "{0} x ({1} W idle + {2} x ({3} W - {1} W))"};

} // namespace

double spreadOf(const KindSpread& kind, const Devices& on)
{
    return spreadOf(kind, on.device.name, on);
}

double spreadOf(const KindSpread& kind, std::string_view served, const Devices& on)
{
    const bool isProcessor = on.device.kind == DeviceKind::Cpu;
    return Spreads::of(kind, {.name = served,
                              .generation = on.device.generation,
                              .maker = isProcessor ? std::string_view() : on.device.vendor});
}

double spreadOf(const PassTime& time, double totalS, double otherSpread, const Devices& on)
{
    const Spreads& s = on.calibration.spreads;
    const double more = on.count > 1 ? std::pow(s.perDoubling, std::log2(real(on.count))) : 1;
    if (time.isChunked) // of which kernels alone were timed, and forward
        return s.recurrent.foreign * more;
    const double recurrentShare = totalS > 0 ? time.recurrenceS / totalS : 0;
    if (recurrentShare <= 0)
        return otherSpread * more;
    const double recurrent = std::max(spreadOf(s.recurrent, on),
                                      on.calibration.ratesOf(on.device.generation).recurrentSpread);
    return std::pow(recurrent, recurrentShare) * std::pow(otherSpread, 1 - recurrentShare) * more;
}

Quantity spread(double value, double factor, Unit unit, How how)
{
    return Quantity::within(value, value / factor, value * factor, unit, Basis::Forecast,
                            std::move(how));
}

Bound boundOf(const PassTime& time, double exchangeS, double hostS)
{
    const std::array parts{time.productS, time.movingS, time.recurrenceS,
                           time.launchS,  exchangeS,    hostS};
    return static_cast<Bound>(std::max_element(parts.begin(), parts.end()) - parts.begin());
}

std::string nameOf(const Devices& on)
{
    std::string name = "on " + std::to_string(on.count) + " x " + on.device.name;
    if (on.machines > 1)
        name += " in " + std::to_string(on.machines) + " machines";
    return name;
}

std::string lacking(const Device& device, const PeakRate& peak)
{
    const char* what = peak.flopsPerS <= 0 ? "no arithmetic rate" : "no memory bandwidth";
    return std::string(what) + " is listed for " + device.name;
}

Quantity powerOf(const PassTime& time, double totalS, double working, const Devices& on)
{
    const Calibration& c = on.calibration;
    const PowerRange power = powerRange(on.device, c.idleShareOfTdp);
    if (power.maxWatts <= 0 || totalS <= 0)
        return Quantity::unavailable(Unit::Watts, power.note);
    const double count = real(on.count);
    const double atMost = working / count; // of all devices, on average
    const double busy = atMost *
                        (c.computePower * (time.productS + time.recurrenceS) +
                         c.memoryPower * (totalS - time.productS - time.recurrenceS)) /
                        totalS;
    const auto watts = [&](double share) {
        return count * (power.idleWatts + share * (power.maxWatts - power.idleWatts));
    };
    // From half of the way above idle that is meant, to all that the device may draw.
    return Quantity::within(
        watts(busy), watts(busy / 2), watts(atMost), Unit::Watts, Basis::Forecast,
        how(PowerFormula, {count, power.idleWatts, busy, power.maxWatts}, power.note));
}

} // namespace outlay::core
