// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random_designs.h"

namespace outlay::tests {
namespace {

using namespace outlay::core;

class Draw {
public:
    explicit Draw(std::mt19937_64& random) : m_random(random) {}

    std::int64_t size(std::int64_t low, std::int64_t high)
    {
        return std::uniform_int_distribution<std::int64_t>(low, high)(m_random);
    }
    bool coin() { return size(0, 1) == 1; }
    template <typename Enum, std::size_t N>
    Enum oneOf(const std::array<std::string_view, N>&)
    {
        return static_cast<Enum>(size(0, static_cast<std::int64_t>(N) - 1));
    }

private:
    std::mt19937_64& m_random;
};

RecurrentDesign recurrent(Draw& draw)
{
    RecurrentDesign d;
    d.cell = draw.oneOf<Cell>(CellNames);
    d.layers = draw.size(1, 4);
    for (std::int64_t i = 0; i < (draw.coin() ? 1 : d.layers); ++i)
        d.hidden.push_back(draw.size(8, 96));
    if (static_cast<std::int64_t>(d.hidden.size()) != d.layers)
        d.hidden.resize(1);
    if (draw.coin()) {
        d.vocabulary = draw.size(2, 500);
        if (draw.coin())
            d.embedding = draw.size(1, 64);
    } else {
        d.inputs = draw.size(1, 40);
    }
    d.bidirectional = draw.coin();
    if (d.cell == Cell::Lstm && draw.coin())
        d.projection = draw.size(1, 7);
    d.dropout = draw.coin() ? 0.1 : 0;
    for (std::int64_t i = draw.size(0, 2); i > 0; --i)
        d.head.push_back(draw.size(1, 50));
    if (draw.coin())
        d.outputs = draw.size(1, 60);
    d.outputAt = draw.oneOf<OutputAt>(OutputAtNames);
    if (d.vocabulary && draw.coin()) {
        d.outputs.reset();
        d.head.push_back(d.embeddingWidth()); // the last layer must be as wide as the embedding
        d.tiedEmbeddings = true;
    }
    return d;
}

/// Some layers without experts, and a feed-forward beside those of others.
void mixExperts(Draw& draw, TransformerDesign& d)
{
    const std::int64_t fewest = std::min(d.layers, d.decoderLayerCount());
    d.expertStep = draw.size(1, std::min<std::int64_t>(2, fewest));
    d.denseLayers = draw.size(0, fewest - d.expertStep);
    if (draw.coin())
        d.denseFeedForward = draw.size(1, 100);
    d.sharedExpert = draw.size(0, 2) * draw.size(1, 40);
    d.sharedExpertGate = draw.coin();
}

/// Queries, keys and values made of fewer numbers.
void thinAttention(Draw& draw, TransformerDesign& d)
{
    d.queryRank = draw.coin() ? draw.size(1, 12) : 0;
    d.valueSize = draw.coin() ? draw.size(1, 12) : 0;
    if (draw.coin())
        return;
    d.latent = draw.size(1, 12);
    d.kvHeads.reset();
    d.qkNorm = QkNorm::None;
    d.sharedHeadSize = draw.coin() ? draw.size(1, d.headWidth() - 1) : 0;
}

TransformerDesign transformer(Draw& draw)
{
    TransformerDesign d;
    d.kind = draw.oneOf<TransformerKind>(TransformerKindNames);
    d.vocabulary = draw.size(2, 500);
    const std::int64_t groups = draw.size(1, 4);
    d.kvHeads = draw.size(1, 3);
    d.heads = groups * *d.kvHeads;
    d.hidden = d.heads * 2 * draw.size(1, 8);
    if (draw.coin())
        d.headSize = 2 * draw.size(1, 10);
    d.layers = draw.size(1, 4);
    if (draw.coin())
        d.decoderLayers = draw.size(1, 4);
    if (draw.coin())
        d.feedForward = draw.size(1, 100);
    d.gatedFeedForward = draw.coin();
    if (draw.coin()) {
        d.experts = draw.size(1, 5);
        d.expertsUsed = draw.size(1, d.experts);
    }
    d.positions = draw.oneOf<Positions>(PositionNames);
    d.positionCount = draw.size(1, 64);
    d.relativeBuckets = draw.size(2, 32);
    d.norm = draw.coin() ? NormKind::Layer : NormKind::Rms;
    d.normsPerBlock = draw.coin() ? 2 : draw.coin() ? 1 : 4;
    d.parallelBlocks = d.normsPerBlock == 1;
    if (draw.coin())
        d.biases = draw.coin();
    if (draw.coin())
        d.attentionBiases = draw.oneOf<AttentionBiases>(AttentionBiasNames);
    if (draw.coin())
        d.normBiases = d.normKind() == NormKind::Layer && draw.coin();
    d.headBiases = draw.coin();
    d.tiedEmbeddings = draw.coin();
    if (draw.coin()) {
        d.embeddingSize = draw.size(1, 40);
        d.narrowEmbeddings = draw.oneOf<NarrowEmbeddings>(NarrowEmbeddingNames);
    }
    if (draw.coin())
        d.tokenTypes = draw.size(0, 3);
    if (draw.coin())
        d.embeddingNorm = draw.coin();
    if (draw.coin())
        d.normPosition = draw.oneOf<NormPosition>(NormPositionNames);
    if (draw.coin())
        d.finalNorm = draw.coin();
    if (draw.coin())
        d.feedForwardBiases = draw.coin();
    if (draw.coin())
        d.pooler = d.kind == TransformerKind::Encoder && draw.coin();
    d.qkNorm = draw.oneOf<QkNorm>(QkNormNames);
    d.dropout = draw.coin() ? 0.1 : 0;
    if (draw.coin())
        d.languageHead = draw.coin();
    d.attentionSinks = draw.coin();
    if (d.experts > 0 && draw.coin())
        mixExperts(draw, d);
    if (draw.coin())
        thinAttention(draw, d);
    return d;
}

MlpDesign mlp(Draw& draw)
{
    MlpDesign d;
    d.inputs = draw.size(1, 200);
    for (std::int64_t i = draw.size(0, 4); i > 0; --i)
        d.hidden.push_back(draw.size(1, 200));
    d.outputs = draw.size(1, 50);
    return d;
}

} // namespace

Model randomModel(std::mt19937_64& random)
{
    Draw draw(random);
    Model model;
    model.convention = draw.oneOf<Convention>(ConventionNames);
    switch (draw.size(0, 9)) {
    case 0: model.design = mlp(draw); break;
    case 1:
        model.design = GatedRnnDesign{draw.size(2, 300), draw.size(1, 64), draw.size(1, 32),
                                      draw.size(1, 32),  draw.size(1, 64), draw.size(1, 4)};
        break;
    case 2:
    case 3:
    case 4:
    case 5: model.design = recurrent(draw); break;
    default: model.design = transformer(draw);
    }
    return model;
}

} // namespace outlay::tests
