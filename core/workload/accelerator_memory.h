// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What activations hold on an accelerator: its framework's allocator takes back what is free, and its attention may be one
// kernel that keeps no scores.
#pragma once

#include "core/workload/training_work.h"

namespace outlay::core {

/// By whether attention is fused.
struct AcceleratorActivations {
    Quantity plain;
    Quantity fused;
};
[[nodiscard]] AcceleratorActivations acceleratorActivations(const LayerKinds& layers,
                                                            const Training& training);

} // namespace outlay::core
