// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What published rows are missed by when a fit hasn't seen them.
#pragma once

#include "tests/fit/scoring.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace outlay::tests {

using Samples = std::vector<const Sample*>;
/// In the natural logarithm, without signs.
using Misses = std::vector<std::optional<double>>;

/// What each sample is missed by when all that have the same key are left out; nothing where it has none. Fits of different
/// keys have nothing in common, so all cores make them.
[[nodiscard]] Misses missesWithout(
    const core::Calibration& calibration, const Samples& samples,
    const std::function<std::string(const Sample&, std::size_t)>& keyOf);

} // namespace outlay::tests
