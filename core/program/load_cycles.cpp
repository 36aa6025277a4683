// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/load_cycles.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace outlay::core {
namespace {

constexpr std::size_t FewestCycles = 8;

/// Work a second in each piece of an even grid.
std::vector<double> ratesOf(const std::vector<LoadPoint>& points)
{
    std::vector<double> rates;
    const auto count =
        static_cast<std::size_t>((points.back().atS - points.front().atS) / LoadCycles::GridS);
    rates.reserve(count);
    std::size_t next = 1;
    double before = points.front().done;
    for (std::size_t i = 1; i <= count; ++i) {
        const double at = points.front().atS + static_cast<double>(i) * LoadCycles::GridS;
        while (next + 1 < points.size() && points[next].atS < at)
            ++next;
        const LoadPoint& from = points[next - 1];
        const LoadPoint& to = points[next];
        const double share = std::clamp((at - from.atS) / (to.atS - from.atS), 0.0, 1.0);
        const double done = from.done + share * (to.done - from.done);
        rates.push_back(std::max(0.0, done - before) / LoadCycles::GridS);
        before = done;
    }
    return rates;
}

/// How alike it is to itself so many places later, from -1 to 1; nothing where it hardly changes.
std::vector<double> likenessOf(const std::vector<double>& rates, std::size_t longest)
{
    constexpr double Hardly = 0.1;
    const auto count = static_cast<double>(rates.size());
    const double mean = std::accumulate(rates.begin(), rates.end(), 0.0) / count;
    std::vector<double> away(rates.size());
    std::transform(rates.begin(), rates.end(), away.begin(), [&](double r) { return r - mean; });
    const double variance = std::inner_product(away.begin(), away.end(), away.begin(), 0.0) / count;
    if (std::sqrt(variance) <= Hardly * mean)
        return {};
    std::vector<double> likeness;
    for (std::size_t lag = 0; lag <= longest; ++lag) {
        const auto end = away.end() - static_cast<std::ptrdiff_t>(lag);
        const double sum = std::inner_product(away.begin(), end,
                                              away.begin() + static_cast<std::ptrdiff_t>(lag), 0.0);
        likeness.push_back(sum / static_cast<double>(away.size() - lag) / variance);
    }
    return likeness;
}

/// Places after which it comes again; 0 where it doesn't. Twice as many are as good, so the shortest is meant.
std::size_t periodOf(const std::vector<double>& rates, std::size_t shortest)
{
    constexpr double Unlike = 0.2;
    constexpr double Alike = 0.5;
    constexpr double AsGood = 0.8;
    const std::vector<double> likeness = likenessOf(rates, rates.size() / FewestCycles);
    const auto fell =
        std::find_if(likeness.begin(), likeness.end(), [](double l) { return l < Unlike; });
    if (fell == likeness.end())
        return 0;
    const double best = *std::max_element(fell, likeness.end());
    if (best < Alike)
        return 0;
    for (auto at = fell + 1; at + 1 < likeness.end(); ++at) {
        const auto place = static_cast<std::size_t>(at - likeness.begin());
        if (*at >= AsGood * best && *at >= *(at - 1) && *at >= *(at + 1) && place >= shortest)
            return place;
    }
    return 0;
}

/// The longest between two looks, but for some.
double seldomGapS(const std::vector<LoadPoint>& points)
{
    constexpr double Some = 0.9;
    std::vector<double> gaps;
    for (std::size_t i = 1; i < points.size(); ++i)
        gaps.push_back(points[i].atS - points[i - 1].atS);
    const auto seldom =
        gaps.begin() + static_cast<std::ptrdiff_t>(Some * static_cast<double>(gaps.size() - 1));
    std::nth_element(gaps.begin(), seldom, gaps.end());
    return *seldom;
}

/// The least and the most, but for what is rare.
std::pair<double, double> rangeOf(std::vector<double> rates)
{
    constexpr double Rare = 0.02;
    std::sort(rates.begin(), rates.end());
    const auto skipped = static_cast<std::size_t>(Rare * static_cast<double>(rates.size()));
    return {rates[skipped], rates[rates.size() - 1 - skipped]};
}

/// Places where it has risen from low to high.
std::vector<std::size_t> risesOf(const std::vector<double>& rates)
{
    constexpr double Low = 0.35;
    constexpr double High = 0.65;
    const auto [least, most] = rangeOf(rates);
    std::vector<std::size_t> rises;
    bool wasLow = false;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        const double height = (rates[i] - least) / (most - least);
        if (wasLow && height > High)
            rises.push_back(i);
        wasLow = height < Low || (wasLow && height <= High);
    }
    return rises;
}

/// Those that follow one another about a period apart; a rise within a cycle is none of its own.
std::vector<std::size_t> cyclesOf(const std::vector<std::size_t>& rises, double period)
{
    constexpr double Within = 0.6;
    constexpr double Apart = 1.5;
    std::vector<std::size_t> cycles;
    std::size_t regular = 0;
    for (const std::size_t rise : rises) {
        const double gap = cycles.empty() ? 0 : static_cast<double>(rise - cycles.back());
        if (!cycles.empty() && gap < Within * period)
            continue;
        const bool isNext = !cycles.empty() && gap < Apart * period;
        if (regular == 0 && !isNext)
            cycles.clear(); // it hasn't begun to repeat
        regular += isNext ? 1 : 0;
        cycles.push_back(rise);
    }
    constexpr double Most = 0.7;
    const bool isRegular =
        static_cast<double>(regular) >= Most * static_cast<double>(cycles.size());
    return regular >= FewestCycles && isRegular ? cycles : std::vector<std::size_t>{};
}

} // namespace

void LoadCycles::add(LoadPoint point)
{
    if (!isFull() && (m_points.empty() || point.atS > m_points.back().atS))
        m_points.push_back(point);
}

bool LoadCycles::isFull() const
{
    return !m_points.empty() && m_points.back().atS - m_points.front().atS > LongestS;
}

const std::vector<StepMark>& LoadCycles::marks() const
{
    constexpr std::size_t Fewest = 120;
    constexpr std::ptrdiff_t Window = 1200; // a program begins otherwise than it goes on
    if (m_points.size() < Fewest || m_points.size() < m_searched + m_searched / 10)
        return m_marks;
    m_searched = m_points.size();
    m_marks.clear();
    // Looked at too seldom, what repeats fast would look as if it repeated slowly.
    constexpr double LongestGapS = 0.2;
    constexpr double Looks = 5;
    const double gapS = seldomGapS(m_points);
    if (gapS > LongestGapS)
        return m_marks;
    const auto shortest = static_cast<std::size_t>(std::ceil(Looks * gapS / GridS));
    const std::vector<double> rates = ratesOf(m_points);
    const auto last = std::min<std::ptrdiff_t>(Window, static_cast<std::ptrdiff_t>(rates.size()));
    const std::size_t period = periodOf({rates.end() - last, rates.end()}, shortest);
    if (period == 0)
        return m_marks;
    for (const std::size_t place : cyclesOf(risesOf(rates), static_cast<double>(period)))
        m_marks.push_back({m_points.front().atS + static_cast<double>(place) * GridS,
                           static_cast<double>(m_marks.size()), std::nullopt});
    return m_marks;
}

} // namespace outlay::core
