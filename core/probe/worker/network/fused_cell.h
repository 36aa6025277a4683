// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// LSTM, GRU and RNN over a whole sequence as one operation: products by oneDNN where it is loaded, and all
// else of a step in one pass over its values.
#pragma once

#include "core/model/layer.h"

#include "core/probe/worker/network/torch.h"

namespace outlay::worker {

/// The weights of one direction, in the shapes of LibTorch's layer. Biases may be undefined.
struct CellWeights {
    torch::Tensor input;
    torch::Tensor state;
    torch::Tensor inputBias;
    torch::Tensor stateBias;
};

/// From x [batch, steps, inputs] to the states [batch, steps, hidden]. `state` is [batch, hidden], for an
/// LSTM followed by its cell, and becomes the last one.
[[nodiscard]] torch::Tensor fusedCell(core::Cell cell, const CellWeights& weights,
                                      const torch::Tensor& x, std::vector<torch::Tensor>& state);

} // namespace outlay::worker
