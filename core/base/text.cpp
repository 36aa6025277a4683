// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace outlay::core {
namespace {

/// Length of the UTF-8 sequence at the start of `text`, 0 if it is broken.
std::size_t sequenceLength(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80)
        return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
    if (length == 0 || first > 0xF4 || text.size() < length)
        return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U)
            return 0;
    }
    // Overlong forms, surrogates, and beyond U+10FFFF.
    const unsigned char second = byte(1);
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
        return 0;
    return length;
}

std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
        }
    }
    return row[b.size()];
}

} // namespace

std::string grouped(std::int64_t number)
{
    const std::string digits = std::to_string(number);
    const std::size_t sign = number < 0 ? 1 : 0;
    std::string out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > sign && (digits.size() - i) % 3 == 0)
            out += ',';
        out += digits[i];
    }
    return out;
}

std::string plainNumber(double number)
{
    if (!std::isfinite(number))
        return "unknown";
    // From here on four digits would need an exponent, which nobody reads in a sentence.
    constexpr double Large = 9'999.5;
    constexpr double Countable = 1e15;
    const double magnitude = std::abs(number);
    if (magnitude < Countable && (number == std::floor(number) || magnitude >= Large))
        return grouped(std::llround(number));
    constexpr int Digits = 4;
    constexpr double Small = 1e-4; // below it, too
    constexpr double Readable = 1e-9;
    std::array<char, 64> buffer{};
    char* const last = buffer.data() + buffer.size();
    const bool isSmall = magnitude < Small && magnitude >= Readable;
    const int zeros = isSmall ? static_cast<int>(-std::floor(std::log10(magnitude))) - 1 : 0;
    const auto end =
        isSmall
            ? std::to_chars(buffer.data(), last, number, std::chars_format::fixed, zeros + Digits)
            : std::to_chars(buffer.data(), last, number, std::chars_format::general, Digits);
    return {buffer.data(), end.ptr};
}

std::string printable(std::string_view text, std::size_t limit)
{
    std::string out;
    while (!text.empty() && out.size() < limit) {
        const std::size_t length = sequenceLength(text);
        const auto first = static_cast<unsigned char>(text.front());
        if (length == 0)
            out += "\xEF\xBF\xBD";
        else if (first < 0x20 || first == 0x7F)
            out += ' ';
        else
            out += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    if (!text.empty())
        out += "...";
    return out;
}

std::string inQuotes(std::string_view text)
{
    constexpr std::size_t MostLetters = 60;
    return "'" + printable(text, MostLetters) + "'";
}

std::optional<double> numberIn(std::string_view text)
{
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, number);
    if (text.empty() || error != std::errc() || last != end || !std::isfinite(number))
        return std::nullopt;
    return number;
}

std::string shortHash(std::string_view text)
{
    constexpr std::uint64_t Start = 14695981039346656037U;
    constexpr std::uint64_t Prime = 1099511628211U;
    constexpr std::size_t Length = 16;
    std::uint64_t hash = Start;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * Prime;
    std::array<char, Length> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), hash, Length).ptr;
    const std::string written(digits.data(), end);
    return std::string(Length - written.size(), '0') + written;
}

bool isUtf8(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = sequenceLength(text);
        if (length == 0)
            return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string joined(std::span<const std::string_view> words, std::string_view between)
{
    std::string out;
    for (const std::string_view word : words) {
        if (!out.empty())
            out += between;
        out += word;
    }
    return out;
}

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> known, std::size_t most)
{
    constexpr std::size_t LongestWord = 64; // keeps the distance cheap on hostile input
    if (word.empty() || word.size() > LongestWord)
        return std::nullopt;
    std::optional<std::string_view> best;
    std::size_t bestDistance = std::min(most, std::max<std::size_t>(1, word.size() / 3)) + 1;
    for (const std::string_view candidate : known) {
        const std::size_t distance = editDistance(word, candidate);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return lower;
}

} // namespace outlay::core
