// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// `outlay run`: a program under it says, reads and returns what it does alone.
#include "tests/support/run_program.h"
#include "tests/support/test_class.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace outlay::tests;

namespace {

/// So many steps of 30 ms with their number of all.
const QString Counting = QStringLiteral(
    "i=0; while [ $i -lt %2 ]; do i=$((i+1)); echo \"step $i/%1\" >&2; sleep 0.03; done");

} // namespace

class TestRunCommand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        QFile::remove(experiment());
        QCOMPARE(outlay({QStringLiteral("new"), QStringLiteral("--preset"), QStringLiteral("mlp"),
                         QStringLiteral("-o"), experiment()})
                     .exitCode,
                 0);
    }

    void theStatusIsThePrograms_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<int>("status");
        QTest::newRow("done") << QStringLiteral("exit 0") << 0;
        QTest::newRow("failed") << QStringLiteral("exit 7") << 7;
        QTest::newRow("killed") << QStringLiteral("kill -9 $$") << 137;
    }
    void theStatusIsThePrograms()
    {
        QFETCH(QString, script);
        QFETCH(int, status);
        QCOMPARE(run({}, script).exitCode, status);
    }

    // For a window: moments and the measurement as lines; what the program prints goes elsewhere; the end of standard
    // input ends it.
    void liveLines()
    {
        QProcess process;
        process.start(QStringLiteral(OUTLAY_PROGRAM),
                      {QStringLiteral("run"), QStringLiteral("--live"), QStringLiteral("--whole"),
                       experiment(), QStringLiteral("--"), QStringLiteral("sh"),
                       QStringLiteral("-c"),
                       QStringLiteral("cat; echo printed; ") + Counting.arg(900).arg(900)});
        QVERIFY(process.waitForReadyRead());
        QTest::qWait(2500);
        process.closeWriteChannel();
        const Outcome o = outcomeOf(process);
        QCOMPARE(o.exitCode, 0);
        QVERIFY(o.err.contains("printed\n") && o.err.contains("step 10/900"));
        const QList<QByteArray> lines = o.out.trimmed().split('\n');
        QVERIFY(lines.size() >= 4);
        for (qsizetype i = 0; i + 1 < lines.size(); ++i)
            QVERIFY2(lines[i].startsWith(R"({"type":"moment",)"), lines[i].constData());
        QVERIFY2(lines.last().startsWith(R"({"type":"done",)"), lines.last().constData());
        const QJsonObject program =
            QJsonDocument::fromJson(lines.last())
                .object()[QStringLiteral("measurement")][QStringLiteral("program")]
                .toObject();
        QVERIFY(program[QStringLiteral("whole_s")].toDouble() > 27); // of which it made few
        QVERIFY(program[QStringLiteral("done_steps")].toDouble() < 300);
        // It only tells, and needs an experiment to tell of.
        QVERIFY(isRefusal(outlay({QStringLiteral("run"), QStringLiteral("--live"),
                                  QStringLiteral("--"), QStringLiteral("true")}),
                          "--live"));
    }

    // Its output and what it complains of pass through; its words are its own, `--help` too.
    void whatItSaysPasses()
    {
        const Outcome o =
            outlay({QStringLiteral("run"), QStringLiteral("--"), QStringLiteral("sh"),
                    QStringLiteral("-c"), QStringLiteral("echo \"$0 $1\"; echo complaint >&2"),
                    QStringLiteral("--help"), QStringLiteral("--seconds")});
        QCOMPARE(o.out, QByteArray("--help --seconds\n"));
        QVERIFY(o.err.contains("\ncomplaint\n"));
        QVERIFY(o.err.startsWith("outlay: running `sh`"));
    }

    void aMillionLines()
    {
        const Outcome o = run({}, QStringLiteral("seq 1000000; seq 1000000 >&2"));
        QCOMPARE(o.exitCode, 0);
        QCOMPARE(o.out.count('\n'), 1000000);
        QVERIFY(o.err.count('\n') > 1000000);
        QVERIFY(o.err.contains("\n999999\n1000000\n"));
    }

    void standardInputIsIts()
    {
        QProcess process;
        process.start(QStringLiteral(OUTLAY_PROGRAM),
                      {QStringLiteral("run"), QStringLiteral("--"), QStringLiteral("cat")});
        process.write("from here\n");
        process.closeWriteChannel();
        const Outcome o = outcomeOf(process);
        QCOMPARE(o.out, QByteArray("from here\n"));
        QCOMPARE(o.exitCode, 0);
    }

    // A terminal stays one, for what it writes to standard error, too.
    void aTerminalStaysOne()
    {
        QProcess process;
        process.start(
            QStringLiteral("script"),
            {QStringLiteral("-qec"),
             QStringLiteral(OUTLAY_PROGRAM " run -- sh -c 'test -t 0 && test -t 1 && test -t 2 && "
                                           "echo all of them; exit 4'"),
             QStringLiteral("/dev/null")});
        QVERIFY(process.waitForStarted()); // of Debian's essential packages, it makes the terminal
        const Outcome o = outcomeOf(process);
        QVERIFY2(o.out.contains("all of them"), o.out);
        QCOMPARE(o.exitCode, 4);
    }

    void theWholeRunIsForecast()
    {
        const Outcome o =
            run({QStringLiteral("--steps"), QStringLiteral("15")}, Counting.arg(4000).arg(200));
        QCOMPARE(o.exitCode, 0);
        QVERIFY2(o.err.contains("of 4,000, told by a progress bar"), o.err);
        QVERIFY(o.err.contains("The whole run: ") && o.err.contains("(forecast)"));
        const Outcome given = run({QStringLiteral("--steps"), QStringLiteral("15"),
                                   QStringLiteral("--of"), QStringLiteral("9000")},
                                  Counting.arg(4000).arg(200));
        QVERIFY(given.err.contains("of 9,000"));
    }

    void itIsStoredInTheExperiment()
    {
        const QString json = m_folder.filePath(QStringLiteral("sent.json"));
        const Outcome o =
            run({QStringLiteral("--json"), json, experiment()}, Counting.arg(20).arg(20));
        QCOMPARE(o.exitCode, 0);
        const QJsonObject sent = QJsonDocument::fromJson(contentOf(json)).object();
        QVERIFY(
            sent.value(QLatin1String("program")).toObject().value(QLatin1String("whole")).toBool());
        QVERIFY(o.err.contains("the program makes 20 steps"));
        const Outcome estimate = outlay({QStringLiteral("estimate"), experiment()});
        QVERIFY(estimate.out.contains("20 of 20 steps of the program seen"));
    }

    void withoutStepsNothingIsStored()
    {
        const QByteArray before = contentOf(experiment());
        const Outcome o = run({experiment()}, QStringLiteral("exit 0"));
        QCOMPARE(o.exitCode, 4);
        QVERIFY(o.err.contains("no step of it was seen"));
        QCOMPARE(contentOf(experiment()), before);
        QCOMPARE(run({experiment()}, QStringLiteral("exit 7")).exitCode, 7);
    }

    // Before the program has run for nothing.
    void aPlaceThatCantBeWrittenIsSaidFirst()
    {
        const Outcome o =
            run({QStringLiteral("-o"), QStringLiteral("/nowhere/x.json"), experiment()},
                QStringLiteral("echo it ran"));
        QVERIFY(o.exitCode != 0 && o.out.isEmpty());
        QVERIFY2(o.err.contains("/nowhere"), o.err);
    }

    void badLinesAreRefused_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("what");
        const auto row = [](const char* name, const QString& words, const char* what) {
            QTest::newRow(name) << words.split(QLatin1Char(' ')) << QByteArray(what);
        };
        row("no program", QStringLiteral("run"), "got no program");
        row("nothing behind", QStringLiteral("run --"), "got no program");
        row("two ends", QStringLiteral("run --seconds 9 --whole -- true"), "more than one end");
        row("no number", QStringLiteral("run --steps few -- true"), "--steps is 'few'");
        row("a part", QStringLiteral("run --of 1.5 -- true"), "--of is '1.5'");
        row("no time", QStringLiteral("run --seconds 0 -- true"), "--seconds is '0'");
        row("nowhere", QStringLiteral("run -o x.json -- true"), "no experiment");
        row("no file", QStringLiteral("run nowhere.json -- true"), "nowhere.json");
    }
    void badLinesAreRefused()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, what);
        const Outcome o = outlay(words);
        QVERIFY2(isRefusal(o, what), o.err);
    }

private:
    [[nodiscard]] QString experiment() const
    {
        return m_folder.filePath(QStringLiteral("mlp.json"));
    }

    static Outcome outlay(const QStringList& words)
    {
        QProcess process;
        process.start(QStringLiteral(OUTLAY_PROGRAM), words);
        return outcomeOf(process);
    }

    static Outcome run(const QStringList& options, const QString& script)
    {
        return outlay(
            QStringList{QStringLiteral("run")} + options +
            QStringList{QStringLiteral("--"), QStringLiteral("sh"), QStringLiteral("-c"), script});
    }

    QTemporaryDir m_folder;
};

OUTLAY_TEST(TestRunCommand)
#include "tst_run_command.moc"
