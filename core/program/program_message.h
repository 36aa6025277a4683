// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What `outlay run --live` says of the program that it runs to whoever started it: a line of JSON each, moments first and
// the end last.
#pragma once

#include "core/program/program_run.h"

#include <variant>

namespace outlay::core {

/// What is known so far.
struct ProgramMoment {
    double seconds = 0;
    bool isEnding = false;           // its time is up, or somebody wants it to end
    std::string source;              // what tells its steps; empty before enough are seen
    std::optional<double> doneSteps; // the same
    std::optional<double> ofSteps;   // of the whole run
    std::optional<double> stepS;     // mean
    std::optional<double> stepLowS;  // its median lies between these in 80 of 100 cases
    std::optional<double> stepHighS;
    std::string verdict; // on how even its steps are
    double pausedS = 0;  // between steps: validation, saving
    std::int64_t pauses = 0;
    std::optional<double> wholeS; // forecast of the whole run
    std::optional<double> lowS;   // these hold it in 80 of 100 cases
    std::optional<double> highS;
    double processorS = 0;
    double peakBytes = 0; // of all its processes; 0 before they were looked at
    std::int64_t processes = 0;
    std::optional<double>
        waitingShare; // of the time in which its threads could run, that they had no core
    std::optional<double> idleShare; // of its time, that no core was at work for it
    std::string accelerator;         // that it has opened

    bool operator==(const ProgramMoment&) const = default;
};
[[nodiscard]] ProgramMoment momentOf(const ProgramOutcome& soFar);

/// It is over, and what was seen makes a measurement.
struct ProgramDone {
    Json measurement;
    std::string failure;     // of the program itself, in words; empty where it did as it should
    std::int64_t status = 0; // it ended with, as a shell has it

    bool operator==(const ProgramDone&) const = default;
};

/// It couldn't be started, or too little was seen.
struct ProgramFailed {
    std::string what;
    std::string remedy;
    std::optional<std::int64_t> status; // it ended with; nothing where it wasn't run

    bool operator==(const ProgramFailed&) const = default;
};

using ProgramMessage = std::variant<ProgramMoment, ProgramDone, ProgramFailed>;

/// No line is longer.
inline constexpr std::size_t LongestProgramMessage = std::size_t{64} << 20U;
/// With its line's end.
[[nodiscard]] std::string lineOf(const ProgramMessage& message);
[[nodiscard]] Result<ProgramMessage> readProgramMessage(std::string_view line);

} // namespace outlay::core
