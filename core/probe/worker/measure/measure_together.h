// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Trains with workers on other machines, which whoever started them lets find each other.
#pragma once

#include "core/probe/processes.h"
#include "core/probe/worker/measure/measure.h"

namespace outlay::worker {

/// A step of this machine alone took `stepS`. Throws `Stopped` when the job is cancelled.
[[nodiscard]] core::Result<core::ProcessesMeasurement> measureTogether(
    const Bench& bench, const core::Together& together, double stepS);

} // namespace outlay::worker
