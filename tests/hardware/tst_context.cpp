// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Samples whose positions several devices share.
#include "core/base/units.h"
#include "core/experiment/presets.h"
#include "core/hardware/held_pass.h"
#include "core/hardware/holding.h"
#include "tests/support/known_models.h"
#include "tests/support/laid_out.h"
#include "tests/support/near.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay::core;
using outlay::tests::isNear;
using outlay::tests::joined;
using outlay::tests::knownModel;
using outlay::tests::rates;
using outlay::tests::Table;

namespace {

constexpr double Width = 4096;

/// Of a token forward and back, as NeMo counts them.
double flopsOfToken(double sequence)
{
    constexpr double Inner = 11008;
    constexpr double Vocabulary = 32000;
    constexpr double Layers = 32;
    return Layers * Width * Width * (24 + 18 * Inner / Width + 12 * sequence / Width) +
           6 * Vocabulary * Width;
}

/// Of 8 B, on samples of so many tokens.
Experiment longSamples(std::int64_t sequence)
{
    Experiment e = preset("llama-3.1-8b-lora")->experiment;
    e.training.sequence = sequence;
    e.training.batch = 1;
    e.training.checkpointing = true;
    return e;
}

TrainingDemand demandOf(const Experiment& e)
{
    return trainingDemand(expand(e.model), e.training);
}

} // namespace

class TestContext : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // By NVIDIA's own stack, whose attention is faster yet: that shows more, the longer samples are.
    void publishedRunsAreForecast()
    {
        const auto table = Table::read(OUTLAY_TEST_DATA "/published_context.csv").value();
        const Model model = *knownModel("Llama-2-7b");
        double least = HUGE_VAL;
        double most = 0;
        for (std::size_t i = 0; i < table.size(); ++i) {
            const auto whole = [&](const char* column) {
                return std::llround(table.number(i, column));
            };
            const std::int64_t sequence = whole("sequence");
            const Training t{.sequence = sequence,
                             .batch = 1,
                             .globalBatch = 4 * 1024 * 1024 / sequence,
                             .precision = Precision::Fp8,
                             .tensorParallel = whole("tensor"),
                             .pipelineStages = 1,
                             .contextParallel = whole("context"),
                             .compiled = true};
            const Devices on = joined("H100-80GB-SXM5", whole("devices"));
            const TrainingForecast f = trainingForecast(trainingDemand(expand(model), t), on);
            QCOMPARE(f.layout.context, whole("context"));
            QVERIFY(f.fits == Fits::Yes);
            const double tflops =
                f.tokensPerS.value() / real(on.count) * flopsOfToken(real(sequence)) / 1e12;
            const double ratio = tflops / table.number(i, "tflops");
            QVERIFY2(ratio > 0.6 && ratio < 0.87, qPrintable(QString::number(ratio)));
            least = std::min(least, ratio);
            most = std::max(most, ratio);
        }
        QVERIFY2(most < 1.4 * least, qPrintable(QString::number(most / least)));
    }

    // Each of eight keeps an eighth of a sample, and all of the weights.
    void positionsAreDividedAndWeightsAreNot()
    {
        const TrainingDemand demand = demandOf(longSamples(131072));
        const HeldActivations& held = demand.onAccelerator.fused;
        const Layout shared{.context = 8};
        QVERIFY(held.remade == 0);
        QVERIFY(isNear(activationBytes(held, demand.blocks, shared, 8),
                       (held.kept + held.atWork()) / 8));
        const StatesOnEach plain = statesOnEach(demand, {}, 1);
        const StatesOnEach states = statesOnEach(demand, shared, 8);
        QVERIFY(isNear(states.parameters, plain.parameters));
        const Layout sharded{.context = 8, .sharding = Sharding::Full};
        QVERIFY(isNear(statesOnEach(demand, sharded, 8).parameters, plain.parameters / 8));
        // All that train a sample divide its weights with all others.
        QCOMPARE(copiesOf(sharded, joined("H100-80GB-SXM5", 64)).devices, 64);
        QCOMPARE(passesOf(demand.training, shared, 64), 8 * demand.training.accumulation);
    }

    // 32 blocks with 8 heads of 128 for keys, as many for values, in 16 bits, to seven others at the rate of the link.
    void keysGoAround()
    {
        const TrainingDemand demand = demandOf(longSamples(131072));
        QVERIFY(isNear(demand.keyBytes, 32.0 * 2 * 8 * 128 * 2 * 131072));
        const Devices on = joined("H100-80GB-SXM5", 8);
        const StepShares shares = sharesOf(demand, {.context = 8}, 1, on);
        // Forward, again for the way back, there, and with gradients.
        QVERIFY(isNear(shares.keysS, 4 * exchangeSeconds(demand.keyBytes, Group{8, 8}, on) / 2));
        QVERIFY(sharesOf(demand, {}, 1, on).keysS == 0);
        // A pass of 1 s hides what goes around, and the weights that come, but once.
        const StepShares step{.computeS = 2, .gatherS = 0.4, .keysS = 1.5, .exposed = 0.2};
        QVERIFY(isNear(exposedSeconds(step, Sharding::None, 2), 2 * (0.5 + 0.2 * 1)));
        QVERIFY(isNear(exposedSeconds(step, Sharding::Optimizer, 2), 2 * (0.5 + 0.2 * 1)));
        QVERIFY(isNear(exposedSeconds(step, Sharding::None, 1), 0.2 * 1.5));
        QVERIFY(isNear(exposedSeconds(step, Sharding::Full, 2), 2 * (1.5 + 0.8 - 1 + 0.2 * 1)));
        // Half as many of each where layers or the depth are shared, too; two in each machine then wait for the network.
        const Devices many = joined("H100-80GB-SXM5", 64);
        const auto keysS = [&](const Layout& layout) {
            return sharesOf(demand, layout, 1, many).keysS;
        };
        QVERIFY(std::abs(2 * keysS({.stages = 2, .context = 8}) / keysS({.context = 8}) - 1) <
                0.01); // but for the link's latency
        QVERIFY(isNear(keysS({.tensor = 4, .context = 8}),
                       4 * exchangeSeconds(demand.keyBytes / 4, Group{8, 2}, many) / 2));
    }

    // Chosen where no device holds a sample, and its positions are many; else never, but for who asks.
    void longSamplesAreShared()
    {
        const auto on = [](const Experiment& e, std::int64_t count) {
            return trainingForecast(demandOf(e), joined("A100-80GB-SXM4", count));
        };
        const Experiment longOnes = longSamples(262144);
        QVERIFY(on(longOnes, 1).fits == Fits::No);
        const TrainingForecast eight = on(longOnes, 8);
        QVERIFY(eight.fits == Fits::Yes && eight.layout.context > 1);
        QCOMPARE(fitsOn(demandOf(longOnes), joined("A100-80GB-SXM4", 8)), Fits::Yes);
        QVERIFY(on(longSamples(8192), 8).layout.context == 1);
        Experiment two = longOnes; // at once: fewer of them are somebody's will
        two.training.batch = 2;
        QVERIFY(on(two, 8).fits == Fits::No);
        Experiment asked = longSamples(8192);
        asked.training.contextParallel = 4;
        const TrainingForecast four = on(asked, 8);
        QCOMPARE(four.layout.context, 4);
        QVERIFY(four.memory.value() < on(longSamples(8192), 8).memory.value());
        asked.training.contextParallel = 1;
        asked.training.sequence = 262144;
        QVERIFY(on(asked, 8).fits == Fits::No);
        asked.training.contextParallel = 3; // of eight
        QVERIFY(on(asked, 8).note.text().find("3 devices to a sample") != std::string::npos);
    }

    // Who asks for shared positions doesn't ask for stages; and a sample has two positions at least for each.
    void whatIsAskedForIsDoneAlone()
    {
        Experiment e = longSamples(8192);
        e.training.contextParallel = 2;
        const TrainingForecast f = trainingForecast(demandOf(e), joined("A100-80GB-SXM4", 8));
        QCOMPARE(f.layout.ofCopy(), 2);
        e.training.contextParallel = 8;
        QVERIFY(check(e.training).has_value());
        e.training.sequence = 15;
        QVERIFY(check(e.training).error().sentence().find("positions") != std::string::npos);
        e.training.sequence = 16;
        QVERIFY(check(e.training).has_value());
        Training divided = longSamples(8192).training;
        divided.offload = Offload::Weights;
        divided.sharding = Sharding::Gradients;
        QVERIFY(!check(divided));
        divided.offload = Offload::Optimizer;
        QVERIFY(check(divided).has_value());
    }

    // A state that goes from step to step can't be shared.
    void recurrencesAreNot()
    {
        Experiment e = preset("text-generator")->experiment;
        e.training.contextParallel = 2;
        const TrainingForecast f = trainingForecast(demandOf(e), joined("A100-80GB-SXM4", 8));
        QVERIFY(!f.stepSeconds.isAvailable());
        QVERIFY(f.fits == Fits::No);
    }

    // Work is divided without loss; what is more is waiting.
    void workIsDivided()
    {
        Experiment e = longSamples(131072);
        e.training.globalBatch = 8;
        const TrainingDemand demand = demandOf(e);
        const Devices on = joined("H100-80GB-SXM5", 8);
        const Attainable reached = attainableOf(on.device, e.training, rates());
        const StepTime apart = stepTime(demand, reached, {}, on);
        const StepTime together = stepTime(demand, reached, {.context = 8}, on);
        const auto work = [](const StepTime& step) {
            return step.kernels.productS + step.kernels.movingS;
        };
        QVERIFY(std::abs(work(together) / work(apart) - 1) < 0.05);
        QVERIFY(together.shares.keysS > 0 && together.waitingS > apart.waitingS);
    }
};

OUTLAY_TEST(TestContext)
#include "tst_context.moc"
