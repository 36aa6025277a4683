// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a worker can't do: a program with its walls tries each, and the real one is looked at while it measures.
#include "core/experiment/presets.h"
#include "core/probe/host_facts.h"
#include "core/probe/job.h"
#include "tests/support/run_program.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QMap>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace outlay::core;

namespace {

using Attempts = QMap<QString, QString>; // "done", "refused"; under "missing" the sentences

const QStringList& onTheNetwork()
{
    static const QStringList Names{"tcp",
                                   "tcp of version 6",
                                   "udp",
                                   "netlink",
                                   "a local socket",
                                   "a pair for datagrams",
                                   "a pair for streams"};
    return Names;
}

const QStringList& onOtherFiles()
{
    static const QStringList Names{"read the home",
                                   "read by a link",
                                   "read on a thread",
                                   "list the home",
                                   "list temporary files",
                                   "read users",
                                   "read another's environment",
                                   "write in the home",
                                   "change in the home",
                                   "delete in the home",
                                   "move into the home"};
    return Names;
}

/// Whatever the kernel has: these take no filter, or limits alone.
const QStringList& byItself()
{
    static const QStringList Names{"have new privileges", "read what was left open",
                                   "a file of 1 TB"};
    return Names;
}

const QStringList& byCalls()
{
    static const QStringList Names{"run a program",
                                   "make a process",
                                   "signal another",
                                   "read another's memory",
                                   "be traced",
                                   "make a namespace",
                                   "make a file the world's",
                                   "empty a file",
                                   "empty a file as a reader",
                                   "empty a file as nobody",
                                   "open a file as nobody",
                                   "empty a file by the newest call",
                                   "change its user",
                                   "own a file for another",
                                   "own a file for any other",
                                   "choose a file's signal",
                                   "be signalled by a file",
                                   "own a device for another",
                                   "own a socket for another",
                                   "know of shared memory",
                                   "join shared memory",
                                   "take a semaphore",
                                   "delete a queue",
                                   "move another to a core",
                                   "slow another",
                                   "slow a group"};
    return Names;
}

const QStringList& asItMay()
{
    static const QStringList Names{"own file",     "own folder", "own name",   "a thread",
                                   "nothing",      "own memory", "own peak",   "own cores",
                                   "own priority", "a library",  "the machine"};
    return Names;
}

/// What a person has in the home, and a worker's own folder with a link to it.
class Person {
public:
    Person()
    {
        QDir(home()).mkpath(QStringLiteral(".ssh"));
        for (const char* name : {"/.ssh/id_ed25519", "/old"}) {
            QFile file(home() + QLatin1String(name));
            if (!file.open(QIODevice::WriteOnly) || file.write("secret") != 6)
                qFatal("a file of a test can't be written");
        }
        QFile::link(secret(), own() + QStringLiteral("/link"));
    }
    [[nodiscard]] QString home() const { return m_home.path(); }
    [[nodiscard]] QString own() const { return m_own.path(); }
    [[nodiscard]] QString secret() const { return home() + QStringLiteral("/.ssh/id_ed25519"); }
    [[nodiscard]] bool isUntouched() const
    {
        return outlay::tests::contentOf(secret()) == "secret" &&
               outlay::tests::contentOf(home() + QStringLiteral("/old")) == "secret" &&
               QDir(home()).entryList(QDir::Files) == QStringList{QStringLiteral("old")};
    }

    [[nodiscard]] Attempts climb(const QString& mode = {}) const
    {
        QProcess process;
        QStringList words{own(), home()};
        if (!mode.isEmpty())
            words.append(mode);
        // As a program may that forgets to close what it has open.
        const QByteArray path = QFile::encodeName(secret());
        process.setChildProcessModifier([path] {
            constexpr int Number = 9;
            if (const int file = ::open(path.constData(), O_RDONLY); file >= 0)
                ::dup2(file, Number);
        });
        process.start(QStringLiteral(OUTLAY_WALL_CLIMBER), words);
        Attempts attempts;
        const auto outcome = outlay::tests::outcomeOf(process);
        for (const QByteArray& line : outcome.out.split('\n')) {
            const qsizetype end = line.indexOf(": ");
            if (end > 0)
                attempts[QString::fromUtf8(line.left(end))] += QString::fromUtf8(line.mid(end + 2));
        }
        return attempts;
    }

private:
    QTemporaryDir m_home;
    QTemporaryDir m_own;
};

/// Asked here, not by what is tested: whether this kernel has all that the walls are made of.
bool canHaveWalls()
{
    constexpr long CreateRuleset = 444; // of Landlock; so it says its version
    const bool hasLandlock = ::syscall(CreateRuleset, nullptr, 0, 1) > 0;
    std::uint32_t action = SECCOMP_RET_ERRNO;
    const bool hasFilters = ::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0 &&
                            ::syscall(__NR_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
    return hasLandlock && hasFilters;
}

/// What it says is missing, where nothing needs to be.
QString missingForNoReason(const Attempts& attempts)
{
    return canHaveWalls() ? attempts.value(QStringLiteral("missing")) : QString();
}

QString notAll(const Attempts& attempts, const QStringList& names, const QString& outcome)
{
    for (const QString& name : names) {
        if (attempts.value(name) != outcome)
            return name + QStringLiteral(" isn't ") + outcome + QStringLiteral("; missing: ") +
                   attempts.value(QStringLiteral("missing"));
    }
    return {};
}

#define OUTLAY_ALL(attempts, names, outcome)                                                       \
    do {                                                                                           \
        const QString problem = notAll(attempts, names, QStringLiteral(outcome));                  \
        QVERIFY2(problem.isEmpty(), qPrintable(problem));                                          \
    } while (false)

} // namespace

class TestWalls : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Nothing of it is refused for another reason.
    void withoutWallsItCan()
    {
        const Person person;
        const Attempts attempts = person.climb(QStringLiteral("free"));
        OUTLAY_ALL(attempts, (QStringList{"tcp", "udp", "netlink", "a local socket"}), "done");
        OUTLAY_ALL(attempts, onOtherFiles(), "done");
        OUTLAY_ALL(attempts, byItself(), "done");
        QStringList calls = byCalls();
        calls.removeAll(QStringLiteral("make a namespace")); // some systems let nobody
        calls.removeAll(QStringLiteral("read another's memory"));
        OUTLAY_ALL(attempts, calls, "done");
        OUTLAY_ALL(attempts, asItMay(), "done");
        QVERIFY(!person.isUntouched());
    }

    // What this kernel hasn't got is said, and the rest holds.
    void noWallIsClimbed()
    {
        const Person person;
        const Attempts attempts = person.climb();
        const QString missing = attempts.value(QStringLiteral("missing"));
        QCOMPARE(missingForNoReason(attempts), QString());
        OUTLAY_ALL(attempts, byItself(), "refused");
        OUTLAY_ALL(attempts, asItMay(), "done");
        if (!missing.contains(QStringLiteral("seccomp"))) {
            OUTLAY_ALL(attempts, onTheNetwork(), "refused");
            OUTLAY_ALL(attempts, byCalls(), "refused");
        }
        if (missing.contains(QStringLiteral("Landlock")))
            return;
        OUTLAY_ALL(attempts, onOtherFiles(), "refused");
        if (missing.isEmpty())
            QVERIFY(person.isUntouched());
    }

    void aMissingWallIsSaid_data()
    {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QStringList>("refused");
        QTest::newRow("files") << "no-landlock"
                               << "this kernel has no Landlock: the worker isn't kept from other "
                                  "files"
                               << onTheNetwork() + byCalls() + byItself();
        QTest::newRow("calls") << "no-seccomp"
                               << "this kernel has no seccomp filters"
                               << onOtherFiles() + byItself();
    }
    void aMissingWallIsSaid()
    {
        QFETCH(QString, mode);
        QFETCH(QString, sentence);
        QFETCH(QStringList, refused);
        const Attempts all = Person().climb();
        QCOMPARE(missingForNoReason(all), QString());
        const Attempts attempts = Person().climb(mode);
        QVERIFY2(attempts.value(QStringLiteral("missing")).contains(sentence),
                 qPrintable(attempts.value(QStringLiteral("missing"))));
        if (all.value(QStringLiteral("missing")).isEmpty())
            OUTLAY_ALL(attempts, refused, "refused");
        OUTLAY_ALL(attempts, asItMay(), "done");
    }

    // Somebody for whom they are in the way takes them down, and is told.
    void theyCanBeUnwanted()
    {
        qputenv("OUTLAY_WALLS", "none");
        const Attempts attempts = Person().climb();
        qunsetenv("OUTLAY_WALLS");
        QVERIFY(attempts.value(QStringLiteral("missing")).contains(QStringLiteral("OUTLAY_WALLS")));
        OUTLAY_ALL(attempts, onOtherFiles(), "done");
    }

    // Whatever names it: a library's folder isn't opened if it is the home.
    void theHomeIsKnownByItsTrueName()
    {
        const Person person;
        const QTemporaryDir folder;
        const QString link = folder.filePath(QStringLiteral("link"));
        QVERIFY(QFile::link(person.home(), link));
        const QByteArray home = qgetenv("HOME");
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(person.home()));
        qputenv("HOME", QFile::encodeName(link));
        qputenv("LD_LIBRARY_PATH", QFile::encodeName(person.home()) + ":.:.ssh");
        const Attempts attempts = person.climb();
        qunsetenv("LD_LIBRARY_PATH");
        qputenv("HOME", home);
        QDir::setCurrent(before);
        QCOMPARE(missingForNoReason(attempts), QString());
        if (!attempts.value(QStringLiteral("missing")).contains(QStringLiteral("Landlock")))
            OUTLAY_ALL(attempts, onOtherFiles(), "refused");
    }

    // OpenMP moves its threads itself.
    void boundThreadsAreMoved()
    {
        qputenv("OMP_PROC_BIND", "true");
        const Attempts attempts = Person().climb();
        qunsetenv("OMP_PROC_BIND");
        QStringList calls = byCalls();
        calls.removeAll(QStringLiteral("move another to a core"));
        QCOMPARE(missingForNoReason(attempts), QString());
        if (attempts.value(QStringLiteral("missing")).isEmpty())
            OUTLAY_ALL(attempts, calls, "refused");
        OUTLAY_ALL(attempts, asItMay(), "done");
        QCOMPARE(attempts.value(QStringLiteral("a bound thread")), QStringLiteral("done"));
    }

#ifdef OUTLAY_REAL_WORKER
    void everyThreadOfTheWorkerIsBehindThem()
    {
        const bool hasFilters =
            canHaveWalls() ||
            !Person().climb().value(QStringLiteral("missing")).contains(QStringLiteral("seccomp"));
        Job job = jobOf(preset("mlp")->experiment);
        job.seconds = 60;
        QProcess worker;
        worker.start(QStringLiteral(OUTLAY_REAL_WORKER), {});
        worker.write(QByteArray::fromStdString(toLine(job)));
        QByteArray said;
        while (!said.contains("\"training\"") && worker.waitForReadyRead(60'000))
            said += worker.readAllStandardOutput();
        QVERIFY2(said.contains("\"training\""), said.right(300));
        QVERIFY2(!said.contains("threads of a library"), said.left(600));
        const QString folder = QStringLiteral("/proc/%1/").arg(worker.processId());
        const QStringList threads =
            QDir(folder + QStringLiteral("task")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QVERIFY(threads.size() >= 3);
        // Those to read and write others' files, of a superuser's.
        static const QRegularExpression Few(QStringLiteral("CapPrm:\\s0+[06]\\n"));
        for (const QString& thread : threads) {
            const QByteArray status = outlay::tests::contentOf(folder + QStringLiteral("task/") +
                                                               thread + QStringLiteral("/status"));
            QVERIFY2(status.contains("NoNewPrivs:\t1"), status);
            QVERIFY2(Few.match(QString::fromLatin1(status)).hasMatch(), status);
            QVERIFY2(!hasFilters || status.contains("Seccomp:\t2"), status);
        }
        const QByteArray limits = outlay::tests::contentOf(folder + QStringLiteral("limits"));
        static const QRegularExpression Whole(
            QStringLiteral("cpu time +\\d+ (.|\\n)*file size +1073741824 (.|\\n)*core file size +0 "
                           "(.|\\n)*open files +\\d{1,4} "));
        QVERIFY2(Whole.match(QString::fromLatin1(limits)).hasMatch(), limits);
        worker.closeWriteChannel();
        QVERIFY(worker.waitForFinished(10'000));
    }

    // It writes where it was told to.
    void theWorkerReachesItsPlaces()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("job.json"));
        const QString results = folder.filePath(QStringLiteral("new/results"));
        Job job = jobOf(preset("mlp")->experiment);
        job.seconds = 0.5;
        QFile written(file);
        QVERIFY(written.open(QIODevice::WriteOnly));
        written.write(QByteArray::fromStdString(toLine(job)));
        written.close();
        QProcess worker;
        worker.start(QStringLiteral(OUTLAY_REAL_WORKER),
                     {QStringLiteral("--job"), file, QStringLiteral("--results"), results});
        const auto outcome = outlay::tests::outcomeOf(worker, std::chrono::seconds(120));
        QVERIFY2(outcome.exitCode == 0 && outcome.out.contains("\"done\""), outcome.out.right(300));
        QCOMPARE(QDir(results).entryList({QStringLiteral("*.json")}).size(), 1);
    }

    // `outlay hosts check` asks for just this.
    void aMachineSaysWhatItLacks()
    {
        const QString missing = Person().climb().value(QStringLiteral("missing"));
        QVERIFY2(!canHaveWalls() || missing.isEmpty(), qPrintable(missing));
        QProcess worker;
        worker.start(QStringLiteral(OUTLAY_REAL_WORKER), {QStringLiteral("--machine")});
        const auto facts = readHostFacts(outlay::tests::outcomeOf(worker).out.toStdString());
        QVERIFY(facts.has_value());
        QCOMPARE(facts->missingWalls.empty(), missing.isEmpty());
        for (const std::string& sentence : facts->missingWalls)
            QVERIFY(missing.contains(QString::fromStdString(sentence)));
    }
#endif
};

OUTLAY_TEST(TestWalls)
#include "tst_walls.moc"
