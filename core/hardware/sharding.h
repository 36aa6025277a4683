// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What devices of one machine divide among them while they train: memory of each, and what it adds to the exchange.
#pragma once

#include "core/hardware/demand.h"

namespace outlay::core {

/// Bytes on each of so many devices, with what activations hold there. With everything sharded, the layers at work
/// are gathered again.
[[nodiscard]] Quantity memoryOnEach(const TrainingDemand& demand, const Quantity& activations,
                                    Sharding sharding, std::int64_t devices);

/// Seconds of an optimizer step with what of the exchange isn't hidden: `computeS` of kernels, and `ringS` to sum all
/// gradients, `gatherS` to gather all weights once.
struct StepShares {
    double computeS = 0;
    double ringS = 0;
    double gatherS = 0;
    double exposed = 0; // share of an exchange that no computation hides
};
[[nodiscard]] double exposedSeconds(const StepShares& step, Sharding sharding,
                                    std::int64_t accumulation);

} // namespace outlay::core
