// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What activations hold on an accelerator: its framework's allocator takes back what is free, and its attention may be one
// kernel that keeps no scores.
#pragma once

#include "core/workload/training_work.h"

namespace outlay::core {

/// Bytes of a pass, by why they are held.
struct HeldActivations {
    Quantity total;
    double kept = 0;    // until the way back
    double working = 0; // of the layer at work
    double logits = 0;
    double remade = 0; // a matrix made from fewer bits

    [[nodiscard]] double atWork() const { return working > logits ? working : logits; }
};

/// By whether attention is fused.
struct AcceleratorActivations {
    HeldActivations plain;
    HeldActivations fused;
};
[[nodiscard]] AcceleratorActivations acceleratorActivations(const LayerKinds& layers,
                                                            const Training& training);

} // namespace outlay::core
