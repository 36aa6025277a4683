// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How good the tests are: changes one line of the program at a time and sees whether any test
// notices. A measurement, no gate: it ends with 0 however few were noticed, with 2 if it can't run.
#include "tests/mutants/workshop.h"

#include <charconv>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <span>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace outlay::mutants;

constexpr std::string_view Usage =
    "Usage: mutants [--count 40] [--seed 1] [--copy FOLDER] [--keep] [--list]\n"
    "  --count  how many changes to make\n"
    "  --seed   which ones\n"
    "  --copy   where to build them; the folder stays, and what is built there is used again\n"
    "  --keep   keeps the copy in the temporary directory, too\n"
    "  --list   says which changes would be made, and builds nothing\n";

struct Options {
    std::size_t count = 40;
    std::uint32_t seed = 1;
    fs::path copy;
    bool isKept = false;
    bool isList = false;
};

template <typename Number>
bool read(const std::string& text, Number& number)
{
    const char* end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && last == end;
}

std::optional<Options> optionsOf(std::span<char* const> words)
{
    Options options;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string_view name = words[i];
        if (name == "--keep" || name == "--list") {
            (name == "--keep" ? options.isKept : options.isList) = true;
            continue;
        }
        if (++i == words.size())
            return std::nullopt;
        const std::string value = words[i];
        if (name == "--copy" && !value.empty())
            options.copy = fs::absolute(value);
        else if (!(name == "--count" && read(value, options.count)) &&
                 !(name == "--seed" && read(value, options.seed)))
            return std::nullopt;
    }
    return options;
}

std::string trimmed(const std::string& line)
{
    const std::size_t first = line.find_first_not_of(' ');
    return first == std::string::npos ? line : line.substr(first);
}

/// Without what became of it, for that is known later.
void print(std::size_t number, const Pick& pick)
{
    std::cout << std::setw(3) << number << "  " << std::setw(9) << std::left
              << nameOf(pick.change.kind) << std::right << "  " << pick.file << ':'
              << pick.change.line + 1 << "  " << trimmed(pick.change.before) << "  ->  "
              << trimmed(pick.change.after);
}

void list(const Options& options)
{
    Picker picker(OUTLAY_SOURCE_DIR, options.seed);
    for (std::size_t i = 0; i < options.count; ++i) {
        if (const auto pick = picker.next(i)) {
            print(i + 1, *pick);
            std::cout << '\n';
        }
    }
}

/// Makes the changes one after the other, and says in the end which ones no test noticed.
void measure(const Options& options, const fs::path& copy)
{
    const Workshop workshop(copy);
    workshop.prepare(OUTLAY_SOURCE_DIR);
    // From the copy: nobody edits that meanwhile.
    Picker picker(copy, options.seed);
    std::size_t made = 0;
    std::vector<Pick> missed;
    for (std::size_t i = 0; i < options.count; ++i) {
        auto pick = picker.next(i);
        Verdict verdict;
        while (pick && !(verdict = workshop.judge(*pick)).isCompiled)
            pick = picker.next(i);
        if (!pick)
            continue;
        print(++made, *pick);
        if (verdict.noticedBy.empty())
            missed.push_back(*pick);
        std::cout << "  "
                  << (verdict.noticedBy.empty() ? "NOT NOTICED" : "noticed by " + verdict.noticedBy)
                  << std::endl;
    }
    std::cout << made - missed.size() << " of " << made << " noticed\n";
    for (std::size_t i = 0; i < missed.size(); ++i) {
        print(i + 1, missed[i]);
        std::cout << '\n';
    }
}

} // namespace

int main(int argc, char* argv[])
{
    const auto options = optionsOf({argv, static_cast<std::size_t>(argc)});
    if (!options) {
        std::cerr << Usage;
        return 2;
    }
    ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
    ::setenv("LC_ALL", "C.UTF-8", 1);
    const fs::path own =
        fs::temp_directory_path() / ("outlay-mutants-" + std::to_string(::getpid()));
    try {
        if (options->isList)
            list(*options);
        else
            measure(*options, options->copy.empty() ? own : options->copy);
        if (!options->isKept)
            fs::remove_all(own);
    } catch (const std::exception& error) {
        std::cerr << "mutants: " << error.what() << '\n';
        return 2;
    }
    return 0;
}
