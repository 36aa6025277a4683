// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a run of a program says of the design that stands for it.
#pragma once

#include "core/probe/job.h"
#include "core/probe/measurement.h"
#include "core/program/program_message.h"

namespace outlay::core {

/// As a measurement of the design's steps; nothing where too few were seen, or they are a guess.
[[nodiscard]] std::optional<Measurement> measurementOf(const ProgramOutcome& outcome,
                                                       const std::vector<std::string>& command,
                                                       const Job& design);

/// What the program makes of other steps than the design that stands for it; nothing where they are alike.
[[nodiscard]] std::optional<std::string> differenceFrom(const Measurement& measured,
                                                        const Job& design);

/// "it failed with exit status 7"; empty where it did as it should.
[[nodiscard]] std::string failureIn(const ProgramOutcome& outcome);

/// For whoever watched it: a measurement with its findings, or why there is none.
[[nodiscard]] ProgramMessage endOf(const ProgramOutcome& outcome,
                                   const std::vector<std::string>& command, const Job& design);

/// What to know of a run before one believes it, each with its remedy.
[[nodiscard]] std::vector<std::string> findingsOf(const ProgramOutcome& outcome);

} // namespace outlay::core
