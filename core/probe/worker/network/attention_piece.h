// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/worker/network/pieces.h"

namespace outlay::worker {

/// Whether this LibTorch computes attention in one kernel, unless a pass is told not to.
[[nodiscard]] bool hasFusedAttention();

/// With any number of key-value heads, positions by rotation or by distance, a window, and a cache of keys and values:
/// in one kernel where there is one for it, else by matrix products.
[[nodiscard]] PiecePointer makeAttention(const core::Attention& spec, const PieceContext& context);

} // namespace outlay::worker
