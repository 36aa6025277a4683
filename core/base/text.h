// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Small functions on text that the standard library lacks; all independent of the locale.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace outlay::core {

/// 2841200 -> "2,841,200".
[[nodiscard]] std::string grouped(std::int64_t number);

/// A number for a sentence: whole ones grouped, others with four significant digits.
[[nodiscard]] std::string plainNumber(double number);

/// Control characters become spaces, broken UTF-8 becomes U+FFFD; at most `limit` bytes are kept.
[[nodiscard]] std::string printable(std::string_view text, std::size_t limit = 1000);
/// What somebody has written, for a sentence about it: short, and between quotes.
[[nodiscard]] std::string inQuotes(std::string_view text);

/// The number that `text` is, as a whole; nothing if it is none or not finite.
[[nodiscard]] std::optional<double> numberIn(std::string_view text);

/// 16 hex digits (FNV-1a) that differ where two texts do, and are the same on every machine; no protection
/// against forgery.
[[nodiscard]] std::string shortHash(std::string_view text);

[[nodiscard]] bool isUtf8(std::string_view text);

[[nodiscard]] std::string joined(std::span<const std::string_view> words, std::string_view between);
[[nodiscard]] std::vector<std::string> split(std::string_view text, char separator);

/// The word of `known` nearest to `word` by edit distance, if it is near enough to be a typing slip: a third of its
/// letters, and no more than `most`.
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view word,
                                                      std::span<const std::string_view> known,
                                                      std::size_t most = 64);

/// Of the letters A to Z.
[[nodiscard]] std::string lowerCase(std::string_view text);

} // namespace outlay::core
