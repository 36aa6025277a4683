// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// `outlay probe` as scripts use it, with a worker that misbehaves and, where it is built, the real one.
#include "tests/support/run_program.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/stat.h>
#include <unistd.h>

using namespace outlay::tests;

class TestProbeCommand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        QFile::remove(experiment());
        QProcess process;
        process.start(QStringLiteral(OUTLAY_PROGRAM),
                      {QStringLiteral("new"), QStringLiteral("--preset"), QStringLiteral("mlp"),
                       QStringLiteral("-o"), experiment()});
        QVERIFY(process.waitForFinished() && process.exitCode() == 0);
    }

    void failsWithFourAndChangesNothing_data()
    {
        QTest::addColumn<QByteArray>("mode");
        for (const char* mode : {"killed", "segv", "exit", "garbage", "half a line", "flood",
                                 "version", "no memory", "no measurement"})
            QTest::newRow(mode) << QByteArray(mode);
    }
    void failsWithFourAndChangesNothing()
    {
        QFETCH(QByteArray, mode);
        const QByteArray before = contentOf(experiment());
        const Outcome o = probe(mode, {});
        QCOMPARE(o.exitCode, 4);
        QVERIFY(o.out.isEmpty());
        QCOMPARE(o.err.count('\n'), 1);
        QVERIFY2(o.err.contains("mlp.json"), o.err);
        QCOMPARE(contentOf(experiment()), before);
    }

    void storesTheMeasurement()
    {
        const Outcome o = probe("done", {QStringLiteral("--json")});
        QCOMPARE(o.exitCode, 0);
        QCOMPARE(QJsonDocument::fromJson(o.out)
                     .object()
                     .value(QLatin1String("machine"))
                     .toObject()
                     .value(QLatin1String("processor"))
                     .toString(),
                 QStringLiteral("Test processor"));
        probe("done", {});
        const QJsonObject saved = QJsonDocument::fromJson(contentOf(experiment())).object();
        QCOMPARE(saved.value(QLatin1String("measurements")).toArray().size(), 2);
        QVERIFY(saved.value(QLatin1String("model")).toObject().contains(QLatin1String("family")));
    }

    void storesInACopy()
    {
        const QByteArray before = contentOf(experiment());
        const QString copy = m_folder.filePath(QStringLiteral("copy.json"));
        QCOMPARE(probe("done", {QStringLiteral("-o"), copy}).exitCode, 0);
        QCOMPARE(contentOf(experiment()), before);
        QVERIFY(contentOf(copy).contains("\"measurements\""));
    }

    void aPlaceThatCantBeWrittenIsSaid()
    {
        const QByteArray before = contentOf(experiment());
        const Outcome o = probe("done", {QStringLiteral("-o"), QStringLiteral("/dev/full")});
        QCOMPARE(o.exitCode, 4);
        QVERIFY2(o.err.contains("the measurement was made"), o.err);
        QCOMPARE(contentOf(experiment()), before);
    }

    // The first blocks can be written, the rest can't, as on a disk that fills.
    void aDiskThatFillsWhileStoringLosesNothing()
    {
        const QByteArray before = contentOf(experiment());
        qputenv("OUTLAY_PROBE", OUTLAY_FAKE_WORKER);
        qputenv("OUTLAY_FAKE_PROBE", "done");
        QProcess process;
        process.start(QStringLiteral("/bin/sh"),
                      {QStringLiteral("-c"),
                       QStringLiteral("trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""),
                       QStringLiteral(OUTLAY_PROGRAM), QStringLiteral("probe"), experiment(),
                       QStringLiteral("--json")});
        QVERIFY(process.waitForFinished(30000));
        QCOMPARE(process.exitCode(), 4);
        const QByteArray err = process.readAllStandardError();
        QCOMPARE(err.count('\n'), 1);
        QVERIFY2(err.contains("the measurement was made, but it can't be written"), err);
        QVERIFY2(err.contains("free space"), err);
        QVERIFY(!QJsonDocument::fromJson(process.readAllStandardOutput()).isNull());
        QCOMPARE(contentOf(experiment()), before);
        QCOMPARE(QDir(m_folder.path()).entryList({QStringLiteral("mlp.json*")}).size(), 1);
    }

    void interruptedItIsCancelled()
    {
        const QByteArray before = contentOf(experiment());
        for (const char* mode : {"waits", "refuses to stop"}) {
            QProcess process;
            start(process, mode, {});
            QVERIFY(process.waitForStarted());
            // Until its worker runs there is nothing to interrupt.
            const QString children =
                QStringLiteral("/proc/%1/task/%1/children").arg(process.processId());
            QTRY_VERIFY_WITH_TIMEOUT(!contentOf(children).trimmed().isEmpty(), 10000);
            const auto worker = static_cast<pid_t>(contentOf(children).trimmed().toLongLong());
            ::kill(static_cast<pid_t>(process.processId()), SIGINT);
            QVERIFY(process.waitForFinished(10000));
            QCOMPARE(process.exitCode(), 130);
            QCOMPARE(contentOf(experiment()), before);
            QVERIFY(::kill(worker, 0) == -1);
        }
    }

    void interruptedItStoresWhatItHas()
    {
        const QByteArray before = contentOf(experiment());
        QProcess process;
        start(process, "keeps what it has", {});
        QVERIFY(process.waitForStarted());
        const QString children =
            QStringLiteral("/proc/%1/task/%1/children").arg(process.processId());
        QTRY_VERIFY_WITH_TIMEOUT(!contentOf(children).trimmed().isEmpty(), 10000);
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(10000));
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(process.readAllStandardError().contains("what was measured until then is stored"));
        QVERIFY(contentOf(experiment()) != before);
        QVERIFY(contentOf(experiment()).contains("\"cancelled_in\": \"variants: batch\""));
    }

    // A terminal's Ctrl+C reaches the worker, too, which may end of it first.
    void interruptedWithItsWorkerItIsCancelled()
    {
        const QByteArray before = contentOf(experiment());
        for (int i = 0; i < 5; ++i) {
            QProcess process;
            process.setChildProcessModifier([] { ::setsid(); });
            start(process, "waits", {});
            QVERIFY(process.waitForStarted());
            const auto program = static_cast<pid_t>(process.processId());
            const QString children = QStringLiteral("/proc/%1/task/%1/children").arg(program);
            QTRY_VERIFY_WITH_TIMEOUT(!contentOf(children).trimmed().isEmpty(), 10000);
            ::kill(-program, SIGINT);
            QVERIFY(process.waitForFinished(10000));
            QCOMPARE(process.exitCode(), 130);
            QCOMPARE(contentOf(experiment()), before);
        }
    }

    // Saved half while the worker ran: that isn't written over.
    void aFileThatBrokeMeanwhileIsLeftAlone()
    {
        qputenv("OUTLAY_FAKE_FILE", experiment().toLocal8Bit());
        const Outcome o = probe("spoils the file", {QStringLiteral("--json")});
        QCOMPARE(o.exitCode, 4);
        QVERIFY2(o.err.contains("the measurement was made, but"), o.err);
        QVERIFY(!QJsonDocument::fromJson(o.out).isNull());
        QCOMPARE(contentOf(experiment()), QByteArray("{\"format\": "));
    }

    void usageErrors()
    {
        QCOMPARE(probe("done", {QStringLiteral("--seconds"), QStringLiteral("ten")}).exitCode, 2);
        QCOMPARE(probe("done", {QStringLiteral("--seconds"), QStringLiteral("1e9")}).exitCode, 2);
        QCOMPARE(probe("done", {QStringLiteral("--device"), QStringLiteral("tpu")}).exitCode, 2);
    }

    // A point whose probe fails is named; the others' figures are still there.
    void aSweepGoesOnBesideAFailedProbe()
    {
        qputenv("OUTLAY_PROBE", OUTLAY_FAKE_WORKER);
        qputenv("OUTLAY_FAKE_PROBE", "killed");
        const QByteArray before = contentOf(experiment());
        QProcess process;
        sweep(process);
        QCOMPARE(process.exitCode(), 4);
        QVERIFY(process.readAllStandardError().contains("killed (signal 9)"));
        QCOMPARE(process.readAllStandardOutput().trimmed().split('\n').size(), 3);
        QCOMPARE(contentOf(experiment()), before);
    }

#ifdef OUTLAY_REAL_WORKER
    // Measured points are stored as they come and aren't measured again.
    void aMeasuredSweepGoesOnWhereItStopped()
    {
        qputenv("OUTLAY_PROBE", OUTLAY_REAL_WORKER);
        QProcess process;
        sweep(process);
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
        const QByteArray csv = process.readAllStandardOutput();
        const auto stored = [this] {
            return QJsonDocument::fromJson(contentOf(experiment()))
                .object()
                .value(QLatin1String("measurements"))
                .toArray()
                .size();
        };
        QCOMPARE(stored(), 2);
        qputenv("OUTLAY_PROBE", "/no/such/worker");
        sweep(process);
        QCOMPARE(process.exitCode(), 0);
        QCOMPARE(process.readAllStandardOutput(), csv);
        QCOMPARE(stored(), 2);
    }

    void theRealWorkerMeasures()
    {
        qputenv("OUTLAY_PROBE", OUTLAY_REAL_WORKER);
        QProcess process;
        process.start(QStringLiteral(OUTLAY_PROGRAM),
                      {QStringLiteral("probe"), experiment(), QStringLiteral("--seconds"),
                       QStringLiteral("2")});
        QVERIFY(process.waitForFinished(50000));
        const QByteArray err = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 0, err);
        QVERIFY(process.readAllStandardOutput().contains("a step takes"));
        const QJsonObject saved = QJsonDocument::fromJson(contentOf(experiment())).object();
        const QJsonObject m =
            saved.value(QLatin1String("measurements")).toArray().first().toObject();
        const QJsonObject training = m.value(QLatin1String("training")).toObject();
        const QJsonObject step = training.value(QLatin1String("step")).toObject();
        QVERIFY(step.value(QLatin1String("median_s")).toDouble() > 0);
        QVERIFY(step.value(QLatin1String("count")).toInt() >= 2); // few on a busy machine
        QVERIFY(training.value(QLatin1String("training_peak_bytes")).toDouble() > 0);
        const double shares = training.value(QLatin1String("forward_share")).toDouble() +
                              training.value(QLatin1String("backward_share")).toDouble() +
                              training.value(QLatin1String("optimizer_share")).toDouble();
        QVERIFY(qAbs(shares - 1) < 1e-6);
        const QJsonObject inference = m.value(QLatin1String("inference")).toObject();
        QVERIFY(inference.value(QLatin1String("p50_ms")).toDouble() <=
                inference.value(QLatin1String("p99_ms")).toDouble());
        QVERIFY(inference.value(QLatin1String("token_ms")).isNull()); // it generates nothing
        // Each median says where it lies, and of how many.
        const auto holds = [](const QJsonValue& range, double median) {
            return range[QLatin1String("low")].toDouble() <= median &&
                   range[QLatin1String("high")].toDouble() >= median &&
                   range[QLatin1String("count")].toInt() >= 3;
        };
        QVERIFY(holds(inference.value(QLatin1String("p50_range")),
                      inference.value(QLatin1String("p50_ms")).toDouble()));
        QVERIFY(inference.value(QLatin1String("token_range")).isNull());
        for (const QJsonValue row : inference.value(QLatin1String("throughput")).toArray())
            QVERIFY(
                holds(row[QLatin1String("range")], row[QLatin1String("samples_per_s")].toDouble()));
    }

    void theRealWorkerIsCancelled()
    {
        qputenv("OUTLAY_PROBE", OUTLAY_REAL_WORKER);
        QProcess process;
        process.start(QStringLiteral(OUTLAY_PROGRAM),
                      {QStringLiteral("probe"), experiment(), QStringLiteral("--seconds"),
                       QStringLiteral("600")});
        QVERIFY(process.waitForStarted());
        const QString children =
            QStringLiteral("/proc/%1/task/%1/children").arg(process.processId());
        QTRY_VERIFY_WITH_TIMEOUT(!contentOf(children).trimmed().isEmpty(), 10000);
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(20000));
        QCOMPARE(process.exitCode(), 130);
    }

    // Refused on paper, before anything is allocated.
    void theRealWorkerRefusesTheAbsurd_data()
    {
        QTest::addColumn<QByteArray>("job");
        QTest::addColumn<QByteArray>("what");
        const auto job = [](const char* model, const char* training) {
            return QByteArray(R"({"protocol":1,"type":"job","model":)") + model +
                   R"(,"training":)" + training + "}\n";
        };
        QTest::newRow("2^40 words")
            << job(R"({"family":"lstm","hidden":8,"vocabulary":1099511627776})", "{}")
            << QByteArray("/model/vocabulary");
        QTest::newRow("sequence -1") << job(R"({"family":"lstm","hidden":8})", R"({"sequence":-1})")
                                     << QByteArray("/training/sequence");
        QTest::newRow("10^9 layers")
            << job(R"({"family":"lstm","hidden":8,"layers":1000000000})", "{}")
            << QByteArray("/model/layers");
        QTest::newRow("more than there is")
            << job(R"({"family":"mlp","inputs":1000000,"hidden":[1000000],"outputs":1})", "{}")
            << QByteArray("GB free");
        QTest::newRow("no job") << QByteArray("hello\n") << QByteArray("not JSON");
        QTest::newRow("other version")
            << QByteArray("{\"protocol\":7}\n") << QByteArray("version 7");
    }
    void theRealWorkerRefusesTheAbsurd()
    {
        QFETCH(QByteArray, job);
        QFETCH(QByteArray, what);
        QProcess process;
        process.start(QStringLiteral(OUTLAY_REAL_WORKER), {});
        QVERIFY(process.waitForStarted());
        process.write(job);
        QVERIFY(process.waitForFinished(20000));
        QCOMPARE(process.exitCode(), 2);
        const QList<QByteArray> lines = process.readAllStandardOutput().trimmed().split('\n');
        QVERIFY(lines.front().contains("\"hello\""));
        QVERIFY2(lines.back().contains("\"error\"") && lines.back().contains(what), lines.back());
    }

    void theRealWorkerEndsWithItsParent()
    {
        QProcess process;
        process.start(QStringLiteral(OUTLAY_REAL_WORKER), {});
        QVERIFY(process.waitForStarted());
        process.write(
            R"({"protocol":1,"type":"job","seconds":600,"model":{"family":"mlp","inputs":9,"outputs":2}})"
            "\n");
        QVERIFY(process.waitForReadyRead(20000));
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(10000));
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(process.readAllStandardOutput().trimmed().endsWith("{\"type\":\"cancelled\"}"));
    }
#endif

private:
    QString experiment() const
    {
        return m_folder.filePath(QStringLiteral("mlp.json"));
    }

    void start(QProcess& process, const QByteArray& mode, const QStringList& options)
    {
        qputenv("OUTLAY_PROBE", OUTLAY_FAKE_WORKER);
        qputenv("OUTLAY_FAKE_PROBE", mode);
        process.start(QStringLiteral(OUTLAY_PROGRAM),
                      QStringList{QStringLiteral("probe"), experiment()} + options);
    }

    Outcome probe(const QByteArray& mode, const QStringList& options)
    {
        QProcess process;
        start(process, mode, options);
        return outcomeOf(process);
    }

    /// Two batches, measured.
    void sweep(QProcess& process) const
    {
        process.start(QStringLiteral(OUTLAY_PROGRAM),
                      {QStringLiteral("sweep"), experiment(), QStringLiteral("--vary"),
                       QStringLiteral("/training/batch=16,32"), QStringLiteral("--measure"),
                       QStringLiteral("--seconds"), QStringLiteral("0.5"),
                       QStringLiteral("--csv")});
        QVERIFY(process.waitForFinished(50000));
    }

    QTemporaryDir m_folder;
};

OUTLAY_TEST(TestProbeCommand)
#include "tst_probe_command.moc"
