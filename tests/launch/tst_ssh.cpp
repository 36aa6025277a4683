// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Against a real server of OpenSSH on this machine.
#include "core/base/file.h"
#include "gui/session/host_check.h"
#include "gui/session/live_launcher.h"
#include "tests/support/engines.h"
#include "tests/support/launcher_run.h"
#include "tests/support/run_program.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <csignal>

using namespace outlay::core;
using namespace outlay::gui;
using namespace outlay::tests;

namespace {

constexpr const char* SshToken = "OUTLAY_TEST_TOKEN=of-ssh";

QByteArray shellScript(const char* text)
{
    return QByteArray("#!/bin/sh\n") + text + "\nexec " OUTLAY_FAKE_WORKER " \"$@\"\n";
}

/// The child of this process that is a program of that name.
QList<pid_t> childrenCalled(const QByteArray& name)
{
    QList<pid_t> found;
    for (const QString& entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        QFile stat(QStringLiteral("/proc/") + entry + QStringLiteral("/stat"));
        if (entry.toInt() == 0 || !stat.open(QIODevice::ReadOnly))
            continue;
        const QByteArray text = stat.readAll();
        if (text.contains("(" + name + ")") &&
            text.mid(text.lastIndexOf(')') + 2).split(' ').value(1).toInt() == ::getpid())
            found.append(entry.toInt());
    }
    return found;
}

constexpr int AfterLease = 25000; // of 20 s, for the last one that hears nothing

} // namespace

class TestSsh final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        OUTLAY_NEED_PROGRAMS("sshd", "ssh", "ssh-keygen");
        m_server = std::make_unique<SshServer>();
        QVERIFY(m_server->start());
    }

    void measuresThere()
    {
        auto launcher = launcherOn({working()});
        const auto run = runToEnd(*launcher, someJobs(3), Reuse::None);
        QVERIFY(run.isAllMeasured(3));
        QCOMPARE(hostIn(run.measured.at(0)), std::string("there"));
        QVERIFY(run.notes.isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(processesWith(SshToken).isEmpty(), AfterLease);
    }

    // One there and one here, which find each other by way of this program.
    void trainsWithAnother()
    {
        Profile here{.name = "here", .kind = ProfileKind::Local};
        here.worker = OUTLAY_FAKE_WORKER;
        const auto launcher =
            makeTogetherLauncher({working(), here}, {.sockets = m_sockets.path().toStdString()});
        QVERIFY(launcher);
        const auto run = runToEnd(**launcher, someJobs(2), Reuse::None);
        QVERIFY(run.isAllMeasured(2));
        QCOMPARE(hostIn(run.measured.at(0)), std::string("there"));
        QCOMPARE(hostIn(run.measured.at(1)), std::string("here"));
        for (const auto& [job, measurement] : run.measured)
            QCOMPARE(readMeasurement(measurement)->processes->hosts,
                     (std::vector<std::string>{"there", "here"}));
    }

    // The other one is gone in the midst of it: who waits there is told, and ends.
    void endsWithTheOther()
    {
        Profile dying{.name = "dying", .kind = ProfileKind::Local};
        dying.worker = scriptWith("#!/bin/sh\nsleep 1\nexit 7\n");
        const auto launcher =
            makeTogetherLauncher({sleeping(), dying}, {.sockets = m_sockets.path().toStdString()});
        QVERIFY(launcher);
        const auto run = runToEnd(**launcher, someJobs(2), Reuse::None, {}, 30);
        QCOMPARE(run.finishes, 1);
        QCOMPARE(run.failed.size(), std::size_t{1});
        QVERIFY(run.failed.contains(1) && run.measured.empty());
        QTRY_VERIFY_WITH_TIMEOUT(processesWith(SshToken).isEmpty(), AfterLease);
    }

    // What was measured there before is fetched, not measured again.
    void storedResultsAreFetched()
    {
        Profile profile = working();
        profile.folder = m_server->path("results").toStdString();
        profile.environment.push_back("OUTLAY_FAKE_STARTS=" +
                                      m_server->path("starts").toStdString());
        auto first = launcherOn({profile});
        QVERIFY(runToEnd(*first, someJobs(2), Reuse::Stored).isAllMeasured(2));
        auto second = launcherOn({profile});
        const auto run = runToEnd(*second, someJobs(3), Reuse::Stored);
        QVERIFY(run.isAllMeasured(3));
        QFile starts(m_server->path("starts"));
        QVERIFY(starts.open(QIODevice::ReadOnly));
        QCOMPARE(starts.readAll().count('\n'), 3);
    }

    // One host can't: the others do all, and it is named once.
    void otherHostsGoOn()
    {
        Profile broken = m_server->profile("stranger");
        broken.name = "broken";
        Profile good = working();
        good.atOnce = 2;
        auto launcher = launcherOn({broken, good});
        const auto run = runToEnd(*launcher, someJobs(8), Reuse::None);
        QVERIFY(run.isAllMeasured(8));
        QVERIFY(run.notes.size() <= 1);
        for (const auto& [job, measurement] : run.measured)
            QCOMPARE(hostIn(measurement), std::string("there"));
    }

    // It is reached, and says nothing: it is left, and named once.
    void aSilentHostIsLeft()
    {
        Profile silent = m_server->profile();
        silent.name = "slow";
        silent.worker = scriptWith("#!/bin/sh\nexec cat > /dev/null\n");
        Profile good = working();
        good.atOnce = 2;
        LiveLauncher launcher(
            {silent, good},
            LaunchSite{.silenceSeconds = 4.0 * Slower, .worker = {}, .sockets = {}});
        launcher.setRest(std::chrono::milliseconds(50));
        const auto run = runToEnd(launcher, someJobs(6), Reuse::None);
        QVERIFY(run.isAllMeasured(6));
        for (const auto& [job, measurement] : run.measured)
            QCOMPARE(hostIn(measurement), std::string("there"));
        // Alone it is a sentence.
        LiveLauncher alone({silent},
                           LaunchSite{.silenceSeconds = 1.5, .worker = {}, .sockets = {}});
        alone.setRest(std::chrono::milliseconds(50));
        const auto failed = runToEnd(alone, someJobs(1), Reuse::None);
        QCOMPARE(failed.failed.size(), std::size_t{1});
        const QString sentence = QString::fromStdString(failed.failed.at(0).sentence());
        QVERIFY2(sentence.startsWith("slow: the worker has been silent for 1"),
                 qPrintable(sentence));
    }

    void faultsAreSentences_data()
    {
        QTest::addColumn<QByteArray>("script"); // stands where the worker should
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("what");
        QTest::newRow("wrong key") << QByteArray() << "stranger"
                                   << "Permission denied";
        QTest::newRow("no worker") << QByteArray() << "user"
                                   << "what is to be run isn't there";
        QTest::newRow("another version")
            << shellScript("export OUTLAY_FAKE_PROBE=version") << "user"
            << "protocol version";
        QTest::newRow("no worker at all") << QByteArray("#!/bin/sh\necho hello\n") << "user"
                                          << "no worker";
        QTest::newRow("libraries are missing")
            << QByteArray("#!/bin/sh\necho 'libtorch.so: cannot open' >&2\nexit 127\n") << "user"
            << "libtorch.so: cannot open";
        QTest::newRow("full disk") << shellScript("set -- \"$@\" --results /dev/full/x") << "user"
                                   << "can't be stored";
    }
    void faultsAreSentences()
    {
        QFETCH(QByteArray, script);
        QFETCH(QString, key);
        QFETCH(QString, what);
        Profile profile = m_server->profile(key.toLatin1().constData());
        profile.worker = "/nowhere/outlay-probe";
        if (!script.isEmpty())
            profile.worker = scriptWith(script);
        LiveLauncher launcher({profile}, LaunchSite{});
        launcher.setRest(std::chrono::milliseconds(50));
        const auto run = runToEnd(launcher, someJobs(1), Reuse::None);
        QCOMPARE(run.finishes, 1);
        QCOMPARE(run.failed.size(), std::size_t{1});
        const QString sentence = QString::fromStdString(run.failed.at(0).sentence());
        QVERIFY2(sentence.contains(what) && sentence.startsWith("there: "), qPrintable(sentence));
        QCOMPARE(sentence.count('\n'), 0);
    }

    // A shell that greets is no fault.
    void greetingsAreSkipped()
    {
        Profile profile = working();
        profile.worker = scriptWith(shellScript("echo 'Welcome to the lab!'; echo '{\"a\": 1}'"));
        auto launcher = launcherOn({profile});
        QVERIFY(runToEnd(*launcher, someJobs(1), Reuse::None).isAllMeasured(1));
    }

    // The end of the input is what the worker there hears, whatever ended it here.
    void workersEndWithTheirClient()
    {
        for (const int signal : {SIGKILL, SIGTERM}) {
            Profile profile = sleeping();
            auto launcher = launcherOn({profile});
            bool isKilled = false;
            QElapsedTimer sinceKilled;
            QTimer watch;
            connect(&watch, &QTimer::timeout, this, [&] {
                if (isKilled || processesWith(SshToken).isEmpty())
                    return;
                isKilled = true;
                for (const pid_t client : childrenCalled("ssh"))
                    ::kill(client, signal);
                sinceKilled.start();
                QTRY_VERIFY_WITH_TIMEOUT(processesWith(SshToken).isEmpty(), 3000 * Slower);
                qInfo("the worker was gone %lld ms after its client", sinceKilled.elapsed());
                launcher->cancel();
            });
            watch.start(50);
            const auto run = runToEnd(*launcher, someJobs(1), Reuse::None);
            QVERIFY(isKilled);
            QCOMPARE(run.finishes, 1);
            QTRY_VERIFY_WITH_TIMEOUT(processesWith(SshToken).isEmpty(), AfterLease);
        }
    }

    // A client that hangs says nothing: the worker leaves when its lease is over.
    void workersEndWithTheirLease()
    {
        auto launcher = std::make_unique<LiveLauncher>(
            std::vector<Profile>{sleeping()},
            LaunchSite{.leaseSeconds = 3, .worker = {}, .sockets = {}});
        bool isStopped = false;
        QTimer watch;
        connect(&watch, &QTimer::timeout, this, [&] {
            if (isStopped || processesWith(SshToken).isEmpty())
                return;
            isStopped = true;
            const auto clients = childrenCalled("ssh");
            for (const pid_t client : clients)
                ::kill(client, SIGSTOP);
            QTRY_VERIFY_WITH_TIMEOUT(processesWith(SshToken).isEmpty(), 8000 * Slower);
            launcher->cancel();
            for (const pid_t client : clients)
                ::kill(client, SIGCONT);
        });
        watch.start(50);
        const auto run = runToEnd(*launcher, someJobs(1), Reuse::None);
        QVERIFY(isStopped);
        QCOMPARE(run.finishes, 1);
    }

    void cancelEndsAll()
    {
        Profile profile = sleeping();
        profile.atOnce = 3;
        auto launcher = launcherOn({profile});
        const auto run = runToEnd(*launcher, someJobs(9), Reuse::None, [&] {
            if (launcher->state().running == 3)
                QTimer::singleShot(300, launcher.get(), [&] { launcher->cancel(); });
        });
        QCOMPARE(run.finishes, 1);
        QVERIFY(run.measured.empty() && run.failed.empty());
        QTRY_VERIFY_WITH_TIMEOUT(processesWith(SshToken).isEmpty(), AfterLease);
    }

    // A program of one's own runs there, in its folder; what it prints comes here, and its measurement says where.
    void programsRunThere()
    {
        QDir().mkpath(m_server->path("trainings"));
        const QString script = m_server->path("trainings/train.sh");
        writeText(script, "echo \"in $(pwd)\"; i=0; while [ $i -lt 60 ]; do i=$((i + 1)); printf "
                          "'\\rstep %d/60' $i >&2; sleep 0.03; done; exit 3\n");
        const Outcome o = runThere(working(), {"--whole", "--in", m_server->path("trainings"),
                                               experimentFile(), "--", "sh", "train.sh"});
        QCOMPARE(o.exitCode, 3);
        QVERIFY2(o.err.contains("in " + m_server->path("trainings").toUtf8()), o.err.constData());
        QVERIFY(o.err.contains("step 60/60"));
        QVERIFY(o.err.contains("the program: it failed with exit status 3"));
        const auto kept = loadExperiment(experimentFile().toStdString());
        QVERIFY(kept.has_value());
        const auto all = kept->experiment.measurements.all();
        QVERIFY(all.newest() != nullptr && all.newest()->program.has_value());
        QCOMPARE(all.newest()->host, std::string("there"));
        QCOMPARE(all.newest()->program->doneSteps, 60.0);
    }

    void programsThatCannotRunThere_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<int>("status");
        QTest::newRow("no such folder")
            << QStringList{"--in", "/nowhere", "--", "true"}
            << QByteArray("there: nothing can be run in /nowhere: No such file or directory") << 4;
        QTest::newRow("no such program")
            << QStringList{"--", "/nowhere/train"}
            << QByteArray("there: `/nowhere/train` can't be started") << 4;
        QTest::newRow("no steps") << QStringList{"--", "true"}
                                  << QByteArray("no step of it was seen") << 0;
    }
    void programsThatCannotRunThere()
    {
        QFETCH(const QStringList, words);
        QFETCH(const QByteArray, said);
        QFETCH(const int, status);
        const Outcome o = runThere(working(), words);
        QVERIFY2(o.err.contains(said), o.err.constData());
        QCOMPARE(o.exitCode, status);
    }

    // Whoever watches goes, in any way: the program there is ended, with all that it has started.
    void programsEndWithWhoWatches_data()
    {
        QTest::addColumn<int>("signal");
        QTest::addColumn<QString>("script");
        QTest::newRow("interrupted") << SIGINT << "exec sleep 500";
        QTest::newRow("killed") << SIGKILL << "sleep 500 & exec sleep 500";
    }
    void programsEndWithWhoWatches()
    {
        QFETCH(const int, signal);
        QFETCH(const QString, script);
        QProcess process;
        start(process, working(), {"--whole", "--", "sh", "-c", script});
        QTRY_VERIFY_WITH_TIMEOUT(processesWith(SshToken).size() >= 2, 10000 * Slower);
        ::kill(static_cast<pid_t>(process.processId()), signal);
        QTRY_VERIFY_WITH_TIMEOUT(processesWith(SshToken).isEmpty(), 15000 * Slower);
        QTRY_COMPARE_WITH_TIMEOUT(process.state(), QProcess::NotRunning, 15000 * Slower);
        if (signal == SIGINT)
            QCOMPARE(process.exitCode(), 130);
    }

    void checksSayWhatIsThere()
    {
        Profile profile = working();
        profile.folder = m_server->path("new folder").toStdString();
        QCOMPARE(checked(profile), QStringLiteral("fake"));
        QVERIFY(QDir(m_server->path("new folder")).exists());
        profile.folder = "/proc/nothing";
        QVERIFY(checked(profile).contains("its folder for results"));
        profile = m_server->profile("stranger");
        QVERIFY(checked(profile).contains("Permission denied"));
        profile = working();
        profile.worker = scriptWith(shellScript("echo 'Welcome'"));
        QCOMPARE(checked(profile), QStringLiteral("fake"));
    }

private:
    [[nodiscard]] Profile working() const
    {
        Profile profile = m_server->profile();
        profile.worker = OUTLAY_FAKE_WORKER;
        profile.environment = {SshToken};
        return profile;
    }
    [[nodiscard]] Profile sleeping() const
    {
        Profile profile = working();
        profile.environment.push_back("OUTLAY_FAKE_SECONDS=600");
        return profile;
    }
    [[nodiscard]] QString experimentFile() const { return m_server->path("experiment.json"); }
    void start(QProcess& process, const Profile& profile, const QStringList& words) const
    {
        const std::string folder = m_server->path("profiles").toStdString();
        if (!saveProfile(profile, folder) ||
            !saveExperiment(preset("mlp")->experiment, experimentFile().toStdString()))
            qFatal("the files of the test can't be written");
        process.start(QStringLiteral(OUTLAY_PROGRAM),
                      QStringList{"run", "--on",
                                  QString::fromStdString(folder + "/" + profile.name + ".json")} +
                          words);
    }
    [[nodiscard]] Outcome runThere(const Profile& profile, const QStringList& words) const
    {
        QProcess process;
        start(process, profile, words);
        return outcomeOf(process);
    }
    /// One connection for all.
    [[nodiscard]] std::unique_ptr<Launcher> launcherOn(std::vector<Profile> profiles) const
    {
        auto launcher = std::make_unique<LiveLauncher>(
            std::move(profiles),
            LaunchSite{.worker = {}, .sockets = m_sockets.path().toStdString()});
        launcher->setRest(std::chrono::milliseconds(50));
        return launcher;
    }
    [[nodiscard]] std::string scriptWith(const QByteArray& text) const
    {
        const QString path = m_server->path("script");
        QFile::remove(path);
        writeText(path, text);
        QFile::setPermissions(path, QFile::Permissions(0x7755));
        return path.toStdString();
    }
    /// The worker's name, or what is wrong.
    QString checked(const Profile& profile)
    {
        QString said;
        QEventLoop loop;
        checkHost(&loop, profile, {}, [&](const Result<HostFacts>& facts) {
            said = QString::fromStdString(facts ? facts->build : facts.error().sentence());
            loop.quit();
        });
        loop.exec();
        return said;
    }

    std::unique_ptr<SshServer> m_server;
    const QTemporaryDir m_sockets{QStringLiteral("/tmp/outlay-XXXXXX")};
};

OUTLAY_TEST(TestSsh)
#include "tst_ssh.moc"
