// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/holding.h"

#include "core/base/units.h"

#include <algorithm>

namespace outlay::core {

Quantity memoryWith(const TrainingDemand& demand, Sharding sharding, const Devices& on)
{
    const AcceleratorActivations& there = demand.onAccelerator;
    const bool isFused = fusesAttention(on.device, demand.training, on.calibration);
    const Quantity& activations = on.device.kind == DeviceKind::Cpu ? demand.memory.activations
                                  : isFused                         ? there.fused
                                                                    : there.plain;
    return memoryOnEach(demand, activations, sharding, dividing(sharding, on).count);
}

Sharding leastSharding(const TrainingDemand& demand, const Devices& on)
{
    if (on.count < 2)
        return Sharding::None;
    if (demand.training.sharding)
        return *demand.training.sharding;
    for (const Sharding one : {Sharding::None, Sharding::Optimizer, Sharding::Gradients}) {
        if (fitsOn(memoryWith(demand, one, on), on) != Fits::No)
            return one;
    }
    const bool hasCopies = on.machines > 1 && on.count > on.machines;
    return hasCopies && fitsOn(memoryWith(demand, Sharding::Hybrid, on), on) != Fits::No
               ? Sharding::Hybrid
               : Sharding::Full;
}

const TrainingDemand& passOn(const TrainingDemand& demand, const Devices& on)
{
    const auto& asked = demand.training.globalBatch;
    if (!asked)
        return demand;
    const auto isRight = [&](const TrainingDemand& d) {
        return d.training.batch * on.count <= *asked &&
               fitsOn(memoryWith(d, leastSharding(d, on), on), on) != Fits::No;
    };
    if (demand.smaller.empty() || isRight(demand))
        return demand;
    const auto found = std::find_if(demand.smaller.begin(), demand.smaller.end(), isRight);
    return found == demand.smaller.end() ? demand.smaller.back() : *found;
}

Fits fitsOn(const Quantity& memory, const Devices& on)
{
    if (!memory.isAvailable() || !on.device.memoryGb)
        return Fits::Unknown;
    const double usable = *on.device.memoryGb * Giga * on.calibration.usableMemory;
    return memory.value() + on.runtimeBytes <= usable ? Fits::Yes : Fits::No;
}

Sharding shardingOn(const TrainingDemand& demand, const Devices& on)
{
    return leastSharding(passOn(demand, on), on);
}

Quantity memoryOn(const TrainingDemand& demand, const Devices& on)
{
    const TrainingDemand& pass = passOn(demand, on);
    return memoryWith(pass, leastSharding(pass, on), on);
}

} // namespace outlay::core
