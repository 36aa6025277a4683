// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Running other programs, and the texts of files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace outlay::mutants {

enum class End { Success, Failure, Crash, TooLate };

/// Runs a program, found in PATH, to its end; what it says goes to the file `log`.
[[nodiscard]] End run(std::vector<std::string> words, const std::filesystem::path& log);

/// The same for one that may hang or fill the memory, as a changed program does.
[[nodiscard]] End runBounded(const std::filesystem::path& program,
                             const std::filesystem::path& log);

[[nodiscard]] std::string textOf(const std::filesystem::path& file);

/// Throws if that can't be.
void write(const std::filesystem::path& file, std::string_view text);

} // namespace outlay::mutants
