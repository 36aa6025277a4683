// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a sweep of many points costs the program and the queue behind which they are measured: `many_jobs [JOBS] [SECONDS]`
// starts a Slurm of its own, gives it that many jobs of a worker that sleeps, and counts the program's memory and how
// often it asks the engine for anything.
#include "core/experiment/experiment.h"
#include "core/experiment/presets.h"
#include "tests/support/engines.h"

#include <QElapsedTimer>

#include <algorithm>
#include <cstdio>

using namespace outlay::core;
using namespace outlay::tests;

namespace {

constexpr double KbPerMb = 1024;

/// The engine's programs by their own names, each telling first when it was called.
bool wrapPrograms(const QString& folder, const QString& log)
{
    for (const char* name : {"sbatch", "squeue", "scancel", "scontrol", "sinfo"}) {
        const QString script = folder + QLatin1Char('/') + QLatin1String(name);
        writeText(script,
                  QStringLiteral("#!/bin/sh\necho \"%1 $(date +%s.%N)\" >> %2\nexec %3 \"$@\"\n")
                      .arg(QLatin1String(name), log, serverProgram(name))
                      .toLocal8Bit());
        if (!QFile::setPermissions(script, QFile::Permissions(0x7755)))
            return false;
    }
    return true;
}

QByteArray textOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Of a process that runs: the most it ever had resident.
double peakMb(qint64 process)
{
    for (const QByteArray& line :
         textOf(QStringLiteral("/proc/%1/status").arg(process)).split('\n')) {
        if (line.startsWith("VmHWM:"))
            return line.mid(6).trimmed().split(' ').value(0).toDouble() / KbPerMb;
    }
    return 0;
}

struct Calls {
    std::vector<double> seconds;
    QMap<QByteArray, int> byName;
};

Calls callsIn(const QString& log)
{
    Calls calls;
    for (const QByteArray& line : textOf(log).trimmed().split('\n')) {
        const auto words = line.split(' ');
        if (words.size() != 2)
            continue;
        ++calls.byName[words[0]];
        calls.seconds.push_back(words[1].toDouble());
    }
    std::sort(calls.seconds.begin(), calls.seconds.end());
    return calls;
}

/// The most in any time of that length.
std::size_t mostWithin(const std::vector<double>& seconds, double length)
{
    std::size_t most = 0;
    for (std::size_t first = 0, last = 0; last < seconds.size(); ++last) {
        while (seconds[last] - seconds[first] >= length)
            ++first;
        most = std::max(most, last - first + 1);
    }
    return most;
}

QString valuesUpTo(int jobs)
{
    QStringList values;
    for (int value = 1; value <= jobs; ++value)
        values << QString::number(value);
    return QStringLiteral("/training/batch=") + values.join(QLatin1Char(','));
}

Profile profileOn(const SlurmCluster& cluster, const QTemporaryDir& home, const QString& seconds)
{
    Profile profile = cluster.profile();
    profile.worker = OUTLAY_FAKE_WORKER;
    profile.environment = {"OUTLAY_FAKE_STARTS=" + home.filePath("starts").toStdString(),
                           "OUTLAY_FAKE_SECONDS=" + seconds.toStdString()};
    return profile;
}

void start(QProcess& program, const QTemporaryDir& home, int jobs)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HOME"), home.path());
    environment.insert(QStringLiteral("OUTLAY_HOSTS"), home.filePath(QStringLiteral("hosts")));
    environment.insert(QStringLiteral("PATH"), home.filePath(QStringLiteral("bin")) +
                                                   QLatin1Char(':') +
                                                   environment.value(QStringLiteral("PATH")));
    program.setProcessEnvironment(environment);
    program.setStandardOutputFile(home.filePath(QStringLiteral("points")));
    program.setStandardErrorFile(home.filePath(QStringLiteral("told")));
    program.start(QStringLiteral(OUTLAY_PROGRAM),
                  {QStringLiteral("sweep"), home.filePath(QStringLiteral("mlp.json")),
                   QStringLiteral("--vary"), valuesUpTo(jobs), QStringLiteral("--measure"),
                   QStringLiteral("--on"), QStringLiteral("cluster"), QStringLiteral("--csv")});
}

int measure(int jobs, const QString& seconds)
{
    const QTemporaryDir home;
    SlurmCluster cluster(3);
    if (!cluster.start())
        return 1;
    qputenv("SLURM_CONF", cluster.configuration());
    const QString log = home.filePath(QStringLiteral("calls"));
    QDir(home.path()).mkpath(QStringLiteral("bin"));
    const bool isLaid = wrapPrograms(home.filePath(QStringLiteral("bin")), log) &&
                        saveExperiment(preset("mlp")->experiment,
                                       home.filePath(QStringLiteral("mlp.json")).toStdString()) &&
                        saveProfile(profileOn(cluster, home, seconds),
                                    home.filePath(QStringLiteral("hosts")).toStdString());
    if (!isLaid)
        return 1;
    QProcess program;
    QElapsedTimer clock;
    clock.start();
    start(program, home, jobs);
    if (!program.waitForStarted())
        return 1;
    double peak = 0;
    while (!program.waitForFinished(100) && program.state() != QProcess::NotRunning)
        peak = std::max(peak, peakMb(program.processId()));
    const double took = 1e-3 * static_cast<double>(clock.elapsed());
    const Calls calls = callsIn(log);
    const auto lines = [&](const char* name) {
        return textOf(home.filePath(QLatin1String(name))).count('\n');
    };
    std::printf("%8s %8s %8s %8s %10s %8s %10s %14s %14s\n", "exit", "points", "starts", "time, s",
                "peak, MB", "calls", "a second", "most in 1 s", "most in 10 s");
    std::printf("%8d %8lld %8lld %8.0f %10.1f %8zu %10.2f %14zu %14zu\n", program.exitCode(),
                static_cast<long long>(lines("points") - 1),
                static_cast<long long>(lines("starts")), took, peak, calls.seconds.size(),
                static_cast<double>(calls.seconds.size()) / took, mostWithin(calls.seconds, 1),
                mostWithin(calls.seconds, 10));
    for (auto call = calls.byName.begin(); call != calls.byName.end(); ++call)
        std::printf("%20s %6d\n", call.key().constData(), call.value());
    if (program.exitCode() != 0)
        std::printf("%s", textOf(home.filePath(QStringLiteral("told"))).right(2000).constData());
    return program.exitStatus() == QProcess::NormalExit ? program.exitCode() : 1;
}

} // namespace

int main(int count, char** words)
{
    const QCoreApplication application(count, words);
    const QStringList given = QCoreApplication::arguments();
    constexpr int Jobs = 1000;
    return measure(given.size() > 1 ? given[1].toInt() : Jobs,
                   given.value(2, QStringLiteral("0.2")));
}
