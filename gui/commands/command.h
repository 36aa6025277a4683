// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The command line: each command is a function of its arguments that writes results to `out` and
// everything else to `err`. None of them needs a display.
#pragma once

#include "gui/commands/arguments.h"

#include <iosfwd>

namespace outlay::gui {

struct Streams {
    std::ostream& out;
    std::ostream& err;
};

struct Command {
    CommandLine line;
    core::Result<void> (*run)(const Arguments& arguments, const Streams& streams) = nullptr;
    /// In its place where the exit status is another program's.
    core::Result<int> (*runOther)(const Arguments& arguments, const Streams& streams) = nullptr;
};

[[nodiscard]] Command presetsCommand();
[[nodiscard]] Command newCommand();
[[nodiscard]] Command importCommand();
[[nodiscard]] Command estimateCommand();
[[nodiscard]] Command probeCommand();
[[nodiscard]] Command runCommand();
[[nodiscard]] Command reportCommand();
[[nodiscard]] Command compareCommand();
[[nodiscard]] Command checkCommand();
[[nodiscard]] Command sweepCommand();
[[nodiscard]] Command pricesCommand();
[[nodiscard]] Command simulateCommand();
[[nodiscard]] Command actualCommand();
[[nodiscard]] Command trackCommand();
[[nodiscard]] Command hostsCommand();

[[nodiscard]] bool isCommand(std::string_view word);

/// Runs `outlay WORDS...` and returns its exit status.
[[nodiscard]] int runCommandLine(std::span<const std::string> words, const Streams& streams);

void warn(const Streams& streams, std::string_view file, const std::vector<std::string>& sentences);

} // namespace outlay::gui
