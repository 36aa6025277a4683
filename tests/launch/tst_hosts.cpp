// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The commands that measure elsewhere, with hosts that need neither a network nor a queue.
#include "core/base/file.h"
#include "core/experiment/experiment.h"
#include "core/experiment/presets.h"
#include "core/launch/profile.h"
#include "tests/support/run_program.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

using namespace outlay::core;
using namespace outlay::tests;

class TestHosts final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        QVERIFY(saveExperiment(preset("mlp")->experiment, file().toStdString()));
        Profile here{.name = "bench", .kind = ProfileKind::Local};
        here.worker = OUTLAY_FAKE_WORKER;
        here.atOnce = 2;
        here.hourPriceUsd = 3;
        here.environment = {"OUTLAY_FAKE_STARTS=" + path("starts").toStdString()};
        QVERIFY(saveProfile(here, folder()));
        Profile broken{.name = "broken", .kind = ProfileKind::Local};
        broken.worker = "/nowhere/outlay-probe";
        QVERIFY(saveProfile(broken, folder()));
    }

    void listsAndChecks()
    {
        const Outcome list = run({"hosts"});
        QCOMPARE(list.exitCode, 0);
        QVERIFY(list.out.contains("bench: this machine, 2 at once, $3 an hour\n"));
        const Outcome check = run({"hosts", "check"});
        QCOMPARE(check.exitCode, 4);
        QVERIFY2(check.out.startsWith("bench: ") && check.out.contains("; fake\n"),
                 check.out.constData());
        QCOMPARE(check.err.count('\n'), 1);
        QVERIFY(check.err.startsWith("outlay: broken: what is to be run isn't there"));
        QVERIFY(isRefusal(run({"hosts", "check", "nobody"}), "there are: bench, broken"));
        QVERIFY(isRefusal(run({"hosts", "dance"}), "no action"));
    }

    // A folder that is called like the command doesn't hide it.
    void foldersHideNoCommand()
    {
        QVERIFY(QDir(m_home->path()).mkpath("hosts"));
        QCOMPARE(run({"hosts"}).exitCode, 0);
    }

    void noHostsAreNoFault()
    {
        QVERIFY(QDir(QString::fromStdString(folder())).removeRecursively());
        const Outcome list = run({"hosts"});
        QCOMPARE(list.exitCode, 0);
        QVERIFY(list.out.contains("No hosts are described in"));
    }

    // Each host measures; one that can't is named, and the others' results are kept.
    void probesOnEachHost()
    {
        const Outcome probe = run({"probe", file(), "--on", "broken,bench"});
        QCOMPARE(probe.exitCode, 4);
        QCOMPARE(probe.err.count('\n'), 1);
        QVERIFY(probe.err.contains("broken: "));
        QCOMPARE(hostsIn(file()), QStringList{"bench"});
        const Outcome copy = run({"probe", file(), "--on", "bench,bench", "-o", path("copy.json")});
        QCOMPARE(copy.exitCode, 0);
        QCOMPARE(hostsIn(path("copy.json")), (QStringList{"bench", "bench", "bench"}));
        QCOMPARE(hostsIn(file()), QStringList{"bench"});
    }

    // Both at once, which find each other by way of the program; each one's result says so.
    void hostsTrainTogether()
    {
        saveOthers();
        const Outcome both = run({"probe", file(), "--on", "bench,second", "--together"});
        QVERIFY2(both.exitCode == 0, both.err.constData());
        QVERIFY2(both.out.contains("bench, second together: a step takes 600.0 ms"),
                 both.out.constData());
        const auto kept = loadExperiment(file().toStdString());
        QVERIFY(kept && kept->experiment.measurements.size() == 2);
        for (const MeasurementPtr& m : kept->experiment.measurements.all().rows())
            QCOMPARE(m->processes->hosts, (std::vector<std::string>{"bench", "second"}));
    }

    // Where one fails nobody waits for it, and what the other has measured alone is kept or not: it ends at once.
    void togetherOrNotAtAll()
    {
        saveOthers();
        QElapsedTimer clock;
        clock.start();
        const Outcome both = run({"probe", file(), "--on", "second,broken", "--together"});
        QCOMPARE(both.exitCode, 4);
        QVERIFY2(both.err.contains("broken: what is to be run isn't there"), both.err.constData());
        QCOMPARE(both.err.count('\n'), 1);
        const Outcome full = run({"probe", file(), "--on", "full,second", "--together"});
        QCOMPARE(full.exitCode, 4);
        QVERIFY2(full.err.contains("full: the machine has no memory left"), full.err.constData());
        QVERIFY(clock.elapsed() < 30'000);
        QVERIFY(isRefusal(
            run({"probe", file(), "--on", "bench,second", "--together", "--device", "cuda"}),
            "on processors only"));
        QVERIFY(isRefusal(
            run({"probe", file(), "--on", "bench,second", "--together", "--processes", "2"}),
            "give one of the two"));
        QVERIFY(isRefusal(run({"probe", file(), "--on", "bench", "--together"}),
                          "name two hosts or more"));
        QVERIFY(isRefusal(run({"probe", file(), "--together"}), "name two hosts or more"));
        QVERIFY(isRefusal(run({"probe", file(), "--on", "bench,lab", "--together"}),
                          "as nodes that the queue gave you"));
    }

    void sweepsThere()
    {
        const QStringList sweep{"sweep",     file(), "--vary", "/training/batch=8,16,32,64,128",
                                "--measure", "--on", "bench",  "--seconds",
                                "0.5"};
        const Outcome some = run(sweep + QStringList{"--budget", "0.006usd"});
        QCOMPARE(some.exitCode, 0);
        QVERIFY2(some.err.contains("1 that lie between them are left out"), some.err.constData());
        QCOMPARE(hostsIn(file()).size(), 4);
        QVERIFY(contentOf(path("starts")).contains("128 "));
        QVERIFY(!contentOf(path("starts")).contains("64 "));
        const Outcome rest = run(sweep);
        QCOMPARE(rest.exitCode, 0);
        QCOMPARE(hostsIn(file()).size(), 5);
        QCOMPARE(contentOf(path("starts")).count('\n'), 5); // none again
        QVERIFY(isRefusal(run(sweep + QStringList{"--budget", "1s"}), "is no budget"));
        QVERIFY(isRefusal(run({"sweep", file(), "--vary", "/training/batch=8", "--on", "bench"}),
                          "give --measure"));
    }

    // What all points fail of is one sentence, and the table is made all the same.
    void failuresOfPointsAreJoined()
    {
        const Outcome sweep = run({"sweep", file(), "--vary", "/training/batch=8,16,32,64",
                                   "--measure", "--on", "broken"});
        QCOMPARE(sweep.exitCode, 4);
        QCOMPARE(sweep.err.count('\n'), 1);
        QVERIFY2(sweep.err.contains("not measured: /training/batch=8; /training/batch=16; "
                                    "/training/batch=32; and 1 more points: what is to be run"),
                 sweep.err.constData());
        QVERIFY(sweep.out.contains("64"));
    }

private:
    [[nodiscard]] QString path(const char* name) const
    {
        return m_home->filePath(QLatin1String(name));
    }
    [[nodiscard]] QString file() const { return path("mlp.json"); }
    void saveOthers() const
    {
        Profile second{.name = "second", .kind = ProfileKind::Local};
        second.worker = OUTLAY_FAKE_WORKER;
        Profile full = second;
        full.name = "full";
        full.environment = {"OUTLAY_FAKE_PROBE=no memory"};
        Profile lab{.name = "lab", .kind = ProfileKind::Queue};
        lab.folder = path("lab").toStdString();
        for (const Profile& one : {second, full, lab})
            QVERIFY(saveProfile(one, folder()));
    }
    [[nodiscard]] std::string folder() const { return path("profiles").toStdString(); }
    [[nodiscard]] Outcome run(const QStringList& words) const
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("OUTLAY_HOSTS"), QString::fromStdString(folder()));
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(m_home->path());
        process.start(QStringLiteral(OUTLAY_PROGRAM), words);
        return outcomeOf(process, std::chrono::seconds(60));
    }
    /// Of each measurement in the file.
    [[nodiscard]] static QStringList hostsIn(const QString& path)
    {
        QStringList hosts;
        const auto reading = loadExperiment(path.toStdString());
        if (!reading)
            return {QStringLiteral("unreadable")};
        for (const MeasurementPtr& m : reading->experiment.measurements.all().rows())
            hosts.append(QString::fromStdString(m->host));
        return hosts;
    }

    std::unique_ptr<QTemporaryDir> m_home;
};

OUTLAY_TEST(TestHosts)
#include "tst_hosts.moc"
