// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/cheapest_first.h"

#include <array>
#include <bit>
#include <utility>

namespace outlay::pricing {
namespace {

struct Entry {
    std::uint64_t key = 0;
    std::uint32_t index = 0;
};

/// Ordered as the numbers are: the bits of a negative one run backwards.
std::uint64_t keyOf(double number)
{
    constexpr std::uint64_t Sign = std::uint64_t{1} << 63U;
    const auto bits = std::bit_cast<std::uint64_t>(number);
    return (bits & Sign) != 0 ? ~bits : bits | Sign;
}

/// One stable pass over the digit that begins at bit `shift`.
void sortByDigit(std::vector<Entry>& entries, std::vector<Entry>& spare, unsigned shift)
{
    constexpr std::uint64_t DigitMask = 2047;
    std::array<std::uint32_t, DigitMask + 1> starts{};
    for (const Entry& entry : entries)
        ++starts[(entry.key >> shift) & DigitMask];
    std::uint32_t sum = 0;
    for (std::uint32_t& start : starts)
        sum += std::exchange(start, sum);
    for (const Entry& entry : entries)
        spare[starts[(entry.key >> shift) & DigitMask]++] = entry;
    entries.swap(spare);
}

/// What the digits left in disorder is near its place.
void settle(std::vector<Entry>& entries)
{
    for (std::size_t i = 1; i < entries.size(); ++i) {
        const Entry moved = entries[i];
        std::size_t place = i;
        for (; place > 0 && entries[place - 1].key > moved.key; --place)
            entries[place] = entries[place - 1];
        entries[place] = moved;
    }
}

} // namespace

std::vector<std::uint32_t> cheapestFirst(std::span<const double> usd)
{
    std::vector<Entry> entries;
    entries.reserve(usd.size());
    for (std::size_t i = 0; i < usd.size(); ++i)
        entries.push_back({keyOf(usd[i]), static_cast<std::uint32_t>(i)});
    std::vector<Entry> spare(entries.size());
    // Sign, exponent and 21 bits of the fraction: prices that agree in these are rare, and settled after.
    constexpr std::array<unsigned, 3> Shifts{31, 42, 53};
    for (const unsigned shift : Shifts)
        sortByDigit(entries, spare, shift);
    settle(entries);
    std::vector<std::uint32_t> order;
    order.reserve(entries.size());
    for (const Entry& entry : entries)
        order.push_back(entry.index);
    return order;
}

} // namespace outlay::pricing
