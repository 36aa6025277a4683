// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/presets.h"
#include "core/probe/measurement.h"
#include "pricing/report/here.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay::core;
using outlay::pricing::trainingHere;

namespace {

/// The text generator with a stored measurement of half a second a step.
Experiment measured(Verdict verdict = Verdict::Steady)
{
    Experiment e = preset("text-generator")->experiment;
    Measurement m;
    m.machine.processor = "Test processor";
    m.training.step = timingOf(std::vector<double>(20, 0.5), {});
    m.training.step.verdict = verdict;
    m.training.forwardShare = 0.4;
    m.training.buildS = 1;
    m.training.warmUpS = 2;
    m.model = fieldsOf(e.model);
    m.trainingSettings = fieldsOf(e.training);
    m.servingSettings = fieldsOf(e.serving);
    e.measurements.append(toJson(m));
    return e;
}

Quantity here(const Experiment& e)
{
    static const auto catalogs = outlay::pricing::loadCatalogs("2026-11-20", {});
    return trainingHere(outlay::pricing::subjectOf(e, *catalogs));
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
        Json other = e.measurements.asArray()->front();
        other.find("training")->find("step")->set("mean_s", Json(0.25));
        e.measurements.append(other);
        const double newest = here(e).value();
        other.find("model")->set("hidden", Json(151));
        e.measurements.append(other);
        e.measurements.append(Json("no measurement"));
        QCOMPARE(here(e).value(), newest);
        QVERIFY(newest < here(measured()).value());
    }

    void notMeasuredIsSaid()
    {
        const Quantity q = here(preset("gpt2")->experiment);
        QVERIFY(!q.isAvailable());
        QVERIFY(q.how().note.text().find("outlay probe") != std::string::npos);
    }
};

OUTLAY_TEST(TestHere)
#include "tst_here.moc"
