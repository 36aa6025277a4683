// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/commands/command.h"

#include "gui/commands/manual.h"
#include "gui/session/price_book_file.h"

#include "core/base/text.h"
#include "core/base/version.h"

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <iostream>

namespace outlay::gui {
namespace {

std::vector<Command> commands()
{
    return {presetsCommand(), newCommand(),   importCommand(),   estimateCommand(),
            probeCommand(),   runCommand(),   reportCommand(),   compareCommand(),
            checkCommand(),   sweepCommand(), simulateCommand(), actualCommand(),
            trackCommand(),   hostsCommand(), pricesCommand()};
}

std::string programHelp()
{
    std::string text =
        "Usage: outlay COMMAND ...\n\n"
        "What a machine-learning model will cost, before you pay for it.\n\nCommands:\n";
    constexpr std::size_t Column = 12;
    for (const Command& command : commands()) {
        std::string left = "  " + std::string(command.line.name);
        left.resize(Column, ' ');
        text += left + std::string(command.line.summary) + "\n";
    }
    return text +
           "\n`outlay COMMAND --help` says more about one. `outlay --version` names the version, "
           "`--manual`\nprints the manual page and `--completion bash` (zsh, fish) what a shell "
           "completes.\n";
}

int report(const core::Error& error, const Streams& streams)
{
    streams.err << "outlay: " << error.sentence() << '\n';
    return core::exitStatus(error.code);
}

/// What is asked for instead of a command, if anything is.
std::optional<core::Result<std::string>> paperOf(std::span<const std::string> words)
{
    std::vector<CommandLine> lines;
    for (const Command& command : commands())
        lines.push_back(command.line);
    if (words.front() == "--manual")
        return manualOf(lines);
    constexpr std::string_view Completion = "--completion";
    if (words.front() == Completion)
        return completionFor(words.size() > 1 ? words[1] : "", lines);
    return std::nullopt;
}

/// Whatever was written has arrived, or it is told that it hasn't.
int finish(const Streams& streams)
{
    streams.out.flush();
    if (streams.out)
        return 0;
    return report({core::ErrorCode::Internal,
                   "the result can't be written to the output",
                   "check the disk or the program that reads it",
                   {},
                   {}},
                  streams);
}

int print(const core::Result<std::string>& paper, const Streams& streams)
{
    if (!paper)
        return report(paper.error(), streams);
    streams.out << *paper;
    return finish(streams);
}

int unknownCommand(const std::string& word, const Streams& streams)
{
    std::vector<std::string_view> names;
    const std::vector<Command> all = commands();
    for (const Command& command : all)
        names.push_back(command.line.name);
    const auto near = core::nearest(word, names);
    const std::string remedy = near ? "did you mean `outlay " + std::string(*near) + "`?"
                                    : "`outlay --help` lists the commands";
    return report(
        {core::ErrorCode::Usage, "there is no command " + core::inQuotes(word), remedy, {}, {}},
        streams);
}

int notAFile(const std::string& word, const std::string& first, const Streams& streams)
{
    return report({core::ErrorCode::Usage,
                   "there is no file " + core::inQuotes(word) + " to open beside " +
                       core::printable(first, 60),
                   "name files alone, or a command first: `outlay --help` lists them",
                   {},
                   {}},
                  streams);
}

/// How many stand before the first word that is none; files are opened in the window, all of them or none.
std::size_t filesBefore(std::span<const std::string> words)
{
    const auto odd = std::find_if(words.begin(), words.end(), [](const std::string& word) {
        std::error_code unread;
        return word.starts_with('-') || !std::filesystem::exists(word, unread);
    });
    return static_cast<std::size_t>(odd - words.begin());
}

int runIt(const Command& command, std::span<const std::string> words, const Streams& streams)
{
    // What stands behind is the other program's.
    const auto end =
        command.line.takesCommand ? std::find(words.begin(), words.end(), "--") : words.end();
    if (std::find(words.begin(), end, "--help") != end)
        return print(helpText(command.line), streams);
    const auto arguments = Arguments::parse(command.line, words);
    if (!arguments)
        return report(arguments.error(), streams);
    for (const std::string& change : changedPrices(userPricesPath()))
        streams.err << "outlay: " << change << '\n';
    if (command.runOther != nullptr) {
        const auto status = command.runOther(*arguments, streams);
        if (!status)
            return report(status.error(), streams);
        const int written = finish(streams);
        return *status != 0 ? *status : written;
    }
    const auto outcome = command.run(*arguments, streams);
    if (!outcome)
        return report(outcome.error(), streams);
    return finish(streams);
}

} // namespace

bool isCommand(std::string_view word)
{
    const std::vector<Command> all = commands();
    return std::any_of(all.begin(), all.end(),
                       [&](const Command& command) { return command.line.name == word; });
}

int runCommandLine(std::span<const std::string> words, const Streams& streams)
{
    if (words.empty()) {
        streams.err << programHelp();
        return core::exitStatus(core::ErrorCode::Usage);
    }
    if (words.front() == "--help" || words.front() == "-h")
        return print(programHelp(), streams);
    if (words.front() == "--version")
        return print("outlay " + std::string(core::ProgramVersion) + "\n", streams);
    if (const auto paper = paperOf(words); paper)
        return print(*paper, streams);
    for (const Command& command : commands()) {
        if (command.line.name != words.front())
            continue;
        try {
            return runIt(command, words.subspan(1), streams);
        } catch (const std::exception& error) {
            return report(
                {core::ErrorCode::Internal,
                 std::string("an internal fault stopped the command (") + error.what() + ")",
                 "please report it with the file",
                 {},
                 {}},
                streams);
        }
    }
    const std::size_t files = filesBefore(words);
    return files > 0 && files < words.size() ? notAFile(words[files], words.front(), streams)
                                             : unknownCommand(words.front(), streams);
}

void warn(const Streams& streams, std::string_view file, const std::vector<std::string>& sentences)
{
    for (const std::string& sentence : sentences)
        streams.err << "outlay: " << core::printable(std::string(file) + ": " + sentence) << '\n';
}

} // namespace outlay::gui
