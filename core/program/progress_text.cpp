// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/progress_text.h"

#include "core/base/text.h"

#include <algorithm>
#include <cctype>

namespace outlay::core {
namespace {

/// Beside more counters than that none is looked for: they are data.
constexpr std::size_t MostCounters = 64;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool contains(std::string_view text, std::string_view word)
{
    return text.find(word) != std::string_view::npos;
}

/// What bars and counting lines have and other fractions don't.
bool looksLikeProgress(std::string_view line)
{
    constexpr std::array<std::string_view, 7> Marks{"it/s", "s/it", "/step",       "ETA",
                                                    "%|",   "[=",   "\xE2\x94\x81"};
    return std::any_of(Marks.begin(), Marks.end(),
                       [&](std::string_view mark) { return contains(line, mark); });
}

/// "step 15/500", "Iteration: 15/500".
bool namesCount(std::string_view label)
{
    constexpr std::array<std::string_view, 5> Words{"step", "iter", "batch", "epoch", "update"};
    return std::any_of(Words.begin(), Words.end(),
                       [&](std::string_view word) { return contains(label, word); });
}

bool isEpoch(std::string_view label)
{
    return contains(label, "epoch");
}

/// Of something else than the steps of training.
bool isBeside(std::string_view label)
{
    constexpr std::array<std::string_view, 10> Words{
        "valid", "eval", "test", "download", "load", "map", "token", "sanity", "predict", "fetch"};
    return std::any_of(Words.begin(), Words.end(),
                       [&](std::string_view word) { return contains(label, word); });
}

/// In lower case, without digits, signs and what colours a terminal.
std::string labelOf(std::string_view text)
{
    std::string label;
    bool isEscape = false;
    for (const char c : text) {
        if (c == '\x1b')
            isEscape = true;
        else if (isEscape)
            isEscape = std::isalpha(static_cast<unsigned char>(c)) == 0;
        else if (std::isalpha(static_cast<unsigned char>(c)) != 0)
            label += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!label.empty() && label.back() != ' ')
            label += ' ';
    }
    while (label.ends_with(' '))
        label.pop_back();
    constexpr std::size_t Longest = 40;
    return label.substr(0, Longest);
}

/// The number that ends, or begins, at a place; empty where there is none or it is part of something else.
std::string_view digitsBefore(std::string_view line, std::size_t end)
{
    std::size_t begin = end;
    while (begin > 0 && isDigit(line[begin - 1]))
        --begin;
    const bool isWhole = begin == 0 || std::string_view(" |[(:=\x1bm").find(line[begin - 1]) !=
                                           std::string_view::npos;
    return isWhole ? line.substr(begin, end - begin) : std::string_view();
}

std::string_view digitsFrom(std::string_view line, std::size_t begin)
{
    std::size_t end = begin;
    while (end < line.size() && isDigit(line[end]))
        ++end;
    const bool isWhole = end == line.size() || std::string_view(" |[](),:;\x1b").find(line[end]) !=
                                                   std::string_view::npos;
    return isWhole ? line.substr(begin, end - begin) : std::string_view();
}

} // namespace

std::optional<Count> countIn(std::string_view line)
{
    std::optional<Count> found;
    const bool isBar = looksLikeProgress(line);
    for (std::size_t at = line.find('/'); at != std::string_view::npos;
         at = line.find('/', at + 1)) {
        std::size_t left = at;
        while (left > 0 && line[left - 1] == ' ')
            --left;
        std::size_t right = at + 1;
        while (right < line.size() && line[right] == ' ')
            ++right;
        const std::string_view done = digitsBefore(line, left);
        const std::string_view of = digitsFrom(line, right);
        const auto isDone = numberIn(done);
        const auto isOf = numberIn(of);
        if (!isDone || !isOf || *isOf < 2 || *isDone > *isOf)
            continue;
        const std::string label =
            labelOf(line.substr(0, static_cast<std::size_t>(done.data() - line.data())));
        if (isBar ? !found.has_value() || isEpoch(found->label) : namesCount(label))
            found = Count{label, *isDone, *isOf};
    }
    return found;
}

void ProgressText::feed(std::string_view bytes, double atS)
{
    m_text.feed(bytes, [&](std::string_view line) { take(line, atS); });
    // A bar is written over from its line's begin: what stands there now may be all that comes for a while.
    std::string_view begun = m_text.begun();
    while (!begun.empty() && isDigit(begun.back())) // more of them may follow
        begun.remove_suffix(1);
    take(begun, atS);
}

void ProgressText::take(std::string_view line, double atS)
{
    if (!contains(line, "/"))
        return;
    const auto count = countIn(line);
    if (!count)
        return;
    if (isEpoch(count->label) && !looksLikeProgress(line))
        m_epochs = count->of;
    const std::string key = count->label + " " + plainNumber(count->of);
    const auto known = m_counters.find(key);
    if (known == m_counters.end() && m_counters.size() >= MostCounters)
        return;
    Counter& counter = known == m_counters.end() ? m_counters[key] : known->second;
    counter.of = count->of;
    if (count->done < counter.last) {
        counter.before += counter.of;
        ++counter.rounds;
    }
    if (count->done == counter.last)
        return;
    counter.last = count->done;
    const double steps = counter.before + count->done;
    if (counter.marks.empty() || steps > counter.marks.back().steps)
        counter.marks.push_back({atS, steps, count->of});
}

const ProgressText::Counter* ProgressText::best() const
{
    const Counter* best = nullptr;
    int bestRank = -1;
    for (const auto& [label, counter] : m_counters) {
        const int rank = isBeside(label) ? 0 : isEpoch(label) && counter.marks.size() < 4 ? 1 : 2;
        if (best == nullptr || rank > bestRank ||
            (rank == bestRank && counter.marks.size() > best->marks.size())) {
            best = &counter;
            bestRank = rank;
        }
    }
    return bestRank > 0 ? best : nullptr;
}

bool ProgressText::isOfOneEpoch() const
{
    const Counter* counter = best();
    return counter != nullptr && counter->rounds > 1 && !m_epochs;
}

std::vector<StepMark> ProgressText::marks() const
{
    const Counter* counter = best();
    if (counter == nullptr)
        return {};
    std::vector<StepMark> marks = counter->marks;
    for (StepMark& mark : marks) {
        if (m_epochs)
            mark.of = counter->of * *m_epochs;
        else if (counter->rounds > 1)
            mark.of.reset();
    }
    return marks;
}

} // namespace outlay::core
