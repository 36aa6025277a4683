// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/transformer_design.h"

#include "core/model/limits.h"

namespace outlay::core {
namespace {

constexpr std::int64_t UsualPositions = 512;
constexpr std::int64_t UsualBuckets = 32;

/// Each block's, over all that it sees.
Attention attentionOf(const TransformerDesign& d)
{
    return {.width = d.hidden,
            .memory = d.hidden,
            .heads = d.heads,
            .kvHeads = d.kvHeadCount(),
            .headSize = d.headWidth(),
            .biases = d.attentionBias(),
            .qkNorm = d.qkNorm,
            .dropout = d.dropout > 0,
            .window = d.window,
            .sinks = d.attentionSinks,
            .queryRank = d.queryRank,
            .latent = d.latent,
            .sharedSize = d.sharedHeadSize,
            .valueSize = d.valueSize};
}

/// One stack of blocks, appended to the list row by row.
class Stack {
public:
    Stack(const TransformerDesign& design, std::vector<Layer>& layers, Stream stream,
          std::string_view blockName, std::int64_t blocksBefore)
        : m_design(design), m_layers(layers), m_stream(stream), m_blockName(blockName),
          m_blockCount(blocksBefore)
    {
    }

    void block(std::int64_t index)
    {
        m_block = ++m_blockCount;
        const std::string prefix = std::string(m_blockName) + " " + std::to_string(index + 1) + " ";
        const std::int64_t perPart = m_design.normsPerBlock / 2;
        if (m_design.normsPerBlock == 1)
            add(prefix + "norm", norm());
        norms(prefix + "attention norm", perPart);
        add(prefix + "attention", attention(index, Reads::Itself));
        if (m_design.hasEncoder() && m_stream == Stream::Tokens) {
            norms(prefix + "cross norm", perPart);
            add(prefix + "cross", attention(index, Reads::Encoder));
        }
        norms(prefix + "feed norm", perPart);
        addFeedForward(prefix, index + 1);
        m_block = 0;
    }

    void finalNorm()
    {
        if (m_design.hasFinalNorm())
            add(std::string(m_blockName) + " final norm", norm());
    }

    void relativeBias()
    {
        if (m_design.positionKind() == Positions::Relative)
            add(std::string(m_blockName) + " distances",
                RelativeBias{m_design.relativeBuckets.value_or(UsualBuckets), m_design.heads});
    }

private:
    void add(std::string name, LayerSpec spec)
    {
        m_layers.push_back({std::move(name), spec, m_stream, m_block});
    }

    void norms(const std::string& name, std::int64_t count)
    {
        for (std::int64_t i = 0; i < count; ++i)
            add(i == 0 ? name : name + " 2", norm());
    }

    [[nodiscard]] Norm norm() const
    {
        return {.kind = m_design.normKind(),
                .width = m_design.hidden,
                .bias = m_design.hasNormBiases()};
    }

    enum class Reads { Itself, Encoder };

    [[nodiscard]] Attention attention(std::int64_t index, Reads reads) const
    {
        Attention attention = attentionOf(m_design);
        attention.isCausal = m_stream == Stream::Tokens && !m_design.isEncoder();
        if (!isWindowed(m_design.windowLayers, index + 1))
            attention.window = 0;
        if (reads == Reads::Itself)
            return attention;
        attention.isCross = true;
        attention.isCausal = false;
        attention.window = attention.latent = attention.sharedSize = 0;
        attention.sinks = false;
        return attention;
    }

    void addFeedForward(const std::string& prefix, std::int64_t number)
    {
        if (!m_design.hasExperts(number))
            return add(prefix + "feed", feedForward(m_design.denseInnerSize()));
        add(prefix + "feed",
            Experts{feedForward(m_design.innerSize()), m_design.experts, m_design.expertsUsed});
        if (m_design.sharedExpert == 0)
            return;
        add(prefix + std::string(SharedExpert), feedForward(m_design.sharedExpert));
        if (m_design.sharedExpertGate)
            add(prefix + std::string(SharedExpertGate),
                Dense{.inputs = m_design.hidden, .outputs = 1, .bias = false});
    }

    [[nodiscard]] FeedForward feedForward(std::int64_t inner) const
    {
        return {.width = m_design.hidden,
                .inner = inner,
                .gated = m_design.gatedFeedForward,
                .biases = m_design.hasFeedForwardBiases(),
                .dropout = m_design.dropout > 0,
                .normAfter =
                    m_design.normPlace() != NormPosition::Before || m_design.normsPerBlock == 4};
    }

    const TransformerDesign& m_design;
    std::vector<Layer>& m_layers;
    Stream m_stream;
    std::string_view m_blockName;
    std::int64_t m_blockCount; // blocks of all stacks so far
    std::int64_t m_block = 0;  // the one being built
};

void addEmbeddings(const TransformerDesign& d, std::vector<Layer>& layers)
{
    const std::int64_t narrow = d.embeddingWidth();
    const bool isAllNarrow = d.narrowEmbeddings == NarrowEmbeddings::All;
    const std::int64_t width = isAllNarrow ? narrow : d.hidden;
    const Stream first = d.hasEncoder() ? Stream::Memory : Stream::Tokens;
    layers.push_back({"embedding", Embedding{d.vocabulary, narrow}, first});
    if (d.positionKind() == Positions::Learned) {
        layers.push_back({"positions", Embedding{d.positionRows(), width}, first});
        if (d.hasEncoder())
            layers.push_back({"decoder positions", Embedding{d.positionRows(), width}});
    }
    if (d.tokenTypeCount() > 0)
        layers.push_back({"token types", Embedding{d.tokenTypeCount(), width}, first});
    if (d.hasEmbeddingNorm())
        layers.push_back({"embedding norm",
                          Norm{.kind = d.normKind(), .width = width, .bias = d.hasNormBiases()},
                          first});
    if (narrow != d.hidden)
        layers.push_back({"embedding projection",
                          Dense{.inputs = narrow, .outputs = d.hidden, .bias = isAllNarrow},
                          first});
}

void addHead(const TransformerDesign& d, std::vector<Layer>& layers)
{
    if (d.hasPooler())
        layers.push_back({"pooler",
                          Dense{.inputs = d.hidden, .outputs = d.hidden, .activation = true},
                          Stream::Sample});
    if (!d.hasLanguageHead())
        return;
    // With narrow token embeddings the way back is part of the model, tied or not.
    const bool isNarrow = d.isTied() || d.narrowEmbeddings == NarrowEmbeddings::Tokens;
    const std::int64_t width = isNarrow ? d.embeddingWidth() : d.hidden;
    if (width != d.hidden)
        layers.push_back(
            {"output projection", Dense{.inputs = d.hidden, .outputs = width, .bias = false}});
    layers.push_back({"output", Dense{.inputs = width,
                                      .outputs = d.vocabulary,
                                      .bias = d.headBiases,
                                      .tied = d.isTied(),
                                      .use = DenseUse::Logits}});
}

void describeExperts(FieldVisitor& v, TransformerDesign& d)
{
    v.integer({"experts", "number of experts (0: one feed-forward)", 0, Heads.high}, d.experts);
    v.integer(optional("experts_used", "experts used per token", Heads), d.expertsUsed);
    v.integer(optional("shared_expert",
                       "inner size of a feed-forward beside experts that sees each token (0: none)",
                       OptionalWidths),
              d.sharedExpert);
    v.flag({"shared_expert_gate", "a number for each token weighs what that makes"},
           d.sharedExpertGate);
    v.integer({"dense_layers", "number of first layers without experts", 0, LayerCounts.high},
              d.denseLayers);
    v.integer(optional("dense_feed_forward",
                       "inner size where there are no experts (default: `feed_forward`)", Widths),
              d.denseFeedForward);
    v.integer(
        optional("expert_step", "number of layers of which the last has experts", LayerCounts),
        d.expertStep);
}

void describeLatent(FieldVisitor& v, TransformerDesign& d)
{
    v.integer(optional("query_rank",
                       "numbers that all heads' queries are made of (0: the hidden size)",
                       OptionalWidths),
              d.queryRank);
    v.integer(optional("latent",
                       "numbers that all heads' keys and values are made of, and that alone are "
                       "kept (0: each is kept)",
                       OptionalWidths),
              d.latent);
    v.integer(optional("shared_head_size",
                       "size of the part of a key that all heads have in common (latent)",
                       OptionalWidths),
              d.sharedHeadSize);
    v.integer(optional("value_size", "size of a head's values (0: `head_size`)", OptionalWidths),
              d.valueSize);
}

void describeSizes(FieldVisitor& v, TransformerDesign& d)
{
    v.choice(optional("kind", "kind of transformer", {}), d.kind, TransformerKindNames);
    v.integer(required("vocabulary", "size of the vocabulary", Vocabularies), d.vocabulary);
    v.integer(required("hidden", "hidden size", Widths), d.hidden);
    v.integer(
        required("layers", "number of layers (the encoder's, where there are two)", LayerCounts),
        d.layers);
    v.integer(
        optional("decoder_layers", "number of decoder layers (default: `layers`)", LayerCounts),
        d.decoderLayers);
    v.integer(required("heads", "number of attention heads", Heads), d.heads);
    v.integer(optional("kv_heads", "number of key-value heads (default: `heads`)", Heads),
              d.kvHeads);
    v.integer(optional("head_size", "size of a head (default: hidden / heads)", Widths),
              d.headSize);
    v.integer(
        optional("feed_forward", "inner size of the feed-forward (default: 4 x hidden)", Widths),
        d.feedForward);
    v.flag({"gated_feed_forward", "the feed-forward has a third, gating matrix"},
           d.gatedFeedForward);
    describeExperts(v, d);
    v.choice(optional("positions", "positions (default: by kind)", {}), d.positions, PositionNames);
    v.integer(optional("position_count", "rows of the position table (default: 512)", Vocabularies),
              d.positionCount);
    v.integer(optional("relative_buckets", "buckets of relative positions (default: 32)", Widths),
              d.relativeBuckets);
}

void describeNormsAndBiases(FieldVisitor& v, TransformerDesign& d)
{
    constexpr std::array<std::string_view, 2> Norms{NormNames[0], NormNames[1]};
    v.choice(optional("norm", "kind of norm (default: layer; rms for two stacks)", {}), d.norm,
             Norms);
    v.choice(optional("norm_position",
                      "norms before or after each part, or inside of the sum (default: by kind)",
                      {}),
             d.normPosition, NormPositionNames);
    v.integer({"norms_per_block", "norms in a block, cross-attention's apart (1, 2 or 4)", 1, 4},
              d.normsPerBlock);
    v.flag({"biases", "linear layers have biases (default: with layer norms)"}, d.biases);
    v.choice(optional("attention_biases", "biases of the attention (default: as `biases`)", {}),
             d.attentionBiases, AttentionBiasNames);
    v.flag({"feed_forward_biases",
            "biases of the feed-forward, and of what chooses experts (default: as `biases`)"},
           d.feedForwardBiases);
    v.flag({"norm_biases", "biases of layer norms (default: as `biases`)"}, d.normBiases);
    v.flag({"head_biases", "the output layer has a bias"}, d.headBiases);
    v.flag({"tied_embeddings", "the output layer shares the embedding's matrix (default: true)"},
           d.tiedEmbeddings);
}

void describeRest(FieldVisitor& v, TransformerDesign& d)
{
    v.integer(optional("embedding_size", "width of the embedding (default: hidden)", Widths),
              d.embeddingSize);
    v.choice(optional("narrow_embeddings", "embeddings that have embedding_size", {}),
             d.narrowEmbeddings, NarrowEmbeddingNames);
    v.integer(optional("token_types", "number of segment types (default: 2 for an encoder)",
                       OptionalWidths),
              d.tokenTypes);
    v.flag({"embedding_norm", "a norm after the embedding (default: for an encoder)"},
           d.embeddingNorm);
    v.flag(
        {"final_norm", "a norm after the last block (default: unless norms are after each part)"},
        d.finalNorm);
    v.flag({"parallel_blocks", "attention and feed-forward see the same input"}, d.parallelBlocks);
    v.choice(optional("qk_norm",
                      "norm over each head's queries and keys, or over all heads' (rms_of_all)",
                      {}),
             d.qkNorm, QkNormNames);
    v.integer(optional("window", "positions that attention looks back (0: all)", OptionalWidths),
              d.window);
    v.choice(optional("window_layers", "layers with the window, counted from 1", {}),
             d.windowLayers, WindowLayerNames);
    v.flag({"attention_sinks", "a learned score of each head that nothing is read of"},
           d.attentionSinks);
    describeLatent(v, d);
    v.number({"dropout", "share dropped while training", 0, LargestDropout}, d.dropout);
    v.flag({"pooler", "a dense layer over the first token (default: for an encoder)"}, d.pooler);
    v.flag({"language_head", "an output layer over the vocabulary (default: not for an encoder)"},
           d.languageHead);
}

} // namespace

bool isWindowed(WindowLayers layers, std::int64_t number)
{
    switch (layers) {
    case WindowLayers::All: break;
    case WindowLayers::Odd: return number % 2 == 1;
    case WindowLayers::Even: return number % 2 == 0;
    case WindowLayers::ThreeOfFour: return number % 4 != 0;
    case WindowLayers::FiveOfSix: return number % 6 != 0;
    }
    return true;
}

Positions TransformerDesign::positionKind() const
{
    if (positions)
        return *positions;
    if (hasEncoder())
        return Positions::Relative;
    return normKind() == NormKind::Rms ? Positions::Rotary : Positions::Learned;
}

std::int64_t TransformerDesign::positionRows() const
{
    return positionCount.value_or(UsualPositions);
}

NormKind TransformerDesign::normKind() const
{
    return norm.value_or(hasEncoder() ? NormKind::Rms : NormKind::Layer);
}

NormPosition TransformerDesign::normPlace() const
{
    return normPosition.value_or(isEncoder() ? NormPosition::After : NormPosition::Before);
}

AttentionBiases TransformerDesign::attentionBias() const
{
    return attentionBiases.value_or(hasBiases() ? AttentionBiases::All : AttentionBiases::None);
}

bool TransformerDesign::hasNormBiases() const
{
    return normBiases.value_or(normKind() == NormKind::Layer && hasBiases());
}

bool TransformerDesign::hasFinalNorm() const
{
    return finalNorm.value_or(normPlace() != NormPosition::After);
}

void describe(FieldVisitor& v, TransformerDesign& d)
{
    describeSizes(v, d);
    describeNormsAndBiases(v, d);
    describeRest(v, d);
}

TransformerDesign resolved(TransformerDesign d)
{
    if (d.hasEncoder())
        d.decoderLayers = d.decoderLayerCount();
    d.kvHeads = d.kvHeadCount();
    if (d.heads > 0)
        d.headSize = d.headWidth();
    d.feedForward = d.innerSize();
    d.denseFeedForward = d.denseInnerSize();
    const TransformerDesign given = d; // some of these follow from others
    d.positions = given.positionKind();
    d.positionCount = given.positionRows();
    if (given.positionKind() == Positions::Relative)
        d.relativeBuckets = given.relativeBuckets.value_or(UsualBuckets);
    d.norm = given.normKind();
    d.normPosition = given.normPlace();
    d.biases = given.hasBiases();
    d.attentionBiases = given.attentionBias();
    d.feedForwardBiases = given.hasFeedForwardBiases();
    d.normBiases = given.hasNormBiases();
    d.tiedEmbeddings = given.isTied();
    d.embeddingSize = given.embeddingWidth();
    d.tokenTypes = given.tokenTypeCount();
    d.embeddingNorm = given.hasEmbeddingNorm();
    d.finalNorm = given.hasFinalNorm();
    d.pooler = given.hasPooler();
    d.languageHead = given.hasLanguageHead();
    return d;
}

Result<void> check(const TransformerDesign& d)
{
    if (!d.headSize && d.hidden % d.heads != 0)
        return inputError("the hidden size " + std::to_string(d.hidden) + " is not a multiple of " +
                              std::to_string(d.heads) + " heads",
                          "change one of them, or give `head_size`", "/heads");
    if (const auto attention = check(LayerSpec(attentionOf(d))); !attention)
        return attention;
    if (d.experts > 0 && d.expertsUsed > d.experts)
        return inputError("each token uses " + std::to_string(d.expertsUsed) + " of " +
                              std::to_string(d.experts) + " experts",
                          "use at most as many as there are", "/experts_used");
    const std::int64_t layers =
        d.hasEncoder() ? std::max(d.layers, d.decoderLayerCount()) : d.layers;
    if (d.experts > 0 && d.firstWithExperts() > layers)
        return inputError("no layer is left that has experts",
                          "give fewer `dense_layers`, a smaller `expert_step`, or 0 experts",
                          d.denseLayers > 0 ? "/dense_layers" : "/expert_step");
    if (d.normsPerBlock == 3)
        return inputError("a block can't have 3 norms", "give 1, 2 or 4", "/norms_per_block");
    return {};
}

std::vector<Layer> expand(const TransformerDesign& d, Convention)
{
    std::vector<Layer> layers;
    constexpr std::size_t MostRowsPerBlock = 11;
    layers.reserve(static_cast<std::size_t>(d.layers + d.decoderLayerCount()) * MostRowsPerBlock +
                   8);
    addEmbeddings(d, layers);
    if (d.hasEncoder()) {
        Stack encoder(d, layers, Stream::Memory, "encoder", 0);
        encoder.relativeBias();
        for (std::int64_t i = 0; i < d.layers; ++i)
            encoder.block(i);
        encoder.finalNorm();
    }
    Stack main(d, layers, Stream::Tokens, d.hasEncoder() ? "decoder" : "block",
               d.hasEncoder() ? d.layers : 0);
    main.relativeBias();
    const std::int64_t count = d.hasEncoder() ? d.decoderLayerCount() : d.layers;
    for (std::int64_t i = 0; i < count; ++i)
        main.block(i);
    main.finalNorm();
    addHead(d, layers);
    return layers;
}

} // namespace outlay::core
