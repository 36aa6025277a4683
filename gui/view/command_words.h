// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A command as a person writes it, split into its words. No shell reads it.
#pragma once

#include "core/base/result.h"

#include <QString>

#include <vector>

namespace outlay::gui {

/// Words are parted by spaces; what is in '…' or "…" or behind \ is taken as it is. What only a shell could do is
/// refused, with what to write instead.
[[nodiscard]] core::Result<std::vector<QString>> commandWords(const QString& command);

} // namespace outlay::gui
