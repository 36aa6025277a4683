// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// `outlay [FILE...]`: the window, where there is a display.
#pragma once

#include <span>
#include <string>

namespace outlay::gui {

/// Whether the words ask for the window: none, or files and no command.
[[nodiscard]] bool isForWindow(std::span<const std::string> words);

/// Runs until the window is closed; the exit status.
[[nodiscard]] int runWindow(int argc, char** argv);

} // namespace outlay::gui
