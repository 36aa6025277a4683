// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Devices that work together, in one machine or in several, and what they ask of what joins them.
#pragma once

#include "core/hardware/accelerator.h"
#include "core/hardware/calibration.h"
#include "core/hardware/sharding.h"

namespace outlay::core {

/// So many of one device, which work together.
struct Devices {
    const Device& device;
    std::int64_t count = 1;
    const Calibration& calibration;
    double runtimeBytes = 0;                  // that the device's memory holds beside the model
    std::int64_t machines = 1;                // that they are in, as many in each
    std::optional<double> networkGbPerS = {}; // of each of these, one direction
};

/// Seconds to sum `bytes` over all of them.
[[nodiscard]] double exchangeSeconds(double bytes, const Devices& on);

/// Those that divide among them what is sharded.
[[nodiscard]] Devices dividing(Sharding sharding, const Devices& on);

/// Of a step whose kernels take so long.
[[nodiscard]] StepShares sharesOf(const TrainingDemand& demand, Sharding sharding, double computeS,
                                  const Devices& on);

} // namespace outlay::core
