// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/cheapest_first.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <tuple>
#include <utility>

namespace outlay::pricing {
namespace {

struct Entry {
    double usd = 0;
    std::uint32_t key = 0;
    std::uint32_t index = 0;
};

constexpr unsigned DigitBits = 12;
constexpr std::uint32_t Digits = 1U << DigitBits;
constexpr unsigned PriceBits = 2 * DigitBits - 4; // group and doubt have the other four
static_assert(Candidate::Groups <= 8);

/// Two digits that are ordered as the candidates are: of the price the logarithm from 2^-32 to 2^32 USD, as
/// finely as 14 bits of the fraction say.
std::uint32_t keyOf(const Candidate& candidate)
{
    constexpr unsigned DroppedBits = 38;
    constexpr std::int64_t Least = std::int64_t{1023 - 32} << (52 - DroppedBits);
    constexpr std::int64_t Most = (1 << PriceBits) - 1;
    const auto bits = std::bit_cast<std::int64_t>(candidate.usd); // below 0 as the number is
    const std::int64_t head = std::clamp((bits >> DroppedBits) - Least, std::int64_t{0}, Most);
    const std::uint32_t doubt = candidate.trust == Trust::Doubtful ? 1 : 0;
    return (2U * candidate.group + doubt) << PriceBits | static_cast<std::uint32_t>(head);
}

using Counts = std::array<std::uint32_t, Digits>;

/// A stable pass over the digit that begins at bit `shift`, of whose values there are so many.
void sortByDigit(std::vector<Entry>& entries, std::vector<Entry>& spare, unsigned shift,
                 Counts& counts)
{
    std::uint32_t sum = 0;
    for (std::uint32_t& count : counts)
        sum += std::exchange(count, sum);
    for (const Entry& entry : entries)
        spare[counts[(entry.key >> shift) % Digits]++] = entry;
    entries.swap(spare);
}

/// Puts those in order whose keys can't tell them apart. They are few, which both loops are made for.
void settle(std::vector<Entry>& entries)
{
    for (std::size_t i = 1; i < entries.size(); ++i) {
        const bool isSame = entries[i].key == entries[i - 1].key;
        const bool isCheaper = entries[i].usd < entries[i - 1].usd;
        if (!(static_cast<unsigned>(isSame) & static_cast<unsigned>(isCheaper)))
            continue;
        const auto isOther = [key = entries[i].key](const Entry& e) { return e.key != key; };
        const auto here = entries.begin() + static_cast<std::ptrdiff_t>(i);
        const auto end = std::find_if(here, entries.end(), isOther);
        const auto begin =
            std::find_if(std::reverse_iterator(here), entries.rend(), isOther).base();
        std::sort(begin, end, [](const Entry& x, const Entry& y) {
            return std::pair(x.usd, x.index) < std::pair(y.usd, y.index);
        });
        i = static_cast<std::size_t>(end - entries.begin());
    }
}

} // namespace

std::vector<std::uint32_t> cheapestFirst(std::span<const Candidate> candidates)
{
    std::vector<Entry> entries(candidates.size());
    Counts lower{};
    Counts upper{};
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
        const std::uint32_t key = keyOf(candidates[i]);
        entries[i] = {candidates[i].usd, key, i};
        ++lower[key % Digits];
        ++upper[(key >> DigitBits) % Digits];
    }
    constexpr std::size_t Few = 1000; // for which going through all digits would be the work
    if (entries.size() < Few) {
        std::sort(entries.begin(), entries.end(), [](const Entry& x, const Entry& y) {
            return std::tie(x.key, x.usd, x.index) < std::tie(y.key, y.usd, y.index);
        });
    } else {
        std::vector<Entry> spare(entries.size());
        sortByDigit(entries, spare, 0, lower);
        sortByDigit(entries, spare, DigitBits, upper);
        settle(entries);
    }
    std::vector<std::uint32_t> order(entries.size());
    std::transform(entries.begin(), entries.end(), order.begin(),
                   [](const Entry& entry) { return entry.index; });
    return order;
}

} // namespace outlay::pricing
