// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The worker's misbehaviours: each ends in exactly one outcome, with one sentence, and leaves no process.
#include "core/probe/measurements.h"
#include "gui/session/probe_process.h"
#include "tests/support/test_class.h"

#include <QSignalSpy>
#include <QTest>

#include <cerrno>
#include <chrono>
#include <csignal>

using namespace outlay;
using gui::ProbeOutcome;
using gui::ProbeProcess;

namespace {

core::Job smallJob()
{
    core::Job job;
    job.model.design = core::MlpDesign{3, {4}, 2};
    return job;
}

} // namespace

Q_DECLARE_METATYPE(outlay::gui::ProbeOutcome::Kind)

class TestProbeProcess : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { qputenv("OUTLAY_PROBE", OUTLAY_FAKE_WORKER); }
    void init()
    {
        qputenv("OUTLAY_PROBE", OUTLAY_FAKE_WORKER);
        m_outcomes.clear();
    }

    void endsOnce_data()
    {
        using Kind = ProbeOutcome::Kind;
        QTest::addColumn<QByteArray>("mode");
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QByteArray>("what");
        const auto row = [](const char* mode, Kind kind, const char* what) {
            QTest::newRow(mode) << QByteArray(mode) << kind << QByteArray(what);
        };
        row("done", Kind::Done, "");
        row("killed", Kind::Failed, "killed (signal 9), most often because memory ran out");
        row("segv", Kind::Failed, "crashed (signal 11)");
        row("exit", Kind::Failed, "something went wrong");
        row("exit quietly", Kind::Failed, "without a result");
        row("garbage", Kind::Failed, "no message");
        row("unknown type", Kind::Done, "");
        row("no type", Kind::Failed, "without a type");
        row("half a line", Kind::Failed, "without a result");
        row("long line", Kind::Failed, "without end");
        row("flood", Kind::Failed, "floods");
        row("many", Kind::Done, "");
        row("warnings", Kind::Done, "");
        row("version", Kind::Failed, "protocol version 2, and this program 1");
        row("no memory", Kind::Failed, "no memory left");
        row("no measurement", Kind::Failed, "without a measurement");
        row("two ends", Kind::Done, "");
        row("lingers", Kind::Done, "");
    }
    void endsOnce()
    {
        QFETCH(QByteArray, mode);
        QFETCH(ProbeOutcome::Kind, kind);
        QFETCH(QByteArray, what);
        qputenv("OUTLAY_FAKE_PROBE", mode);
        ProbeProcess probe;
        watch(probe);
        probe.start(smallJob());
        QTRY_COMPARE_WITH_TIMEOUT(m_outcomes.size(), 1, 20000);
        QCOMPARE(m_outcomes.front().kind, kind);
        const QByteArray sentence = QByteArray::fromStdString(m_outcomes.front().error.sentence());
        QVERIFY2(sentence.contains(what), sentence);
        QVERIFY(kind != ProbeOutcome::Kind::Failed ||
                m_outcomes.front().error.code == core::ErrorCode::Measurement);
        QVERIFY(!probe.isRunning());
        QCOMPARE(probe.processId(), 0);
    }

    void whatANewerWorkerSaysIsAWarning()
    {
        qputenv("OUTLAY_FAKE_PROBE", "unknown type");
        ProbeProcess probe;
        watch(probe);
        QSignalSpy warned(&probe, &ProbeProcess::warned);
        probe.start(smallJob());
        QTRY_COMPARE_WITH_TIMEOUT(m_outcomes.size(), 1, 10000);
        QCOMPARE(warned.size(), 1);
        QVERIFY(warned.front().front().toString().contains(QStringLiteral("'dance'")));
    }

    void aSilentWorkerIsEnded()
    {
        qputenv("OUTLAY_FAKE_PROBE", "silent");
        ProbeProcess probe;
        probe.setLongestSilence(std::chrono::milliseconds(500));
        watch(probe);
        probe.start(smallJob());
        QTRY_COMPARE_WITH_TIMEOUT(m_outcomes.size(), 1, 10000);
        QCOMPARE(m_outcomes.front().kind, ProbeOutcome::Kind::Failed);
        QVERIFY(m_outcomes.front().error.what.find("silent for 0.5 s") != std::string::npos);
        QCOMPARE(probe.processId(), 0);
    }

    // Its heart beats, and it doesn't come on.
    void aWorkerThatStandsStillIsEnded()
    {
        qputenv("OUTLAY_FAKE_PROBE", "stands still");
        ProbeProcess probe;
        probe.setLongestStandstill(std::chrono::milliseconds(500));
        watch(probe);
        probe.start(smallJob());
        QTRY_COMPARE_WITH_TIMEOUT(m_outcomes.size(), 1, 10000);
        QCOMPARE(m_outcomes.front().kind, ProbeOutcome::Kind::Failed);
        QVERIFY(m_outcomes.front().error.what.find("hasn't come on for 0.5 s") !=
                std::string::npos);
        QCOMPARE(probe.processId(), 0);
    }

    void ofManyWarningsTheFirstAreSaid()
    {
        qputenv("OUTLAY_FAKE_PROBE", "warnings");
        ProbeProcess probe;
        watch(probe);
        QSignalSpy warned(&probe, &ProbeProcess::warned);
        probe.start(smallJob());
        QTRY_COMPARE_WITH_TIMEOUT(m_outcomes.size(), 1, 10000);
        QCOMPARE(warned.size(), 50);
        QCOMPARE(warned.front().front().toString(), QStringLiteral("warning 0"));
    }

    // One listens to being asked; the other has to be killed.
    void cancels_data()
    {
        QTest::addColumn<QByteArray>("mode");
        QTest::addColumn<int>("boundMs");
        QTest::newRow("waits") << QByteArray("waits") << 500;
        QTest::newRow("refuses to stop") << QByteArray("refuses to stop") << 4500;
    }
    void cancels()
    {
        QFETCH(QByteArray, mode);
        QFETCH(int, boundMs);
        qputenv("OUTLAY_FAKE_PROBE", mode);
        ProbeProcess probe;
        watch(probe);
        QSignalSpy progressed(&probe, &ProbeProcess::progressed);
        probe.start(smallJob());
        QTRY_COMPARE_WITH_TIMEOUT(progressed.size(), 1, 10000);
        probe.cancel();
        probe.cancel();
        // It is asked, then told, then ended.
        QTRY_COMPARE_WITH_TIMEOUT(m_outcomes.size(), 1, outlay::tests::Slower * boundMs);
        QCOMPARE(m_outcomes.front().kind, ProbeOutcome::Kind::Cancelled);
        QCOMPARE(probe.processId(), 0);
    }

    // Its tries are told as they come, and what it has when it is asked to stop is a result.
    void whatACancelledWorkerHasIsKept()
    {
        qputenv("OUTLAY_FAKE_PROBE", "keeps what it has");
        ProbeProcess probe;
        watch(probe);
        QStringList tried;
        connect(&probe, &ProbeProcess::tried, this, [&](const core::VariantMeasurement& variant) {
            tried.append(QString::fromStdString(variant.name));
        });
        core::Job job = smallJob();
        job.variants = {"batch"};
        probe.start(job);
        QTRY_COMPARE_WITH_TIMEOUT(tried, QStringList{QStringLiteral("batch 256")}, 10000);
        probe.cancel();
        QTRY_COMPARE_WITH_TIMEOUT(m_outcomes.size(), 1, 10000);
        QCOMPARE(m_outcomes.front().kind, ProbeOutcome::Kind::Done);
        QCOMPARE(core::cancelledIn(m_outcomes.front().measurement), "variants: batch");
    }

    void aMissingWorkerIsSaid()
    {
        qputenv("OUTLAY_PROBE", "/no/such/outlay-probe");
        ProbeProcess probe;
        watch(probe);
        probe.start(smallJob());
        QTRY_COMPARE_WITH_TIMEOUT(m_outcomes.size(), 1, 10000);
        const std::string sentence = m_outcomes.front().error.sentence();
        QVERIFY(sentence.find("can't be started") != std::string::npos);
        QVERIFY(sentence.find("OUTLAY_PROBE") != std::string::npos);
    }

    void runsAgain()
    {
        qputenv("OUTLAY_FAKE_PROBE", "killed");
        ProbeProcess probe;
        watch(probe);
        for (int i = 1; i <= 3; ++i) {
            qputenv("OUTLAY_FAKE_PROBE", i == 2 ? "killed" : "done");
            probe.start(smallJob());
            QTRY_COMPARE_WITH_TIMEOUT(m_outcomes.size(), i, 10000);
        }
        QCOMPARE(m_outcomes[1].kind, ProbeOutcome::Kind::Failed);
        QCOMPARE(m_outcomes[2].kind, ProbeOutcome::Kind::Done);
    }

    void goingAwayEndsTheWorker()
    {
        qputenv("OUTLAY_FAKE_PROBE", "refuses to stop");
        qint64 pid = 0;
        {
            ProbeProcess probe;
            QSignalSpy progressed(&probe, &ProbeProcess::progressed);
            probe.start(smallJob());
            QTRY_COMPARE_WITH_TIMEOUT(progressed.size(), 1, 10000);
            pid = probe.processId();
            QVERIFY(pid > 0);
            QCOMPARE(::kill(static_cast<pid_t>(pid), 0), 0);
        }
        // It is killed at once; the event loop collects what is left of it.
        QTRY_VERIFY(::kill(static_cast<pid_t>(pid), 0) == -1 && errno == ESRCH);
    }

private:
    void watch(ProbeProcess& probe)
    {
        connect(&probe, &ProbeProcess::finished, this,
                [this](const ProbeOutcome& outcome) { m_outcomes.append(outcome); });
    }

    QList<ProbeOutcome> m_outcomes;
};

OUTLAY_TEST(TestProbeProcess)
#include "tst_probe_process.moc"
