// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How long the training takes on the machine that a probe measured.
#pragma once

#include "core/base/quantity.h"
#include "core/experiment/experiment.h"

namespace outlay::pricing {

/// From the newest measurement whose steps are those of the experiment as it is now; unavailable, with
/// what to do, where there is none.
[[nodiscard]] core::Quantity trainingHere(const core::Experiment& experiment,
                                          const std::vector<core::Layer>& layers);

} // namespace outlay::pricing
