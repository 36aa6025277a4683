// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Real programs that behave and that don't: what they do is seen, and nothing of them is left.
#include "core/experiment/presets.h"
#include "core/program/program_measurement.h"
#include "core/program/program_run.h"
#include "tests/support/test_class.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/wait.h>

using namespace outlay::core;

namespace {

constexpr Patience Short{.interruptS = 0.5, .terminateS = 0.5};

ProgramJob shell(const std::string& script, double seconds = 60)
{
    return {.command = {"sh", "-c", script}, .seconds = seconds};
}

/// Counts on standard error, as fast as is asked.
const std::string Counting = "i=0; while [ $i -lt 1000 ]; do i=$((i+1)); "
                             "printf '\\r%d%%|## | %d/1000 [9.9it/s]' $((i/10)) $i >&2; "
                             "sleep 0.02; done";

bool isRunning(const QString& pidFile)
{
    QFile file(pidFile);
    if (!file.open(QIODevice::ReadOnly))
        return false;
    return ::kill(file.readAll().trimmed().toInt(), 0) == 0;
}

} // namespace

class TestProgramRun : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void statusIsThePrograms()
    {
        const auto fine = runProgram(shell("exit 0"));
        QVERIFY(fine && fine->status == 0 && !fine->wasEnded);
        const auto failed = runProgram(shell("exit 7"));
        QVERIFY(failed && WIFEXITED(failed->status) && WEXITSTATUS(failed->status) == 7);
        QVERIFY(findingsOf(*failed).empty());
        const auto killed = runProgram(shell("kill -9 $$"));
        QVERIFY(killed && WIFSIGNALED(killed->status) && WTERMSIG(killed->status) == SIGKILL);
    }

    void whatCantBeStarted()
    {
        const auto missing = runProgram({.command = {"/nowhere/nothing"}});
        QVERIFY(!missing);
        QVERIFY(missing.error().sentence().find("/nowhere/nothing") != std::string::npos);
        QVERIFY(!runProgram({.command = {"/etc/passwd"}}));
        QVERIFY(ProcessTree::members().empty());
    }

    void stepsAreSeen()
    {
        const auto run = runProgram(shell(Counting, 3), Short);
        QVERIFY(run && run->wasEnded && run->forecast);
        QCOMPARE(run->steps.source, StepSource::Bar);
        QCOMPARE(run->forecast->ofSteps, std::optional(1000.0));
        QVERIFY(run->forecast->step.meanS > 0.019 && run->forecast->step.meanS < 0.1);
        QVERIFY(run->forecast->wholeS > 19);
        QVERIFY(run->usage.processes >= 1 && run->usage.peakBytes > 0);
        const auto m =
            measurementOf(*run, {"sh", "-c", "x"}, jobOf(preset("text-generator")->experiment));
        QVERIFY(m && m->program && m->program->wholeS && !m->program->isWhole);
        const auto again = readMeasurement(toJson(*m));
        QVERIFY(again && again->program == m->program);
    }

    void itsOwnLinesComeFirst()
    {
        const auto run =
            runProgram(shell("for i in 1 2 3 4 5 6; do echo \"{\\\"step\\\": $i, \\\"of\\\": 60}\" "
                             ">&${OUTLAY_STEPS_FD%%:*}; sleep 0.05; done"));
        QVERIFY(run && run->forecast && !run->wasEnded);
        QCOMPARE(run->steps.source, StepSource::Lines);
        QCOMPARE(run->forecast->doneSteps, 6.0);
        QVERIFY(findingsOf(*run).empty());
    }

    void linesThatAreNoStepsAreTold()
    {
        const auto run =
            runProgram(shell("echo '{\"steps\": 1}' >&${OUTLAY_STEPS_FD%%:*}; sleep 0.2"));
        QVERIFY(run && run->steps.leftOut == 1);
        QVERIFY(findingsOf(*run).front().starts_with("1 lines on its descriptor"));
    }

    void itEndsAfterSteps()
    {
        ProgramJob job = shell(Counting);
        job.steps = 40;
        const auto run = runProgram(job, Short);
        QVERIFY(run && run->wasEnded);
        QVERIFY(run->forecast->doneSteps >= 40 && run->forecast->doneSteps < 400);
    }

    void whoIgnoresInterrupts()
    {
        QElapsedTimer timer;
        timer.start();
        const auto run =
            runProgram(shell("trap '' INT TERM; while :; do sleep 0.1; done", 0.5), Short);
        QVERIFY(run && run->wasEnded);
        QVERIFY(timer.elapsed() < 20'000);
        QVERIFY(ProcessTree::members().empty());
    }

    // In a session of its own, with its parent gone.
    void orphansAreFound()
    {
        const QTemporaryDir folder;
        const QString pid = folder.filePath(QStringLiteral("pid"));
        const auto run =
            runProgram(shell("setsid sh -c 'echo $$ > " + pid.toStdString() +
                             "; exec sleep 100' </dev/null >/dev/null 2>&1 & sleep 0.3; exit 3"));
        QVERIFY(run && WEXITSTATUS(run->status) == 3);
        QVERIFY(run->leftBehind >= 1);
        QVERIFY(!isRunning(pid));
        QVERIFY(ProcessTree::members().empty());
        QVERIFY(!findingsOf(*run).empty());
    }

    void manyProcesses()
    {
        const auto run = runProgram(shell("for i in $(seq 64); do sleep 2.5 & done; wait; exit 5"));
        QVERIFY(run && WEXITSTATUS(run->status) == 5);
        QVERIFY2(run->usage.processes >= 60, qPrintable(QString::number(run->usage.processes)));
        QVERIFY(ProcessTree::members().empty());
    }

    // Its processor time is all of its processes'.
    void processorTimeIsOfAll()
    {
        const auto run =
            runProgram(shell("sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'; :"));
        QVERIFY(run && run->usage.processorS > 0.05);
        QVERIFY(run->usage.processorS < 1.5 * run->seconds);
    }

    // What sleeps has no core at work; what counts has one, also where others take it now and then.
    void idleTimeIsTold()
    {
        const auto asleep = runProgram(shell("sleep 3"));
        QVERIFY(asleep && idleShareOf(asleep->usage).value_or(0) > 0.9);
        const auto busy = runProgram(shell("while :; do :; done", 3), Short);
        QVERIFY(busy && idleShareOf(busy->usage).value_or(1) < 0.2);
        QVERIFY(!idleShareOf(TreeUsage{}));
    }

    // Somebody's wish ends it as the time does; moments come until then.
    void itIsEndedOnRequest()
    {
        ProgramJob job = shell(Counting);
        job.isWhole = true;
        double lastS = -1;
        int moments = 0;
        job.tellFirstS = 0;
        job.tellEveryS = 0.2;
        job.tell = [&](const ProgramOutcome& soFar) {
            lastS = soFar.seconds;
            ++moments;
        };
        job.isAskedToEnd = [&] { return lastS > 1; };
        const auto run = runProgram(job, Short);
        QVERIFY(run && run->wasEnded && !run->isWhole());
        QVERIFY(run->seconds > 1 && run->seconds < 10);
        QVERIFY2(moments >= 4, qPrintable(QString::number(moments)));
        QVERIFY(run->forecast && run->forecast->ofSteps == std::optional(1000.0));
    }

    // A signal to this process alone is the program's.
    void signalsArePassedOn()
    {
        ProgramJob job = shell("trap 'exit 9' USR1; while :; do sleep 0.05; done");
        bool isSent = false;
        job.tellFirstS = 0.5;
        job.tell = [&](const ProgramOutcome& soFar) {
            if (soFar.seconds > 0.5 && !isSent)
                ::raise(SIGUSR1);
            isSent = isSent || soFar.seconds > 0.5;
        };
        const auto run = runProgram(job, Short);
        QVERIFY(run && WIFEXITED(run->status) && WEXITSTATUS(run->status) == 9);
        QVERIFY(!run->wasEnded);
    }

    // MLflow's file is found by its folder, and because it was written since the program began.
    void trackersAreFollowed()
    {
        const QTemporaryDir folder;
        const std::string name =
            folder.filePath(QStringLiteral("mlruns/0/run/metrics")).toStdString();
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(folder.path()));
        const auto run =
            runProgram(shell("mkdir -p " + name +
                             "; for i in $(seq 30); do echo \"$(date +%s%3N) 0.5 $((10*i))\" >> " +
                             name + "/loss; sleep 0.05; done; sleep 1"));
        QVERIFY(QDir::setCurrent(before));
        QVERIFY(run && run->forecast);
        QCOMPARE(run->forecast->pauses, 0); // though it waits for a second at its end
        QCOMPARE(run->steps.source, StepSource::Metrics);
        QCOMPARE(run->forecast->doneSteps, 300.0);
    }

    // As Transformers write it with each checkpoint, and keep no more than the last two.
    void checkpointsAreSeen()
    {
        const QTemporaryDir folder;
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(folder.path()));
        const auto run = runProgram(
            shell("for i in $(seq 8); do d=out/checkpoint-$((50*i)); mkdir -p $d; echo "
                  "'{\"global_step\": '$((50*i))', \"max_steps\": 4000}' > "
                  "$d/trainer_state.json; rm -rf out/checkpoint-$((50*(i-2))); sleep 2.6; done"));
        QVERIFY(QDir::setCurrent(before));
        QVERIFY(run);
        QCOMPARE(run->steps.source, StepSource::Checkpoints);
        QVERIFY2(run->forecast && run->forecast->doneSteps == 400.0,
                 qPrintable(QString::number(run->steps.marks.size())));
        QCOMPARE(run->steps.marks.back().of, std::optional(4000.0));
        QVERIFY(run->forecast->step.meanS > 0.05 && run->forecast->step.meanS < 0.1);
    }

    // Works for a while and waits for a while, and says nothing: that is told as the guess that it is.
    void loadIsAGuess()
    {
        ProgramJob job = shell("while :; do i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; "
                               "sleep 0.4; done",
                               12);
        job.ofSteps = 100;
        const auto run = runProgram(job, Short);
        QVERIFY(run && run->forecast);
        QCOMPARE(run->steps.source, StepSource::Load);
        const ProgramForecast& f = *run->forecast;
        QVERIFY(f.step.meanS > 0.4 && f.step.meanS < 1.2);
        QCOMPARE(f.step.verdict, Verdict::Unstable);
        QVERIFY(f.highS > 1.9 * f.wholeS && f.lowS < 0.55 * f.wholeS);
        QVERIFY(findingsOf(*run).front().starts_with("nothing tells its steps"));
        QVERIFY(!measurementOf(*run, job.command, jobOf(preset("text-generator")->experiment)));
    }
};

OUTLAY_TEST(TestProgramRun)
#include "tst_program_run.moc"
