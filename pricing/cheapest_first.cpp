// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/cheapest_first.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace outlay::pricing {
namespace {

struct Entry {
    std::uint32_t key = 0;
    std::uint32_t index = 0;
};

constexpr unsigned DigitBits = 11;
constexpr std::uint32_t Digits = 1U << DigitBits;
constexpr unsigned PriceBits = 2 * DigitBits - 4; // group and doubt have the other four
static_assert(Candidate::Groups <= 8);

/// Two digits that are ordered as the candidates are: of the price the logarithm from 2^-32 to 2^32 USD, as
/// finely as 12 bits of the fraction say.
std::uint32_t keyOf(const Candidate& candidate)
{
    constexpr unsigned DroppedBits = 40;
    constexpr std::int64_t Least = std::int64_t{1023 - 32} << (52 - DroppedBits);
    constexpr std::int64_t Most = (1 << PriceBits) - 1;
    const auto bits = std::bit_cast<std::int64_t>(candidate.usd); // below 0 as the number is
    const std::int64_t head = std::clamp((bits >> DroppedBits) - Least, std::int64_t{0}, Most);
    const std::uint32_t doubt = candidate.trust == Trust::Doubtful ? 1 : 0;
    return (2U * candidate.group + doubt) << PriceBits | static_cast<std::uint32_t>(head);
}

/// A stable pass over the digit that begins at bit `shift`.
void sortByDigit(std::vector<Entry>& entries, std::vector<Entry>& spare, unsigned shift)
{
    std::array<std::uint32_t, Digits> starts{};
    for (const Entry& entry : entries)
        ++starts[(entry.key >> shift) % Digits];
    std::uint32_t sum = 0;
    for (std::uint32_t& start : starts)
        sum += std::exchange(start, sum);
    for (const Entry& entry : entries)
        spare[starts[(entry.key >> shift) % Digits]++] = entry;
    entries.swap(spare);
}

/// Puts those in order whose keys can't tell them apart.
void settle(std::vector<Entry>& entries, std::span<const Candidate> candidates)
{
    const auto isBefore = [&](const Entry& a, const Entry& b) {
        return std::pair(candidates[a.index].usd, a.index) <
               std::pair(candidates[b.index].usd, b.index);
    };
    for (auto begin = entries.begin(); begin != entries.end();) {
        auto end = begin + 1;
        while (end != entries.end() && end->key == begin->key)
            ++end;
        if (!std::is_sorted(begin, end, isBefore))
            std::sort(begin, end, isBefore);
        begin = end;
    }
}

} // namespace

std::vector<std::uint32_t> cheapestFirst(std::span<const Candidate> candidates)
{
    std::vector<Entry> entries(candidates.size());
    for (std::uint32_t i = 0; i < entries.size(); ++i)
        entries[i] = {keyOf(candidates[i]), i};
    std::vector<Entry> spare(entries.size());
    for (const unsigned shift : {0U, DigitBits})
        sortByDigit(entries, spare, shift);
    settle(entries, candidates);
    std::vector<std::uint32_t> order(entries.size());
    std::transform(entries.begin(), entries.end(), order.begin(),
                   [](const Entry& entry) { return entry.index; });
    return order;
}

} // namespace outlay::pricing
