// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that a training step on a processor gives back to the system and asks for anew, page by page.
#pragma once

#include "core/workload/training_work.h"

namespace outlay::core {

/// Bytes of a pass, there and back. glibc gives back what lies free at the end of its heap once that is twice the largest
/// block that it has had from the system by itself; `training.keepMemory` says that it doesn't.
[[nodiscard]] double returnedBytes(const LayerKinds& layers, const Training& training,
                                   const TrainingMemory& memory);

} // namespace outlay::core
