// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

namespace outlay::core {

/// The whole number that `number` is, where 64 bits hold it; nothing else.
[[nodiscard]] inline std::optional<std::int64_t> wholeOf(double number)
{
    constexpr double Beyond = 9223372036854775808.0; // 2^63, which is one too many
    const bool isWhole = number >= -Beyond && number < Beyond && number == std::floor(number);
    return isWhole ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

} // namespace outlay::core
