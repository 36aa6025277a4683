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
    std::optional<double> hostVcpus = {};     // of each
    std::optional<double> hostGb = {};        // of each, 10^9 bytes beside what its devices have
};

/// So many where nobody says in what machines: eight in each, as most have them.
[[nodiscard]] Devices inUsualMachines(const Device& device, std::int64_t count,
                                      const Calibration& calibration);

/// Of each machine.
[[nodiscard]] std::int64_t devicesInMachine(const Devices& on);

/// Some of the devices, which exchange among each other while others do the same.
struct Group {
    std::int64_t devices = 1;
    std::int64_t inMachine = 1; // of these in each machine
};
[[nodiscard]] Group allOf(const Devices& on);
/// Those that share each layer, next to each other.
[[nodiscard]] Group sharersOf(const Layout& layout, const Devices& on);
/// Those with the same part of each copy, among which sharding divides it.
[[nodiscard]] Group copiesOf(const Layout& layout, const Devices& on);

/// Those of a stage that divide the experts of each layer, next to each other.
[[nodiscard]] Group expertsOf(const Layout& layout, const Devices& on);

/// Seconds to sum `bytes` over each group, or over all.
[[nodiscard]] double exchangeSeconds(double bytes, const Group& group, const Devices& on);
[[nodiscard]] double exchangeSeconds(double bytes, const Devices& on);

/// Seconds to pass on `bytes` from one stage to the next.
[[nodiscard]] double sendSeconds(double bytes, const Devices& on);

/// Seconds for each of a group to send rows of so many bytes to experts that lie evenly on all: once to each device, and
/// to each machine, that has some of a row's experts.
[[nodiscard]] double routedSeconds(double bytes, double expertsOfRow, const Group& group,
                                   const Devices& on);

/// For a machine's processors to read and write so much in an update.
[[nodiscard]] double hostUpdateSeconds(double bytes, const Devices& on);

/// Of a step whose kernels take so long.
[[nodiscard]] StepShares sharesOf(const TrainingDemand& demand, const Layout& layout,
                                  double computeS, const Devices& on);

} // namespace outlay::core
