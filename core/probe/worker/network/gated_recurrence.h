// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/worker/network/torch.h"

namespace outlay::worker {

/// What the steps of a gated RNN read; keys and gates are behind their sigmoid.
struct GatedSequence {
    torch::Tensor query; // [batch, steps, key]
    torch::Tensor keys;  // [batch, steps, key]
    torch::Tensor gate;  // [batch, steps, key]
    torch::Tensor value; // [batch, steps, value]
};

/// All steps in one operation of LibTorch: [batch, steps, value]; `state` [batch, key, value] is read
/// and gets the last state. The backward pass computes the states again, all samples in parallel.
/// In fp32 and fp64, on a CPU.
[[nodiscard]] torch::Tensor gatedRecurrence(const GatedSequence& in, torch::Tensor& state);

} // namespace outlay::worker
