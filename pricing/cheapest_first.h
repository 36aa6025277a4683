// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sorts many prices in linear time: a Report sorts each offer twice, on every tick of a slider.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace outlay::pricing {

/// Indices of `usd`, smallest first, equal ones in their order; all finite.
[[nodiscard]] std::vector<std::uint32_t> cheapestFirst(std::span<const double> usd);

} // namespace outlay::pricing
