// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The one list of layers that every design expands into: counted on paper, built by the worker.
#pragma once

#include "core/base/fields.h"
#include "core/base/value.h"

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace outlay::core {

// Sizes are counts of elements. Each struct holds what its parameters and its work follow from.

/// A table looked up by token, by position or by segment.
struct Embedding {
    std::int64_t rows = 0;
    std::int64_t width = 0;
    bool operator==(const Embedding&) const = default;
};

/// T5's learned bias per head and distance bucket, shared by the layers of a stack.
struct RelativeBias {
    std::int64_t buckets = 0;
    std::int64_t heads = 0;
    bool operator==(const RelativeBias&) const = default;
};

enum class Cell { Lstm, Gru, Rnn };
inline constexpr std::array<std::string_view, 3> CellNames{"lstm", "gru", "rnn"};

[[nodiscard]] std::int64_t gatesOf(Cell cell);

struct Recurrent {
    Cell cell = Cell::Lstm;
    std::int64_t inputs = 0;
    std::int64_t hidden = 0;
    std::int64_t projection = 0; // 0: none
    std::int64_t biasSets = 2;   // PyTorch keeps two bias vectors per gate, Keras mostly one
    bool bidirectional = false;
    bool returnsSequence = true; // false: only the last step's output is used

    [[nodiscard]] std::int64_t directions() const { return bidirectional ? 2 : 1; }
    /// What one direction feeds back and hands on.
    [[nodiscard]] std::int64_t output() const { return projection > 0 ? projection : hidden; }
    bool operator==(const Recurrent&) const = default;
};

/// state = diag(gate) state + key value^T; output = W (state^T query) + b, per time step.
struct GatedRecurrent {
    std::int64_t inputs = 0;
    std::int64_t key = 0;
    std::int64_t value = 0;
    std::int64_t output = 0;
    bool operator==(const GatedRecurrent&) const = default;
};

enum class AttentionBiases { None, Qkv, Output, All };
inline constexpr std::array<std::string_view, 4> AttentionBiasNames{"none", "qkv", "output", "all"};

/// A norm over each head's queries and keys: its vectors hold a scale, a layer norm's also a bias. Or over those of all
/// heads together.
enum class QkNorm { None, Rms, Layer, RmsOfAll };
inline constexpr std::array<std::string_view, 4> QkNormNames{"none", "rms", "layer", "rms_of_all"};

struct Attention {
    std::int64_t width = 0;  // of the stream
    std::int64_t memory = 0; // width of what keys and values are made from
    std::int64_t heads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headSize = 0;
    AttentionBiases biases = AttentionBiases::All;
    bool isCross = false;  // keys and values come from the encoder
    bool isCausal = false; // no position sees those after it
    QkNorm qkNorm = QkNorm::None;
    bool dropout = false;
    std::int64_t window = 0;     // 0: every position sees all before it
    bool sinks = false;          // each head may attend to nothing, by a score that it learns
    std::int64_t queryRank = 0;  // numbers that queries are made of, after a norm; 0: the stream
    std::int64_t latent = 0;     // the same of keys and values, which alone are kept; 0: those are
    std::int64_t sharedSize = 0; // of a head's key, the part that all have in common, kept too
    std::int64_t valueSize = 0;  // of a head; 0: as its keys

    [[nodiscard]] bool isLatent() const { return latent > 0; }
    [[nodiscard]] std::int64_t valueHead() const { return valueSize > 0 ? valueSize : headSize; }
    [[nodiscard]] std::int64_t queryWidth() const { return heads * headSize; }
    [[nodiscard]] std::int64_t keyWidth() const { return kvHeads * headSize; }
    [[nodiscard]] std::int64_t valueWidth() const { return kvHeads * valueHead(); }
    /// What the heads read of values, side by side.
    [[nodiscard]] std::int64_t mixedWidth() const { return heads * valueHead(); }
    /// Made of a latent: keys without what they share, and values.
    [[nodiscard]] std::int64_t fromLatent() const
    {
        return heads * (headSize - sharedSize + valueHead());
    }
    /// Of a position, what all heads' keys and values follow from.
    [[nodiscard]] std::int64_t latentWidth() const { return latent + sharedSize; }
    bool operator==(const Attention&) const = default;
};

struct FeedForward {
    std::int64_t width = 0;
    std::int64_t inner = 0;
    bool gated = false; // three matrices instead of two
    bool biases = true;
    bool dropout = false;
    bool normAfter = false; // of what it made, or of the sum with that
    bool operator==(const FeedForward&) const = default;
};

/// A router and `count` feed-forwards, `used` of which see each token. The router has a bias where they have.
struct Experts {
    FeedForward expert;
    std::int64_t count = 0;
    std::int64_t used = 0;
    bool operator==(const Experts&) const = default;
};

enum class NormKind { Layer, Rms, Batch };
inline constexpr std::array<std::string_view, 3> NormNames{"layer", "rms", "batch"};

struct Norm {
    NormKind kind = NormKind::Layer;
    std::int64_t width = 0;
    bool scale = true;
    bool bias = true;
    std::int64_t statistics = 0; // vectors that are kept but not trained, where they are counted
    bool operator==(const Norm&) const = default;
};

enum class DenseUse { Inner, Logits };
inline constexpr std::array<std::string_view, 2> DenseUseNames{"inner", "logits"};

struct Dense {
    std::int64_t inputs = 0;
    std::int64_t outputs = 0;
    bool bias = true;
    bool tied = false; // the matrix is the embedding's and is not counted again
    bool activation = false;
    DenseUse use = DenseUse::Inner; // logits: a softmax and a loss follow
    bool operator==(const Dense&) const = default;
};

struct Dropout {
    std::int64_t width = 0;
    double share = 0;
    bool operator==(const Dropout&) const = default;
};

/// Weights of which only their number is known (a safetensors header says no more).
struct Weights {
    std::int64_t elements = 0;
    std::int64_t matrixElements = 0; // of those, the ones that multiply each token
    bool operator==(const Weights&) const = default;
};

using AnyLayer = std::variant<Embedding, RelativeBias, Recurrent, GatedRecurrent, Attention,
                              FeedForward, Experts, Norm, Dense, Dropout, Weights>;

struct LayerSpec : AnyLayer {
    OUTLAY_VALUE(LayerSpec);
    using AnyLayer::AnyLayer;

    bool operator==(const LayerSpec& other) const;
};

/// What a layer runs over.
enum class Stream {
    Tokens, // each token of the sequence (the decoder's, where there are two)
    Memory, // each token of the encoder's sequence
    Sample, // once for each sample
};
inline constexpr std::array<std::string_view, 3> StreamNames{"tokens", "memory", "sample"};

struct Layer {
    std::string name;
    LayerSpec spec;
    Stream stream = Stream::Tokens;
    std::int64_t block = 0; // layers of one repeated block share a number; 0: in none

    bool operator==(const Layer&) const = default;
};

/// The `kind` of a layer in files: "lstm", "attention", ...
[[nodiscard]] std::string_view kindOf(const LayerSpec& spec);

/// The width of what a layer reads; 0 where it reads anything or token numbers.
[[nodiscard]] std::int64_t inputWidth(const LayerSpec& spec);

/// One layer of each kind, in the order of the kinds: what a file's `kind` is looked up in.
[[nodiscard]] std::vector<LayerSpec> layerPrototypes();

void describe(FieldVisitor& v, LayerSpec& spec);

/// Sizes that contradict each other are errors; the place is relative to the layer.
[[nodiscard]] Result<void> check(const LayerSpec& spec);

} // namespace outlay::core
