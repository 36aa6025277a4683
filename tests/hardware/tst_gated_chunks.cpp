// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A gated recurrence whose steps run in chunks: what that takes and keeps, and where it doesn't apply.
#include "core/experiment/presets.h"
#include "core/hardware/forecast.h"
#include "core/hardware/hardware_catalog.h"
#include "core/hardware/roofline.h"
#include "core/hardware/serving_forecast.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay;
using namespace outlay::core;

namespace {

const Device& deviceNamed(const char* name)
{
    const Device* device = hardwareCatalog()->find(name);
    if (device == nullptr)
        qFatal("no device %s", name);
    return *device;
}

constexpr GatedRnnDesign Wide{
    .vocabulary = 1000, .hidden = 512, .key = 64, .value = 256, .output = 512, .layers = 3};

LayerKinds kindsOf(const GatedRnnDesign& design)
{
    return LayerKinds(expand(Model{.design = design}));
}

Training chunked(bool isCompiled = true)
{
    Training t;
    t.sequence = 512;
    t.batch = 16;
    t.compiled = isCompiled;
    return t;
}

TrainingForecast stepOn(const char* device, const Training& training)
{
    return trainingForecast(trainingDemand(kindsOf(Wide), training),
                            Devices{deviceNamed(device), 1, *calibration()});
}

} // namespace

class TestGatedChunks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // One kernel for 64 positions in the place of ten for each: a GPU no longer waits for launches.
    void chunksAreManyTimesAsFast()
    {
        for (const char* device : {"A100-80GB-SXM4", "H100-80GB-SXM5", "L4", "T4"}) {
            const double steps = stepOn(device, chunked(false)).stepSeconds.value();
            const double chunks = stepOn(device, chunked()).stepSeconds.value();
            QVERIFY2(steps > 10 * chunks, device);
        }
    }

    // By hand: the products over all positions, what moves, and chunks that wait for each other.
    void aLayerIsTheSumOfItsParts()
    {
        const Device& device = deviceNamed("A100-80GB-SXM4");
        const Training t = chunked();
        const Attainable on = attainableOf(device, t, *calibration());
        const double rows = 16 * 512;
        const double inputs = 512;
        const double projected = 3 * 64 + 256;
        const double productFlops = 2 * rows * (inputs * projected + 256.0 * 512);
        const double width = std::sqrt(productFlops / (2 * rows));
        const double products =
            productFlops * smallness(on.products, rows, width, width) / on.flopsPerS;
        const ChunkRates& r = calibration()->kernels.chunks;
        const double stateFlops = rows * (4.0 * 64 * 256 + 2 * 64 * (64 + 256));
        const double states = 16 * 8 * 64.0 * 256 * 4;
        const double inAndOut = rows * (2 * 64 + 64 + 4 * 256) * 4;
        const double clocks = KernelsGhz / *device.clockGhz;
        // About as much as its 40 MB of cache keep, of which 108 units read at 1.41 GHz.
        const CacheRates& cache = calibration()->kernels.cache;
        const double moved = inAndOut + states;
        const double fromMemory = moved / (2039e9 * r.memoryShare);
        const double fromCache = moved / (cache.unitBytes * 108 * 1.41e9);
        const double stays = 1 / (1 + std::pow(moved / (cache.fits * 40e6), 20));
        QVERIFY(stays > 0.1 && stays < 0.9 && fromCache < 0.9 * fromMemory);
        const double recurrence = stateFlops / (19.5e12 * r.share) + stays * fromCache +
                                  (1 - stays) * fromMemory +
                                  (8 * r.chunkUs + r.callUs) * 1e-6 * clocks;
        const std::vector<Layer> layers = expand(Model{.design = Wide});
        const auto gated = std::find_if(layers.begin(), layers.end(), [](const Layer& layer) {
            return std::holds_alternative<GatedRecurrent>(layer.spec);
        });
        const LayerKinds alone(std::vector<Layer>{*gated});
        const PassTime time = forwardTime(kernelGroups(alone, trainingPass(16, 512, 4)), on);
        QVERIFY(std::abs(time.productS / products - 1) < 1e-9);
        QVERIFY(std::abs(time.recurrenceS / recurrence - 1) < 1e-9);
        QVERIFY(time.isChunked && time.launchS > 0 && time.movingS > 0);
    }

    // What the kernel before left in the device's last cache isn't read from memory: a card with much of it and slow memory
    // gains, and one whose cache nobody lists doesn't.
    void whatFitsTheCacheIsReadFromIt()
    {
        Device none = deviceNamed("L40S");
        none.cacheMb.reset();
        const auto secondsOn = [](const Device& device, double batch) {
            const Attainable on = attainableOf(device, chunked(), *calibration());
            return gatedSeconds({.batch = batch, .positions = 512, .heads = 8}, *on.chunks);
        };
        const Device& listed = deviceNamed("L40S");
        QVERIFY(secondsOn(listed, 4) < 0.9 * secondsOn(none, 4));
        QVERIFY(std::abs(secondsOn(listed, 256) / secondsOn(none, 256) - 1) < 1e-6);
    }

    // Products with weights twice, states made again and two gradients.
    void theWayBackTakesThreeTimesAsLong()
    {
        const Attainable on =
            attainableOf(deviceNamed("A100-80GB-SXM4"), chunked(), *calibration());
        const auto demand = trainingDemand(kindsOf(Wide), chunked());
        const PassTime there = forwardTime(demand.forward, on);
        const PassTime back = backwardTime(demand.forward, on, Again::Nothing);
        QVERIFY(std::abs(back.recurrenceS / there.recurrenceS - 3) < 1e-9);
        QVERIFY(std::abs(back.productS / there.productS - 2) < 1e-9);
        QVERIFY(std::abs(back.movingS / there.movingS - 2) < 1e-9);
    }

    void longSequencesTakeAsMuchLonger()
    {
        Training t = chunked();
        t.sequence = 8192;
        const double once = stepOn("A100-80GB-SXM4", t).stepSeconds.value();
        t.sequence *= 2;
        const double twice = stepOn("A100-80GB-SXM4", t).stepSeconds.value() / once;
        QVERIFY2(twice > 1.9 && twice < 2.01, std::to_string(twice).c_str());
    }

    // Nobody measured such a run whole, so its interval is that of what was never seen; GPUs alone have such kernels.
    void itSaysHowLittleIsKnown()
    {
        const TrainingForecast f = stepOn("A100-80GB-SXM4", chunked());
        QCOMPARE(f.stepSeconds.high() / f.stepSeconds.value(),
                 calibration()->spreads.recurrent.foreign);
        const Device& card = deviceNamed("L4");
        Device unlisted = card;
        unlisted.fp32Tflops.reset();
        Device processor = card;
        processor.kind = DeviceKind::Cpu;
        const auto on = [&](const Device& device) {
            return attainableOf(device, chunked(), *calibration()).chunks.has_value();
        };
        QVERIFY(on(card));
        QVERIFY(!on(unlisted));
        QVERIFY(!on(processor));
        QVERIFY(!on(deviceNamed("Trainium1")));
    }

    // Of 64 states one is kept.
    void mostStatesAreNotKept()
    {
        const auto kept = [](const Training& t) {
            return trainingDemand(kindsOf(Wide), t).onAccelerator.fused.kept;
        };
        const double states = 3 * 16 * 512 * 64.0 * 256 * 4;
        QCOMPARE(kept(chunked(false)) - kept(chunked()), states * 63 / 64);
        Training half = chunked();
        half.precision = Precision::Bf16;
        Training plain = half;
        plain.compiled = false;
        QCOMPARE(kept(plain) - kept(half), states / 2 - states / 64);
    }

    // A prompt in chunks, and each later token as one kernel that reads and writes the states.
    void compiledServingUsesThem()
    {
        Serving serving;
        serving.inputTokens = 512;
        serving.outputTokens = 64;
        const Model model{.design = Wide};
        const auto answer = [&](Engine engine) {
            serving.engine = engine;
            return servingForecast(servingDemand(model, kindsOf(Wide), serving),
                                   Devices{deviceNamed("L4"), 1, *calibration()});
        };
        const ServingForecast steps = answer(Engine::LibTorch);
        const ServingForecast chunks = answer(Engine::TorchCompile);
        QVERIFY(steps.firstTokenMs.value() > 10 * chunks.firstTokenMs.value());
        QVERIFY(steps.tokenMs.value() > chunks.tokenMs.value());
        QVERIFY(chunks.tokenMs.value() > 0.01);
    }

    // A library's own recurrence has its kernels already.
    void libraryLayersStayAsTheyAre()
    {
        const Model lstm = preset("text-generator")->experiment.model;
        const auto demand = trainingDemand(LayerKinds(expand(lstm)), chunked());
        const Attainable on =
            attainableOf(deviceNamed("A100-80GB-SXM4"), chunked(), *calibration());
        const PassTime time = forwardTime(demand.forward, on);
        QVERIFY(!time.isChunked && time.recurrenceS > 0);
    }
};

OUTLAY_TEST(TestGatedChunks)
#include "tst_gated_chunks.moc"
