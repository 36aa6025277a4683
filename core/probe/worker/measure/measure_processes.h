// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Starts processes that train together on this machine, and waits for what they measure.
#pragma once

#include "core/probe/processes.h"
#include "core/probe/worker/measure/measure.h"

namespace outlay::worker {

/// What they may take beside the plain measurement.
[[nodiscard]] double processesSeconds(const core::Job& job);

/// None of them outlives this call, nor this process. A step of the plain measurement took `stepS`. Throws `Stopped`
/// when the job is cancelled.
[[nodiscard]] core::Result<core::ProcessesMeasurement> measureProcesses(const Bench& bench,
                                                                        int count, double stepS);

} // namespace outlay::worker
