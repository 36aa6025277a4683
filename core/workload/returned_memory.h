// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that a training step on a processor gives back to the system and asks for anew, page by page.
#pragma once

#include "core/workload/training_work.h"

namespace outlay::core {

struct ReturnedBytes {
    double ofPass = 0; // there and back
    double ofStep = 0; // beside its passes
};

/// glibc gives back what lies free at the end of its heap once that is twice the largest block that it has had from the
/// system by itself, and each block above `MostBytesInHeap` at once. `training.keepMemory` says that it does the latter
/// alone.
[[nodiscard]] ReturnedBytes returnedBytes(const LayerKinds& layers, const Training& training,
                                          const TrainingMemory& memory);

} // namespace outlay::core
