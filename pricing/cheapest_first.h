// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sorts many prices in linear time: a Report sorts each offer twice, on every tick of a slider.
#pragma once

#include "pricing/trust.h"

namespace outlay::pricing {

/// Indices of `candidates` by group, the doubtful of a group last, then by price; equal ones in their order.
[[nodiscard]] std::vector<std::uint32_t> cheapestFirst(std::span<const Candidate> candidates);

} // namespace outlay::pricing
