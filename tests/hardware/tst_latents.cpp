// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Services of designs whose keys and values are made of a latent, which belongs to all heads: what devices that share a
// layer each hold and read, how many requests fit, and how wide the intervals are.
#include "core/base/units.h"
#include "core/hardware/flight.h"
#include "core/hardware/roofline.h"
#include "core/hardware/serving_forecast.h"
#include "core/workload/parameters.h"
#include "tests/support/known_models.h"
#include "tests/support/rates.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay::core;
using outlay::tests::device;
using outlay::tests::knownModel;
using outlay::tests::rates;

namespace {

const Model& deepSeek()
{
    static const Model model = *knownModel("DeepSeek-V3");
    return model;
}

Serving served(Engine engine = Engine::Vllm)
{
    return {.inputTokens = 4000,
            .outputTokens = 1000,
            .precision = ServingPrecision::Fp8,
            .engine = engine};
}

ServingDemand demandOf(const Serving& serving)
{
    return servingDemand(deepSeek(), LayerKinds(expand(deepSeek())), serving);
}

ServingForecast on(const Serving& serving, std::int64_t devices, const char* name = "H200-SXM")
{
    return servingForecast(demandOf(serving), {device(name), devices, rates()});
}

double widthOf(const Quantity& q)
{
    return q.high() / q.value();
}

} // namespace

class TestLatents : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Attention of all 61 layers, as a hand counts it: q down and up, the latent, keys and values, the way out.
    void eachDeviceHoldsAttention()
    {
        const double attention = 61.0 * (7168 * 1536 + 1536 + 1536 * 128 * 192 + 7168 * 576 + 512 +
                                         512 * 128 * 256 + 16384 * 7168);
        const ServingDemand demand = demandOf(served());
        QVERIFY(std::abs(demand.wholeBytes / attention - 1) <
                0.005); // the rest isn't all in 8 bits
        const double all = demand.memory.value();
        QCOMPARE(on(served(), 1).memory.value(), all);
        QVERIFY(std::abs(on(served(), 8).memory.value() / ((all + 7 * attention) / 8) - 1) < 1e-3);
        // Beside experts in MXFP4 it stays in 16 bits.
        Serving blocks = served();
        blocks.precision = ServingPrecision::Int4;
        blocks.weightFormat = WeightFormat::Mxfp4;
        QVERIFY(std::abs(demandOf(blocks).wholeBytes / (2 * attention) - 1) < 0.005);
        // Engines that work in turn divide the depth, and who keeps all keys divides the heads.
        for (const Engine engine : {Engine::Transformers, Engine::DeepSpeed, Engine::LlamaCpp}) {
            const Serving other = served(engine);
            QCOMPARE(on(other, 8).memory.value(), demandOf(other).memory.value() / 8);
        }
    }

    void cachesAreOfWhatTheEngineKeeps()
    {
        const double tokens = 4000 + 1000;
        QCOMPARE(demandOf(served()).stateBytes, 61 * tokens * 576 * 2);
        QCOMPARE(demandOf(served(Engine::LibTorch)).stateBytes, 61 * tokens * 576 * 2);
        QCOMPARE(demandOf(served(Engine::Transformers)).stateBytes,
                 61 * tokens * 128 * (192 + 128) * 2);
    }

    // Two devices read half of what isn't whole, and all of the smaller of caches and weights.
    void devicesShareAllButTheLatent()
    {
        Attainable on;
        on.flopsPerS = 1e30;
        on.bytesPerS = 1;
        on.traffic = 1.5;
        KernelGroup group{.rows = 8, .bytes = 100, .weightBytes = 40};
        const auto seconds = [&](double devices) {
            return forwardTime({group}, on, {.layers = devices}).movingS;
        };
        QCOMPARE(seconds(1), 40 + 1.5 * 100);
        QCOMPARE(seconds(2), (40 + 1.5 * 100) / 2);
        group.latentBytes = 20;
        QCOMPARE(seconds(1), 40 + 1.5 * 100);
        QCOMPARE(seconds(2), 1.5 * 20 + (40 + 1.5 * 80) / 2);
        group.latentBytes = 90;
        QCOMPARE(seconds(2), 40 + 1.5 * 100 / 2);
        group.rows = 1; // which can't be divided
        QCOMPARE(seconds(2), 1.5 * 90 + (40 + 1.5 * 10) / 2);
    }

    // As many as have room beside the weights that each device has.
    void requestsAreHeldBesideWholeWeights()
    {
        Serving s = served();
        const LayerKinds kinds(expand(deepSeek()));
        const auto held = [&](double wholeTimes) {
            FlightDemand demand = flightDemand(deepSeek(), kinds, s, {});
            for (ServingDemand& at : demand.at)
                at.wholeBytes *= wholeTimes;
            return Flight(demand, {device("H200-SXM"), 8, rates()}).pace(1).cacheTokens;
        };
        const double one = demandOf(s).wholeBytes;
        const double each = 61 * 576 * 2.0;
        QVERIFY(held(1) > 0);
        QVERIFY(std::abs((held(0) - held(1)) / (7 * one / each) - 1) < 1e-6);
    }

    // No row with a latent is in a fit: of tokens, of first ones and of single passes.
    void intervalsAreThoseOfWhatWasntSeen()
    {
        const Spreads& spreads = rates().spreads;
        const ServingForecast seen = on(served(), 8, "B200");
        QVERIFY(widthOf(seen.tokenMs) >= spreads.token.unseen);
        QVERIFY(widthOf(seen.firstTokenMs) >= spreads.prompt.unseen);
        Serving single = served();
        single.outputTokens = 1;
        QVERIFY(widthOf(on(single, 8, "B200").firstTokenMs) >= spreads.pass.unseen);
        QVERIFY(seen.tokenMs.how().note.text().find("latent") != std::string::npos);
        const Model plain = *knownModel("Llama-3.1-405B");
        const ServingForecast other =
            servingForecast(servingDemand(plain, LayerKinds(expand(plain)), served()),
                            {device("B200"), 8, rates()});
        QVERIFY(widthOf(other.tokenMs) < widthOf(seen.tokenMs));
        QVERIFY(other.tokenMs.how().note.text().find("latent") == std::string::npos);
    }

    // Kernels of attention take what two positions multiply, and a met latent is read once for all heads.
    void kernelsSeeWhatIsMet()
    {
        const LayerKinds kinds(expand(deepSeek()));
        const auto attentionOf = [&](const Pass& pass) {
            for (const KernelGroup& group : kernelGroups(kinds, pass)) {
                if (group.scoreTiles > 0)
                    return group;
            }
            return KernelGroup{};
        };
        const KernelGroup met = attentionOf(tokenPass(16, 2000, 0, 1));
        QCOMPARE(met.fusedFlops, 2.0 * 16 * 128 * 2000 * (512 + 576));
        QCOMPARE(met.latentBytes, 16.0 * 2000 * 576 * 2);
        QCOMPARE(met.repeatedBytes, 0.0);
        const KernelGroup read = attentionOf(promptPass(1, 1000, 0, 1));
        QCOMPARE(read.fusedFlops, 2.0 * 128 * (192 + 128) * 1000 * 1001 / 2);
        QCOMPARE(read.latentBytes, 0.0);
    }

    // Two blocks that follow each other are gathered, of which one may have experts and the other none.
    void neighboursAreGathered()
    {
        TransformerDesign d{.vocabulary = 1000, .hidden = 256, .layers = 8, .heads = 4};
        d.experts = 16;
        const auto sumsOf = [&](std::int64_t step) {
            d.expertStep = step;
            Model model;
            model.design = d;
            return trainingDemand(LayerKinds(expand(model)), {}).weightBytes;
        };
        const LayerSums even = sumsOf(1);
        const double each = (even.all - even.outside) / 8;
        QVERIFY(std::abs(even.neighbours / (2 * each) - 1) < 1e-12);
        QVERIFY(std::abs(even.expertNeighbours / (even.experts / 4) - 1) < 1e-12);
        const LayerSums stepped = sumsOf(4);
        QCOMPARE(stepped.expertNeighbours, stepped.experts / 2); // of two blocks, never of both
        const double plain = (stepped.all - stepped.outside - 2 * each) / 6;
        QVERIFY(std::abs(stepped.neighbours / (plain + each) - 1) < 1e-12);
        QVERIFY(std::abs(stepped.plainNeighbours / (2 * plain) - 1) < 1e-12);
        const LayerSums mixed = sumsOf(2);
        QVERIFY(std::abs(mixed.neighbours / (plain + each) - 1) < 1e-12);
    }
};

OUTLAY_TEST(TestLatents)
#include "tst_latents.moc"
