// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/worker_arguments.h"

#include "core/base/text.h"

#include <cmath>

namespace outlay::worker {
namespace {

using namespace outlay::core;

constexpr double MostLines = 1e6;
constexpr double LongestLeaseS = 86400;

Result<double> numberFor(const std::string& option, const std::string& text, double least,
                         double most)
{
    const auto number = core::numberIn(text);
    if (!number || *number < least || *number > most)
        return usageError(option + " is '" + printable(text, 40) + "'",
                          "give a number from " + plainNumber(least) + " to " + plainNumber(most));
    return *number;
}

Result<std::int64_t> wholeFor(const std::string& option, const std::string& text, double least)
{
    const auto number = numberFor(option, text, least, MostLines);
    if (!number)
        return failureOf(number);
    if (*number != std::floor(*number))
        return usageError(option + " is '" + printable(text, 40) + "'", "give a whole number");
    return static_cast<std::int64_t>(*number);
}

/// An option with a value.
Result<void> take(WorkerArguments& arguments, const std::string& option, const std::string& text)
{
    const auto whole = [&](auto& field, double least) -> Result<void> {
        const auto number = wholeFor(option, text, least);
        if (!number)
            return failureOf(number);
        field = *number;
        return {};
    };
    if (option == "--job") {
        arguments.job = text;
    } else if (option == "--accept") {
        arguments.accept = text;
    } else if (option == "--collect") {
        arguments.collect = text;
    } else if (option == "--manifest") {
        arguments.manifest = text;
    } else if (option == "--results") {
        arguments.results = text;
    } else if (option == "--task") {
        return whole(arguments.task, 0);
    } else if (option == "--line") {
        return whole(arguments.line, 0);
    } else if (option == "--each") {
        return whole(arguments.each, 1);
    } else if (option == "--lease") {
        const auto seconds = numberFor(option, text, 0.1, LongestLeaseS);
        if (!seconds)
            return failureOf(seconds);
        arguments.leaseS = *seconds;
    } else {
        return usageError("there is no option '" + printable(option, 40) + "'",
                          "see outlay-probe --help");
    }
    return {};
}

Result<void> check(const WorkerArguments& arguments)
{
    const bool isTask = arguments.task || arguments.line;
    if (arguments.manifest.has_value() != isTask || (arguments.task && arguments.line))
        return usageError("a manifest and which part of it belong together",
                          "give --manifest FILE --task N");
    if (arguments.manifest && !arguments.results)
        return usageError("a task needs a folder for its results", "give --results FOLDER");
    return {};
}

} // namespace

Result<WorkerArguments> readWorkerArguments(std::span<const std::string> words)
{
    WorkerArguments arguments;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "--help") {
            arguments.help = true;
        } else if (word == "--manual") {
            arguments.manual = true;
        } else if (word == "--version") {
            arguments.version = true;
        } else if (word == "--machine") {
            arguments.machine = true;
        } else if (word == "--together") {
            arguments.together = true;
        } else if (word == "--program") {
            arguments.program = true;
        } else if (i + 1 == words.size()) {
            return usageError(inQuotes(word) + " can't stand alone", "see outlay-probe --help");
        } else if (const auto taken = take(arguments, word, words[++i]); !taken) {
            return failureOf(taken);
        }
    }
    if (const auto checked = check(arguments); !checked)
        return failureOf(checked);
    return arguments;
}

} // namespace outlay::worker
