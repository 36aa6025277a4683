// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Dates as the sources give them, some no better than to a month or a year.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace outlay::pricing {

using Day = std::chrono::sys_days;

/// Of "2026-11-20", also with a time behind it; of "2025-06" and "2024" the first day that it can be.
[[nodiscard]] std::optional<Day> dayOf(std::string_view date);

/// Nothing where one of them is no date.
[[nodiscard]] std::optional<int> daysBetween(std::string_view earlier, std::string_view later);

/// Whether `a` is the newer date; an unknown one is older than all others.
[[nodiscard]] bool isNewer(std::string_view a, std::string_view b);

} // namespace outlay::pricing
