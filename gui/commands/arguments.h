// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What follows a command on its line: options and files, kept as the bytes that were typed.
#pragma once

#include "core/base/result.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace outlay::gui {

struct CommandOption {
    std::string_view name;        // "--set" or "-o"
    std::string_view placeholder; // what its value is called; empty for a switch
    std::string_view help;
    bool isRepeatable = false;
};

struct CommandLine {
    std::string_view name;
    std::string_view synopsis; // after "outlay NAME"
    std::string_view summary;
    std::vector<CommandOption> options;
    std::size_t leastFiles = 0;
    std::size_t mostFiles = 0;
    bool takesCommand = false; // another program's, behind "--"
};

class Arguments {
public:
    [[nodiscard]] static core::Result<Arguments> parse(const CommandLine& line,
                                                       std::span<const std::string> words);

    [[nodiscard]] bool has(std::string_view option) const { return m_values.contains(option); }
    [[nodiscard]] std::optional<std::string> value(std::string_view option) const;
    [[nodiscard]] std::vector<std::string> values(std::string_view option) const;
    [[nodiscard]] const std::vector<std::string>& files() const { return m_files; }
    [[nodiscard]] const std::vector<std::string>& command() const { return m_command; }

private:
    Arguments() = default;

    /// Takes the option that `words` start with; the number of words that it used.
    core::Result<std::size_t> takeOption(const CommandLine& line,
                                         std::span<const std::string> words);

    std::map<std::string, std::vector<std::string>, std::less<>> m_values;
    std::vector<std::string> m_files;
    std::vector<std::string> m_command;
};

[[nodiscard]] std::string helpText(const CommandLine& line);

} // namespace outlay::gui
