// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a pass over the layers costs on paper: FLOPs, bytes, activations, launches.
#pragma once

#include "core/workload/layer_kinds.h"

namespace outlay::core {

/// What becomes of keys and values that are made of a latent once they are past.
enum class Latents : std::uint8_t {
    Met,     // the latent is kept, and new positions meet it itself: tokens of engines that serve
    Remade,  // it is kept, and all keys and values are made of it again: their prompts
    Unpacked // keys and values of every head are kept, as Transformers does
};

/// One pass: how many samples, how many tokens of each, and how wide the numbers are.
struct Pass {
    double batch = 1;
    double tokens = 1;        // positions computed in this pass, per sample
    double context = 1;       // positions that attention looks at, with those from a cache
    double memoryTokens = 0;  // encoder positions computed in this pass, per sample
    double memoryContext = 0; // encoder positions that cross-attention looks at
    double weightBytes = 4;
    double expertBytes = 0; // of experts' weights; 0: as of others
    double outputBytes = 0; // and of the output's
    double valueBytes = 4;
    Latents latents = Latents::Remade;
    bool drops = false; // layers drop their share: while a model is trained
};

/// A pass forward. FLOPs are those of matrix products (a multiply-add is two): the rest, norms and
/// activations, shows in bytes and launches. Bytes and launches are those of plain kernels, one
/// operation each; a fused kernel needs less.
struct Work {
    double flops = 0;
    double scoreFlops = 0; // of these, products of attention that have no weights
    double bytes = 0;      // read and written
    double scoreBytes = 0; // of these, of attention's scores, which a fused kernel doesn't write
    double weights = 0;    // the same, of weights that are read
    double kept = 0;       // bytes that wait for the backward pass
    double keptScores = 0; // of these, of attention's scores, which a fused kernel doesn't keep
    double transient = 0;  // largest buffer beside them, while this layer runs backward
    double launches = 0;
    double sequential = 0; // launches that each wait for the one before: the steps of a recurrence

    Work& operator+=(const Work& other);
    /// `count` of it, one after the other: `transient` stays.
    [[nodiscard]] Work times(double count) const;
};

[[nodiscard]] Work workOf(const Layer& layer, const Pass& pass);
/// Positions of all samples that a layer computes.
[[nodiscard]] double rowsOf(Stream stream, const Pass& pass);

/// The sum over all layers; `transient` is the largest.
[[nodiscard]] Work workOf(const LayerKinds& layers, const Pass& pass);

/// A training batch of `batch` samples of `sequence` tokens (both stacks get `sequence` tokens).
[[nodiscard]] Pass trainingPass(double batch, double sequence, double valueBytes);
/// A whole prompt at once. Where there is an encoder it reads `memoryTokens`; else they are 0.
[[nodiscard]] Pass promptPass(double batch, double tokens, double memoryTokens, double weightBytes);
/// One more token for each sample after `context` tokens, with a cache or with recurrent state.
[[nodiscard]] Pass tokenPass(double batch, double context, double memoryContext,
                             double weightBytes);

/// FLOPs of a gated recurrence in a step, for each number of its state: one multiplication for the gate, two operations
/// each for the outer product and for reading it with the query.
inline constexpr double GatedStateOperations = 5;
/// Positions that kernels of a gated recurrence take at once, and bytes of a number of the states that they keep.
inline constexpr double GatedChunk = 64;
inline constexpr double GatedStateBytes = 4;

[[nodiscard]] inline bool meetsLatent(const Attention& layer, Latents latents)
{
    return layer.isLatent() && latents == Latents::Met;
}
/// Numbers that are multiplied for two positions that meet in a head: of a key, and of a value.
[[nodiscard]] double pairWidth(const Attention& layer, Latents latents);
/// Numbers that are kept of a position.
[[nodiscard]] double cachedWidth(const Attention& layer, Latents latents);

/// The expected number of experts that at least one of the rows picks.
[[nodiscard]] double expertsChosen(const Experts& layer, double rows);

/// Bytes that serving keeps per sample: key-value caches for `context` tokens, recurrent states.
[[nodiscard]] double stateBytes(const Layer& layer, double context, double memoryContext,
                                double valueBytes, Latents latents);
[[nodiscard]] double stateBytes(const LayerKinds& layers, double context, double memoryContext,
                                double valueBytes, Latents latents);

} // namespace outlay::core
