// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/worker/measure/measure.h"

namespace outlay::worker {

/// The median of some steps that are stopped at every layer: they take longer than steps do, so they
/// are apart from those that are timed. A table that a layer shares is counted with the layer.
[[nodiscard]] std::vector<core::LayerTime> measureLayers(const Bench& bench, Trainer& trainer,
                                                         double seconds);

} // namespace outlay::worker
