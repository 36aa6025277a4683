// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/devices.h"

#include "core/base/units.h"

#include <algorithm>

namespace outlay::core {
namespace {

LinkSpeed speedInside(const Devices& on)
{
    const Calibration& c = on.calibration;
    const double link = on.device.linkGbPerS.value_or(c.networkGbPerS);
    return speedOf(c.ratesOfLink(link), link * Giga);
}

/// Of a ring through all devices: each machine sends over all of its network what one of its devices passes on.
LinkSpeed speedBetween(const Devices& on)
{
    const Calibration& c = on.calibration;
    const double link = on.device.linkGbPerS.value_or(c.networkGbPerS);
    const double usual = std::min(link, c.networkGbPerS) * Giga * c.networkShare;
    const double listed = on.networkGbPerS.value_or(0) * Giga * c.networkShare;
    const double inside = on.device.linkGbPerS ? speedInside(on).bytesPerS : listed;
    return {.bytesPerS = listed > 0 ? std::min(listed, inside) : usual,
            .latencyS = c.networkLatencyUs * Micro};
}

} // namespace

double exchangeSeconds(double bytes, const Devices& on)
{
    const double count = real(on.count);
    if (count < 2)
        return 0;
    const bool isInside =
        on.device.linkGbPerS && on.machines == 1 && count <= on.calibration.devicesPerNode;
    return exchangeSeconds({.devices = count, .bytes = bytes},
                           isInside ? speedInside(on) : speedBetween(on));
}

Devices dividing(Sharding sharding, const Devices& on)
{
    Devices group = on;
    if (sharding == Sharding::Hybrid) {
        group.count = std::max<std::int64_t>(on.count / on.machines, 1);
        group.machines = 1;
    }
    return group;
}

StepShares sharesOf(const TrainingDemand& demand, Sharding sharding, double computeS,
                    const Devices& on)
{
    const Devices group = dividing(sharding, on);
    const double gradients = demand.memory.gradients.value();
    StepShares shares{.computeS = computeS,
                      .ringS = exchangeSeconds(gradients, group),
                      .gatherS = exchangeSeconds(demand.weightBytes, group) / 2,
                      .exposed = on.calibration.exposedExchange};
    if (sharding == Sharding::Hybrid && on.machines > 1)
        shares.betweenS =
            exchangeSeconds({.devices = real(on.machines), .bytes = gradients}, speedBetween(on));
    return shares;
}

} // namespace outlay::core
