// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Transformers: decoder (GPT-2 to mixtures of experts), encoder (BERT), encoder-decoder (T5).
#pragma once

#include "core/model/convention.h"
#include "core/model/layer.h"

namespace outlay::core {

enum class TransformerKind { Decoder, Encoder, EncoderDecoder };
inline constexpr std::array<std::string_view, 3> TransformerKindNames{"decoder", "encoder",
                                                                      "encoder-decoder"};

enum class Positions { Learned, Rotary, Alibi, Relative, None };
inline constexpr std::array<std::string_view, 5> PositionNames{"learned", "rotary", "alibi",
                                                               "relative", "none"};

/// Which have the window; of each four or six the last has none.
enum class WindowLayers { All, Odd, Even, ThreeOfFour, FiveOfSix };
inline constexpr std::array<std::string_view, 5> WindowLayerNames{"all", "odd", "even",
                                                                  "three_of_four", "five_of_six"};

/// The first layer is number 1.
[[nodiscard]] bool isWindowed(WindowLayers layers, std::int64_t number);

/// Which embeddings have `embedding_size` and are projected to the hidden size: the tokens' alone
/// (OPT; the output is projected back) or all of them (ELECTRA; the projection has a bias).
enum class NarrowEmbeddings { Tokens, All };
inline constexpr std::array<std::string_view, 2> NarrowEmbeddingNames{"tokens", "all"};

/// After: of the sum with what a part made. Inside: of that alone, before it is added.
enum class NormPosition { Before, After, Inside };
inline constexpr std::array<std::string_view, 3> NormPositionNames{"before", "after", "inside"};

/// How rows are named that stand beside a block's experts.
inline constexpr std::string_view SharedExpert = "shared";
inline constexpr std::string_view SharedExpertGate = "shared gate";

/// What is not given follows from the rest as the getters say: a decoder is GPT-2's, an encoder
/// BERT's and an encoder-decoder T5's, unless a key says otherwise.
struct TransformerDesign {
    TransformerKind kind = TransformerKind::Decoder;
    std::int64_t vocabulary = 0;
    std::int64_t hidden = 0;
    std::int64_t layers = 1;
    std::optional<std::int64_t> decoderLayers;
    std::int64_t heads = 1;
    std::optional<std::int64_t> kvHeads;
    std::optional<std::int64_t> headSize;
    std::optional<std::int64_t> feedForward;
    bool gatedFeedForward = false;
    std::int64_t experts = 0;
    std::int64_t expertsUsed = 2;
    std::int64_t sharedExpert = 0; // inner size of a feed-forward beside experts; 0: none
    bool sharedExpertGate = false;
    std::int64_t denseLayers = 0; // the first so many have no experts
    std::optional<std::int64_t> denseFeedForward;
    std::int64_t expertStep = 1; // of so many layers the last has experts
    std::int64_t queryRank = 0;  // as in Attention, like the three below
    std::int64_t latent = 0;
    std::int64_t sharedHeadSize = 0;
    std::int64_t valueSize = 0;
    std::optional<Positions> positions;
    std::optional<std::int64_t> positionCount;
    std::optional<std::int64_t> relativeBuckets;
    std::optional<NormKind> norm;
    std::optional<NormPosition> normPosition;
    std::int64_t normsPerBlock = 2;
    std::optional<bool> biases;
    std::optional<AttentionBiases> attentionBiases;
    std::optional<bool> feedForwardBiases;
    std::optional<bool> normBiases;
    bool headBiases = false;
    std::optional<bool> tiedEmbeddings;
    std::optional<std::int64_t> embeddingSize;
    NarrowEmbeddings narrowEmbeddings = NarrowEmbeddings::All;
    std::optional<std::int64_t> tokenTypes;
    std::optional<bool> embeddingNorm;
    std::optional<bool> finalNorm;
    bool parallelBlocks = false;
    QkNorm qkNorm = QkNorm::None;
    std::int64_t window = 0;
    WindowLayers windowLayers = WindowLayers::All;
    bool attentionSinks = false;
    double dropout = 0;
    std::optional<bool> pooler;
    std::optional<bool> languageHead;

    [[nodiscard]] bool isEncoder() const { return kind == TransformerKind::Encoder; }
    [[nodiscard]] bool hasEncoder() const { return kind == TransformerKind::EncoderDecoder; }
    [[nodiscard]] std::int64_t decoderLayerCount() const { return decoderLayers.value_or(layers); }
    [[nodiscard]] std::int64_t kvHeadCount() const { return kvHeads.value_or(heads); }
    [[nodiscard]] std::int64_t headWidth() const { return headSize.value_or(hidden / heads); }
    [[nodiscard]] std::int64_t innerSize() const { return feedForward.value_or(4 * hidden); }
    /// Of layers without experts.
    [[nodiscard]] std::int64_t denseInnerSize() const
    {
        return experts > 0 ? denseFeedForward.value_or(innerSize()) : innerSize();
    }
    /// The first layer is number 1. Layers that come before this one have none.
    [[nodiscard]] std::int64_t firstWithExperts() const
    {
        return (denseLayers / expertStep + 1) * expertStep;
    }
    [[nodiscard]] bool hasExperts(std::int64_t number) const
    {
        return experts > 0 && number > denseLayers && number % expertStep == 0;
    }
    [[nodiscard]] Positions positionKind() const;
    [[nodiscard]] std::int64_t positionRows() const;
    [[nodiscard]] NormKind normKind() const;
    [[nodiscard]] NormPosition normPlace() const;
    [[nodiscard]] bool hasBiases() const { return biases.value_or(normKind() == NormKind::Layer); }
    [[nodiscard]] AttentionBiases attentionBias() const;
    [[nodiscard]] bool hasFeedForwardBiases() const
    {
        return feedForwardBiases.value_or(hasBiases());
    }
    [[nodiscard]] bool hasNormBiases() const;
    [[nodiscard]] bool isTied() const { return tiedEmbeddings.value_or(true); }
    [[nodiscard]] std::int64_t embeddingWidth() const { return embeddingSize.value_or(hidden); }
    [[nodiscard]] std::int64_t tokenTypeCount() const
    {
        return tokenTypes.value_or(isEncoder() ? 2 : 0);
    }
    [[nodiscard]] bool hasEmbeddingNorm() const { return embeddingNorm.value_or(isEncoder()); }
    [[nodiscard]] bool hasFinalNorm() const;
    [[nodiscard]] bool hasPooler() const { return pooler.value_or(isEncoder()); }
    [[nodiscard]] bool hasLanguageHead() const { return languageHead.value_or(!isEncoder()); }

    bool operator==(const TransformerDesign&) const = default;
};

void describe(FieldVisitor& v, TransformerDesign& d);
/// With every value that follows from the others.
[[nodiscard]] TransformerDesign resolved(TransformerDesign d);
[[nodiscard]] Result<void> check(const TransformerDesign& d);
[[nodiscard]] std::vector<Layer> expand(const TransformerDesign& d, Convention convention);

} // namespace outlay::core
