// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a system keeps of a program's command line, all from the table of commands: its manual page, and what shells
// complete.
#pragma once

#include "gui/commands/arguments.h"

#include <array>

namespace outlay::gui {

[[nodiscard]] std::string manualOf(std::span<const CommandLine> commands);

inline constexpr std::array<std::string_view, 3> Shells{"bash", "zsh", "fish"};

/// A script for one of `Shells`: commands, their options, and files.
[[nodiscard]] core::Result<std::string> completionFor(std::string_view shell,
                                                      std::span<const CommandLine> commands);

} // namespace outlay::gui
