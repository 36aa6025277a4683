// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/presets.h"
#include "core/probe/measurement.h"
#include "pricing/report/here/here.h"
#include "pricing/report/make_report.h"
#include "tests/support/measured.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay::core;
using outlay::pricing::trainingHere;

namespace {

/// The text generator with a stored measurement of half a second a step.
Experiment measured(Verdict verdict = Verdict::Steady)
{
    Experiment e = preset("text-generator")->experiment;
    Measurement m = outlay::tests::measurementOf(e);
    m.training.step.verdict = verdict;
    m.training.forwardShare = 0.4;
    m.training.buildS = 1;
    m.training.warmUpS = 2;
    outlay::tests::addTo(e, m);
    return e;
}

Quantity here(const Experiment& e)
{
    return trainingHere(outlay::pricing::subjectOf(e, outlay::tests::catalogs()));
}

} // namespace

class TestHere : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void stepsTimesTheStep()
    {
        // 35,200 steps of 0.5 s; 50 x 10,000 samples forward at 0.4 x 0.5 s / 128 each; 3 s to start.
        const Quantity q = here(measured());
        QCOMPARE(q.basis(), Basis::Measured);
        QCOMPARE(q.value(), 35200 * 0.5 + 50 * 10000 * 0.2 / 128 + 3);
        QVERIFY(q.low() < 0.97 * q.value() && q.high() > 1.03 * q.value());
        QVERIFY(q.how().sentence().find("Test processor") != std::string::npos);
    }

    void anUnsteadyStepWidensTheInterval()
    {
        const Quantity steady = here(measured());
        const Quantity unstable = here(measured(Verdict::Unstable));
        QVERIFY(unstable.high() > steady.high() && unstable.low() < steady.low());
        QVERIFY(unstable.how().sentence().find("unstable") != std::string::npos);
    }

    void moreEpochsTakeLonger()
    {
        Experiment e = measured();
        const double once = here(e).value() - 3;
        e.training.epochs *= 2;
        QCOMPARE(here(e).value() - 3, 2 * once);
    }

    // A program tells its own run: with other epochs or samples it makes as many more steps as the experiment does.
    void aProgramFollowsTheSteps()
    {
        Experiment e = preset("text-generator")->experiment;
        Measurement m = outlay::tests::measurementOf(e);
        m.program = ProgramMeasurement{.command = "train.py",
                                       .doneSteps = 100,
                                       .ofSteps = 35'200,
                                       .startS = 10,
                                       .wholeS = 1010,
                                       .lowS = 910,
                                       .highS = 1210};
        outlay::tests::addTo(e, m);
        QCOMPARE(here(e).value(), 1010.0);
        e.training.epochs *= 2;
        QVERIFY(std::abs(here(e).value() - 2010) < 1e-6);
        QVERIFY(std::abs(here(e).low() - 1810) < 1e-6 && std::abs(here(e).high() - 2410) < 1e-6);
        QVERIFY(here(e).how().sentence().find("2 times as many steps") != std::string::npos);
        // Where it made others than the experiment, which then takes them over, its run stays what it was.
        Experiment other = preset("text-generator")->experiment;
        other.training.epochs /= 10;
        Measurement its = outlay::tests::measurementOf(other);
        its.program = m.program;
        outlay::tests::addTo(other, its);
        QCOMPARE(here(other).value(), 1010.0);
        other.training.epochs *= 10;
        QVERIFY(std::abs(here(other).value() - 1010) < 1e-6);
    }

    void whatWasMeasuredMustBeWhatIsAsked()
    {
        Experiment e = measured();
        std::get<RecurrentDesign>(e.model.design).hidden = {151};
        QVERIFY(!here(e).isAvailable());
        QVERIFY(here(e).how().note.text().find("changed") != std::string::npos);
        e = measured();
        e.training.batch = 64;
        QVERIFY(!here(e).isAvailable());
        e = measured();
        e.training.devices = 2;
        QVERIFY(!here(e).isAvailable());
        e = measured();
        e.serving.batch = 9; // no part of a step
        QVERIFY(here(e).isAvailable());
    }

    void theNewestThatFitsIsTaken()
    {
        Experiment e = measured();
        Json other = e.measurements.stored().asArray()->front();
        other.find("training")->find("step")->set("mean_s", Json(0.25));
        e.measurements = e.measurements.with(other);
        const double newest = here(e).value();
        other.find("model")->set("hidden", Json(Json::Array{151}));
        e.measurements = e.measurements.with(other).with(Json("no measurement"));
        QCOMPARE(e.measurements.all().rows().size(), std::size_t{3});
        QCOMPARE(e.measurements.unread().size(), std::size_t{1});
        QCOMPARE(here(e).value(), newest);
        QVERIFY(newest < here(measured()).value());
    }

    void notMeasuredIsSaid()
    {
        const Quantity q = here(preset("gpt2")->experiment);
        QVERIFY(!q.isAvailable());
        QVERIFY(q.how().note.text().find("outlay probe") != std::string::npos);
    }

    // The same steps on several machines: each keeps what it took, and costs what its profile says.
    void hostsStandSideBySide()
    {
        Experiment e = measured();
        const auto on = [&](const std::string& host, double stepS, std::optional<double> price) {
            Measurement m = outlay::tests::measurementOf(e, stepS);
            m.host = host;
            m.hostHourUsd = price;
            m.machine.id = host;
            return m;
        };
        outlay::tests::addTo(e, on("slow", 1, 2.0));
        outlay::tests::addTo(e, on("fast", 0.25, {}));
        Measurement other = on("other", 0.1, 1.0);
        other.trainingSettings.batch = other.askedTraining.batch = 7;
        outlay::tests::addTo(e, other);
        const auto report = outlay::pricing::makeReport(e, outlay::tests::catalogs());
        QCOMPARE(report.hosts.size(), std::size_t{4});
        QStringList names;
        for (const auto& row : report.hosts)
            names.append(QString::fromStdString(row.name));
        QCOMPARE(names, (QStringList{"fast", "", "slow", "other"}));
        const auto& slow = report.hosts[2];
        QCOMPARE(slow.run.basis(), Basis::Measured);
        QCOMPARE(slow.run.value(), 35200.0); // nothing is known of its validation
        QCOMPARE(slow.usd.value(), slow.run.value() / 3600 * 2);
        QVERIFY(slow.usd.low() < slow.usd.value() && slow.usd.value() < slow.usd.high());
        QVERIFY(!report.hosts[0].usd.isAvailable()); // its profile has no price
        QVERIFY(!report.hosts[3].run.isAvailable() && !report.hosts[3].isOfDesign);
        // What was measured elsewhere isn't taken for what it takes here.
        QCOMPARE(report.training.here.value(), here(measured()).value());
        QVERIFY(outlay::pricing::makeReport(measured(), outlay::tests::catalogs()).hosts.empty());
    }

    // Eight at once: their prompts as batches were timed, their later tokens as so many together were.
    void answersTogether()
    {
        Experiment e = preset("text-generator")->experiment;
        Measurement m = outlay::tests::measurementOf(e);
        m.inference.count = 100;
        m.inference.p50Ms = m.inference.p95Ms = m.inference.firstTokenMs.emplace(5);
        m.inference.tokenMs = 2;
        m.inference.throughput = {{1, 100, {}}, {8, 400, {}}};
        m.inference.together = {{1, 500, {}}, {8, 2000, {}}};
        outlay::tests::addTo(e, m);
        const auto served = [&](std::int64_t batch) {
            e.serving.batch = batch;
            return outlay::pricing::figuresOf(e, outlay::tests::catalogs()).serving;
        };
        const auto together = served(8);
        const double later = static_cast<double>(e.serving.outputTokens - 1);
        QCOMPARE(together.throughputPerS.basis(), Basis::Measured);
        QCOMPARE(together.throughputPerS.value(), 1 / (1.0 / 400 + later / 2000));
        const auto untimed = served(4);
        QCOMPARE(untimed.throughputPerS.value(), 1000 / untimed.latencyMs.value());
    }
};

OUTLAY_TEST(TestHere)
#include "tst_here.moc"
