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

/// With so many of the layers or blocks that repeat at most, in each stack.
[[nodiscard]] Model shallow(Model model, std::int64_t depth, std::int64_t decoderDepth);
/// Layers from which on each is like the one before: they have all the matrices that there are.
inline constexpr std::int64_t FewLayers = 4;

/// Parameters without the list of all layers, which may be long: a few of them tell.
[[nodiscard]] double sizeOf(const Model& model);

/// An error for a design beyond 10^15 parameters, which the exact counts would not hold.
[[nodiscard]] Result<void> checkSize(const Model& model);

/// A model of an experiment, a job or a measurement: read, sound, and no larger than can be counted.
[[nodiscard]] Result<ModelReading> readCheckedModel(const Json& json, const std::string& pointer);

} // namespace outlay::core
