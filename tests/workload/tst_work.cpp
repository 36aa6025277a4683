// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "core/model/model.h"
#include "core/workload/parameters.h"
#include "core/workload/work.h"
#include "tests/support/random_designs.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace outlay::core;

namespace {

std::vector<Layer> layersOf(const char* text)
{
    auto read = readModel(*readJson(text), "");
    if (!read)
        qFatal("%s", read.error().sentence().c_str());
    return expand(read->model);
}

const char* const LstmGenerator =
    R"({"family":"lstm","vocabulary":10000,"embedding":100,"hidden":150,"layers":2})";
const char* const SmallGpt =
    R"({"family":"transformer","vocabulary":1000,"hidden":64,"layers":3,"heads":4,"position_count":128})";
const char* const GatedRnn =
    R"({"family":"gated-rnn","vocabulary":512,"hidden":128,"key":32,"value":64,"output":128,"layers":2})";

const char* const Latent =
    R"({"family":"transformer","vocabulary":1000,"hidden":64,"layers":3,"heads":8,"norm":"rms",
        "head_size":12,"value_size":10,"query_rank":24,"latent":16,"shared_head_size":4})";

template <typename Spec>
LayerSpec firstOf(const std::vector<Layer>& layers)
{
    const auto at = std::find_if(layers.begin(), layers.end(), [](const Layer& layer) {
        return std::holds_alternative<Spec>(layer.spec);
    });
    return at->spec;
}

constexpr double Fp32 = 4;

Work forward(const char* model, double batch, double sequence)
{
    return workOf(layersOf(model), trainingPass(batch, sequence, Fp32));
}

} // namespace

class TestWork : public QObject {
    Q_OBJECT
private slots:
    // 128 samples of 49 tokens: two products per layer and token, the output once per sample.
    void lstmFlopsByHand()
    {
        const double tokens = 128.0 * 49;
        const double first = 2.0 * 4 * 150 * (100 + 150) * tokens;
        const double second = 2.0 * 4 * 150 * (150 + 150) * tokens;
        const double output = 2.0 * 150 * 10'000 * 128;
        QCOMPARE(forward(LstmGenerator, 128, 49).flops, first + second + output);
        // Forward and backward: the 13.57 GFLOP that a measured step of this model did.
        QCOMPARE(std::round(3 * (first + second + output) / 1e7) / 100, 13.57);
    }

    // One position more to look at: keys and values, and the scores as often as the operations of a plain
    // attention say: matmul (w), softmax (r, w), dropout (r, w), matmul (r).
    void attentionMovesItsScores_data()
    {
        QTest::addColumn<bool>("dropout");
        QTest::addColumn<double>("passes");
        QTest::newRow("plain") << false << 4.0;
        QTest::newRow("with dropout") << true << 6.0;
    }
    void attentionMovesItsScores()
    {
        QFETCH(bool, dropout);
        QFETCH(double, passes);
        const Attention attention{.width = 64,
                                  .memory = 64,
                                  .heads = 4,
                                  .kvHeads = 2,
                                  .headSize = 16,
                                  .dropout = dropout};
        Pass pass = trainingPass(3, 10, Fp32);
        const double before = workOf({.name = "a", .spec = attention}, pass).bytes;
        pass.context += 1;
        const double after = workOf({.name = "a", .spec = attention}, pass).bytes;
        const double keysAndValues = 3 * 2.0 * 2 * 16;
        const double scores = 3 * 4.0 * 10;
        QCOMPARE((after - before) / Fp32, keysAndValues + passes * scores);
    }

    void transformerFlopsByHand()
    {
        const double tokens = 2 * 32;
        const double perLayer = 2.0 * 4 * 64 * 64 + 2.0 * 2 * 64 * 256;
        const double scores =
            2.0 * 2 * 2 * 4 * 32 * 32 * 16; // two products, batch, heads, T x T, size
        const double output = 2.0 * 64 * 1000 * tokens;
        QCOMPARE(forward(SmallGpt, 2, 32).flops, 3 * (perLayer * tokens + scores) + output);
    }

    void gatedRnnFlopsByHand()
    {
        const double perLayer = 2.0 * 128 * (3 * 32 + 64) + 5.0 * 32 * 64 + 2.0 * 64 * 128;
        const double output = 2.0 * 128 * 512;
        QCOMPARE(forward(GatedRnn, 3, 7).flops, 21 * (2 * perLayer + output));
    }

    void groupedQueriesSaveProjections()
    {
        const char* full =
            R"({"family":"transformer","vocabulary":10,"hidden":64,"layers":1,"heads":8})";
        const char* one =
            R"({"family":"transformer","vocabulary":10,"hidden":64,"layers":1,"heads":8,
                              "kv_heads":1})";
        const double tokens = 5 * 11;
        QCOMPARE(forward(full, 5, 11).flops - forward(one, 5, 11).flops,
                 2 * 2.0 * 64 * (64 - 8) * tokens);
    }

    void gatesAddAMatrixAndExpertsRunOnlyTheUsed()
    {
        const char* plain =
            R"({"family":"transformer","vocabulary":10,"hidden":64,"layers":1,"heads":8,
                                "feed_forward":96})";
        const char* gated =
            R"({"family":"transformer","vocabulary":10,"hidden":64,"layers":1,"heads":8,
                                "feed_forward":96,"gated_feed_forward":true})";
        const char* experts =
            R"({"family":"transformer","vocabulary":10,"hidden":64,"layers":1,"heads":8,
                                  "feed_forward":96,"experts":6,"experts_used":2})";
        const double matrix = 2.0 * 64 * 96 * 10;
        const double base = forward(plain, 1, 10).flops;
        QCOMPARE(forward(gated, 1, 10).flops - base, matrix);
        QCOMPARE(forward(experts, 1, 10).flops - base, 2 * matrix + 2.0 * 64 * 6 * 10);
    }

    void aWindowBoundsTheScores()
    {
        const char* windowed =
            R"({"family":"transformer","vocabulary":10,"hidden":64,"layers":2,"heads":4,
                                   "window":8})";
        const char* alternate =
            R"({"family":"transformer","vocabulary":10,"hidden":64,"layers":2,"heads":4,
                                    "window":8,"window_layers":"odd"})";
        const char* full =
            R"({"family":"transformer","vocabulary":10,"hidden":64,"layers":2,"heads":4})";
        const double saved = 2.0 * 2 * 32 * (32 - 8) * 64; // of one layer
        QCOMPARE(forward(full, 1, 32).flops - forward(windowed, 1, 32).flops, 2 * saved);
        QCOMPARE(forward(full, 1, 32).flops - forward(alternate, 1, 32).flops, saved);
        QCOMPARE(forward(full, 1, 8).flops, forward(windowed, 1, 8).flops);
    }

    // A recurrent model with an output at every step does the same work token by token.
    void stepwiseIsTheSequenceForRecurrentModels()
    {
        for (const char* model :
             {GatedRnn, R"({"family":"gru","vocabulary":50,"hidden":32,"output_at":"every"})"}) {
            const auto layers = layersOf(model);
            const double whole = workOf(layers, trainingPass(1, 40, Fp32)).flops;
            QCOMPARE(40 * workOf(layers, tokenPass(1, 40, 0, Fp32)).flops, whole);
        }
    }

    // Nothing is dropped but in training.
    void whatServesDropsNothing()
    {
        const char* gpt = R"({"family":"transformer","vocabulary":10,"hidden":64,"layers":2,
            "heads":8,"dropout":%1})";
        const char* lstm =
            R"({"family":"lstm","vocabulary":10,"hidden":64,"layers":2,"dropout":%1})";
        for (const char* model : {gpt, lstm}) {
            const auto with = [&](const char* share) {
                return layersOf(QString::fromLatin1(model).arg(share).toUtf8().constData());
            };
            const auto isSame = [](const Work& a, const Work& b) {
                return a.bytes == b.bytes && a.launches == b.launches && a.kept == b.kept;
            };
            const Pass prompt = promptPass(3, 20, 0, Fp32);
            QVERIFY(isSame(workOf(with("0"), prompt), workOf(with("0.1"), prompt)));
            const Pass token = tokenPass(3, 20, 0, Fp32);
            QVERIFY(isSame(workOf(with("0"), token), workOf(with("0.1"), token)));
            const Pass training = trainingPass(3, 20, Fp32);
            QVERIFY(workOf(with("0.1"), training).bytes > workOf(with("0"), training).bytes);
        }
    }

    // With a cache, token t costs its projections and t scores; full attention computes all T x T.
    void stepwiseAttentionGrowsWithItsContext()
    {
        const auto layers = layersOf(SmallGpt);
        const auto token = [&](double context) {
            return workOf(layers, tokenPass(1, context, 0, Fp32)).flops;
        };
        const double perPosition = 3 * 2.0 * 2 * 64;
        QCOMPARE(token(101) - token(100), perPosition);
        const double prompt = workOf(layers, promptPass(1, 100, 0, Fp32)).flops;
        QCOMPARE(prompt, 100 * token(100));
    }

    void anEncoderRunsOnceForAllTokens()
    {
        const char* pair =
            R"({"family":"transformer","kind":"encoder-decoder","vocabulary":10,"hidden":64,
                               "layers":2,"heads":4})";
        const auto layers = layersOf(pair);
        const double short_ = workOf(layers, tokenPass(1, 10, 50, Fp32)).flops;
        const double long_ = workOf(layers, tokenPass(1, 10, 60, Fp32)).flops;
        // Ten more positions for the scores of two cross-attentions; no encoder, no keys and values.
        QCOMPARE(long_ - short_, 2 * 2.0 * 2 * 10 * 64);
        const Pass token = tokenPass(1, 10, 50, Fp32);
        for (const Layer& layer : layers) {
            if (layer.stream == Stream::Memory)
                QCOMPARE(workOf(layer, token).flops, 0.0);
        }
    }

    void workIsProportionalToTheBatch()
    {
        std::mt19937_64 random(11);
        for (int i = 0; i < 200; ++i) {
            auto layers = expand(outlay::tests::randomModel(random));
            // A bias by distance is made once for all samples.
            std::erase_if(layers, [](const Layer& layer) {
                return std::holds_alternative<RelativeBias>(layer.spec);
            });
            const Work one = workOf(layers, trainingPass(3, 17, Fp32));
            const Work two = workOf(layers, trainingPass(6, 17, Fp32));
            QVERIFY(std::abs(two.flops - 2 * one.flops) <= 1e-9 * two.flops);
            QVERIFY(std::abs(two.kept - 2 * one.kept) <= 1e-9 * two.kept);
            QVERIFY(two.bytes > one.bytes && two.bytes <= 2 * one.bytes * (1 + 1e-9));
            QVERIFY(one.flops >= 0 && one.bytes > 0 && one.kept > 0 && one.launches > 0);
            QVERIFY(one.transient <= two.transient);
        }
    }

    void halfTheBytesPerNumberHalvesTheTraffic()
    {
        std::mt19937_64 random(12);
        for (int i = 0; i < 100; ++i) {
            const auto layers = expand(outlay::tests::randomModel(random));
            const Work wide = workOf(layers, trainingPass(4, 9, 4));
            const Work narrow = workOf(layers, trainingPass(4, 9, 2));
            QVERIFY(std::abs(wide.bytes - 2 * narrow.bytes) <= 1e-9 * wide.bytes);
            QCOMPARE(wide.flops, narrow.flops);
        }
    }

    // Reading all weights once is the least that a pass with a token can do.
    void weightsAreReadAtLeastOnce()
    {
        const auto layers = layersOf(SmallGpt);
        double matrices = 0;
        for (const Layer& layer : layers) {
            if (!std::holds_alternative<Embedding>(layer.spec))
                matrices += static_cast<double>(parametersOf(layer.spec));
        }
        const double tiedOutput = 64.0 * 1000;
        const Work token = workOf(layers, tokenPass(1, 20, 0, Fp32));
        QVERIFY(token.bytes >= Fp32 * (matrices + tiedOutput));
        QVERIFY(token.bytes <= 1.5 * Fp32 * (matrices + tiedOutput));
    }

    void recurrentStepsAreSequential()
    {
        QCOMPARE(forward(LstmGenerator, 1, 10).sequential, 2 * 10 * 11.0);
        QCOMPARE(forward(LstmGenerator, 64, 10).sequential, 2 * 10 * 11.0);
        QCOMPARE(forward(SmallGpt, 1, 10).sequential, 0.0);
    }

    void cachesAndStates()
    {
        QCOMPARE(stateBytes(layersOf(SmallGpt), 100, 0, 2, Latents::Met), 3 * 2 * 100 * 64 * 2.0);
        QCOMPARE(stateBytes(layersOf(LstmGenerator), 100, 0, Fp32, Latents::Met),
                 2 * 2 * 150 * Fp32);
        QCOMPARE(stateBytes(layersOf(GatedRnn), 1e6, 0, Fp32, Latents::Met), 2 * 32 * 64 * Fp32);
        const char* windowed = R"({"family":"transformer","vocabulary":10,"hidden":64,"layers":3,
                                   "heads":4,"window":8})";
        QCOMPARE(stateBytes(layersOf(windowed), 100, 0, 2, Latents::Met), 3 * 2 * 8 * 64 * 2.0);
        const char* pair =
            R"({"family":"transformer","kind":"encoder-decoder","vocabulary":10,"hidden":64,
                               "layers":2,"heads":4})";
        QCOMPARE(stateBytes(layersOf(pair), 10, 50, 2, Latents::Met), 2 * 2 * (10 + 50) * 64 * 2.0);
        QCOMPARE(stateBytes(layersOf(Latent), 100, 0, 2, Latents::Met), 3 * 100 * (16 + 4) * 2.0);
    }

    // A prompt makes keys and values of the latent and meets those; a token meets the latent itself, and what would
    // make keys and values of its own position leads there and back.
    void latentFlopsByHand()
    {
        const double weights =
            64 * 24 + 24 * (8 * 12) + 64 * (16 + 4) + 16 * 8 * (8 + 10) + 8 * 10 * 64;
        const double rest = 3 * 2 * 64 * 256.0 + 1000 * 64; // feed-forwards, and the output
        const double tokens = 5 * 40;
        const double prompt =
            2 * tokens * (3 * weights + rest) + 3 * 2.0 * 5 * 8 * 40 * 40 * (12 + 10);
        QCOMPARE(workOf(layersOf(Latent), promptPass(5, 40, 0, 2)).flops, prompt);
        const double token = 2 * 5 * (3 * weights + rest) + 3 * 2.0 * 5 * 8 * 1000 * (16 + 4 + 16);
        QCOMPARE(workOf(layersOf(Latent), tokenPass(5, 1000, 0, 2)).flops, token);
    }

    // Beside weights, of a layer alone: what it reads and writes, keeps and launches.
    void latentBytesByHand()
    {
        const Layer layer{"attention", firstOf<Attention>(layersOf(Latent))};
        const double weights = 2.0 * real(parametersOf(layer.spec));
        const double queries = 8 * (12 + 10);
        const double keys = 8 * (12 + 10);
        const double norms = 4 * (24 + 16 + 4);
        const auto valuesOf = [&](const Pass& pass) {
            return (workOf(layer, pass).bytes - weights) / 2;
        };
        const double scores = 4 * 5 * 8;
        const double own = 5 * 64 + 2 * queries + 2 * 64 + norms; // of a position, without its keys
        const Pass prompt = promptPass(5, 40, 0, 2);
        QCOMPARE(valuesOf(prompt), 200 * (own + keys) + 200 * keys + scores * 40 * 40);
        Pass token = tokenPass(5, 1000, 0, 2);
        const double there = 4 * 8 * 16; // to the latent and back
        QCOMPARE(valuesOf(token), 5 * (own + there) + 5000 * (16 + 4) + scores * 1000);
        token.latents = Latents::Remade;
        QCOMPARE(valuesOf(token), 5 * (own + keys) + 4995 * keys + 5000 * keys + scores * 1000);
        token.latents = Latents::Unpacked;
        QCOMPARE(valuesOf(token), 5 * (own + keys) + 5000 * keys + scores * 1000);
        const Work work = workOf(layer, prompt);
        QCOMPARE(work.kept / 2, 200 * (queries + 2 * 24 + keys + 2 * 16) + 5 * 8 * 40 * 40);
        QCOMPARE(work.launches, 10.0 + 2 + 3);
    }

    // Whoever keeps the latent and makes all keys of it anew has more to do, whoever keeps all keys more to keep.
    void latentsAreKeptInThreeWays()
    {
        const std::vector<Layer> layers = layersOf(Latent);
        Pass token = tokenPass(5, 1000, 0, 2);
        const double met = workOf(layers, token).flops;
        const auto flopsOf = [&](Latents latents) {
            token.latents = latents;
            return workOf(layers, token).flops;
        };
        const double closer = 3 * 2.0 * 5 * 8 * 1000 * ((16 + 4 + 16) - (12 + 10));
        QCOMPARE(flopsOf(Latents::Unpacked), met - closer);
        QCOMPARE(flopsOf(Latents::Remade), met - closer + 3 * 2.0 * 5 * 999 * 16 * 8 * (8 + 10));
        QCOMPARE(stateBytes(layers, 100, 0, 2, Latents::Remade), 3 * 100 * (16 + 4) * 2.0);
        QCOMPARE(stateBytes(layers, 100, 0, 2, Latents::Unpacked), 3 * 100 * 8 * (12 + 10) * 2.0);
        QCOMPARE(workOf(layersOf(SmallGpt), token).flops,
                 workOf(layersOf(SmallGpt), tokenPass(5, 1000, 0, 2)).flops);
    }

    // Norms of queries and keys are read, written and kept as other norms are.
    void normsOfQueriesAndKeysMove()
    {
        Attention attention{.width = 64, .memory = 64, .heads = 8, .kvHeads = 2, .headSize = 16};
        const auto workOfIt = [&](QkNorm norm) {
            attention.qkNorm = norm;
            return workOf(Layer{"attention", attention}, trainingPass(3, 10, 2));
        };
        const Work none = workOfIt(QkNorm::None);
        for (const QkNorm norm : {QkNorm::Rms, QkNorm::RmsOfAll}) {
            const Work with = workOfIt(norm);
            QCOMPARE(with.bytes - with.weights - (none.bytes - none.weights),
                     2.0 * 2 * 30 * (128 + 32));
            QCOMPARE(with.kept - none.kept, 2.0 * 2 * 30 * (128 + 32));
        }
    }
};

OUTLAY_TEST(TestWork)
#include "tst_work.moc"
