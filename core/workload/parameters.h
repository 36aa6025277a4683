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

/// Layers or blocks that repeat in it; of the deeper of two stacks. 0: none repeat.
[[nodiscard]] std::int64_t depthOf(const Model& model);
/// With so many of them at most, in each stack.
[[nodiscard]] Model shallow(Model model, std::int64_t depth);

/// Parameters without the list of all layers, which may be long: a few of them tell. Of stacks of two depths each counts
/// as the deeper one.
[[nodiscard]] double sizeOf(const Model& model);

/// An error for a design beyond 10^15 parameters, which the exact counts would not hold.
[[nodiscard]] Result<void> checkSize(const Model& model);

/// A model of an experiment, a job or a measurement: read, sound, and no larger than can be counted.
[[nodiscard]] Result<ModelReading> readCheckedModel(const Json& json, const std::string& pointer);

} // namespace outlay::core
