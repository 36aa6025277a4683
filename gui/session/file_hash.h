// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Files of data that Outlay keeps for a person, with their hash beside them: what changes one that isn't Outlay is seen.
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace outlay::gui {

/// SHA-256 of a file's bytes, in hex. In pieces: it may be larger than the memory.
[[nodiscard]] core::Result<std::string> sha256Of(const std::string& path);

/// Saves a file, and its hash in FILE.sha256, as `sha256sum -c` reads it. Whenever that is cut short, the hash is that
/// of what is there.
[[nodiscard]] core::Result<void> saveWithHash(const std::string& path, std::string_view content);

/// A sentence where a file isn't what was saved; nothing where it is, or where no hash is beside it.
[[nodiscard]] std::optional<std::string> changeOf(const std::string& path);

} // namespace outlay::gui
