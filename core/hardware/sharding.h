// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What devices divide among them while they train: memory of each, and what it adds to the exchange.
#pragma once

#include "core/hardware/layout.h"

namespace outlay::core {

/// Weights are on other devices, too, and are fetched from there for each way through the layers.
[[nodiscard]] constexpr bool gathersWeights(Sharding sharding)
{
    return sharding >= Sharding::Full;
}

/// Bytes on a device that has most, without activations.
struct StatesOnEach {
    double parameters = 0;
    double gradients = 0;
    double optimizer = 0;
    double update = 0;   // one more copy of what is trained, when activations are gone
    double gathered = 0; // what is elsewhere, while it is at work
    double host = 0;     // of these, in the machine's memory

    /// Where activations hold so much.
    [[nodiscard]] double with(double held) const;
};
/// So many devices divide what is sharded.
[[nodiscard]] StatesOnEach statesOnEach(const TrainingDemand& demand, const Layout& layout,
                                        std::int64_t devices);

/// What gathers weights may free each gradient when it is summed: in one pass none is there when activations are most.
[[nodiscard]] bool mayFreeGradients(const Training& training, Sharding sharding);

/// Weights, gradients and the optimizer's state on a device that has most; its activations are those of one that has all.
[[nodiscard]] TrainingMemory statesMemory(const TrainingDemand& demand, const Layout& layout,
                                          std::int64_t devices);

/// Bytes on a device that has most, with what activations hold there; so many divide what is sharded. Where weights are
/// gathered, the layers at work are there in whole, and between several passes perhaps the gradients.
[[nodiscard]] Quantity memoryOnEach(const TrainingDemand& demand, const Quantity& activations,
                                    const Layout& layout, std::int64_t devices);

/// Bytes that it takes in each machine's own memory, with copies on their way there.
[[nodiscard]] double hostBytes(const StatesOnEach& states, std::int64_t inMachine);
/// The same for who reads it.
[[nodiscard]] Quantity memoryOfHost(const TrainingDemand& demand, const Layout& layout,
                                    std::int64_t devices, std::int64_t inMachine);

/// Seconds of an optimizer step with what of the exchange isn't hidden: `computeS` of kernels, and `ringS` to sum all
/// gradients, `gatherS` to gather all weights once, both among the devices that divide them, and `betweenS` to sum
/// the gradients of machines that hold copies.
struct StepShares {
    double computeS = 0;
    double ringS = 0;
    double gatherS = 0;
    double betweenS = 0;
    double fetchS = 0;  // a device's weights from its machine's memory, once
    double handS = 0;   // its gradients there, in each pass
    double keysS = 0;   // of keys and values that go around in a pass
    double ways = 2;    // through the layers, that weights come for
    double exposed = 0; // share of an exchange that no computation hides
};
[[nodiscard]] double exposedSeconds(const StepShares& step, Sharding sharding,
                                    std::int64_t accumulation, Offload offload = Offload::None);

} // namespace outlay::core
