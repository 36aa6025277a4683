// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A person's program, run on another machine by the worker there, and watched from here.
#pragma once

#include "core/launch/profile.h"
#include "core/program/program_message.h"
#include "core/program/program_order.h"
#include "gui/commands/command.h"

namespace outlay::gui {

/// The end of it: until it has ended there, or the program here is asked to end. What it prints comes on standard error.
[[nodiscard]] core::Result<core::ProgramMessage> runProgramOn(const core::Profile& profile,
                                                              const core::ProgramOrder& order,
                                                              const Streams& streams);

/// For whoever started `outlay run --live`: what is heard from there is handed on.
[[nodiscard]] int runLiveOn(const core::Profile& profile, const core::ProgramOrder& order);

} // namespace outlay::gui
