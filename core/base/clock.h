// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The time of day, for what is stamped with it; whoever computes gets it as an argument.
#pragma once

#include <cstdint>
#include <string>

namespace outlay::core {

/// Seconds since 1970 as "2026-11-20T13:00:00Z".
[[nodiscard]] std::string utcText(std::int64_t seconds);
[[nodiscard]] std::string nowUtc();
[[nodiscard]] std::string todayUtc(); // "2026-11-20"

} // namespace outlay::core
