// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The sizes that a design may have. Beyond them a number is a typing error, not a model; within them
// no product of sizes that is formed here leaves 64 bits (`checkSize` refuses the rest).
#pragma once

#include "core/base/fields.h"

namespace outlay::core {

struct Limits {
    double low = 0;
    double high = 0;
};

inline constexpr double MostParameters = 1e15;
inline constexpr Limits Vocabularies{1, 2147483647};
inline constexpr Limits Widths{1, 16777216};
inline constexpr Limits OptionalWidths{0, 16777216};
inline constexpr Limits Heads{1, 65536};
inline constexpr Limits LayerCounts{1, 4096};
inline constexpr double LargestDropout = 0.99;

constexpr Field required(std::string_view key, std::string_view what, Limits limits)
{
    return {key, what, limits.low, limits.high, Presence::Required};
}

constexpr Field optional(std::string_view key, std::string_view what, Limits limits)
{
    return {key, what, limits.low, limits.high, Presence::Optional};
}

} // namespace outlay::core
