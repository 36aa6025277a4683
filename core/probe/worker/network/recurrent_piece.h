// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/worker/network/pieces.h"

namespace outlay::worker {

/// LSTM, GRU and RNN: by LibTorch's own layer, so that its fused kernels run, or in the ways that the
/// flow's form names.
[[nodiscard]] PiecePointer makeRecurrent(const core::Recurrent& spec);

} // namespace outlay::worker
