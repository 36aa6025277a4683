// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What runs took, as figures that limits are held against.
#pragma once

#include "pricing/actual/track.h"

namespace outlay::pricing {

/// "last" and "total" of time, money, energy and emissions, each a figure with its unit; null with a reason where not
/// all of the runs say it. And how many "runs" there are.
[[nodiscard]] core::Json spentOf(const std::vector<Actual>& actuals);

} // namespace outlay::pricing
