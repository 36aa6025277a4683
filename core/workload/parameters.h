// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How many parameters each layer holds, exactly.
#pragma once

#include "core/model/model.h"
#include "core/workload/layer_kinds.h"

namespace outlay::core {

/// Elements that the layer holds; a tied matrix counts where it is first used.
[[nodiscard]] std::int64_t parametersOf(const LayerSpec& spec);
[[nodiscard]] std::int64_t parametersOf(const LayerKinds& layers);

/// An error for a design beyond 10^15 parameters, which the exact counts would not hold.
[[nodiscard]] Result<void> checkSize(const std::vector<Layer>& layers);

/// A model of an experiment, a job or a measurement: read, sound, and no larger than can be counted.
[[nodiscard]] Result<ModelReading> readCheckedModel(const Json& json, const std::string& pointer);

} // namespace outlay::core
