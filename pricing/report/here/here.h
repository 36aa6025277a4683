// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The training run on this machine, from what the probe measured.
#pragma once

#include "pricing/report/subject.h"

namespace outlay::pricing {

/// Seconds for the whole run: measured while nothing that a step depends on has changed; scaled from the
/// nearest measurement, and a forecast, when it has.
[[nodiscard]] core::Quantity trainingHere(const Subject& subject);

/// The same by one measurement of just these steps, wherever it was made.
[[nodiscard]] core::Quantity trainingAsMeasured(const Subject& subject, const core::Measurement& m);

/// Seconds that all processors together work for it; unavailable unless just these steps were measured.
[[nodiscard]] core::Quantity trainingProcessorHere(const Subject& subject);

} // namespace outlay::pricing
