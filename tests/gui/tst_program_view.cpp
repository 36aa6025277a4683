// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A command as it is written, and a program that runs as the page shows it.
#include "core/program/program_run.h"
#include "gui/view/command_words.h"
#include "gui/view/program_text.h"
#include "gui/view/program_view.h"
#include "tests/support/english.h"
#include "tests/support/test_class.h"

#include <QStringList>
#include <QTest>

using namespace outlay;
using namespace outlay::gui;
using namespace outlay::tests;

namespace {

core::ProgramMoment momentAt(double seconds, double steps)
{
    return {.seconds = seconds,
            .source = "a progress bar",
            .doneSteps = steps,
            .ofSteps = 1000,
            .stepS = seconds / steps,
            .stepLowS = 0.9 * seconds / steps,
            .stepHighS = 1.1 * seconds / steps,
            .verdict = "steady",
            .wholeS = 1000 * seconds / steps,
            .lowS = 900 * seconds / steps,
            .highS = 1200 * seconds / steps,
            .processorS = 1.5 * seconds,
            .peakBytes = 2e8,
            .processes = 1,
            .waitingShare = 0.05,
            .idleShare = 0.25};
}

LiveProgram program()
{
    return LiveProgram({.command = {QStringLiteral("python3"), QStringLiteral("train.py")},
                        .folder = QStringLiteral("/"),
                        .seconds = 40});
}

QStringList rowOf(const TableData& table, const QString& name)
{
    for (const auto& row : table.rows) {
        if (row.front().text == name)
            return {row[1].text, row[2].text};
    }
    return {};
}

} // namespace

/// What a command prints of a program whose steps were seen.
QString printedOf(const std::string& accelerator, core::StepSource source, bool hasExperiment)
{
    core::ProgramOutcome outcome{.seconds = 30, .wasEnded = true, .accelerator = accelerator};
    outcome.steps.source = source;
    std::vector<core::StepMark> marks;
    for (int i = 1; i <= 30; ++i)
        marks.push_back({double(i), double(i), 100});
    outcome.forecast = core::forecastOf(marks, {}, 0);
    if (source == core::StepSource::Load)
        outcome.forecast = core::asGuess(*outcome.forecast);
    return programText(outcome, {.command = {"train"}}, hasExperiment, English);
}

class TestProgramView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Others of its maker are named where nothing stands for it; of processors and guesses nothing is said.
    void elsewhereWithoutAnExperiment()
    {
        const QString gpu = printedOf("NVIDIA H100 80GB HBM3", core::StepSource::Bar, false);
        QVERIFY2(gpu.contains(QStringLiteral("times as fast:\n  ")), qPrintable(gpu));
        QVERIFY(gpu.contains(QStringLiteral(" in 80 of 100 cases\n")));
        QVERIFY(!gpu.contains(QStringLiteral("  H100: ")));
        QVERIFY(!printedOf("NVIDIA H100 80GB HBM3", core::StepSource::Bar, true)
                     .contains(QStringLiteral("Elsewhere")));
        QVERIFY(printedOf({}, core::StepSource::Bar, false)
                    .contains(QStringLiteral("Elsewhere: unavailable, what processors take")));
        QVERIFY(printedOf("an accelerator of tomorrow", core::StepSource::Bar, false)
                    .contains(QStringLiteral("nothing is listed of an accelerator of tomorrow")));
        const QString guess = printedOf("NVIDIA H100 80GB HBM3", core::StepSource::Load, false);
        QVERIFY(!guess.contains(QStringLiteral("Elsewhere")));
        QVERIFY2(guess.contains(QStringLiteral("(a guess)\n")) &&
                     !guess.contains(QStringLiteral("in 80 of 100")),
                 qPrintable(guess));
    }

    void commandsAreSplit_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QStringList>("words");
        const auto row = [](const char* name, const char* command, const QStringList& words) {
            QTest::newRow(name) << QString::fromUtf8(command) << words;
        };
        const auto w = [](const char* word) { return QString::fromUtf8(word); };
        row("plain", "  python3   train.py ", {w("python3"), w("train.py")});
        row("quotes", "sh -c 'a | b; c' \"d e\"", {w("sh"), w("-c"), w("a | b; c"), w("d e")});
        row("in a word", "--name='my run'x", {w("--name=my runx")});
        row("empty", "a '' b", {w("a"), QString(), w("b")});
        row("escapes", "a\\ b \"c\\\"d\\e\" 'f\\g'", {w("a b"), w("c\"d\\e"), w("f\\g")});
        row("not ASCII", "训练 ünï", {w("训练"), w("ünï")});
        row("assigned later", "env A=1 b", {w("env"), w("A=1"), w("b")});
    }
    void commandsAreSplit()
    {
        QFETCH(QString, command);
        QFETCH(QStringList, words);
        if (words.front().startsWith(QStringLiteral("--")))
            command.prepend(QStringLiteral("x "));
        const auto split = commandWords(command);
        QVERIFY2(split.has_value(), split ? "" : split.error().sentence().c_str());
        QStringList found(split->begin(), split->end());
        if (words.front().startsWith(QStringLiteral("--")))
            found.removeFirst();
        QCOMPARE(found, words);
    }

    void whatNeedsAShellIsRefused_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* command, const char* said) {
            QTest::newRow(command) << QString::fromUtf8(command) << QString::fromUtf8(said);
        };
        row("a | b", "`|` has no meaning");
        row("a > b", "`>` has no meaning");
        row("a && b", "`&` has no meaning");
        row("a $HOME", "`$` has no meaning");
        row("A=1 b", "`A=1` sets no variable; write env before it");
        row("a 'b", "a quote is not closed");
        row("   ", "there is no command");
    }
    void whatNeedsAShellIsRefused()
    {
        QFETCH(QString, command);
        QFETCH(QString, said);
        const auto split = commandWords(command);
        QVERIFY(!split);
        const QString sentence = QString::fromStdString(split.error().sentence());
        QVERIFY2(sentence.contains(said), qPrintable(sentence));
    }

    void nothingIsKnownAtFirst()
    {
        LiveProgram live = program();
        LiveProgramView view = makeLiveProgramView(live, Display);
        QCOMPARE(view.phase, QStringLiteral("Starting `python3 train.py`…"));
        QVERIFY(!view.donePermille && view.figures.rows.empty());
        live.add({.seconds = 1});
        view = makeLiveProgramView(live, Display);
        QCOMPARE(view.phase,
                 QStringLiteral("Running `python3 train.py`: 1 s, too few steps seen yet"));
        for (const char* name :
             {"Step, mean", "No core at work", "Memory, peak", "Cores at work"}) {
            const QStringList row = rowOf(view.figures, QLatin1String(name));
            QVERIFY2(row.value(0) == QStringLiteral("–"), name);
            QVERIFY2(row.value(1).startsWith(QStringLiteral("unavailable: ")), name);
        }
        QVERIFY(view.steps.isEmpty() && view.whole.isEmpty());
    }

    void whatIsSeenIsShown()
    {
        LiveProgram live = program();
        for (int i = 1; i <= 10; ++i)
            live.add(momentAt(i, 20.0 * i));
        const LiveProgramView view = makeLiveProgramView(live, Display);
        QCOMPARE(view.phase,
                 QStringLiteral("Running `python3 train.py`: 10 s, 200 of 1,000 steps"));
        QCOMPARE(view.donePermille.value_or(-1), 250); // of 40 s
        QCOMPARE(rowOf(view.figures, QStringLiteral("Whole run")),
                 (QStringList{QStringLiteral("50 s"),
                              QStringLiteral("forecast; 45 s to 1 min 00 s in 80 of 100 cases")}));
        QCOMPARE(rowOf(view.figures, QStringLiteral("No core at work")).value(0),
                 QStringLiteral("25 %"));
        QCOMPARE(rowOf(view.figures, QStringLiteral("Cores at work")).value(0),
                 QStringLiteral("1.50"));
        QCOMPARE(view.steps.series.front().points.size(), std::size_t{9});
        QCOMPARE(view.steps.series.front().points.back().y, 50.0); // ms
        const ChartPoint& last = view.whole.series.front().points.back();
        QCOMPARE(last.low.value_or(0), 45.0);
        QCOMPARE(last.high.value_or(0), 60.0);
    }

    // The bar is of what was asked for: seconds, steps, or the end.
    void progressIsOfWhatIsAsked()
    {
        LiveProgram steps({.command = {QStringLiteral("x")}, .folder = {}, .steps = 400});
        steps.add(momentAt(10, 200));
        QCOMPARE(makeLiveProgramView(steps, Display).donePermille.value_or(-1), 500);
        LiveProgram whole({.command = {QStringLiteral("x")}, .folder = {}, .isWhole = true});
        whole.add({.seconds = 10});
        QVERIFY(!makeLiveProgramView(whole, Display).donePermille); // of how much?
        whole.add(momentAt(10, 200));
        QCOMPARE(makeLiveProgramView(whole, Display).donePermille.value_or(-1), 200);
    }

    void itsLastWordsAreShown()
    {
        LiveProgram live = program();
        live.add({.seconds = 1});
        for (int i = 0; i < 20; ++i)
            live.print(QStringLiteral("line %1\n").arg(i));
        live.print(QStringLiteral("\r1/9\r2/9\r3/9"));
        const QStringList lines =
            makeLiveProgramView(live, Display).output.split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 6);
        QCOMPARE(lines.last(), QStringLiteral("3/9"));
        QCOMPARE(lines.first(), QStringLiteral("line 15"));
        live.print(QString(100'000, QLatin1Char('x')));
        QVERIFY(live.output().size() < 10'000);
    }

    // A day of moments is no more than some hundreds, over all of the day.
    void oldMomentsAreThinned()
    {
        LiveProgram live = program();
        for (int i = 1; i <= 86'400; ++i)
            live.add(momentAt(i, 20.0 * i));
        const auto& kept = live.moments();
        QVERIFY(kept.size() > 200 && kept.size() <= 600);
        QCOMPARE(kept.front().seconds, 1.0);
        QVERIFY(kept.back().seconds > 86'000);
        QCOMPARE(live.now()->seconds, 86'400.0);
        for (std::size_t i = 2; i < kept.size(); ++i)
            QVERIFY(kept[i].seconds - kept[i - 1].seconds < 500);
    }

    void itsEndIsSaid()
    {
        LiveProgram live = program();
        core::ProgramMoment moment = momentAt(10, 200);
        moment.isEnding = true;
        live.add(moment);
        QVERIFY(makeLiveProgramView(live, Display).phase.startsWith(QStringLiteral("Ending it")));
    }
};

OUTLAY_TEST(TestProgramView)
#include "tst_program_view.moc"
