// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/worker/network/gated_recurrence.h"

namespace outlay::worker {

/// As `gatedRecurrence`, with matrix products over chunks of steps, and gates before their sigmoid.
/// Every factor is the exponential of something that isn't positive, so nothing overflows however
/// closed the gates are; logarithms are summed in fp64, so nothing is lost however open they are.
[[nodiscard]] torch::Tensor gatedChunks(const GatedSequence& in, torch::Tensor& state);

} // namespace outlay::worker
