// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A request on this machine, from what the probe measured.
#pragma once

#include "core/hardware/answer_times.h"
#include "pricing/report/correction.h"
#include "pricing/report/report.h"

namespace outlay::pricing {

struct ServingHere {
    core::Quantity latencyMs; // of one request at a time: median
    core::Quantity p95Ms;
    core::Quantity throughputPerS; // at the batch of the settings
    core::Tails tails;
    Corrections corrections; // measured over roofline time
};

/// Measured while nothing that a request depends on has changed; scaled from the newest measurement by the
/// ratio of roofline times, and a forecast, when it has.
[[nodiscard]] ServingHere servingHere(const Subject& subject);

} // namespace outlay::pricing
