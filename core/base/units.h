// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How many of one unit are in another.
#pragma once

#include <cstdint>

namespace outlay::core {

inline constexpr double Nano = 1e-9;
inline constexpr double Micro = 1e-6;
inline constexpr double Kilo = 1e3;
inline constexpr double Mega = 1e6;
inline constexpr double Giga = 1e9;
inline constexpr double Tera = 1e12;
inline constexpr double Gibi = 1024.0 * 1024 * 1024;
inline constexpr double BytesPerMb = 1e6;
inline constexpr double BytesPerGb = 1e9;
inline constexpr double BitsPerByte = 8;
inline constexpr double PerCent = 100;
inline constexpr double MonthsPerYear = 12;
inline constexpr double MillisPerS = 1000;
inline constexpr double SecondsPerMinute = 60;
inline constexpr double SecondsPerHour = 3600;
inline constexpr double DaysPerYear = 365.25;
inline constexpr double JoulesPerKwh = 3.6e6;
inline constexpr double GramsPerKg = 1000;

/// A count as a factor.
[[nodiscard]] constexpr double real(std::int64_t count)
{
    return static_cast<double>(count);
}

} // namespace outlay::core
