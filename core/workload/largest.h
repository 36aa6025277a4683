// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The largest blocks of memory that a layer asks for while it trains.
#pragma once

#include "core/workload/trained.h"
#include "core/workload/work.h"

namespace outlay::core {

/// Numbers of the largest single matrix of a layer that is trained.
[[nodiscard]] double largestMatrix(const LayerSpec& spec, const Trained& trained,
                                   const Training& training);

/// Numbers of the largest tensor of a layer in a pass; a recurrence makes one in each step.
[[nodiscard]] double largestTensor(const Layer& layer, const Pass& pass);

/// Of a direction's matrix that each step multiplies its state by, and of the products of all steps with what goes in,
/// which are made at once.
[[nodiscard]] double stepMatrix(const Recurrent& layer);
[[nodiscard]] double numbersOfAllSteps(const Recurrent& layer, const Pass& pass);

} // namespace outlay::core
