// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/worker/measure/measure.h"

namespace outlay::worker {

/// Machine, steps, latencies, layers, energy and variants, of the whole design or, where it doesn't fit,
/// the steps of its parts.
void measureDesign(const Bench& bench, core::Measurement& m);

/// What is asked for beside the plain way, where a step takes so long.
[[nodiscard]] double restSeconds(const core::Job& job, double stepS);

} // namespace outlay::worker
