// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/worker/network/pieces.h"

namespace outlay::worker {

/// state = diag(gate) state + key value^T; output = Wo (state^T query) + bo, in the ways that the
/// flow's form names.
[[nodiscard]] PiecePointer makeGated(const core::GatedRecurrent& spec);

} // namespace outlay::worker
