// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/experiment.h"
#include "gui/commands/command.h"

namespace outlay::gui {

inline constexpr CommandOption OutputOption{"-o", "FILE",
                                            "write to FILE instead of standard output"};

/// Stamps a new experiment with the time and the program, and writes it where `-o` says.
[[nodiscard]] core::Result<void> writeNew(core::Experiment experiment, const Arguments& arguments,
                                          const Streams& streams);

} // namespace outlay::gui
