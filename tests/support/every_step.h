// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// An engine's every step, with a request's seconds straight from the forecast: the oracle of what is said of requests in
// flight, by formula and by the program's own simulation.
#pragma once

#include "core/experiment/experiment.h"
#include "core/hardware/devices.h"

#include <string>

namespace outlay::tests {

/// How far the program may lie from the oracle, as a share.
struct Allowed {
    double formula = 0.15;
    double simulation = 0.06; // it skips steps in which nothing happens
};

/// A service under so much of what its machine holds; a sentence where a figure is further off. Its caches have to fit.
[[nodiscard]] std::string missedInFlight(const core::Experiment& service, const core::Devices& on,
                                         double load, const Allowed& allowed);

} // namespace outlay::tests
