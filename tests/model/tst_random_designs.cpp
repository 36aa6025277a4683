// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A thousand designs: the list of layers must hold what a closed form of the whole design says. The
// closed forms are written from the definitions, tensor by tensor, and share no code with the list.
#include "core/workload/parameters.h"
#include "tests/support/random_designs.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay::core;

namespace {

std::int64_t closedForm(const RecurrentDesign& d, Convention convention)
{
    const std::int64_t ways = d.bidirectional ? 2 : 1;
    const std::int64_t gates = d.cell == Cell::Lstm ? 4 : d.cell == Cell::Gru ? 3 : 1;
    const std::int64_t biases = convention == Convention::Keras && d.cell != Cell::Gru ? 1 : 2;
    const auto hiddenOf = [&](std::int64_t i) {
        return d.hidden.size() == 1 ? d.hidden[0] : d.hidden[static_cast<std::size_t>(i)];
    };
    const std::int64_t embedding = d.embedding ? *d.embedding : hiddenOf(0);
    std::int64_t width = d.vocabulary ? embedding : d.inputs;
    std::int64_t total = d.vocabulary ? *d.vocabulary * embedding : 0;
    for (std::int64_t i = 0; i < d.layers; ++i) {
        const std::int64_t h = hiddenOf(i);
        const std::int64_t out = d.projection > 0 ? d.projection : h;
        const std::int64_t inputMatrix = gates * h * width;
        const std::int64_t stateMatrix = gates * h * out;
        const std::int64_t biasVectors = biases * gates * h;
        const std::int64_t projection = d.projection * h;
        total += ways * (inputMatrix + stateMatrix + biasVectors + projection);
        width = ways * out;
    }
    for (const std::int64_t size : d.head) {
        total += width * size + size;
        width = size;
    }
    const std::int64_t outputs = d.outputs ? *d.outputs : d.vocabulary ? *d.vocabulary : 1;
    return total + (d.tiedEmbeddings ? 0 : width * outputs) + outputs;
}

std::int64_t closedForm(const GatedRnnDesign& d, Convention)
{
    std::int64_t total = d.vocabulary * d.hidden;
    std::int64_t width = d.hidden;
    for (std::int64_t i = 0; i < d.layers; ++i) {
        const std::int64_t queryKeyGateValue = 3 * d.key + d.value;
        total += width * queryKeyGateValue + queryKeyGateValue + d.value * d.output + d.output;
        width = d.output;
    }
    return total + width * d.vocabulary + d.vocabulary;
}

std::int64_t closedForm(const MlpDesign& d, Convention)
{
    std::int64_t total = 0;
    std::int64_t width = d.inputs;
    for (const std::int64_t size : d.hidden) {
        total += (width + 1) * size;
        width = size;
    }
    return total + (width + 1) * d.outputs;
}

std::int64_t closedForm(const TransformerDesign& d, Convention)
{
    const bool isEncoder = d.kind == TransformerKind::Encoder;
    const bool isPair = d.kind == TransformerKind::EncoderDecoder;
    const std::int64_t h = d.hidden;
    const std::int64_t size = d.headSize ? *d.headSize : h / d.heads;
    const std::int64_t q = d.heads * size;
    const std::int64_t kv = (d.kvHeads ? *d.kvHeads : d.heads) * size;
    const bool isLayerNorm = *d.norm == NormKind::Layer;
    const bool biases = d.biases ? *d.biases : isLayerNorm;
    const auto where = d.attentionBiases ? *d.attentionBiases
                       : biases          ? AttentionBiases::All
                                         : AttentionBiases::None;
    const std::int64_t inner = d.feedForward ? *d.feedForward : 4 * h;
    const std::int64_t normBias = (d.normBiases ? *d.normBiases : isLayerNorm && biases) ? 1 : 0;
    const auto norm = [&](std::int64_t width) { return width * (1 + normBias); };

    const std::int64_t ofValue = d.valueSize > 0 ? d.valueSize : size;
    const std::int64_t values = kv / size * ofValue;
    const std::int64_t firstQuery = d.queryRank > 0 ? d.queryRank : q;
    std::int64_t queries = h * firstQuery;
    if (d.queryRank > 0)
        queries += d.queryRank + d.queryRank * q;
    std::int64_t withBiases = firstQuery + kv + values; // with biases
    const std::int64_t plain = queries + h * kv + h * values + d.heads * ofValue * h;
    std::int64_t attention = plain;
    if (d.latent > 0) {
        const std::int64_t kept = d.latent + d.sharedHeadSize;
        attention = queries + h * kept + d.latent +
                    d.latent * d.heads * (size - d.sharedHeadSize + ofValue) +
                    d.heads * ofValue * h;
        withBiases = firstQuery + kept;
    }
    std::int64_t toEncoder = plain; // which has no latent
    if (where == AttentionBiases::All || where == AttentionBiases::Qkv) {
        attention += withBiases;
        toEncoder += firstQuery + kv + values;
    }
    if (where == AttentionBiases::All || where == AttentionBiases::Output)
        attention += h, toEncoder += h;
    const std::int64_t scales = d.qkNorm == QkNorm::None    ? 0
                                : d.qkNorm == QkNorm::Rms   ? 2 * size
                                : d.qkNorm == QkNorm::Layer ? 4 * size
                                                            : q + kv;
    attention += scales;
    toEncoder += scales;
    const std::int64_t hasBias = d.feedForwardBiases.value_or(biases) ? 1 : 0;
    const auto feedOf = [&](std::int64_t width) {
        return (d.gatedFeedForward ? 3 : 2) * h * width +
               hasBias * ((d.gatedFeedForward ? 2 : 1) * width + h);
    };
    std::int64_t routed = d.experts * (feedOf(inner) + h + hasBias);
    if (d.sharedExpert > 0)
        routed += feedOf(d.sharedExpert) + (d.sharedExpertGate ? h : 0);
    const auto feedsOf = [&](std::int64_t layers) {
        std::int64_t all = 0;
        for (std::int64_t i = 0; i < layers; ++i)
            all += d.experts > 0 && i >= d.denseLayers && (i + 1) % d.expertStep == 0
                       ? routed
                       : feedOf(d.denseFeedForward.value_or(inner));
        return all;
    };
    const std::int64_t sinks = d.attentionSinks ? d.heads : 0; // not of attention to the encoder
    const std::int64_t block = attention + sinks + d.normsPerBlock * norm(h);
    const std::int64_t cross = toEncoder + d.normsPerBlock / 2 * norm(h);
    const std::int64_t decoders = d.decoderLayers ? *d.decoderLayers : d.layers;
    const bool isBefore = d.normPosition ? *d.normPosition != NormPosition::After : !isEncoder;
    const std::int64_t final = (d.finalNorm ? *d.finalNorm : isBefore) ? norm(h) : 0;

    std::int64_t total = d.layers * block + feedsOf(d.layers) + final;
    if (isPair)
        total += decoders * (block + cross) + feedsOf(decoders) + final;
    const std::int64_t stacks = isPair ? 2 : 1;
    const std::int64_t narrow = d.embeddingSize ? *d.embeddingSize : h;
    const bool isAllNarrow = d.narrowEmbeddings == NarrowEmbeddings::All;
    const std::int64_t width = isAllNarrow ? narrow : h;
    total += d.vocabulary * narrow;
    if (*d.positions == Positions::Learned)
        total += stacks * *d.positionCount * width;
    if (*d.positions == Positions::Relative)
        total += stacks * *d.relativeBuckets * d.heads;
    total += (d.tokenTypes ? *d.tokenTypes : isEncoder ? 2 : 0) * width;
    if (d.embeddingNorm ? *d.embeddingNorm : isEncoder)
        total += norm(width);
    if (narrow != h)
        total += narrow * h + (isAllNarrow ? h : 0);
    if (d.pooler ? *d.pooler : isEncoder)
        total += h * h + h;
    if (!(d.languageHead ? *d.languageHead : !isEncoder))
        return total;
    total += d.headBiases ? d.vocabulary : 0;
    const bool isNarrowHead = *d.tiedEmbeddings || !isAllNarrow;
    total += isNarrowHead && narrow != h ? h * narrow : 0;
    return total + (*d.tiedEmbeddings ? 0 : (isNarrowHead ? narrow : h) * d.vocabulary);
}

std::int64_t closedForm(const LayerListDesign&, Convention)
{
    return -1;
}

/// The same with so many layers, where they repeat.
Model deepened(Model model, std::int64_t layers)
{
    struct Visitor {
        std::int64_t layers;

        void operator()(TransformerDesign& d) const { d.layers = layers; }
        void operator()(RecurrentDesign& d) const
        {
            if (d.hidden.size() <= 1)
                d.layers = layers;
        }
        void operator()(GatedRnnDesign& d) const { d.layers = layers; }
        void operator()(MlpDesign& /*d*/) const {}
        void operator()(LayerListDesign& /*d*/) const {}
    };
    std::visit(Visitor{layers}, model.design);
    return model;
}

} // namespace

class TestRandomDesigns : public QObject {
    Q_OBJECT
private slots:
    void theListCountsWhatTheClosedFormCounts()
    {
        constexpr int Designs = 1000;
        std::mt19937_64 random(20261120);
        QMap<QString, int> families;
        for (int i = 0; i < Designs; ++i) {
            const Model model = outlay::tests::randomModel(random);
            const std::string text = writeJson(fieldsOf(model));
            QVERIFY2(check(model).has_value(), text.c_str());
            const std::int64_t expected =
                std::visit([&](const auto& design) { return closedForm(design, model.convention); },
                           model.design);
            const std::vector<Layer> layers = expand(model);
            QVERIFY2(parametersOf(layers) == expected, text.c_str());
            QVERIFY(checkSize(model).has_value());
            ++families[QString::fromUtf8(familyOf(model).data(),
                                         static_cast<qsizetype>(familyOf(model).size()))];
        }
        QCOMPARE(families.size(), 6);
        for (const int count : families)
            QVERIFY(count >= 40);
    }

    void aFewLayersTellTheSizeOfAll()
    {
        std::mt19937_64 random(20261127);
        for (int i = 0; i < 500; ++i) {
            const Model model = deepened(outlay::tests::randomModel(random), 3 + i % 40);
            const auto exact = static_cast<double>(parametersOf(expand(model)));
            QVERIFY2(sizeOf(model) == exact, writeJson(fieldsOf(model)).c_str());
        }
    }

    // Written and read again, each design is the same: no key is lost or misread.
    void designsSurviveTheirFile()
    {
        std::mt19937_64 random(4);
        for (int i = 0; i < 300; ++i) {
            const Model model = outlay::tests::randomModel(random);
            const auto read = readModel(fieldsOf(model), "/model");
            QVERIFY(read.has_value());
            QVERIFY(read->model == model);
            QCOMPARE(read->unknownKeys, UnknownKeys{});
            const Model list{model.convention, LayerListDesign{expand(model)}};
            const auto again = readModel(fieldsOf(list), "/model");
            QVERIFY(again.has_value());
            QVERIFY(again->model == list);
        }
    }
};

OUTLAY_TEST(TestRandomDesigns)
#include "tst_random_designs.moc"
