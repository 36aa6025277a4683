// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The variants that a job asks for, each proven and timed against the plain way.
#pragma once

#include "core/probe/worker/measure/measure.h"

namespace outlay::worker {

/// What they may take beside the plain measurement, if a step takes `stepS`.
[[nodiscard]] double variantSeconds(const core::Job& job, double stepS);

/// What is measured after the plain way, and how long it should take.
struct AfterPlain {
    Trainer& plain;
    Threads threads;     // the plain way's
    double stepS = 0;    // of the plain way
    double furtherS = 0; // of what follows the variants
};

/// Adds one row a variant; what can't be run here has a row that says why. Each is told when it is known, and stays
/// when the job is cancelled.
void measureVariants(const Bench& bench, const AfterPlain& after,
                     std::vector<core::VariantMeasurement>& rows);

} // namespace outlay::worker
