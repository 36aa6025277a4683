// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The stops of a slider: round numbers, evenly spread or by ratio. The field beside takes any number.
#pragma once

#include <cstddef>
#include <vector>

namespace outlay::gui {

struct SliderRange {
    double low = 0;
    double high = 1;
    bool isLog = false;   // with a stop at zero where `low` is zero
    bool isWhole = false; // whole numbers only

    bool operator==(const SliderRange&) const = default;
};

/// Ascending, at least two; from the range's low to its high.
[[nodiscard]] std::vector<double> stopsOf(const SliderRange& range);

/// The stop nearest to a value.
[[nodiscard]] std::size_t nearestStop(const std::vector<double>& stops, double value);

/// Where a step leads from a value that may lie between two stops.
[[nodiscard]] double steppedFrom(const std::vector<double>& stops, double value, int steps);

} // namespace outlay::gui
