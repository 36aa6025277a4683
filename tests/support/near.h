// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The same number, but for the order in which it was added up.
#pragma once

#include <algorithm>
#include <cmath>

namespace outlay::tests {

inline bool isNear(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

} // namespace outlay::tests
