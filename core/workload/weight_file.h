// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What served weights take: formats of few bits keep the matrices of the blocks in them, and the rest in more.
#pragma once

#include "core/base/note.h"
#include "core/model/model.h"
#include "core/settings/settings.h"
#include "core/workload/layer_kinds.h"

namespace outlay::core {

/// Whether the weights are of those that such formats are for, and in few bits.
[[nodiscard]] bool hasWeightFormat(const Model& model, const Serving& serving);

/// The one that is asked for where it is of the precision's bits (Q6_K and Q8_0 of 8, the others of 4), else what the engine usually takes: AWQ for 4 bits, llama.cpp Q4_K_M and Q8_0. Nothing where
/// weights aren't in few bits, or are in 8 as they come: the blocks' matrices in 8, the rest in 16.
[[nodiscard]] std::optional<WeightFormat> weightFormatOf(const Model& model,
                                                         const Serving& serving);

/// All weights in a file of that format, and as they lie in a device's memory.
[[nodiscard]] double weightBytes(const LayerKinds& layers, WeightFormat format);
/// Of the attention alone whose keys and values are made of a latent, as they are served.
[[nodiscard]] double latentWeightBytes(const Model& model, const LayerKinds& layers,
                                       const Serving& serving);

/// Bytes of a number in weights as they are read: of the blocks' matrices, of experts and of the output.
struct ReadBytes {
    double matrices = 0;
    double experts = 0;
    double output = 0;
};
[[nodiscard]] ReadBytes readBytes(const Model& model, const LayerKinds& layers,
                                  const Serving& serving);

/// All weights as they are served.
[[nodiscard]] double weightBytes(const Model& model, const LayerKinds& layers,
                                 const Serving& serving);

/// "weights as AWQ keeps them"; empty where all of them are kept alike.
[[nodiscard]] Note weightNote(const Model& model, const Serving& serving);

} // namespace outlay::core
