// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/scaled_from.h"
#include "core/probe/margins.h"
#include "tests/support/generator.h"
#include "tests/support/random_designs.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay;
using namespace outlay::core;
using tests::generator;

namespace {

/// Half a second a step on a machine of 100 GFLOP/s and 10 GB/s.
Measurement measured(const Model& model, const Training& training)
{
    Measurement m;
    m.created = "2026-11-20T10:00:00Z";
    m.machine.processor = "Test processor";
    m.machine.device = "cpu";
    m.machine.matrixFlopsPerSecond = 100e9;
    m.machine.memoryBytesPerSecond = 10e9;
    m.training.step = timingOf(std::vector<double>(20, 0.5), {});
    m.training.forwardShare = 0.4;
    m.training.buildS = 1;
    m.training.warmUpS = 2;
    m.model = model;
    m.trainingSettings = training;
    return m;
}

Measurement measured()
{
    return measured(generator().model, generator().training);
}

Quantity scaled(const Model& model, const Training& training, const Measurement& m = measured())
{
    return scaledTraining(m, expand(model), training, *calibration());
}

double spread(const Quantity& q)
{
    return q.high() / q.value();
}

Model ofWidth(std::int64_t hidden)
{
    Model model = generator().model;
    std::get<RecurrentDesign>(model.design).hidden = {hidden};
    return model;
}

} // namespace

class TestScaledFrom : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theSameDesignKeepsItsTime()
    {
        const Quantity q = scaled(generator().model, generator().training);
        QCOMPARE(q.basis(), Basis::Forecast);
        // As the measurement itself says: 35,200 steps, validation and a start of 3 s.
        QVERIFY(std::abs(q.value() - (35200 * 0.5 + 50 * 10000 * 0.2 / 128 + 3)) < 1e-6);
        QVERIFY(spread(q) > 1.05 && spread(q) < 1.1); // about that of a measurement
        const std::string how = q.how().sentence();
        QVERIFY(how.find("Test processor") != std::string::npos);
        QVERIFY(how.find("2026-11-20") != std::string::npos);
    }

    void aChangedDesignIsScaled()
    {
        const double before = scaled(generator().model, generator().training).value();
        const Quantity wider = scaled(ofWidth(300), generator().training);
        QVERIFY(wider.value() > 1.3 * before && wider.value() < 5 * before);
        Training t = generator().training;
        t.batch = 64; // twice the steps, each at least half as long
        QVERIFY(scaled(generator().model, t).value() >= before);
        t = generator().training;
        t.epochs *= 3;
        const double epochs = scaled(generator().model, t).value();
        QVERIFY(std::abs((epochs - 3) / (before - 3) - 3) < 1e-9);
    }

    void theFurtherTheWider()
    {
        double last = 0;
        for (const std::int64_t hidden : {150, 170, 220, 300, 600, 1200, 2400}) {
            const Quantity q = scaled(ofWidth(hidden), generator().training);
            QVERIFY(spread(q) > last);
            last = spread(q);
        }
        const Quantity gpt2 = scaled(preset("gpt2")->experiment.model, generator().training);
        QVERIFY(spread(gpt2) > spread(scaled(ofWidth(220), generator().training)));
    }

    void aWiderMeasurementIsAtLeastAsWide()
    {
        Measurement loose = measured();
        loose.training.step.highS = 0.7;
        loose.training.step.lowS = 0.4;
        const Quantity a = scaled(ofWidth(200), generator().training);
        const Quantity b = scaled(ofWidth(200), generator().training, loose);
        QCOMPARE(a.value(), b.value());
        QVERIFY(b.high() > a.high() && b.low() < a.low());
    }

    // A change of the design says nothing more about a machine that was disturbed.
    void noChangeMakesAnIntervalNarrower_data()
    {
        QTest::addColumn<bool>("isSteady");
        QTest::addColumn<double>("waiting");
        QTest::addColumn<bool>("isPart");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        // docs/worker.md: 8 % of steady runs, 15 % of others, 20 % of parts; a neighbour that goes takes
        // its waiting along, and half as much may come.
        QTest::newRow("steady") << true << 0.0 << false << 0.92 << 1.08;
        QTest::newRow("unstable") << false << 0.0 << false << 0.85 << 1.15;
        QTest::newRow("waited") << false << 0.3 << false << 0.85 / 1.3 << 1.15 * 1.15;
        QTest::newRow("in parts") << true << 0.0 << true << 0.8 << 1.2;
    }
    void noChangeMakesAnIntervalNarrower()
    {
        QFETCH(bool, isSteady);
        QFETCH(double, waiting);
        QFETCH(bool, isPart);
        Measurement m = measured();
        m.training.step.verdict = isSteady ? Verdict::Steady : Verdict::Unstable;
        m.training.disturbance.waiting = waiting;
        if (isPart)
            m.part = PartMeasurement{1, 2, 9, 0.1};
        const Interval margins = runMargins(m);
        QFETCH(double, low);
        QFETCH(double, high);
        QVERIFY(std::abs(margins.low - low) < 1e-12 && std::abs(margins.high - high) < 1e-12);
        const Quantity q = scaled(ofWidth(151), generator().training, m);
        QVERIFY(q.low() <= q.value() * low);
        QVERIFY(q.high() >= q.value() * high);
    }

    void whatCantBeScaledIsUnavailable()
    {
        Training t = generator().training;
        t.precision = Precision::Bf16;
        QVERIFY(scaled(generator().model, t).how().note.text().find("precision") !=
                std::string::npos);
        t = generator().training;
        t.devices = 2;
        QVERIFY(!scaled(generator().model, t).isAvailable());
        Measurement m = measured();
        m.machine.matrixFlopsPerSecond.reset();
        QVERIFY(!scaled(ofWidth(200), generator().training, m).isAvailable());
        m = measured();
        m.training.step = {};
        QVERIFY(!scaled(ofWidth(200), generator().training, m).isAvailable());
    }

    void theNearestIsTaken()
    {
        const auto row = [](std::int64_t hidden) {
            return std::make_shared<const Measurement>(
                measured(ofWidth(hidden), generator().training));
        };
        const Measured all({row(600), row(160), row(20)});
        const auto nearest = [&](std::int64_t hidden) {
            return nearestMeasurement(all, expand(ofWidth(hidden)), generator().training,
                                      *calibration());
        };
        QCOMPARE(nearest(170), all.rows()[1]);
        QCOMPARE(nearest(900), all.rows()[0]);
        QCOMPARE(nearest(10), all.rows()[2]);
        QVERIFY(nearestMeasurement({}, expand(ofWidth(10)), generator().training, *calibration()) ==
                nullptr);
        Training bf16 = generator().training;
        bf16.precision = Precision::Bf16;
        QVERIFY(nearestMeasurement(all, expand(ofWidth(10)), bf16, *calibration()) == nullptr);
    }

    void foldsAreADistance()
    {
        std::mt19937_64 random(6);
        const Attainable on = attainableHere(measured().machine, *calibration());
        Training t;
        t.sequence = 16;
        t.batch = 4;
        for (int i = 0; i < 100; ++i) {
            const auto a = trainingDemand(expand(tests::randomModel(random)), t);
            const auto b = trainingDemand(expand(tests::randomModel(random)), t);
            const double there = foldsBetween(a, b, on);
            QVERIFY(std::isfinite(there) && there >= 0);
            QCOMPARE(foldsBetween(b, a, on), there);
            QCOMPARE(foldsBetween(a, a, on), 0.0);
        }
    }
};

OUTLAY_TEST(TestScaledFrom)
#include "tst_scaled_from.moc"
