// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How devices hold a training: how they are laid out, how much each runs at once, and whether that fits.
#pragma once

#include "core/hardware/forecast.h"
#include "core/hardware/step.h"

namespace outlay::core {

struct Holding {
    const TrainingDemand* pass =
        nullptr; // what runs at once; part of the demand that was asked for
    Layout layout;
    bool isPossible = true; // else these devices can't be laid out as the settings ask
};

/// As the settings ask. Where they leave it open: each device has a copy, with the least sharding and the largest pass
/// that fit; where that divides weights, a smaller pass that doesn't, if it is faster; where none fits, or much of a step is
/// waiting for weights, the fastest of other layouts.
[[nodiscard]] Holding holdingOn(const TrainingDemand& demand, const Devices& on);
/// For who asks for several numbers of the same devices.
[[nodiscard]] Holding holdingOn(const TrainingDemand& demand, const Devices& on,
                                TimedPasses& timed);

/// The ways that there are: a copy on each device with each kind of sharding, whether that fits or not (with what the
/// settings say of the machine's memory, and with less there), and each split that fits; a copy with the largest pass that fits, a split with the fastest. The settings shouldn't ask for any.
[[nodiscard]] std::vector<Holding> holdingsOn(const TrainingDemand& demand, const Devices& on);

} // namespace outlay::core
