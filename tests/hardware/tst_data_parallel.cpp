// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/presets.h"
#include "core/hardware/data_parallel.h"
#include "core/hardware/forecast.h"
#include "core/hardware/hardware_catalog.h"
#include "tests/support/near.h"
#include "tests/support/random_designs.h"
#include "tests/support/rates.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay;
using namespace outlay::core;
using outlay::tests::device;
using outlay::tests::isNear;
using outlay::tests::rates;

namespace {

TrainingDemand demandOf(const Model& model)
{
    Training t;
    t.samples = 100'000;
    t.sequence = 32;
    t.batch = 8;
    t.validationShare = 0.1;
    return trainingDemand(expand(model), t);
}

Alone alone(const TrainingDemand& demand, const char* name)
{
    const TrainingForecast f = trainingForecast(demand, {device(name), 1, rates()});
    return {f.stepSeconds, f.runSeconds, f.runShare};
}

bool isPositive(const Quantity& q)
{
    return q.isAvailable() && q.low() > 0 && q.low() <= q.value() && q.value() <= q.high() &&
           std::isfinite(q.high());
}

} // namespace

class TestDataParallel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theRing_data()
    {
        QTest::addColumn<double>("bytes");
        QTest::addColumn<qint64>("devices");
        QTest::addColumn<double>("seconds");
        // 1 GB/s and 10 us: 2 (N - 1) / N of the bytes.
        QTest::newRow("one") << 1e6 << qint64{1} << 0.0;
        QTest::newRow("two") << 1e6 << qint64{2} << 10e-6 + 1e-3;
        QTest::newRow("four") << 1e6 << qint64{4} << 20e-6 + 1.5e-3;
        QTest::newRow("eight") << 1e6 << qint64{8} << 30e-6 + 1.75e-3;
        QTest::newRow("nothing to send") << 0.0 << qint64{2} << 10e-6;
    }
    void theRing()
    {
        QFETCH(double, bytes);
        QFETCH(qint64, devices);
        QFETCH(double, seconds);
        const ExchangeShape sum{.devices = static_cast<double>(devices), .bytes = bytes};
        QVERIFY(std::abs(exchangeSeconds(sum, {1e9, 10e-6}) - seconds) < 1e-12);
    }

    // What the forecast for a machine with several accelerators says, by way of one of them.
    void agreesWithTheForecastInsideOfAMachine()
    {
        for (const char* name : {"gpt2", "text-generator", "llama-7b"}) {
            auto e = preset(name)->experiment;
            e.training.sharding = Sharding::None;
            const TrainingDemand demand = trainingDemand(expand(e.model), e.training);
            const auto link = linkInside(device("A100"), rates());
            for (const std::int64_t count : {1, 2, 4, 8}) {
                const TrainingForecast whole =
                    trainingForecast(demand, {device("A100"), count, rates()});
                const DataParallel p =
                    dataParallel(demand, alone(demand, "A100"), count, *link, rates());
                QVERIFY(isNear(p.stepSeconds.value(), whole.stepSeconds.value()));
                QVERIFY(isNear(p.runSeconds.value(), whole.runSeconds.value()));
                QVERIFY(p.stepSeconds.high() > 0.98 * whole.stepSeconds.high());
            }
        }
    }

    void neverLinear()
    {
        std::mt19937_64 random(4);
        const Link slow = assumedNetwork(1.25, "assumed");
        for (int i = 0; i < 100; ++i) {
            const TrainingDemand demand = demandOf(tests::randomModel(random));
            const Alone one = alone(demand, "T4");
            for (const Link& link : {*linkInside(device("T4"), rates()), slow}) {
                DataParallel before = dataParallel(demand, one, 1, link, rates());
                QCOMPARE(before.stepSeconds, one.stepSeconds);
                QCOMPARE(before.exchangeSeconds.value(), 0.0);
                QCOMPARE(before.speedUp.value(), 1.0);
                for (std::int64_t count = 2; count <= 64; count *= 2) {
                    const DataParallel p = dataParallel(demand, one, count, link, rates());
                    const auto n = static_cast<double>(count);
                    for (const Quantity* q : {&p.computeSeconds, &p.exchangeSeconds, &p.stepSeconds,
                                              &p.runSeconds, &p.speedUp})
                        QVERIFY(isPositive(*q));
                    QVERIFY(p.speedUp.high() < n);
                    QVERIFY(p.stepSeconds.low() >= one.stepSeconds.low());
                    QVERIFY(p.stepSeconds.value() > before.stepSeconds.value());
                    QVERIFY(p.exchangeSeconds.value() > before.exchangeSeconds.value());
                    QVERIFY(p.runSeconds.value() > one.runSeconds.value() / n * (1 - 1e-12));
                    QCOMPARE(p.exchangeSeconds.basis(), std::max(link.basis, Basis::Forecast));
                    QCOMPARE(p.stepSeconds.basis(), std::max(link.basis, Basis::Forecast));
                    before = p;
                }
            }
        }
    }

    void anUnknownNetworkIsWide()
    {
        const Link link = assumedNetwork(1, "assumed: 8 Gbit/s");
        const TrainingDemand demand = demandOf(preset("gpt2")->experiment.model);
        const DataParallel p = dataParallel(demand, alone(demand, "T4"), 2, link, rates());
        const Quantity& exchange = p.exchangeSeconds;
        QCOMPARE(exchange.basis(), Basis::Assumed);
        QVERIFY(exchange.high() > 9 * exchange.value());
        QVERIFY(exchange.low() < exchange.value() / 9);
        QVERIFY(exchange.how().sentence().find("8 Gbit/s") != std::string::npos);
        // Nothing hides it at worst.
        QVERIFY(p.stepSeconds.high() > p.computeSeconds.high() + 0.99 * exchange.high());
    }

    void processesHereLoseWhatTheyLost()
    {
        const ProcessesMeasurement m{.processes = 2,
                                     .aloneStepS = 0.2,
                                     .stepS = 0.25,
                                     .exchangeS = 0.02,
                                     .steps = 10,
                                     .latencyS = 1e-4,
                                     .bytesPerS = 1e9,
                                     .miss = 1.5};
        const TrainingDemand demand = demandOf(preset("text-generator")->experiment.model);
        const double exchange = 1e-4 + demand.parameters * 4 / 1e9;
        const Quantity step = Quantity::within(0.2, 0.19, 0.21, Unit::Seconds, Basis::Measured, {});
        const DataParallel p =
            dataParallel(demand, {step, step}, 2, linkMeasured(m), calibrationFrom(m, rates()));
        QVERIFY(isNear(p.exchangeSeconds.value(), exchange));
        QVERIFY(isNear(p.computeSeconds.value(), 0.23));
        QVERIFY(isNear(p.stepSeconds.value(), 0.23 + exchange));
        QVERIFY(isNear(p.exchangeSeconds.high(), 1.5 * exchange));
        QVERIFY(isNear(p.exchangeSeconds.low(), exchange / 1.5));
        QCOMPARE(p.exchangeSeconds.basis(), Basis::Forecast);
        QCOMPARE(p.stepSeconds.basis(), Basis::Forecast);
        QVERIFY(p.speedUp.high() < 2);
        // Two that got faster together would be noise.
        ProcessesMeasurement lucky = m;
        lucky.stepS = 0.21;
        QCOMPARE(calibrationFrom(lucky, rates()).lossPerDoubling, rates().lossPerDoubling);
    }

    void whatIsUnknownStaysSo()
    {
        const TrainingDemand demand = demandOf(preset("gpt2")->experiment.model);
        const Quantity unknown = Quantity::unavailable(Unit::Seconds, "no rate");
        const Link link = assumedNetwork(1, "assumed");
        for (const std::int64_t count : {1, 2}) {
            const DataParallel p = dataParallel(demand, {unknown, unknown}, count, link, rates());
            QVERIFY(!p.stepSeconds.isAvailable() && !p.speedUp.isAvailable());
            QCOMPARE(p.runSeconds.how().note.text(), std::string("no rate"));
        }
        QVERIFY(!linkInside(device("TPU v3"), rates()));
        const DataParallel none = dataParallel(demand, alone(demand, "T4"), 2, Link{}, rates());
        QVERIFY(!none.stepSeconds.isAvailable());
        QCOMPARE(none.stepSeconds.how().note.text(), std::string("the devices have no link"));
    }
};

OUTLAY_TEST(TestDataParallel)
#include "tst_data_parallel.moc"
