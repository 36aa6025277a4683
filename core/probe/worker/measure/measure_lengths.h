// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// One sequence after another, from short to long, through the design and through its twin.
#pragma once

#include "core/probe/worker/measure/measure.h"

namespace outlay::worker {

/// What they may take beside the plain measurement.
[[nodiscard]] double lengthsSeconds(const core::Job& job);

/// Nothing for a design that has no twin. What would take too long or doesn't fit says so.
[[nodiscard]] std::vector<core::LengthTiming> measureLengths(const Bench& bench);

} // namespace outlay::worker
