// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reading whole files with a limit, and writing them so that a crash never leaves half of one.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace outlay::core {

/// The largest experiment or model config that is read.
inline constexpr std::uint64_t LargestFile = 64U << 20U;

/// Refuses by size before it reads; directories, devices and missing files are errors.
[[nodiscard]] Result<std::string> loadFile(const std::string& path,
                                           std::uint64_t mostBytes = LargestFile);

/// What that holds; an error names the file.
[[nodiscard]] Result<Json> loadJson(const std::string& path);
[[nodiscard]] Result<Json> loadJson(const std::string& path, const RowsRead& rows);

/// The first `count` bytes of a file of any size (fewer if it is shorter), and the file's size.
struct FileStart {
    std::string bytes;
    std::uint64_t fileSize = 0;
};
[[nodiscard]] Result<FileStart> loadFileStart(const std::string& path, std::uint64_t count);

/// Temporary file in the same folder, fsync, rename, fsync of the folder. A link is followed, so the
/// file that it names is replaced; an existing file keeps its permissions. What writers left of it that were killed
/// goes.
[[nodiscard]] Result<void> saveFile(const std::string& path, std::string_view content);

/// As saveFile, but a file that is there stays as it is: of several writers the first wins. Whether it was this one.
[[nodiscard]] Result<bool> publishFile(const std::string& path, std::string_view content);

} // namespace outlay::core
