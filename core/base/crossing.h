// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Where something that rises, or falls, all the way crosses zero, asked as seldom as may be.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace outlay::core {

/// Around the place: what is asked has the sign of one end on either side.
struct Crossing {
    double low = 0;
    double high = 0;
};

/// To a part of it, or of what is small beside what lies between both ends. On the straight line between them (Illinois);
/// where three steps in turn leave more than half, by a half: a step in it costs four times as much as halves alone. Where both ends
/// have the same sign, the upper one.
template <typename F>
[[nodiscard]] Crossing crossingOf(const F& at, Crossing between, double part)
{
    constexpr int Most = 100;
    constexpr int Patience = 3;
    constexpr double Small = 1e-3;
    const double small = Small * (between.high - between.low);
    const auto near = [&] { return part * std::max(between.high, small); };
    double atLow = at(between.low);
    double atHigh = at(between.high);
    const bool isLowRight = atLow >= 0;
    int moved = 0; // the same end again and again: the upper one more than nothing
    int slow = 0;  // steps that left more than half
    for (int i = 0; i < Most && between.high - between.low > near(); ++i) {
        const double wide = between.high - between.low;
        const double line = atHigh != atLow ? atLow / (atLow - atHigh) : 0.5;
        const double least = near() / wide / 2;
        const double share = slow == Patience ? 0.5 : std::clamp(line, least, 1 - least);
        const double middle = between.low + share * wide;
        const double value = at(middle);
        const bool isLow = (value >= 0) == isLowRight;
        (isLow ? between.low : between.high) = middle;
        (isLow ? atLow : atHigh) = value;
        const bool isSlow = slow < Patience && between.high - between.low > wide / 2;
        slow = isSlow ? slow + 1 : 0;
        moved = isLow ? std::min(moved, 0) - 1 : std::max(moved, 0) + 1;
        if (std::abs(moved) > 1)
            (isLow ? atHigh : atLow) /= 2;
    }
    return between;
}

} // namespace outlay::core
