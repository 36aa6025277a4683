// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The variants that a job asks for, each proven and timed against the plain way.
#pragma once

#include "core/probe/worker/measure/measure.h"

namespace outlay::worker {

/// What they may take beside the plain measurement, if a step takes `stepS`.
[[nodiscard]] double variantSeconds(const core::Job& job, double stepS);

/// One row a variant; what can't be run here has a row that says why. `threads`: the plain way's.
[[nodiscard]] std::vector<core::VariantMeasurement> measureVariants(const Bench& bench,
                                                                    Trainer& plain,
                                                                    const Threads& threads);

} // namespace outlay::worker
