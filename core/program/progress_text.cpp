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

namespace {

/// All counts of a line that may be some.
std::vector<Count> countsIn(std::string_view line)
{
    std::vector<Count> found;
    const bool isBar = looksLikeProgress(line);
    std::size_t labelled = 0; // what stands before a count begins behind the one before it
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
        if (!isDone || !isOf || *isOf < 2 || *isOf > MostSteps || *isDone > *isOf)
            continue;
        const auto begin = static_cast<std::size_t>(done.data() - line.data());
        const std::string label = labelOf(line.substr(labelled, begin - labelled));
        if (isBar || namesCount(label))
            found.push_back({label, *isDone, *isOf});
        labelled = right + of.size();
    }
    return found;
}

} // namespace

std::optional<Count> countIn(std::string_view line)
{
    const std::vector<Count> all = countsIn(line);
    if (all.empty())
        return std::nullopt;
    // Behind the epoch's comes the one of its steps; a rate or a time is none of either.
    return isEpoch(all.front().label) && all.size() > 1 ? all[1] : all.front();
}

std::optional<Count> epochIn(std::string_view line)
{
    const std::vector<Count> all = countsIn(line);
    const bool isOne = !all.empty() && isEpoch(all.front().label);
    return isOne ? std::optional(all.front()) : std::nullopt;
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
    const auto epoch = epochIn(line);
    const bool isOfEpochs = epoch && *epoch == *count;
    if (epoch && (!isOfEpochs || !looksLikeProgress(line)))
        takeEpoch(*epoch);
    const std::string key =
        (isOfEpochs ? "epochs " : "") + count->label + " " + plainNumber(count->of);
    const auto known = m_counters.find(key);
    if (known == m_counters.end() && m_counters.size() >= MostCounters)
        return;
    Counter& counter = known == m_counters.end() ? m_counters[key] : known->second;
    counter.of = count->of;
    counter.isOfEpochs = isOfEpochs && !looksLikeProgress(line);
    // Bars of one epoch say so from the first one on.
    counter.isOfOneEpoch = counter.isOfOneEpoch || (isEpoch(count->label) && !counter.isOfEpochs) ||
                           (epoch && !isOfEpochs);
    if (counter.epoch != m_epochChanges && count->done > counter.last && counter.last >= 0)
        counter.isOfAll = true; // it goes on through epochs
    counter.epoch = m_epochChanges;
    if (count->done < counter.last) {
        // Of several processes that count the same one is behind; what has begun again is at its begin.
        constexpr double Begin = 0.1;
        if (count->done > std::max(1.0, Begin * counter.of))
            return;
        counter.before += counter.of;
        ++counter.rounds;
        counter.isOfOneEpoch = true;
    }
    if (count->done == counter.last)
        return;
    counter.last = count->done;
    const double steps = counter.before + count->done;
    if (counter.marks.empty() || steps > counter.marks.back().steps)
        counter.marks.push_back({atS, steps, count->of});
}

/// Counted from 0 there is one more of them than the last one's number.
void ProgressText::takeEpoch(const Count& epoch)
{
    m_isFromZero = m_isFromZero || epoch.done == 0;
    m_epochs = epoch.of + (m_isFromZero ? 1 : 0);
    m_epochChanges += epoch.done != m_lastEpoch ? 1 : 0;
    m_lastEpoch = epoch.done;
}

const ProgressText::Counter* ProgressText::best() const
{
    const Counter* best = nullptr;
    int bestRank = -1;
    for (const auto& [label, counter] : m_counters) {
        const int rank = isBeside(label) ? 0 : counter.isOfEpochs ? 1 : 2;
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
    return counter != nullptr && counter->isOfOneEpoch && !m_epochs;
}

std::vector<StepMark> ProgressText::marks() const
{
    const Counter* counter = best();
    if (counter == nullptr)
        return {};
    std::vector<StepMark> marks = counter->marks;
    const bool isOfOne = counter->isOfOneEpoch || (m_epochs && !counter->isOfAll);
    for (StepMark& mark : marks) {
        if (counter->isOfEpochs)
            mark.of = m_epochs;
        else if (isOfOne)
            mark.of = m_epochs ? std::optional(counter->of * *m_epochs) : std::nullopt;
    }
    return marks;
}

} // namespace outlay::core
