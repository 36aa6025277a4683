// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept of a pass where blocks are computed again.
#pragma once

#include "core/workload/work.h"

namespace outlay::core {

/// Blocks that keep their input only and are computed again on the way back.
struct Checkpointed {
    double between = 0;    // bytes kept: each block's input, and all outside of blocks
    double inside = 0;     // bytes of the block that is recomputed, at most
    double recomputed = 0; // FLOPs of one more pass through the blocks
};

/// Of each kind of layer.
[[nodiscard]] std::vector<Work> worksOf(const LayerKinds& layers, const Pass& pass);

[[nodiscard]] Checkpointed checkpointed(const LayerKinds& layers, const Pass& pass,
                                        const std::vector<Work>& works);

} // namespace outlay::core
