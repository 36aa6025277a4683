// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A manual page for `man`, from what a program says of itself.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace outlay::core {

struct ManualSection {
    std::string title; // "COMMANDS"
    std::string text;
    std::vector<std::pair<std::string, std::string>> terms; // each with what it means
};

struct ManualPage {
    std::string name;    // "outlay-probe"
    std::string purpose; // half a sentence, as `apropos` shows it
    std::vector<ManualSection> sections;
};

/// In the language of `man`, section 1. The same for the same version: no date.
[[nodiscard]] std::string manualText(const ManualPage& page);

} // namespace outlay::core
