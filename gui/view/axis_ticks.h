// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Where the numbers and words of a scale stand, and what they say.
#pragma once

#include "gui/view/chart_model.h"

namespace outlay::gui {

struct AxisTick {
    double place = 0; // along the axis, 0 at its low end and 1 at its high one
    QString label;

    bool operator==(const AxisTick&) const = default;
};

/// A time that people say.
struct RoundTime {
    double hours = 0;
    QString label;        // "10 min"
    bool isMajor = false; // where there is room for few
};
/// From a millisecond to centuries.
[[nodiscard]] const std::vector<RoundTime>& roundTimes();

/// From low to high. A logarithmic axis has its powers of ten, one of words a word for each.
[[nodiscard]] std::vector<AxisTick> ticksOf(const ChartAxis& axis, const QLocale& locale);

/// As many of them, evenly thinned, as fit with `room` each on an axis of `length`; both ends of a plain
/// scale stay if any do.
[[nodiscard]] std::vector<AxisTick> thinned(const std::vector<AxisTick>& ticks, double length,
                                            double room);

} // namespace outlay::gui
