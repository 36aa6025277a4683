// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/measurement.h"
#include "tests/support/measured.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay;
using core::Basis;
using core::Quantity;
using outlay::tests::experimentOf;
using outlay::tests::figuresToday;
using pricing::Report;

namespace {

/// The training stays on the machine that the report chose.
core::Experiment pinned(core::Experiment e)
{
    const auto offer = figuresToday(e).training.recommended.option->offer;
    e.plan.trainingOffer = core::OfferChoice{offer.machine.provider, offer.machine.instance,
                                             offer.region, offer.purchase};
    return e;
}

/// A measurement of half a second a step.
core::Measurement measuredWith(const core::Experiment& e)
{
    core::Measurement m = tests::measurementOf(e);
    m.machine.matrixFlopsPerSecond = 1e11;
    m.machine.memoryBytesPerSecond = 1e10;
    m.processes = core::ProcessesMeasurement{.processes = 2,
                                             .aloneStepS = 0.8,
                                             .stepS = 1,
                                             .exchangeS = 0.1,
                                             .latencyS = 1e-4,
                                             .bytesPerS = 1e9,
                                             .miss = 1.2};
    return m;
}

bool isSame(const Quantity& a, const Quantity& b)
{
    const auto isNear = [](double x, double y) {
        return std::abs(x - y) <= 1e-9 * std::max(std::abs(x), std::abs(y));
    };
    return a.isAvailable() && b.isAvailable() && isNear(a.value(), b.value()) &&
           isNear(a.low(), b.low()) && isNear(a.high(), b.high());
}

} // namespace

class TestScalingReport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void mixing()
    {
        const Report report = figuresToday(experimentOf("text-generator"));
        const pricing::MixingReport& m = report.scaling.mixing;
        QCOMPARE(m.own, std::string("recurrent"));
        QCOMPARE(m.rows.size(), std::size_t{9});
        QCOMPARE(m.rows.front().tokens, 64.0);
        QCOMPARE(m.rows.back().tokens, 16'384.0);
        for (const pricing::MixingRow& row : m.rows) {
            QCOMPARE(row.recurrent.stateBytes,
                     m.rows.front().recurrent.stateBytes.because(row.recurrent.stateBytes.how()));
            QCOMPARE(row.attention.flopsPerSequence.basis(), Basis::Exact);
            for (const pricing::MixingCost* cost : {&row.recurrent, &row.attention})
                QVERIFY(std::abs(cost->flopsPerToken.value() * row.tokens /
                                     cost->flopsPerSequence.value() -
                                 1) < 1e-12);
        }
        QCOMPARE(m.crossings.size(), std::size_t{4});
        for (const pricing::MixingCrossing& crossing : m.crossings)
            QCOMPARE(crossing.tokens.isAvailable(), crossing.measure != "seconds");
        QVERIFY(!m.rows.front().recurrent.passSeconds.isAvailable());
        QCOMPARE(figuresToday(experimentOf("gpt2")).scaling.mixing.own, std::string("attention"));
    }

    // From where on attention took longer here, whichever of the two is the design.
    void measuredLengths_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QList<double>>(
            "recurrent"); // seconds for 64, 128, ... tokens; 0: not measured
        QTest::addColumn<QList<double>>("attention");
        QTest::addColumn<double>("from"); // 0: never
        QTest::addColumn<double>("low");
        QTest::newRow("late") << QByteArray("text-generator") << QList<double>{1, 2, 4, 8}
                              << QList<double>{0.5, 1, 5, 20} << 256.0 << 128.0;
        QTest::newRow("at every length") << QByteArray("gpt2") << QList<double>{1, 2, 4}
                                         << QList<double>{2, 3, 5} << 64.0 << 1.0;
        QTest::newRow("never") << QByteArray("gpt2") << QList<double>{1, 2, 4}
                               << QList<double>{1, 2, 3} << 0.0 << 0.0;
        QTest::newRow("not only once") << QByteArray("gated-rnn") << QList<double>{1, 2, 4, 8}
                                       << QList<double>{2, 1, 5, 9} << 256.0 << 128.0;
        QTest::newRow("not where one is missing")
            << QByteArray("gated-rnn") << QList<double>{1, 0, 4} << QList<double>{0.5, 9, 5}
            << 256.0 << 64.0;
    }
    void measuredLengths()
    {
        QFETCH(QByteArray, name);
        QFETCH(QList<double>, recurrent);
        QFETCH(QList<double>, attention);
        QFETCH(double, from);
        QFETCH(double, low);
        core::Experiment e = experimentOf(name.constData());
        const bool isRecurrent = figuresToday(e).scaling.mixing.own == "recurrent";
        core::Measurement m = tests::measurementOf(e);
        m.training.step = {};
        const auto add = [&](const QList<double>& seconds, core::LengthSubject subject) {
            std::int64_t tokens = core::ShortestCompared;
            for (const double s : seconds) {
                m.lengths.push_back({subject, tokens, s, 3, 1e6, s > 0 ? "" : "no time"});
                tokens *= 2;
            }
        };
        using enum core::LengthSubject;
        add(recurrent, isRecurrent ? Own : Twin);
        add(attention, isRecurrent ? Twin : Own);
        tests::addTo(e, m);
        e.training.batch += 1; // what was measured of one sequence still holds
        const pricing::MixingReport mixing = figuresToday(e).scaling.mixing;
        QCOMPARE(mixing.rows[0].recurrent.passSeconds.value(), recurrent[0]);
        QCOMPARE(mixing.rows[2].attention.passSeconds.value(), attention[2]);
        QCOMPARE(mixing.rows[2].attention.passSeconds.basis(), Basis::Measured);
        QVERIFY(!mixing.rows.back().recurrent.passSeconds.isAvailable());
        const Quantity& tokens = mixing.crossings.back().tokens;
        QCOMPARE(tokens.isAvailable(), from > 0);
        if (from > 0) {
            QCOMPARE(tokens.value(), from);
            QCOMPARE(tokens.low(), low);
        }
        // Those of another precision or another design say nothing of this one.
        core::Experiment half = e;
        half.training.precision = e.training.precision == core::Precision::Bf16
                                      ? core::Precision::Fp32
                                      : core::Precision::Bf16;
        QVERIFY(!figuresToday(half).scaling.mixing.rows[0].recurrent.passSeconds.isAvailable());
        e.model = experimentOf(name == "gpt2" ? "small-gpt" : "gpt2").model;
        QVERIFY(!figuresToday(e).scaling.mixing.rows[0].recurrent.passSeconds.isAvailable());
    }

    // The layers of the Report, counted for its own batch, are those of the twins' table.
    void mixingCountsAsTheLayersDo()
    {
        core::Experiment e = experimentOf("text-generator");
        e.training.sequence = 256;
        e.training.batch = 1;
        const Report report = figuresToday(e);
        double flops = 0;
        double kept = 0;
        for (const pricing::LayerRow& layer : report.model.layers) {
            flops += layer.flops;
            kept += *layer.activationBytes;
        }
        const pricing::MixingCost& own = report.scaling.mixing.rows[2].recurrent;
        QCOMPARE(own.flopsPerSequence.value(), flops);
        QCOMPARE(own.activationBytes.value(), kept);
    }

    void aLengthIsAnExperiment_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"text-generator", "gpt2", "gated-rnn"})
            QTest::newRow(name) << QByteArray(name);
    }
    void aLengthIsAnExperiment()
    {
        QFETCH(QByteArray, name);
        core::Experiment e = pinned(experimentOf(name.constData()));
        const pricing::LengthReport lengths = figuresToday(e).scaling.lengths;
        int own = 0;
        for (const pricing::LengthRow& row : lengths.rows) {
            core::Experiment changed = e;
            changed.training.sequence = static_cast<std::int64_t>(row.tokens);
            const pricing::TrainingReport training = figuresToday(changed).training;
            const pricing::OptionText& option = *training.recommended.option;
            own += row.isOwn ? 1 : 0;
            QVERIFY(isSame(row.design.memory, option.memory));
            if (row.design.fits == core::Fits::No) {
                QVERIFY(!row.design.usd.isAvailable());
                QVERIFY(!row.design.usd.how().note.empty());
                continue;
            }
            QVERIFY(isSame(row.design.hours, option.hours));
            QVERIFY(isSame(row.design.usd, option.usd));
        }
        QCOMPARE(own, 1);
    }

    void theTwinsShareNothingButTheMachine()
    {
        const auto& rows = figuresToday(experimentOf("text-generator")).scaling.lengths.rows;
        for (const pricing::LengthRow& row : rows) {
            QVERIFY(row.twin.has_value());
            QVERIFY(row.twin->memory.value() != row.design.memory.value());
        }
        // Scores grow with the square of the length.
        QVERIFY(rows.back().twin->memory.value() > rows.back().design.memory.value());
    }

    // A time that the user gives says nothing of other lengths.
    void aGivenTimeIsOfItsOwnLength()
    {
        core::Experiment e = experimentOf("text-generator");
        e.assumptions.set("training_seconds", core::Json(3600));
        int given = 0;
        for (const pricing::LengthRow& row : figuresToday(e).scaling.lengths.rows) {
            QCOMPARE(row.here.isAvailable(), row.isOwn);
            given += row.isOwn && row.here.value() == 3600 ? 1 : 0;
        }
        QCOMPARE(given, 1);
    }

    void lengthsHereFollowAMeasurement()
    {
        core::Experiment e = experimentOf("text-generator");
        for (const auto& row : figuresToday(e).scaling.lengths.rows)
            QVERIFY(!row.here.isAvailable());
        tests::addTo(e, measuredWith(e));
        const Report report = figuresToday(e);
        double before = 0;
        for (const pricing::LengthRow& row : report.scaling.lengths.rows) {
            QCOMPARE(row.here.basis(), row.isOwn ? Basis::Measured : Basis::Forecast);
            if (row.isOwn)
                QCOMPARE(row.here, report.training.here);
            QVERIFY(row.here.value() > before);
            before = row.here.value();
        }
    }

    void devices()
    {
        const Report report = figuresToday(pinned(experimentOf("gpt2")));
        const pricing::DevicesReport& devices = report.scaling.devices;
        const pricing::OptionText& option = *report.training.recommended.option;
        QCOMPARE(devices.rows.size(), std::size_t{4});
        const auto& one = devices.rows.front();
        if (option.offer.machine.accelerators <= 1) {
            QVERIFY(isSame(one.hours, option.hours));
            QVERIFY(isSame(one.usd, option.usd));
        }
        for (std::size_t i = 1; i < devices.rows.size(); ++i) {
            const auto& row = devices.rows[i];
            const auto n = static_cast<double>(row.devices);
            QCOMPARE(row.devices, std::int64_t{1} << i);
            QVERIFY(row.hours.value() > one.hours.value() / n);
            QVERIFY(row.step.speedUp.high() < n);
            QVERIFY(row.usd.value() > one.usd.value());
            QVERIFY(row.usd.high() / row.usd.value() > one.usd.high() / one.usd.value());
        }
    }

    // An 8 B model has no time on one device; those that divide it begin on the ideal line, and stay below it.
    void shardedDevicesBeginWhereItFits()
    {
        core::Experiment e = experimentOf("llama-3.1-8b");
        e.plan.trainingOffer =
            core::OfferChoice{"aws", "p4d.24xlarge", "us-east-1", core::Purchase::OnDemand};
        const Report report = figuresToday(e);
        const auto& rows = report.scaling.devices.rows;
        QVERIFY(!rows[0].hours.isAvailable() && !rows[0].step.speedUp.isAvailable());
        double before = 0;
        bool isFirst = true;
        for (const auto& row : rows) {
            if (!row.hours.isAvailable())
                continue;
            const auto devices = static_cast<double>(row.devices);
            QVERIFY(row.step.speedUp.value() <= devices * (1 + 1e-9));
            QVERIFY(!isFirst || std::abs(row.step.speedUp.value() - devices) < 1e-6);
            QVERIFY(row.step.speedUp.value() > before);
            before = row.step.speedUp.value();
            isFirst = false;
        }
        QVERIFY(!isFirst);
    }

    // All devices of all machines train on batches of their own, whether they divide the model or not.
    void shardedMachinesShareTheSteps()
    {
        core::Experiment e = experimentOf("gpt2");
        e.plan.trainingOffer =
            core::OfferChoice{"aws", "g4dn.12xlarge", "us-east-1", core::Purchase::OnDemand};
        e.training.batch = 2;
        e.training.sharding = core::Sharding::Full;
        const Report report = figuresToday(e);
        const auto& four = report.scaling.devices.rows[2];
        const auto& eight = report.scaling.devices.rows[3];
        QCOMPARE(eight.machines, std::int64_t{2});
        const double faster = eight.step.speedUp.value() / four.step.speedUp.value();
        QVERIFY(std::abs(four.hours.value() / eight.hours.value() / faster - 1) < 0.05);
    }

    void aMachineOfFourIsPaidWhole()
    {
        core::Experiment e = experimentOf("gpt2");
        e.plan.trainingOffer =
            core::OfferChoice{"aws", "g4dn.12xlarge", "us-east-1", core::Purchase::OnDemand};
        // Where it doesn't fit there is no time to tell.
        for (const auto& row : figuresToday(e).scaling.devices.rows)
            QVERIFY(!row.hours.isAvailable() && !row.usd.isAvailable());
        e.training.batch = 2;
        const Report report = figuresToday(e);
        const auto& rows = report.scaling.devices.rows;
        const std::array<std::int64_t, 4> machines{1, 1, 1, 2};
        QCOMPARE(rows.size(), machines.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            QCOMPARE(rows[i].machines, machines.at(i));
        QVERIFY(isNear(rows[2].hours, report.training.recommended.option->hours));
        QVERIFY(isNear(rows[2].usd, report.training.recommended.option->usd));
        QCOMPARE(rows[2].step.exchangeSeconds.basis(), Basis::Forecast);
        QCOMPARE(rows[3].step.exchangeSeconds.basis(), Basis::Forecast); // its network is listed
        QVERIFY(rows[1].usd.value() < rows[0].usd.value()); // the same machine, for less time
        // Of this one nobody lists it.
        e.plan.trainingOffer =
            core::OfferChoice{"azure", "Standard_NC64as_T4_v3", "eastus", core::Purchase::OnDemand};
        const auto assumed = figuresToday(e).scaling.devices.rows;
        QCOMPARE(assumed[3].step.exchangeSeconds.basis(), Basis::Assumed);
        e.assumptions.set("network_gb_per_s", core::Json(12.5));
        const auto faster = figuresToday(e).scaling.devices.rows;
        QVERIFY(faster[3].step.exchangeSeconds.value() <
                0.2 * assumed[3].step.exchangeSeconds.value());
        QCOMPARE(faster[2].step.exchangeSeconds, assumed[2].step.exchangeSeconds);
    }

    void processesOfThisMachine()
    {
        core::Experiment e = experimentOf("text-generator");
        const pricing::DevicesReport before = figuresToday(e).scaling.devices;
        QVERIFY(before.here.empty() && !before.hereWhy.empty());
        core::Measurement m = measuredWith(e);
        m.machine.cores = 4;
        tests::addTo(e, m);
        const auto onFour = pricing::loadCatalogs(outlay::tests::catalogs().today(), m.machine);
        const pricing::DevicesReport devices = pricing::figuresOf(e, *onFour).scaling.devices;
        QVERIFY(devices.hereWhy.empty());
        QVERIFY(!figuresToday(e).scaling.devices.hereWhy.empty()); // on another machine
        QCOMPARE(devices.here.size(), std::size_t{3});             // 1, 2 and 4 on four cores
        QCOMPARE(devices.here[0].step.stepSeconds.value(), 0.8);
        QCOMPARE(devices.here[0].step.stepSeconds.basis(), Basis::Measured);
        QVERIFY(devices.here[1].step.stepSeconds.value() > 0.9);
        QCOMPARE(devices.here[1].step.exchangeSeconds.basis(), Basis::Forecast);
        double last = 1e300;
        for (const pricing::DevicesRow& row : devices.here) {
            QVERIFY(row.hours.value() < last);
            last = row.hours.value();
            QVERIFY(!row.usd.isAvailable());
        }
        const double steps = figuresToday(e).training.steps;
        QVERIFY(std::abs(devices.here[0].hours.value() - steps * 0.8 / 3600) < 1e-9 * last * steps);
        // A changed design has no steps that were measured.
        e.training.batch *= 2;
        QVERIFY(pricing::figuresOf(e, *onFour).scaling.devices.here.empty());
    }

    // That were measured to train together: wherever the program runs, at their own price.
    void machinesOfOnesOwn()
    {
        core::Experiment e = experimentOf("text-generator");
        core::Measurement m = measuredWith(e);
        m.host = "gpu1";
        m.processes->hosts = {"gpu1", "gpu2"};
        tests::addTo(e, m);
        const pricing::DevicesReport devices = figuresToday(e).scaling.devices;
        QVERIFY(devices.here.empty());
        QCOMPARE(devices.hosts, m.processes->hosts);
        QCOMPARE(devices.host, std::string("gpu1"));
        QCOMPARE(devices.onHosts.size(), std::size_t{4}); // 1, 2, 4 and 8 such machines
        QCOMPARE(devices.onHosts[0].step.stepSeconds.value(), 0.8);
        QCOMPARE(devices.onHosts[0].step.stepSeconds.basis(), Basis::Measured);
        const core::Quantity& two = devices.onHosts[1].step.stepSeconds;
        QVERIFY(two.low() < 1 && 1 < two.high()); // as it was measured
        QVERIFY(!devices.onHosts[1].usd.isAvailable());
        m.hostHourUsd = 3;
        core::Experiment priced = experimentOf("text-generator");
        tests::addTo(priced, m);
        QCOMPARE(figuresToday(priced).scaling.devices.onHosts[1].usd.how().sentence(),
                 std::string("give hour_price_usd in the profile of gpu2"));
        core::Measurement other = m;
        other.host = "gpu2";
        const auto costs = [&](double usd) {
            core::Experiment both = priced;
            other.hostHourUsd = usd;
            tests::addTo(both, other);
            return figuresToday(both).scaling.devices.onHosts;
        };
        for (const pricing::DevicesRow& row : costs(3))
            QVERIFY(std::abs(row.usd.value() /
                                 (3 * row.hours.value() * static_cast<double>(row.devices)) -
                             1) < 1e-9);
        // One of each is what both cost; of more nobody knows which.
        const auto mixed = costs(5);
        QVERIFY(std::abs(mixed[1].usd.value() / (8 * mixed[1].hours.value()) - 1) < 1e-9);
        QVERIFY(!mixed[0].usd.isAvailable() && !mixed[2].usd.isAvailable());
        // As many as were measured have a row, whatever their number.
        core::Experiment three = experimentOf("text-generator");
        m.processes->processes = 3;
        m.processes->hosts = {"gpu1", "gpu2", "gpu3"};
        tests::addTo(three, m);
        const auto rows = figuresToday(three).scaling.devices.onHosts;
        QCOMPARE(rows.size(), std::size_t{5});
        QCOMPARE(rows[2].devices, std::int64_t{3});
        e.training.batch *= 2;
        QVERIFY(figuresToday(e).scaling.devices.onHosts.empty());
    }

    void withoutAMachineThereAreReasons()
    {
        core::Experiment e = experimentOf("gpt2");
        e.plan.providers = {"nobody"};
        const pricing::ScalingReport scaling = figuresToday(e).scaling;
        QVERIFY(!scaling.devices.why.empty());
        QVERIFY(scaling.devices.rows.empty());
        for (const pricing::LengthRow& row : scaling.lengths.rows) {
            QVERIFY(row.design.memory.isAvailable());
            QVERIFY(!row.design.usd.isAvailable() && !row.design.usd.how().note.empty());
        }
        const pricing::ScalingReport mlp = figuresToday(experimentOf("mlp")).scaling;
        QVERIFY(mlp.lengths.rows.empty() && !mlp.lengths.why.empty());
        QVERIFY(mlp.mixing.rows.empty() && mlp.mixing.own.empty() && !mlp.mixing.twin.empty());
    }

    void pointers_data()
    {
        QTest::addColumn<QByteArray>("pointer");
        QTest::newRow("mixing") << QByteArray(
            "/scaling/recurrent_attention/rows/0/recurrent/flops_per_token/value");
        QTest::newRow("crossing") << QByteArray(
            "/scaling/recurrent_attention/crossings/0/tokens/value");
        QTest::newRow("length") << QByteArray("/scaling/sequence_length/rows/0/design/usd/value");
        QTest::newRow("twin") << QByteArray("/scaling/sequence_length/rows/0/twin/memory/value");
        QTest::newRow("devices") << QByteArray("/scaling/devices/rows/3/speed_up/value");
    }
    void pointers()
    {
        QFETCH(QByteArray, pointer);
        const Report report = figuresToday(experimentOf("text-generator"));
        const core::Json json = pricing::toJson(report, outlay::tests::catalogs());
        const auto found = core::valueAt(json, pointer.toStdString());
        QVERIFY(found != nullptr && found->isNumber());
    }

private:
    /// The same value; the intervals come from different sides.
    static bool isNear(const Quantity& a, const Quantity& b)
    {
        return std::abs(a.value() - b.value()) < 1e-9 * a.value();
    }
};

OUTLAY_TEST(TestScalingReport)
#include "tst_scaling_report.moc"
