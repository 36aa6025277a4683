// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Forecast over published, a line of dots for each source: as a drawing (SVG).
#pragma once

#include "tests/fit/scoring.h"

namespace outlay::tests {

[[nodiscard]] std::string pictureOf(const std::vector<Sample>& samples,
                                    const core::Calibration& calibration);

} // namespace outlay::tests
