// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The constants that whole runs move, each with where physics puts it and how far it may lie from there.
#pragma once

#include "core/hardware/calibration.h"

namespace outlay::tests {

struct Knob {
    std::string name;
    double* value = nullptr;
    double prior = 1;
    double width = 0.3; // of the prior, in the natural logarithm: one standard deviation
    double low = 0;
    double high = 1000;
};

/// Of a calibration that outlives them. Constants of kernels aren't among them.
[[nodiscard]] std::vector<Knob> knobsOf(core::Calibration& calibration);

} // namespace outlay::tests
