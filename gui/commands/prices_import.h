// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"
#include "gui/commands/command.h"

namespace outlay::gui {

/// Merges the file that the arguments name into the user's price book, and says what came of each row.
[[nodiscard]] core::Result<void> importPriceFile(const Arguments& arguments,
                                                 const Streams& streams);

/// "16,146"
[[nodiscard]] inline std::string counted(std::size_t number)
{
    return core::grouped(static_cast<std::int64_t>(number));
}

} // namespace outlay::gui
