// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Mutates real inputs and feeds them to every reader of foreign bytes. Whatever comes in, a reader gives a value or one
// sentence; it doesn't crash, hang, leak, or take much more memory than it was given bytes.
#include "core/base/file.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/watch.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>

namespace outlay::fuzz {

void checkError(const core::Error& error)
{
    const std::string sentence = error.sentence();
    if (error.what.empty() || sentence.find('\n') != std::string::npos || sentence.size() > 2000)
        fail("an error is not one sentence: " + sentence);
}

void withJson(const std::string& input, const std::function<void(const core::Json&)>& feed)
{
    const auto json = core::readJson(input);
    if (json)
        feed(*json);
    else
        checkError(json.error());
}

namespace {

const std::vector<std::string> UsualWords{
    "0",       "-1",     "1e18", "1e308",      "1e400",      "null",
    "true",    "\"\"",   "[]",   "{}",         "NaN",        "\"",
    "\n",      ",",      "0.5",  "[[[",        "}",          "1e-308",
    "65536",   "inf",    "\xff", "4294967296", "2147483647", "9223372036854775807",
    "\\u0000", "\\ud800"};

/// Of each target: so many executions, or so long.
struct Amount {
    std::optional<std::size_t> count;
    std::chrono::seconds time{0};
};

/// "30s", or a number of executions.
Amount amountOf(const std::string& text)
{
    if (text.ends_with('s'))
        return {.count = {}, .time = std::chrono::seconds(std::atoi(text.c_str()))};
    return {.count = std::strtoull(text.c_str(), nullptr, 10)};
}

std::vector<std::string> inputsOf(const Target& target, const std::string& data)
{
    std::vector<std::string> folders = target.folders;
    folders.push_back("fuzz/" + target.name);
    std::vector<std::filesystem::path> paths;
    for (const std::string& folder : folders) {
        std::error_code isMissing;
        for (const auto& entry :
             std::filesystem::directory_iterator(data + "/" + folder, isMissing)) {
            constexpr std::uintmax_t Small = 20'000; // larger ones take long and find no more
            if (entry.is_regular_file() && entry.file_size() < Small)
                paths.push_back(entry.path());
        }
    }
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> inputs = target.seeds;
    for (const auto& path : paths)
        inputs.push_back(core::loadFile(path.string()).value_or(""));
    if (inputs.empty())
        fail(target.name + " has nothing to begin with");
    return inputs;
}

struct Tally {
    std::size_t executions = 0;
    double slowestS = 0;
    double mostTimes = 0; // memory, of inputs beyond the least

    void add(const Spent& spent, std::size_t size)
    {
        ++executions;
        slowestS = std::max(slowestS, spent.seconds);
        if (spent.bytes > LeastBytes)
            mostTimes =
                std::max(mostTimes, static_cast<double>(spent.bytes) /
                                        static_cast<double>(std::max<std::size_t>(size, 1)));
    }
};

Tally fuzz(const Target& target, const std::vector<std::string>& inputs, std::uint64_t seed,
           const Amount& amount)
{
    std::vector<std::string> words = UsualWords;
    words.insert(words.end(), target.words.begin(), target.words.end());
    Mutator mutator(seed, std::move(words));
    watchFor(target.name);
    Tally tally;
    // First without a look at the memory: tables that are made once are made then.
    {
        const NotReading making;
        for (const std::string& input : inputs)
            static_cast<void>(watched(input, target.feed));
    }
    for (const std::string& input : inputs)
        tally.add(watched(input, target.feed), input.size());
    const std::size_t living = livingBytes();
    const auto end = std::chrono::steady_clock::now() + amount.time;
    while (amount.count ? tally.executions < *amount.count
                        : std::chrono::steady_clock::now() < end) {
        const std::string input = mutator.mutated(inputs[mutator.below(inputs.size())]);
        tally.add(watched(input, target.feed), input.size());
    }
    constexpr std::size_t Caches = 65536; // of the libraries
    if (livingBytes() > living + Caches)
        fail(target.name + " leaves " + std::to_string(livingBytes() - living) + " bytes behind");
    return tally;
}

std::vector<Target> allTargets()
{
    std::vector<Target> all;
    for (auto* const targets : {experimentTargets, modelTargets, lineTargets, priceTargets,
                                recordTargets, settingsTargets}) {
        for (Target& target : targets())
            all.push_back(std::move(target));
    }
    return all;
}

int run(std::span<char* const> arguments)
{
    if (arguments.size() < 3) {
        std::fputs("Usage: fuzz SEED SECONDSs|EXECUTIONS DATA [TARGET...]\n", stderr);
        return 2;
    }
    const std::uint64_t seed = std::strtoull(arguments[0], nullptr, 10);
    const Amount amount = amountOf(arguments[1]);
    const std::span<char* const> names = arguments.subspan(3);
    std::size_t all = 0;
    std::printf("%-20s %8s %12s %12s %14s\n", "target", "inputs", "executions", "slowest, ms",
                "memory, times");
    for (const Target& target : allTargets()) {
        if (!names.empty() && std::find(names.begin(), names.end(), target.name) == names.end())
            continue;
        const std::vector<std::string> inputs = inputsOf(target, arguments[2]);
        const Tally tally = fuzz(target, inputs, seed, amount);
        std::printf("%-20s %8zu %12zu %12.1f %14.1f\n", target.name.c_str(), inputs.size(),
                    tally.executions, 1000 * tally.slowestS, tally.mostTimes);
        std::fflush(stdout);
        all += tally.executions;
    }
    std::printf("%zu executions\n", all);
    return all > 0 ? 0 : 2;
}

} // namespace
} // namespace outlay::fuzz

int main(int argc, char* argv[])
{
    const std::span<char* const> arguments(argv, static_cast<std::size_t>(argc));
    return outlay::fuzz::run(arguments.subspan(1));
}
