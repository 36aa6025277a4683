// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/host/channel.h"
#include "core/probe/job.h"

namespace outlay::worker {

/// Which worker this is, and what it was made with.
[[nodiscard]] std::string buildName();

/// The first message of a worker.
[[nodiscard]] core::Hello makeHello();

/// Measures what the job asks for and sends exactly one terminal message. The exit status: 0 done,
/// 2 a job that is refused, 4 a measurement that failed, 130 cancelled.
[[nodiscard]] int runJob(const core::Job& job, Channel& channel);

} // namespace outlay::worker
