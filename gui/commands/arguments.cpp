// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/commands/arguments.h"

#include "core/base/text.h"

#include <algorithm>

namespace outlay::gui {
namespace {

using core::Result;
using core::usageError;

std::string seeHelp(const CommandLine& line)
{
    return "see `outlay " + std::string(line.name) + " --help`";
}

const CommandOption* findOption(const CommandLine& line, std::string_view name)
{
    const auto found = std::find_if(line.options.begin(), line.options.end(),
                                    [&](const CommandOption& o) { return o.name == name; });
    return found == line.options.end() ? nullptr : &*found;
}

tl::unexpected<core::Error> unknownOption(const CommandLine& line, std::string_view name)
{
    std::vector<std::string_view> names;
    for (const CommandOption& option : line.options)
        names.push_back(option.name);
    const auto near = core::nearest(name, names);
    return usageError("there is no option " + core::printable(name, 60),
                      near ? "did you mean " + std::string(*near) + "?" : seeHelp(line));
}

} // namespace

Result<Arguments> Arguments::parse(const CommandLine& line, std::span<const std::string> words)
{
    Arguments arguments;
    bool onlyFiles = false;
    while (!words.empty()) {
        const std::string& word = words.front();
        if (line.takesCommand && word == "--") {
            arguments.m_command.assign(words.begin() + 1, words.end());
            break;
        }
        if (!onlyFiles && word == "--") {
            onlyFiles = true;
        } else if (onlyFiles || word == "-" || !word.starts_with('-')) {
            if (word.empty())
                return usageError("a file name is empty", seeHelp(line));
            arguments.m_files.push_back(word);
        } else {
            const auto used = arguments.takeOption(line, words);
            if (!used)
                return core::failureOf(used);
            words = words.subspan(*used - 1);
        }
        words = words.subspan(1);
    }
    if (line.takesCommand && (arguments.m_command.empty() || arguments.m_command.front().empty()))
        return usageError("`outlay " + std::string(line.name) + "` got no program",
                          "name it behind --, as in `outlay run -- python train.py`");
    const std::size_t count = arguments.m_files.size();
    if (count < line.leastFiles || count > line.mostFiles) {
        const bool isOne = line.leastFiles == 1 && line.mostFiles == 1;
        return usageError("`outlay " + std::string(line.name) + "` got " + std::to_string(count) +
                              " file names" + (isOne ? " instead of one" : ""),
                          seeHelp(line));
    }
    return arguments;
}

Result<std::size_t> Arguments::takeOption(const CommandLine& line,
                                          std::span<const std::string> words)
{
    const std::string& word = words.front();
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const bool hasValue = equals != std::string::npos;
    const std::string name = word.substr(0, equals);
    const CommandOption* option = findOption(line, name);
    if (option == nullptr)
        return unknownOption(line, name);
    std::vector<std::string>& values = m_values[name];
    if (!values.empty() && !option->isRepeatable)
        return usageError("the option " + name + " is given twice", "give it once");
    if (option->placeholder.empty()) {
        if (hasValue)
            return usageError("the option " + name + " takes no value", seeHelp(line));
        values.emplace_back();
        return std::size_t{1};
    }
    if (!hasValue && words.size() == 1)
        return usageError("the option " + name + " needs a value", seeHelp(line));
    values.push_back(hasValue ? word.substr(equals + 1) : words[1]);
    if (values.back().empty())
        return usageError("the value of the option " + name + " is empty", seeHelp(line));
    return std::size_t{hasValue ? 1U : 2U};
}

std::optional<std::string> Arguments::value(std::string_view option) const
{
    const auto found = m_values.find(option);
    return found == m_values.end() ? std::nullopt : std::optional(found->second.front());
}

std::vector<std::string> Arguments::values(std::string_view option) const
{
    const auto found = m_values.find(option);
    return found == m_values.end() ? std::vector<std::string>{} : found->second;
}

std::string helpText(const CommandLine& line)
{
    std::string text = "Usage: outlay " + std::string(line.name) + " " +
                       std::string(line.synopsis) + "\n\n" + std::string(line.summary) + "\n";
    if (!line.options.empty())
        text += "\nOptions:\n";
    constexpr std::size_t Column = 28;
    for (const CommandOption& option : line.options) {
        std::string left = "  " + std::string(option.name);
        if (!option.placeholder.empty())
            left += " " + std::string(option.placeholder);
        left.append(left.size() < Column ? Column - left.size() : 1, ' ');
        text += left + std::string(option.help) + "\n";
    }
    return text;
}

} // namespace outlay::gui
