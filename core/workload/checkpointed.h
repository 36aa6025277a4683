// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept of a pass where blocks are computed again, and what runs again.
#pragma once

#include "core/workload/trained.h"
#include "core/workload/work.h"

namespace outlay::core {

/// Blocks that keep their input, and results of products if those are asked for, and are computed again on the way back.
struct Checkpointed {
    double between = 0;    // bytes kept: that, and all of other blocks and outside of blocks
    double inside = 0;     // bytes of the block that is recomputed beside that, at most
    double recomputed = 0; // FLOPs of what runs again
};

/// Of each kind of layer.
[[nodiscard]] std::vector<Work> worksOf(const LayerKinds& layers, const Pass& pass);

[[nodiscard]] Checkpointed checkpointed(const LayerKinds& layers, const Training& training,
                                        const Pass& pass, const std::vector<Work>& works);

/// Of a layer's way forward, what runs once more on the way back; on average of all such layers.
struct RunAgain {
    double products = 0; // part of those with weights
    double unread = 0;   // of all of these, what a way back that stops early leaves out
    double scores = 0;   // attention's products with keys and values, where it isn't one kernel
    double fused = 0;    // the same where it is, whose result may wait
    double others = 0;   // all else

    bool operator==(const RunAgain&) const = default;
};
/// Of each kind of layer.
[[nodiscard]] std::vector<RunAgain> runAgain(const LayerKinds& layers, const Training& training,
                                             const std::vector<Trained>& trained, const Pass& pass);
/// Repeated blocks, and those of them that are computed again.
[[nodiscard]] double blockCount(const LayerKinds& layers);
[[nodiscard]] double blocksAgain(const LayerKinds& layers, const Training& training);

} // namespace outlay::core
