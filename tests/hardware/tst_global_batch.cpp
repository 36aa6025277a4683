// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A step of so many samples, however many devices share it: what each runs at once, how often, and what fits.
#include "core/experiment/presets.h"
#include "core/hardware/forecast.h"
#include "core/hardware/hardware_catalog.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay::core;

namespace {

Device deviceOf(const char* name)
{
    return *hardwareCatalog()->device(name);
}

Devices on(const Device& device, std::int64_t count)
{
    return {.device = device, .count = count, .calibration = *calibration()};
}
// They refer to it.
Devices on(Device&& device, std::int64_t count) = delete;

Experiment experimentOf(const char* name, std::int64_t batch, std::int64_t globalBatch)
{
    Experiment e = preset(name)->experiment;
    e.training.batch = batch;
    e.training.accumulation = 1;
    e.training.globalBatch = globalBatch;
    return e;
}

TrainingForecast forecastOf(const Experiment& e, const Devices& devices)
{
    return trainingForecast(trainingDemand(expand(e.model), e.training), devices);
}

} // namespace

class TestGlobalBatch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void passesFollow_data()
    {
        QTest::addColumn<qint64>("batch");
        QTest::addColumn<qint64>("globalBatch");
        QTest::addColumn<qint64>("devices");
        QTest::addColumn<qint64>("atOnce");
        QTest::addColumn<qint64>("passes");
        const auto row = [](const char* name, qint64 batch, qint64 globalBatch, qint64 devices,
                            qint64 atOnce, qint64 passes) {
            QTest::newRow(name) << batch << globalBatch << devices << atOnce << passes;
        };
        row("one pass", 32, 32, 1, 32, 1);
        row("several", 32, 256, 2, 32, 4);
        row("rounded up", 32, 100, 1, 32, 4);
        row("too large a pass", 64, 32, 1, 32, 1);
        row("its part", 32, 64, 8, 8, 1);
        row("more devices than samples", 1, 4, 8, 1, 1);
    }
    void passesFollow()
    {
        QFETCH(qint64, batch);
        QFETCH(qint64, globalBatch);
        QFETCH(qint64, devices);
        QFETCH(qint64, atOnce);
        QFETCH(qint64, passes);
        const Training asked{.batch = batch, .accumulation = 7, .globalBatch = globalBatch};
        const Training each = onDevices(asked, devices);
        QCOMPARE(qint64{each.accumulation}, passes);
        QCOMPARE(qint64{each.batch}, atOnce);
        QVERIFY(!each.globalBatch);
        const Training plain{.batch = batch, .accumulation = 7};
        QVERIFY(onDevices(plain, devices) == plain);
    }

    // Where the same samples are asked for in both ways, all figures are the same.
    void itIsBatchTimesAccumulationTimesDevices()
    {
        int compared = 0;
        for (const char* name : {"text-generator", "small-gpt", "bert-base"}) {
            for (const std::int64_t devices : {1, 2, 8}) {
                for (const std::int64_t passes : {1, 3, 8}) {
                    Experiment plain = preset(name)->experiment;
                    plain.training.accumulation = passes;
                    const Experiment global = experimentOf(name, plain.training.batch,
                                                           plain.training.batch * passes * devices);
                    const Device device = deviceOf("A100-80GB-SXM4");
                    const TrainingForecast a = forecastOf(plain, on(device, devices));
                    const TrainingForecast b = forecastOf(global, on(device, devices));
                    QCOMPARE(a.fits, Fits::Yes);
                    QCOMPARE(b.stepSeconds.value(), a.stepSeconds.value());
                    QCOMPARE(b.runSeconds.value(), a.runSeconds.value());
                    QCOMPARE(b.tokensPerS.value(), a.tokensPerS.value());
                    QCOMPARE(b.utilisation.value(), a.utilisation.value());
                    QCOMPARE(b.passes, passes);
                    ++compared;
                }
            }
        }
        QCOMPARE(compared, 27);
    }

    // Of any number of devices none runs more than its part, and together they don't run another pass than needed.
    void aStepHasItsSamples()
    {
        const Device device = deviceOf("H100-80GB-SXM5");
        for (const std::int64_t globalBatch : {1, 6, 64, 1000}) {
            for (const std::int64_t devices : {1, 2, 4, 8}) {
                Experiment e = experimentOf("gpt2", 32, globalBatch);
                e.training.tensorParallel = e.training.pipelineStages = 1;
                const TrainingForecast f = forecastOf(e, on(device, devices));
                const std::int64_t atOnce = f.batch * devices;
                QVERIFY(f.batch <= 32);
                QVERIFY(atOnce <= globalBatch || f.batch == 1);
                QVERIFY(atOnce * f.passes >= globalBatch);
                QVERIFY(f.passes == 1 || atOnce * (f.passes - 1) < globalBatch);
                // Devices without a sample are idle, and a last pass isn't full: neither adds to a step.
                const auto samples = static_cast<double>(globalBatch);
                const double rate = f.samplesPerS.value() * f.stepSeconds.value();
                QVERIFY(std::abs(rate - samples) < 1e-6 * samples);
            }
        }
    }

    // The largest pass that fits is taken: twice as many samples at once don't fit.
    void passesAreHalvedUntilTheyFit()
    {
        const Experiment e = experimentOf("llama-3.1-8b-lora", 64, 64);
        Experiment plain = e;
        plain.training.globalBatch.reset();
        for (const char* name : {"A10G", "L40S", "A100-40GB-SXM4"}) {
            const Device device = deviceOf(name);
            const Devices one = on(device, 1);
            const TrainingForecast f = forecastOf(e, one);
            QCOMPARE(f.fits, Fits::Yes);
            QVERIFY2(f.batch < 64, name);
            QCOMPARE(f.batch * f.passes, std::int64_t{64});
            plain.training.batch = 2 * f.batch;
            QCOMPARE(forecastOf(plain, one).fits, Fits::No);
            plain.training.batch = f.batch;
            QCOMPARE(forecastOf(plain, one).fits, Fits::Yes);
        }
    }

    // Twice the devices take at least half as long for the run, and make no step of more samples; where they needn't
    // share as much any more, a little less.
    void moreDevicesKeepTheStep()
    {
        const Experiment e = experimentOf("llama-7b-pretraining", 8, 512);
        const Device device = deviceOf("H100-80GB-SXM5");
        double before = 0;
        Sharding shared = Sharding::None;
        for (std::int64_t machines = 1; machines <= 64; machines *= 2) {
            const Devices all{.device = device,
                              .count = 8 * machines,
                              .calibration = *calibration(),
                              .machines = machines,
                              .networkGbPerS = 400};
            const TrainingForecast f = forecastOf(e, all);
            QCOMPARE(f.fits, Fits::Yes);
            QCOMPARE(f.batch * f.passes * all.count, std::int64_t{512});
            const double least = f.layout.sharding == shared ? 0.5 : 0.48;
            if (machines > 1)
                QVERIFY(f.runSeconds.value() >= least * before);
            before = f.runSeconds.value();
            shared = f.layout.sharding;
        }
    }
};

OUTLAY_TEST(TestGlobalBatch)
#include "tst_global_batch.moc"
