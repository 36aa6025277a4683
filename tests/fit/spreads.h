// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Intervals from what is missed of rows that a fit hasn't seen.
#pragma once

#include "tests/fit/scoring.h"

namespace outlay::tests {

/// Whether rows of the same kind on the same device took part in the fit.
[[nodiscard]] bool isSeen(const Sample& sample, const core::Spreads& spreads);

/// On devices that were seen, from fits that leave every fifth row out; on others, from fits that leave the
/// row's device out, and its source where another has the same engine: the larger miss counts.
void setSpreads(core::Calibration& calibration, const std::vector<const Sample*>& fitted);

} // namespace outlay::tests
