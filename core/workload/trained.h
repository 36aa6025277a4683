// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What of a design is trained: all of it, adapters beside its matrices, or its last layer.
#pragma once

#include "core/model/model.h"
#include "core/settings/settings.h"
#include "core/workload/layer_kinds.h"
#include "core/workload/work.h"

namespace outlay::core {

/// A matrix of a layer that an adapter may lie beside.
struct Linear {
    std::string_view part; // one of AdapterTargetNames
    std::int64_t inputs = 0;
    std::int64_t outputs = 0;
    std::int64_t count = 1;  // in a layer
    double used = 1;         // of these, that each row meets
    bool isOfMemory = false; // its rows are the encoder's

    [[nodiscard]] double elements() const;
};
[[nodiscard]] std::vector<Linear> linearsOf(const LayerSpec& spec);
/// Those whose results wait where every second product's does, as they are made one after the other.
[[nodiscard]] std::vector<Linear> keptLinears(const LayerSpec& spec);

/// Of one layer.
struct Trained {
    std::vector<Linear> adapted;
    double parameters = 0; // that are trained
    bool isWhole = true;   // its own weights are
    bool isCopied = false; // and the ones that it began with are kept beside, as PEFT does
    bool isReached = true; // the backward pass comes to it
    bool carriesOn = true; // and goes on to what lies before it
    double unread = 0;     // part of its products that no way back reads: the last of a block

    /// How often products with its own weights are made on the way back: for its input, for the weights.
    [[nodiscard]] double productsBack() const;
};

/// Whether its products run in 8 bits where all that can trains so: those of blocks, but for steps of a recurrence and
/// weights that are made from fewer bits.
[[nodiscard]] bool mayBeNarrow(const Layer& layer, const Trained& trained,
                               const Training& training);
/// Whether there is any such layer.
[[nodiscard]] bool maySomeBeNarrow(const LayerKinds& layers, const Training& training);

/// By kind of layer.
[[nodiscard]] std::vector<Trained> trainedOf(const LayerKinds& layers, const Training& training);
/// Whether blocks that run again may leave something out, for nothing reads it.
[[nodiscard]] bool leavesUnread(const LayerKinds& layers, const Training& training);
[[nodiscard]] double trainableOf(const LayerKinds& layers, const Training& training);

/// An error where nothing of the design would be trained.
[[nodiscard]] Result<void> checkTrained(const Model& model, const Training& training);

/// Numbers of the two matrices of an adapter.
[[nodiscard]] double adapterElements(const Linear& linear, std::int64_t rank);
/// Rows that run through the adapters of a layer's matrix in a pass, all of them together.
[[nodiscard]] double adapterRows(const Linear& linear, Stream stream, const Pass& pass);
/// FLOPs forward.
[[nodiscard]] double adapterFlops(const Linear& linear, std::int64_t rank, double rows);

/// Bytes of a weight that is trained beside others that stay as they are.
inline constexpr double TrainedBytes = 4;

/// Bytes that a weight takes which isn't trained: of a matrix, and of anything else.
struct FrozenBytes {
    double ofMatrices = 0;
    double ofOthers = 0;
};
[[nodiscard]] FrozenBytes frozenBytes(const Training& training);

/// Bytes of all frozen weights of a layer, as they are kept.
[[nodiscard]] double frozenBytesOf(const LayerSpec& spec, const Trained& trained,
                                   const FrozenBytes& bytes);

/// Bytes of the largest matrix that is kept in fewer bits, as each product makes its numbers again.
[[nodiscard]] double dequantisedBytes(const LayerKinds& layers, const Training& training);

} // namespace outlay::core
