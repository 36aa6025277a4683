// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Against a real Slurm of three nodes on this machine.
#include "core/probe/assignment.h"
#include "gui/session/host_check.h"
#include "gui/session/queue_launcher.h"
#include "tests/support/engines.h"
#include "tests/support/launcher_run.h"
#include "tests/support/test_class.h"

#include <QDateTime>
#include <QRandomGenerator>
#include <QTest>

using namespace outlay::core;
using namespace outlay::gui;
using namespace outlay::tests;

namespace {

/// In the environment of every worker of this run, and of no other's.
QByteArray slurmToken()
{
    return "OUTLAY_TEST_TOKEN=slurm-" + QByteArray::number(QCoreApplication::applicationPid());
}

struct Start {
    int batch = 0; // one more than the job's number
    double second = 0;
};

QList<Start> startsIn(const QString& path)
{
    QList<Start> starts;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return starts;
    for (const QByteArray& line : file.readAll().trimmed().split('\n')) {
        const auto words = line.split(' ');
        starts.append({words.value(0).toInt(), words.value(1).toDouble()});
    }
    return starts;
}

int countOf(const QList<Start>& starts, int batch)
{
    return static_cast<int>(std::count_if(starts.begin(), starts.end(),
                                          [&](const Start& s) { return s.batch == batch; }));
}

} // namespace

class TestSlurm final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        OUTLAY_NEED_PROGRAMS("slurmctld", "slurmd", "sbatch", "munged");
        m_cluster = std::make_unique<SlurmCluster>(3);
        QVERIFY(m_cluster->start());
        qputenv("SLURM_CONF", m_cluster->configuration());
    }
    void cleanupTestCase() { qunsetenv("SLURM_CONF"); }

    void measuresAll()
    {
        const Profile profile = profileIn("all", 0.1);
        const auto launcher = launcherOn(profile);
        const auto run = runToEnd(*launcher, someJobs(12), Reuse::Stored);
        QVERIFY2(run.isAllMeasured(12), qPrintable(run.notes.join(u'\n')));
        QCOMPARE(hostIn(run.measured.at(5)), std::string("cluster"));
        QCOMPARE(startsIn(startsOf("all")).size(), 12);
        // Again, with more: only those are begun.
        const auto more = launcherOn(profile);
        QVERIFY(runToEnd(*more, someJobs(14), Reuse::Stored).isAllMeasured(14));
        QCOMPARE(startsIn(startsOf("all")).size(), 14);
    }

    // A person who asks for a measurement gets a new one.
    void probesAreNew()
    {
        const Profile profile = profileIn("new", 0);
        for (int times = 1; times <= 2; ++times) {
            const auto launcher = launcherOn(profile);
            QVERIFY(runToEnd(*launcher, someJobs(1), Reuse::None).isAllMeasured(1));
            QCOMPARE(startsIn(startsOf("new")).size(), times);
            QTest::qWait(1100); // another second
        }
    }

    void failuresAreTold()
    {
        Profile profile = profileIn("failing", 0);
        profile.environment.emplace_back("OUTLAY_FAKE_PROBE=no memory");
        const auto launcher = launcherOn(profile);
        const auto run = runToEnd(*launcher, someJobs(2), Reuse::Stored);
        QCOMPARE(run.failed.size(), std::size_t{2});
        QVERIFY(run.failed.at(0).what.find("no memory left") != std::string::npos);
        QCOMPARE(startsIn(startsOf("failing")).size(), 2); // not again and again
    }

    // A shell that greets on the machine with the queue's commands is no fault.
    void greetingsAreSkipped()
    {
        Profile profile = profileIn("greeted", 0);
        const QString script = m_cluster->path("greeting");
        writeText(script,
                  "#!/bin/sh\necho 'Welcome to the lab!'\nexec " OUTLAY_FAKE_WORKER " \"$@\"\n");
        QFile::setPermissions(script, QFile::Permissions(0x7755));
        profile.worker = script.toStdString();
        const auto launcher = launcherOn(profile);
        QVERIFY(runToEnd(*launcher, someJobs(2), Reuse::Stored).isAllMeasured(2));
    }

    // A queue that takes nothing is told in its own words.
    void refusalsAreTold()
    {
        Profile profile = profileIn("refused", 0);
        profile.partition = "nowhere";
        const auto launcher = launcherOn(profile);
        const auto run = runToEnd(*launcher, someJobs(2), Reuse::Stored);
        QCOMPARE(run.failed.size(), std::size_t{2});
        const QString sentence = QString::fromStdString(run.failed.at(0).sentence());
        QVERIFY2(sentence.contains("partition"), qPrintable(sentence));
    }

    void cancelEndsTheTasks()
    {
        // Not longer: a controller that is killed later may know again what it forgot, and begin it.
        const Profile profile = profileIn("cancelled", 30);
        const auto launcher = launcherOn(profile);
        const auto run = runToEnd(*launcher, someJobs(6), Reuse::Stored, [&] {
            if (launcher->state().running == 3)
                launcher->cancel();
        });
        QCOMPARE(run.finishes, 1);
        QVERIFY(run.measured.empty() && run.failed.empty());
        QTRY_VERIFY_WITH_TIMEOUT(processesWith(slurmToken()).isEmpty(), 10000);
    }

    void faultsAreSentences_data()
    {
        QTest::addColumn<QString>("worker");
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("what");
        const QString fake = QStringLiteral(OUTLAY_FAKE_WORKER);
        QTest::newRow("no worker") << "/nowhere/probe"
                                   << "/tmp/x"
                                   << "what is to be run isn't there";
        QTest::newRow("no folder") << fake << "/proc/x"
                                   << "/proc/x";
        QTest::newRow("no worker at all") << "/bin/echo"
                                          << "/tmp/x"
                                          << "no worker of this version";
    }
    void faultsAreSentences()
    {
        QFETCH(QString, worker);
        QFETCH(QString, folder);
        QFETCH(QString, what);
        Profile profile = m_cluster->profile();
        profile.worker = worker.toStdString();
        profile.folder = folder.toStdString();
        const auto launcher = launcherOn(profile);
        const auto run = runToEnd(*launcher, someJobs(1), Reuse::Stored);
        QCOMPARE(run.failed.size(), std::size_t{1});
        const QString sentence = QString::fromStdString(run.failed.at(0).sentence());
        QVERIFY2(sentence.contains(what) && sentence.startsWith("cluster: "), qPrintable(sentence));
    }

    // A controller that is away for a while is no failure, and nothing is begun twice meanwhile.
    void silentControllersAreWaitedFor()
    {
        const Profile profile = profileIn("silent", 0.5);
        const auto launcher = launcherOn(profile);
        bool wasDown = false;
        const auto run = runToEnd(*launcher, someJobs(6), Reuse::Stored, [&] {
            if (wasDown || launcher->state().measured < 2)
                return;
            wasDown = true;
            m_cluster->killController();
            QTimer::singleShot(3000, this, [&] { QVERIFY(m_cluster->startController()); });
        });
        QVERIFY(wasDown);
        QVERIFY(run.isAllMeasured(6));
        QTRY_VERIFY_WITH_TIMEOUT(processesWith(slurmToken()).isEmpty(), 20000);
    }

    // The launcher, a worker, the controller and a node go at random moments: every result is there in the end, none
    // is made that was there, and no more are made twice than were interrupted.
    void chaosLosesNothing_data()
    {
        QTest::addColumn<int>("round");
        const int rounds = std::max(1, qEnvironmentVariableIntValue("OUTLAY_CHAOS_ROUNDS"));
        for (int round = 0; round < rounds; ++round)
            QTest::addRow("%d", round) << round;
    }
    void chaosLosesNothing()
    {
        QFETCH(int, round);
        const QByteArray name = "chaos" + QByteArray::number(round);
        const Profile profile = profileIn(name.constData(), 1.0);
        int interrupted = 0;
        int strikes = 0;
        LauncherRun all;
        // Each time the launcher is killed another one takes over: what it knew is gone.
        for (int turn = 0; turn < 20 && all.measured.size() < Jobs; ++turn) {
            const auto launcher = launcherOn(profile);
            const std::size_t goal = 4 + 5 * static_cast<std::size_t>(turn);
            bool isStruck = false;
            all = runToEnd(*launcher, someJobs(Jobs), Reuse::Stored, [&] {
                if (isStruck || launcher->state().measured < goal || turn > 3)
                    return;
                isStruck = true;
                ++strikes;
                interrupted += strike(turn);
                if (turn < 3) // it is deleted without another word
                    QTimer::singleShot(0, launcher.get(), [&] { Q_EMIT launcher->finished(); });
            });
        }
        QVERIFY(strikes >= 3);
        QCOMPARE(all.measured.size(), Jobs);
        QVERIFY(all.failed.empty());
        verifyStarts(name, profile, interrupted);
        QTRY_VERIFY_WITH_TIMEOUT(processesWith(slurmToken()).isEmpty(), 20000);
    }

    void checksSayWhatIsThere()
    {
        QString said;
        QEventLoop loop;
        const auto answer = [&](const Result<HostFacts>& facts) {
            said = QString::fromStdString(facts ? facts->build : facts.error().sentence());
            loop.quit();
        };
        Profile profile = profileIn("checked", 0);
        checkHost(&loop, profile, {}, answer);
        loop.exec();
        QCOMPARE(said, QStringLiteral("fake"));
        profile.commands = QueueCommands{.submit = {}, .list = {"/bin/false"}, .cancel = {}};
        checkHost(&loop, profile, {}, answer);
        loop.exec();
        QVERIFY2(said.contains("its queue"), qPrintable(said));
    }

private:
    static constexpr std::size_t Jobs = 24;

    [[nodiscard]] Profile profileIn(const char* name, double seconds) const
    {
        Profile profile = m_cluster->profile();
        profile.worker = OUTLAY_FAKE_WORKER;
        profile.folder = m_cluster->path(name).toStdString();
        profile.environment = {slurmToken().toStdString(),
                               "OUTLAY_FAKE_SECONDS=" + std::to_string(seconds),
                               "OUTLAY_FAKE_STARTS=" + startsOf(name).toStdString()};
        return profile;
    }
    [[nodiscard]] QString startsOf(const char* name) const
    {
        return m_cluster->path(name) + QStringLiteral(".starts");
    }
    [[nodiscard]] static std::unique_ptr<Launcher> launcherOn(const Profile& profile)
    {
        auto launcher = std::make_unique<QueueLauncher>(profile, LaunchSite{});
        launcher->setPace(std::chrono::milliseconds(300));
        return launcher;
    }
    /// How many measurements it may have interrupted.
    int strike(int turn)
    {
        switch (turn % 4) {
        case 0: return 0; // the launcher alone
        case 1: {
            for (const pid_t worker : processesWith(slurmToken())) {
                if (QRandomGenerator::global()->bounded(2) == 0)
                    continue;
                ::kill(worker, SIGKILL);
                return 1;
            }
            return 0;
        }
        case 2: {
            // What it began in the last seconds it has forgotten afterwards, and ends.
            const auto running = static_cast<int>(processesWith(slurmToken()).size());
            m_cluster->killController();
            QTest::qWait(QRandomGenerator::global()->bounded(500));
            m_cluster->startController();
            return running;
        }
        default:
            m_cluster->killNode(2);
            QTest::qWait(QRandomGenerator::global()->bounded(1500));
            m_cluster->startNode(2);
            return 1;
        }
    }
    void verifyStarts(const QByteArray& name, const Profile& profile, int interrupted)
    {
        const QList<Start> starts = startsIn(startsOf(name.constData()));
        int again = 0;
        const auto jobs = someJobs(Jobs);
        for (std::size_t job = 0; job < Jobs; ++job) {
            Assignment assignment{.job = jobs[job], .build = "fake"};
            assignment.job.threads = 1;
            const QFileInfo result(
                QString::fromStdString(profile.folder + "/" + resultKey(assignment) + ".json"));
            QVERIFY(result.exists());
            const double made =
                static_cast<double>(result.lastModified().toMSecsSinceEpoch()) / 1e3;
            for (const Start& start : starts) {
                if (start.batch == static_cast<int>(job) + 1)
                    QVERIFY(start.second <= made);
            }
            again += countOf(starts, static_cast<int>(job) + 1) - 1;
        }
        QVERIFY2(
            again <= interrupted,
            qPrintable(QStringLiteral("%1 again, %2 interrupted").arg(again).arg(interrupted)));
    }

    std::unique_ptr<SlurmCluster> m_cluster;
};

OUTLAY_TEST(TestSlurm)
#include "tst_slurm.moc"
