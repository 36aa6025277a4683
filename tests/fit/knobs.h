// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The constants that whole runs move, each with where physics puts it and how far it may lie from there.
#pragma once

#include "core/hardware/calibration.h"
#include "tests/fit/descent.h"

namespace outlay::tests {

/// Of what heads share in caches, before any run is looked at.
inline constexpr double ExpectedRepeats = 0.5;

/// Of a calibration that outlives them. Constants of kernels aren't among them, nor those of an engine on one device.
[[nodiscard]] std::vector<Knob> knobsOf(core::Calibration& calibration);

/// Of an engine on the device that it names: it is expected to be as on any other. Of what kernels attain engines reach
/// such a share on devices of its generation.
[[nodiscard]] std::vector<Knob> knobsOf(core::EngineRates& onDevice,
                                        const core::EngineRates& onOthers, double served);

/// Of an engine's constants for any other device: the bandwidth that it reaches there.
[[nodiscard]] Knob elsewhereKnob(core::EngineRates& onOthers);

} // namespace outlay::tests
