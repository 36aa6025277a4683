// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The real program writes applications for compute time: a page of text and one of paper, in a centre's units.
#include "core/experiment/presets.h"
#include "tests/support/run_program.h"
#include "tests/support/test_class.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace outlay::tests;

class TestApplicationCommand : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        for (const char* preset : {"gpt2", "llama-65b-pretraining"})
            QCOMPARE(run({"new", "--preset", preset, "-o", QByteArray(preset) + ".json"}).exitCode,
                     0);
    }

    void bothPagesAreWritten()
    {
        const Outcome o =
            run({"report", "gpt2.json", "--out", "asked", "--format", "application", "--centre",
                 "snellius-h100", "--devices", "4", "--runs", "12", "--reserve", "25"});
        QVERIFY2(o.err.isEmpty(), o.err);
        QCOMPARE(o.exitCode, 0);
        QCOMPARE(o.out, QByteArray("asked/application.pdf\nasked/application.md\n"));
        const QByteArray text = contentOf(at("asked/application.md"));
        QVERIFY(text.startsWith("# Application for compute time: GPT-2"));
        for (const char* part :
             {" SBU**, ", "for 12 runs on 4 x H100-80GB-SXM5 on 1 node, with a reserve of 25 %",
              "| 4, asked |", "192 for an hour of a device"})
            QVERIFY2(text.contains(part), part);
    }

    // However much there is to say.
    void thePaperIsOneSheet_data()
    {
        QTest::addColumn<QByteArray>("preset");
        QTest::addColumn<QByteArray>("devices");
        QTest::newRow("few") << QByteArray("gpt2") << QByteArray("1");
        QTest::newRow("many") << QByteArray("gpt2") << QByteArray("2048");
        QTest::newRow("too large") << QByteArray("llama-65b-pretraining") << QByteArray("1");
    }
    void thePaperIsOneSheet()
    {
        QFETCH(QByteArray, preset);
        QFETCH(QByteArray, devices);
        const Outcome o = run({"report", preset + ".json", "--out", "paper", "--format",
                               "application", "--centre", "lumi-g", "--devices", devices});
        QVERIFY2(o.exitCode == 0 && o.err.isEmpty(), o.err);
        const QByteArray pdf = contentOf(at("paper/application.pdf"));
        QVERIFY(pdf.startsWith("%PDF-"));
        QCOMPARE(pdf.count("/Type /Page\n"), 1);
        QVERIFY(pdf.contains("/Type /Font")); // text that can be searched, not a picture of it
        QVERIFY(pdf.contains("/MediaBox [0 0 595") && pdf.contains(" 842"));
    }

    void beside_data()
    {
        QTest::addColumn<QList<QByteArray>>("words");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, QList<QByteArray> words, const char* says) {
            QTest::newRow(name) << std::move(words) << QByteArray(says);
        };
        row("centre", {"--centre", "lumi-k"}, "did you mean lumi-");
        row("no such", {"--centre", "nowhere"}, "give any of lumi-g, ");
        row("devices", {"--devices", "0"}, "--devices is '0'; give a whole number");
        row("half", {"--devices", "1.5"}, "--devices is '1.5'");
        row("too many", {"--devices", "100000"},
            "--devices is '100000'; give a whole number from 1 to 4,096");
        row("too many runs", {"--runs", "1e7"}, "give a whole number from 1 to 1,000,000");
        row("runs", {"--runs", "many"}, "--runs is 'many'");
        row("reserve", {"--reserve", "-5"}, "give percent from 0 to 1,000");
        row("no reserve", {"--reserve", "x"}, "--reserve is 'x'");
    }
    void beside()
    {
        QFETCH(QList<QByteArray>, words);
        QFETCH(QByteArray, says);
        const Outcome o = run(
            QList<QByteArray>{"report", "gpt2.json", "--out", "not", "--format", "application"} +
            words);
        QVERIFY2(isRefusal(o, says), o.err);
        QVERIFY(!QFile::exists(at("not")));
    }

    // What is said of an application and isn't for one would be forgotten silently.
    void onlyAnApplicationHasACentre()
    {
        const Outcome o =
            run({"report", "gpt2.json", "--out", "not", "--format", "md", "--centre", "lumi-g"});
        QVERIFY2(isRefusal(o, "give --format application, too"), o.err);
    }

    void helpNamesThem()
    {
        const Outcome o = run({"report", "--help"});
        for (const char* option : {"--centre NAME", "--devices N", "--runs N", "--reserve PERCENT"})
            QVERIFY2(o.out.contains(option), option);
    }

private:
    Outcome run(const QList<QByteArray>& words) const
    {
        return runWithoutDisplay(words, m_folder.path());
    }

    QString at(const char* name) const { return m_folder.filePath(QLatin1String(name)); }

    QTemporaryDir m_folder;
};

OUTLAY_TEST(TestApplicationCommand)
#include "tst_application_command.moc"
