// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The real worker trains in two processes, and leaves none of them behind.
#include "core/experiment/presets.h"
#include "core/probe/job.h"
#include "core/probe/measurement.h"
#include "core/probe/message.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <functional>
#include <map>
#include <memory>

using namespace outlay::core;

namespace {

QByteArray jobOf(const char* preset, double seconds)
{
    const Experiment e = outlay::core::preset(preset)->experiment;
    Job job{.model = e.model, .training = e.training, .serving = e.serving, .seconds = seconds};
    job.training.batch = 8;
    job.training.sequence = 16;
    job.processes = 2;
    return QByteArray::fromStdString(toLine(job));
}

/// Processes that were started with this folder for temporary files.
QList<qint64> processesOf(const QString& folder)
{
    QList<qint64> found;
    for (const QString& entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        QFile words(QStringLiteral("/proc/%1/cmdline").arg(entry));
        bool isNumber = false;
        const qint64 id = entry.toLongLong(&isNumber);
        if (isNumber && words.open(QIODevice::ReadOnly) &&
            words.readAll().contains(folder.toUtf8()))
            found.push_back(id);
    }
    return found;
}

/// Both, as the worker that started them is.
bool areLimited(const QString& folder)
{
    static const QRegularExpression Whole(
        QStringLiteral("cpu time +\\d+ (.|\\n)*file size +1073741824 (.|\\n)*core file size +0 "
                       "(.|\\n)*open files +\\d{1,4} "));
    const QList<qint64> ranks = processesOf(folder);
    return ranks.size() == 2 && std::all_of(ranks.begin(), ranks.end(), [](qint64 rank) {
               QFile limits(QStringLiteral("/proc/%1/limits").arg(rank));
               return limits.open(QIODevice::ReadOnly) &&
                      Whole.match(QString::fromLatin1(limits.readAll())).hasMatch();
           });
}

/// A worker whose temporary files are in a folder of this test.
class Worker {
public:
    explicit Worker(const QByteArray& job)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("TMPDIR"), m_folder.path());
        m_process.setProcessEnvironment(environment);
        m_process.start(QStringLiteral(OUTLAY_REAL_WORKER), {});
        m_process.write(job);
    }
    ~Worker()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

    QProcess& process() { return m_process; }
    [[nodiscard]] QString folder() const { return m_folder.path(); }
    /// Waits until both processes run; false if the worker ends before.
    bool waitForChildren()
    {
        while (m_process.state() != QProcess::NotRunning) {
            if (processesOf(folder()).size() == 2)
                return true;
            m_process.waitForFinished(20);
        }
        return false;
    }

private:
    QTemporaryDir m_folder;
    QProcess m_process;
};

/// What the last line holds; null where the worker has no process groups.
std::optional<ProcessesMeasurement> resultOf(const QByteArray& out, std::string& finding)
{
    const QByteArray last = out.trimmed().split('\n').last();
    const auto json = readJson(last.toStdString());
    const Json* stored = json ? json->find("measurement") : nullptr;
    if (stored == nullptr)
        return std::nullopt;
    const auto measurement = readMeasurement(*stored);
    if (!measurement)
        return std::nullopt;
    for (const std::string& text : measurement->findings) {
        if (text.find("Several processes") != std::string::npos)
            finding = text;
    }
    return measurement->processes;
}

constexpr int Patience = 110'000;

QByteArray jobTogether(int rank)
{
    auto job = *readJob(jobOf("mlp", 0.5).toStdString());
    job.processes = 1;
    job.threads = 1;
    job.together = Together{.rank = rank, .hosts = {"first", "second"}, .address = "127.0.0.1"};
    return QByteArray::fromStdString(toLine(job));
}

/// Workers on machines of their own, as far as they know, and who started them.
class Hub {
public:
    explicit Hub(int count)
    {
        for (int rank = 0; rank < count; ++rank) {
            auto process = std::make_unique<QProcess>();
            process->start(QStringLiteral(OUTLAY_REAL_WORKER), {QStringLiteral("--together")});
            process->write(jobTogether(rank));
            m_processes.push_back(std::move(process));
            m_out.emplace_back();
        }
    }
    ~Hub()
    {
        for (const auto& process : m_processes) {
            process->kill();
            process->waitForFinished();
        }
    }

    [[nodiscard]] QByteArray outOf(int rank) const { return m_out[static_cast<std::size_t>(rank)]; }
    bool waitForEnd()
    {
        return passUntil([&] {
            return std::all_of(m_processes.begin(), m_processes.end(), [](const auto& process) {
                return process->state() == QProcess::NotRunning;
            });
        });
    }
    bool waitForMeeting()
    {
        return passUntil([&] { return !m_known.empty(); });
    }
    void killLast() { m_processes.back()->kill(); }
    void closeFirst() { m_processes.front()->closeWriteChannel(); }

private:
    bool passUntil(const std::function<bool()>& isEnough)
    {
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < Patience) {
            for (std::size_t i = 0; i < m_processes.size(); ++i)
                read(i);
            if (isEnough())
                return true;
            m_processes.front()->waitForReadyRead(20);
        }
        return false;
    }
    void read(std::size_t who)
    {
        QProcess& process = *m_processes[who];
        process.waitForReadyRead(1);
        while (process.canReadLine()) {
            const QByteArray line = process.readLine();
            m_out[who] += line;
            const auto message = readMessage(line.trimmed().toStdString());
            const auto* kept = message ? std::get_if<Kept>(&*message) : nullptr;
            if (kept == nullptr)
                continue;
            if (kept->bytes)
                m_known[kept->key] = line;
            else
                m_wanted.emplace_back(who, kept->key);
        }
        std::erase_if(m_wanted, [&](const auto& wish) {
            const auto known = m_known.find(wish.second);
            if (known != m_known.end())
                m_processes[wish.first]->write(known->second);
            return known != m_known.end();
        });
    }

    std::vector<std::unique_ptr<QProcess>> m_processes;
    std::vector<QByteArray> m_out;
    std::map<std::string, QByteArray> m_known;
    std::vector<std::pair<std::size_t, std::string>> m_wanted;
};

} // namespace

class TestProcessGroup : public QObject {
    Q_OBJECT
private Q_SLOTS:
#ifdef OUTLAY_CAN_GROUP
    void theFitIsPositiveAndNobodyStays()
    {
        Worker worker(jobOf("mlp", 0.5));
        QVERIFY(worker.process().waitForFinished(Patience));
        std::string finding;
        const auto m = resultOf(worker.process().readAllStandardOutput(), finding);
        QVERIFY(processesOf(worker.folder()).isEmpty());
        QVERIFY(QDir(worker.folder()).isEmpty());
        QVERIFY2(m.has_value(), finding.c_str());
        QCOMPARE(m->processes, std::int64_t{2});
        for (const double value : {m->aloneStepS, m->stepS, m->exchangeS, m->bytesPerS, m->miss})
            QVERIFY(std::isfinite(value) && value > 0);
        QVERIFY(std::isfinite(m->latencyS) && m->latencyS >= 0);
        QVERIFY(m->stepS > m->exchangeS);
        QVERIFY(m->steps >= 4);
        QVERIFY(m->exchange.size() >= 4);
    }

    // Two workers that share no folder find each other by what this test passes on between them.
    void twoWorkersTrainTogether()
    {
        Hub hub(2);
        QVERIFY(hub.waitForEnd());
        for (int rank = 0; rank < 2; ++rank) {
            std::string finding;
            const auto m = resultOf(hub.outOf(rank), finding);
            QVERIFY2(m.has_value(), hub.outOf(rank).right(400).constData());
            QCOMPARE(m->hosts, (std::vector<std::string>{"first", "second"}));
            QCOMPARE(m->processes, std::int64_t{2});
            QVERIFY(m->steps >= 4 && m->stepS > m->exchangeS && m->exchangeS > 0);
            QVERIFY(m->aloneStepS > 0 && m->bytesPerS > 0);
        }
    }

    // Where the other one is gone, who waits for it hears no more, and is ended by the end of its input.
    void oneThatIsLeftEnds()
    {
        Hub hub(2);
        QVERIFY(hub.waitForMeeting());
        hub.killLast();
        QElapsedTimer clock;
        clock.start();
        hub.closeFirst();
        QVERIFY(hub.waitForEnd());
        QVERIFY(clock.elapsed() < 20'000);
    }

    // Nobody who wasn't asked for it reaches others.
    void othersAreReachedOnRequestOnly()
    {
        QProcess alone;
        alone.start(QStringLiteral(OUTLAY_REAL_WORKER), {});
        alone.write(jobTogether(0));
        QVERIFY(alone.waitForFinished(Patience));
        QVERIFY(alone.readAllStandardOutput().contains("this worker may not reach other machines"));
    }

    void cancelledTheyEnd()
    {
        Worker worker(jobOf("mlp", 0.5));
        QVERIFY(worker.waitForChildren());
        worker.process().closeWriteChannel();
        QVERIFY(worker.process().waitForFinished(Patience));
        // What it had measured before them is kept.
        QCOMPARE(worker.process().exitCode(), 0);
        const QByteArray last =
            worker.process().readAllStandardOutput().trimmed().split('\n').last();
        QVERIFY2(last.contains("\"done\"") && last.contains("\"cancelled_in\":\"processes\""),
                 last.right(200));
        QTRY_VERIFY_WITH_TIMEOUT(processesOf(worker.folder()).isEmpty(), 10'000);
        QVERIFY(QDir(worker.folder()).isEmpty());
    }

    void killedTheyEnd()
    {
        Worker worker(jobOf("mlp", 0.5));
        QVERIFY(worker.waitForChildren());
        ::kill(static_cast<pid_t>(worker.process().processId()), SIGKILL);
        QVERIFY(worker.process().waitForFinished(Patience));
        QTRY_VERIFY_WITH_TIMEOUT(processesOf(worker.folder()).isEmpty(), 10'000);
    }

    void theyAreLimited()
    {
        Worker worker(jobOf("mlp", 1));
        QVERIFY(worker.waitForChildren());
        QTRY_VERIFY_WITH_TIMEOUT(areLimited(worker.folder()), 20'000);
    }

    void oneThatDiesIsAFinding()
    {
        Worker worker(jobOf("mlp", 0.5));
        QVERIFY(worker.waitForChildren());
        ::kill(static_cast<pid_t>(processesOf(worker.folder()).front()), SIGKILL);
        QVERIFY(worker.process().waitForFinished(Patience));
        QCOMPARE(worker.process().exitCode(), 0);
        std::string finding;
        QVERIFY(!resultOf(worker.process().readAllStandardOutput(), finding));
        QVERIFY2(finding.find("failed") != std::string::npos, finding.c_str());
        QVERIFY(processesOf(worker.folder()).isEmpty());
    }
#else
    // Without Gloo, or with one core, the rest is measured and the reason is told.
    void theReasonIsTold()
    {
        Worker worker(jobOf("mlp", 0.5));
        QVERIFY(worker.process().waitForFinished(Patience));
        QCOMPARE(worker.process().exitCode(), 0);
        std::string finding;
        QVERIFY(!resultOf(worker.process().readAllStandardOutput(), finding));
        QVERIFY2(finding.find("without Gloo") != std::string::npos ||
                     finding.find("cores") != std::string::npos,
                 finding.c_str());
        QVERIFY(QDir(worker.folder()).isEmpty());
    }
#endif
};

OUTLAY_TEST(TestProcessGroup)
#include "tst_process_group.moc"
