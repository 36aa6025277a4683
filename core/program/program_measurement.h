// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a run of a program says of the design that stands for it.
#pragma once

#include "core/probe/job.h"
#include "core/probe/measurement.h"
#include "core/program/program_run.h"

namespace outlay::core {

/// As a measurement of the design's steps; nothing where too few were seen.
[[nodiscard]] std::optional<Measurement> measurementOf(const ProgramOutcome& outcome,
                                                       const std::vector<std::string>& command,
                                                       const Job& design);

/// What to know of a run before one believes it, each with its remedy.
[[nodiscard]] std::vector<std::string> findingsOf(const ProgramOutcome& outcome);

} // namespace outlay::core
