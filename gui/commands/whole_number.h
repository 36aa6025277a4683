// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The value of an option that counts something.
#pragma once

#include "gui/commands/arguments.h"

namespace outlay::gui {

/// From 1 to `most`; nothing where the option isn't given.
[[nodiscard]] core::Result<std::optional<std::int64_t>> wholeNumberOf(const Arguments& arguments,
                                                                      const CommandOption& option,
                                                                      std::int64_t most);

} // namespace outlay::gui
