// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/date.h"

#include <charconv>

namespace outlay::pricing {
namespace {

/// `digits` as a number; nothing if there is anything else among them.
std::optional<unsigned> digitsOf(std::string_view digits)
{
    unsigned number = 0;
    const char* end = digits.data() + digits.size();
    const auto [last, error] = std::from_chars(digits.data(), end, number);
    if (digits.empty() || error != std::errc() || last != end)
        return std::nullopt;
    return number;
}

} // namespace

std::optional<Day> dayOf(std::string_view date)
{
    constexpr std::size_t YearLength = 4;
    constexpr std::size_t MonthLength = 7;
    constexpr std::size_t DayLength = 10;
    if (date.size() > DayLength && (date[DayLength] == 'T' || date[DayLength] == ' '))
        date = date.substr(0, DayLength);
    const std::size_t size = date.size();
    if (size != YearLength && size != MonthLength && size != DayLength)
        return std::nullopt;
    if ((size > YearLength && date[4] != '-') || (size > MonthLength && date[7] != '-'))
        return std::nullopt;
    const auto year = digitsOf(date.substr(0, 4));
    const auto month = size > YearLength ? digitsOf(date.substr(5, 2)) : 1U;
    const auto day = size > MonthLength ? digitsOf(date.substr(8, 2)) : 1U;
    if (!year || !month || !day || *year < 1970)
        return std::nullopt;
    const std::chrono::year_month_day parts{std::chrono::year(static_cast<int>(*year)),
                                            std::chrono::month(*month), std::chrono::day(*day)};
    if (!parts.ok())
        return std::nullopt;
    return Day(parts);
}

std::optional<int> daysBetween(std::string_view earlier, std::string_view later)
{
    const auto from = dayOf(earlier);
    const auto to = dayOf(later);
    if (!from || !to)
        return std::nullopt;
    return static_cast<int>((*to - *from).count());
}

bool isNewer(std::string_view a, std::string_view b)
{
    const auto dayA = dayOf(a);
    const auto dayB = dayOf(b);
    return dayA && (!dayB || *dayA > *dayB);
}

} // namespace outlay::pricing
