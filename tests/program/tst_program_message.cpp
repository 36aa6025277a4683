// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What `outlay run --live` says, written and read; and what of a run it tells.
#include "core/program/program_message.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay::core;

class TestProgramMessage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void linesComeBack()
    {
        const ProgramMoment moment{.seconds = 12.5,
                                   .isEnding = true,
                                   .source = "a progress bar",
                                   .doneSteps = 40,
                                   .ofSteps = 500,
                                   .stepS = 0.25,
                                   .stepLowS = 0.24,
                                   .stepHighS = 0.26,
                                   .verdict = "steady",
                                   .pausedS = 1.5,
                                   .pauses = 2,
                                   .wholeS = 130,
                                   .lowS = 120,
                                   .highS = 140,
                                   .processorS = 11,
                                   .peakBytes = 3e8,
                                   .processes = 3,
                                   .waitingShare = 0.1,
                                   .idleShare = 0.2,
                                   .accelerator = "one"};
        Json measurement = Json::object();
        measurement.set("created", Json("today"));
        for (const ProgramMessage& message :
             {ProgramMessage(moment), ProgramMessage(ProgramMoment{.seconds = 1}),
              ProgramMessage(ProgramDone{measurement, "it failed"}),
              ProgramMessage(ProgramFailed{"what", "remedy"})}) {
            const std::string line = lineOf(message);
            QVERIFY(line.ends_with("}\n") && line.find('\n') == line.size() - 1);
            const auto read = readProgramMessage(line);
            QVERIFY2(read.has_value(), read ? "" : read.error().sentence().c_str());
            QVERIFY(*read == message);
        }
    }

    void nonsenseIsRefused_data()
    {
        QTest::addColumn<QString>("line");
        QTest::newRow("no JSON") << QStringLiteral("step 5/10");
        QTest::newRow("no type") << QStringLiteral("{}");
        QTest::newRow("unknown") << QStringLiteral(R"({"type":"dance"})");
        QTest::newRow("no time") << QStringLiteral(R"({"type":"moment"})");
        QTest::newRow("no number") << QStringLiteral(R"({"type":"moment","seconds":"five"})");
        QTest::newRow("no measurement") << QStringLiteral(R"({"type":"done"})");
        QTest::newRow("no reason") << QStringLiteral(R"({"type":"failed"})");
    }
    void nonsenseIsRefused()
    {
        QFETCH(QString, line);
        QVERIFY(!readProgramMessage(line.toStdString()));
    }

    // What isn't known yet is nothing, and never 0.
    void unknownIsNothing()
    {
        ProgramOutcome soFar{.seconds = 2};
        const ProgramMoment begin = momentOf(soFar);
        QVERIFY(!begin.doneSteps && !begin.stepS && !begin.wholeS && !begin.idleShare);
        QVERIFY(begin.source.empty());
        soFar.forecast = ProgramForecast{};
        soFar.forecast->doneSteps = 7;
        soFar.forecast->step.meanS = 0.3;
        const ProgramMoment some = momentOf(soFar);
        QCOMPARE(some.doneSteps.value_or(0), 7.0);
        QCOMPARE(some.stepS.value_or(0), 0.3);
        QVERIFY(!some.wholeS && !some.lowS && !some.highS); // nobody knows of how many
        soFar.forecast->ofSteps = 100;
        soFar.forecast->wholeS = 30;
        QCOMPARE(momentOf(soFar).wholeS.value_or(0), 30.0);
    }
};

OUTLAY_TEST(TestProgramMessage)
#include "tst_program_message.moc"
