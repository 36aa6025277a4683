// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The real programs that Outlay hands work to, started for a test by whoever runs it: a server of OpenSSH, and a Slurm
// of a few nodes, all on this machine.
#pragma once

#include "core/launch/profile.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <arpa/inet.h>
#include <csignal>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace outlay::tests {

inline QString serverProgram(const char* name)
{
    return QStandardPaths::findExecutable(QLatin1String(name),
                                          {QStringLiteral("/usr/sbin"), QStringLiteral("/usr/bin"),
                                           QStringLiteral("/sbin"), QStringLiteral("/bin")});
}

/// Where they must be, a test without them fails; elsewhere it is skipped, and says so.
inline bool mayBeMissing()
{
    return qEnvironmentVariableIsEmpty("OUTLAY_NEEDS_ENGINES");
}

#define OUTLAY_NEED_PROGRAMS(...)                                                                  \
    for (const char* program : {__VA_ARGS__}) {                                                    \
        if (!outlay::tests::serverProgram(program).isEmpty())                                      \
            continue;                                                                              \
        QVERIFY2(outlay::tests::mayBeMissing(), program);                                          \
        QSKIP(qPrintable(QLatin1String(program) + QStringLiteral(" isn't installed")));            \
    }

inline bool ranWell(
    const QString& program, const QStringList& arguments,
    const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment())
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(QProcess::nullDevice());
    process.start(program, arguments);
    constexpr int Most = 30'000;
    return process.waitForFinished(Most) && process.exitStatus() == QProcess::NormalExit &&
           process.exitCode() == 0;
}

inline void writeText(const QString& path, const QByteArray& text)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("a file of a test can't be written");
}

inline quint16 freePort()
{
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* any = reinterpret_cast<sockaddr*>(&address);
    if (::bind(socket, any, size) != 0 || ::getsockname(socket, any, &size) != 0)
        qFatal("no port is free");
    ::close(socket);
    return ntohs(address.sin_port);
}

inline QString userName()
{
    const passwd* user = ::getpwuid(::getuid());
    return user == nullptr ? QStringLiteral("root") : QString::fromLocal8Bit(user->pw_name);
}

/// Processes with this text in their environment.
inline QList<pid_t> processesWith(const QByteArray& variable)
{
    QList<pid_t> found;
    for (const QString& name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        bool isNumber = false;
        const int id = name.toInt(&isNumber);
        QFile environment(QStringLiteral("/proc/") + name + QStringLiteral("/environ"));
        if (isNumber && environment.open(QIODevice::ReadOnly) &&
            environment.readAll().split('\0').contains(variable))
            found.append(id);
    }
    return found;
}

class SshServer {
public:
    /// Whether it answers.
    bool start()
    {
        QDir().mkpath(QStringLiteral("/run/sshd")); // asks for it where it runs as root
        m_port = freePort();
        for (const char* key : {"host", "user", "stranger"}) {
            if (!ranWell(serverProgram("ssh-keygen"),
                         {QStringLiteral("-q"), QStringLiteral("-t"), QStringLiteral("ed25519"),
                          QStringLiteral("-N"), QString(), QStringLiteral("-f"), path(key)}))
                return false;
        }
        QFile::copy(path("user.pub"), path("authorized"));
        writeText(path("config"), QStringLiteral("Port %1\nListenAddress 127.0.0.1\nHostKey %2\n"
                                                 "AuthorizedKeysFile %3\nStrictModes no\n"
                                                 "UsePAM no\nPidFile none\n")
                                      .arg(m_port)
                                      .arg(path("host"), path("authorized"))
                                      .toUtf8());
        m_server.setStandardErrorFile(path("log"));
        m_server.start(serverProgram("sshd"), {QStringLiteral("-D"), QStringLiteral("-e"),
                                               QStringLiteral("-f"), path("config")});
        constexpr int Tries = 100;
        for (int i = 0; i < Tries; ++i) {
            if (ranWell(serverProgram("ssh"), options(path("user"))
                                                  << address() << QStringLiteral("true")))
                return true;
            QThread::msleep(50);
        }
        return false;
    }
    ~SshServer()
    {
        m_server.kill();
        m_server.waitForFinished();
    }

    [[nodiscard]] core::Profile profile(const char* key = "user") const
    {
        core::Profile profile{.name = "there", .kind = core::ProfileKind::Ssh};
        profile.address = address().toStdString();
        for (const QString& option : options(path(key)))
            profile.sshOptions.push_back(option.toStdString());
        return profile;
    }
    [[nodiscard]] QString path(const char* name) const
    {
        return m_folder.filePath(QLatin1String(name));
    }

private:
    [[nodiscard]] static QString address() { return userName() + QStringLiteral("@127.0.0.1"); }
    [[nodiscard]] QStringList options(const QString& key) const
    {
        QStringList all{QStringLiteral("-p"),   QString::number(m_port), QStringLiteral("-F"),
                        QStringLiteral("none"), QStringLiteral("-i"),    key};
        for (const char* option :
             {"IdentitiesOnly=yes", "StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null",
              "LogLevel=ERROR", "BatchMode=yes"})
            all << QStringLiteral("-o") << QLatin1String(option);
        return all;
    }

    QTemporaryDir m_folder;
    QProcess m_server;
    quint16 m_port = 0;
};

/// One controller and some nodes of one core each, for whoever runs the test alone.
class SlurmCluster {
public:
    explicit SlurmCluster(int nodes) : m_nodes(nodes) {}

    bool start()
    {
        for (const char* folder : {"state", "log", "munge", "spool"})
            QDir().mkpath(path(folder));
        QFile::setPermissions(m_folder.path(), QFile::Permissions(0x7755));
        QFile::setPermissions(path("munge"), QFile::Permissions(0x7755));
        writeKey();
        writeConfig();
        // Where no control groups are, guessing their version ends a node.
        writeText(path("cgroup.conf"), "CgroupPlugin=cgroup/v1\n");
        const bool isUp =
            ranWell(serverProgram("munged"), {QStringLiteral("--key-file=") + path("munge/key"),
                                              QStringLiteral("--socket=") + path("munge/sock"),
                                              QStringLiteral("--pid-file=") + path("munge/pid"),
                                              QStringLiteral("--log-file=") + path("munge/log"),
                                              QStringLiteral("--seed-file=") + path("munge/seed"),
                                              QStringLiteral("--num-threads=2")}) &&
            startController(true);
        for (int node = 1; isUp && node <= m_nodes; ++node) {
            if (!startNode(node))
                return false;
        }
        if (isUp)
            startOperator();
        return isUp && isIdle();
    }
    ~SlurmCluster()
    {
        m_operator.kill();
        m_operator.waitForFinished();
        for (int node = 1; node <= m_nodes; ++node)
            killNode(node);
        killController();
        ::kill(pidIn("munge/pid"), SIGKILL);
    }

    [[nodiscard]] core::Profile profile() const
    {
        core::Profile profile{.name = "cluster", .kind = core::ProfileKind::Queue};
        profile.folder = path("shared").toStdString();
        // The hold after a lost node takes two minutes.
        profile.submitOptions = {"--no-requeue"};
        return profile;
    }
    [[nodiscard]] QByteArray configuration() const { return path("slurm.conf").toLocal8Bit(); }
    [[nodiscard]] QString path(const char* name) const
    {
        return m_folder.filePath(QLatin1String(name));
    }

    bool startController(bool isFirst = false)
    {
        return ranWell(serverProgram("slurmctld"),
                       isFirst ? QStringList{QStringLiteral("-i")} : QStringList(), environment());
    }
    void killController() { ::kill(pidIn("slurmctld.pid"), SIGKILL); }
    bool startNode(int node)
    {
        return ranWell(serverProgram("slurmd"), {QStringLiteral("-N"), nameOf(node)},
                       environment());
    }
    /// As a machine that loses its power: with all that runs on it.
    void killNode(int node)
    {
        ::kill(pidIn(("slurmd-" + nameOf(node).toLatin1() + ".pid").constData()), SIGKILL);
        for (const pid_t worker : processesWith("SLURMD_NODENAME=" + nameOf(node).toLatin1())) {
            const pid_t parent = parentOf(worker);
            if (!commandOf(parent).startsWith("slurmstepd") || !isOurs(parent))
                continue;
            ::kill(parent, SIGKILL);
            ::kill(worker, SIGKILL);
        }
    }
    /// All nodes are up and have nothing to do.
    [[nodiscard]] bool isIdle() const
    {
        constexpr int Tries = 200;
        for (int i = 0; i < Tries; ++i) {
            QProcess sinfo;
            sinfo.setProcessEnvironment(environment());
            sinfo.start(serverProgram("sinfo"), {QStringLiteral("-h"), QStringLiteral("-N"),
                                                 QStringLiteral("-o"), QStringLiteral("%T")});
            sinfo.waitForFinished();
            if (sinfo.readAllStandardOutput().split('\n').count("idle") == m_nodes)
                return true;
            QThread::msleep(100);
        }
        return false;
    }

private:
    [[nodiscard]] static QString nameOf(int node) { return QStringLiteral("n%1").arg(node); }
    [[nodiscard]] QProcessEnvironment environment() const
    {
        QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
        all.insert(QStringLiteral("SLURM_CONF"), path("slurm.conf"));
        return all;
    }
    [[nodiscard]] pid_t pidIn(const char* name) const
    {
        QFile file(path(name));
        const int id = file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toInt() : 0;
        constexpr pid_t Nobody = 0x3fffffff;
        return id > 1 ? id : Nobody;
    }
    /// Not of another cluster on this machine.
    [[nodiscard]] bool isOurs(pid_t process) const
    {
        QFile file(QStringLiteral("/proc/%1/environ").arg(process));
        return file.open(QIODevice::ReadOnly) &&
               file.readAll().contains("SLURM_CONF=" + configuration());
    }
    static pid_t parentOf(pid_t process)
    {
        QFile file(QStringLiteral("/proc/%1/stat").arg(process));
        if (!file.open(QIODevice::ReadOnly))
            return 0;
        const QByteArray text = file.readAll();
        return text.mid(text.lastIndexOf(')') + 2).split(' ').value(1).toInt();
    }
    static QByteArray commandOf(pid_t process)
    {
        QFile file(QStringLiteral("/proc/%1/cmdline").arg(process));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// A controller that was killed may have lost what it began last. It gives the numbers of it to other jobs, takes
    /// the nodes that know them away, and learns that the jobs don't run when the nodes say next what they do.
    void startOperator()
    {
        m_operator.setProcessEnvironment(environment());
        m_operator.setStandardOutputFile(QProcess::nullDevice());
        m_operator.setStandardErrorFile(QProcess::nullDevice());
        m_operator.start(QStringLiteral("/bin/sh"),
                         {QStringLiteral("-c"),
                          QStringLiteral("while sleep 1; do nodes=$(sinfo -h -N -t drain -o %N)\n"
                                         "[ -n \"$nodes\" ] || continue\n"
                                         "for node in $nodes; do"
                                         " scontrol update NodeName=$node State=RESUME; done\n"
                                         "sleep 3; scontrol reconfigure\n"
                                         "sleep 3; scontrol reconfigure; done")});
    }
    void writeKey()
    {
        writeText(path("munge/key"), QByteArray(128, 'k'));
        QFile::setPermissions(path("munge/key"), QFile::ReadOwner | QFile::WriteOwner);
    }
    void writeConfig()
    {
        const QString name = QSysInfo::machineHostName().section(QLatin1Char('.'), 0, 0);
        QString text =
            QStringLiteral("ClusterName=test\nSlurmctldHost=localhost(127.0.0.1)\n"
                           "AuthType=auth/munge\nAuthInfo=socket=%1/munge/sock\n"
                           "CredType=cred/munge\nSlurmUser=%2\nSlurmdUser=%2\n"
                           "SlurmctldPort=%3\nStateSaveLocation=%1/state\n"
                           "SlurmdSpoolDir=%1/spool-%n\nSlurmctldPidFile=%1/slurmctld.pid\n"
                           "SlurmdPidFile=%1/slurmd-%n.pid\n"
                           "SlurmctldLogFile=%1/log/slurmctld.log\n"
                           "SlurmdLogFile=%1/log/slurmd-%n.log\n")
                .arg(m_folder.path(), userName())
                .arg(freePort());
        text += QStringLiteral(
            "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
            "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
            "SchedulerType=sched/backfill\n"
            "SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,"
            "bf_interval=1\n"
            "SwitchType=switch/none\nMpiDefault=none\nMailProg=/bin/true\n"
            "AccountingStorageType=accounting_storage/none\n"
            "JobAcctGatherType=jobacct_gather/none\nJobCompType=jobcomp/none\n"
            "ReturnToService=2\nSlurmdTimeout=10\nKillWait=5\nBatchStartTimeout=2\nMinJobAge=300\n"
            "SlurmdParameters=config_overrides\n"
            "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n");
        for (int node = 1; node <= m_nodes; ++node)
            text += QStringLiteral("NodeName=%1 NodeHostname=%2 NodeAddr=127.0.0.1 Port=%3 CPUs=1 "
                                   "RealMemory=1000 State=UNKNOWN\n")
                        .arg(nameOf(node), name)
                        .arg(freePort());
        writeText(path("slurm.conf"), text.toUtf8());
    }

    QTemporaryDir m_folder;
    QProcess m_operator;
    int m_nodes;
};

} // namespace outlay::tests
