// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How devices hold a training: what they divide, how much each runs at once, and whether that fits.
#pragma once

#include "core/hardware/forecast.h"

namespace outlay::core {

/// Of one of the devices.
[[nodiscard]] Quantity memoryWith(const TrainingDemand& demand, Sharding sharding,
                                  const Devices& on);

/// As it is asked for, else the first with which just this pass fits.
[[nodiscard]] Sharding leastSharding(const TrainingDemand& pass, const Devices& on);

/// With a global batch the largest pass of which no device has too much, and that fits.
[[nodiscard]] const TrainingDemand& passOn(const TrainingDemand& demand, const Devices& on);

} // namespace outlay::core
