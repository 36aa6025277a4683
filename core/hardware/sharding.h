// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What devices divide among them while they train: memory of each, and what it adds to the exchange.
#pragma once

#include "core/hardware/demand.h"

namespace outlay::core {

/// Weights are on other devices, too, and are fetched from there for each way through the layers.
[[nodiscard]] constexpr bool gathersWeights(Sharding sharding)
{
    return sharding >= Sharding::Full;
}

/// Bytes on each of the devices that divide it, with what activations hold there. Where weights are gathered, the layers at
/// work are there in whole.
[[nodiscard]] Quantity memoryOnEach(const TrainingDemand& demand, const Quantity& activations,
                                    Sharding sharding, std::int64_t devices);

/// Seconds of an optimizer step with what of the exchange isn't hidden: `computeS` of kernels, and `ringS` to sum all
/// gradients, `gatherS` to gather all weights once, both among the devices that divide them, and `betweenS` to sum
/// the gradients of machines that hold copies.
struct StepShares {
    double computeS = 0;
    double ringS = 0;
    double gatherS = 0;
    double betweenS = 0;
    double exposed = 0; // share of an exchange that no computation hides
};
[[nodiscard]] double exposedSeconds(const StepShares& step, Sharding sharding,
                                    std::int64_t accumulation);

} // namespace outlay::core
