// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/probe_process.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/probe/measurements.h"
#include "gui/session/child_process.h"
#include "gui/session/host_command.h"
#include "gui/view/format.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <chrono>
#include <csignal>
#include <utility>

namespace outlay::gui {
namespace {

using namespace std::chrono_literals;

constexpr auto Silence = 15s;                // a worker beats once a second
constexpr auto Standstill = 15min;           // some designs take minutes for a step
constexpr int MostMessagesPerSecond = 5'000; // a worker sends some twenty
constexpr int MostWarnings = 50;
constexpr int MostGreetings = 200; // lines
constexpr auto LeaseBeat = 2s;     // a tenth of what a worker waits for
constexpr qsizetype LogKept = 64 * 1024;

} // namespace

ProbeProcess::ProbeProcess(QObject* parent) : QObject(parent), m_process(new QProcess(this))
{
    m_watchdog.setSingleShot(true);
    m_watchdog.setInterval(Silence);
    m_standstill.setSingleShot(true);
    m_standstill.setInterval(Standstill);
    m_patience.setSingleShot(true);
    m_patience.setInterval(Patience);
    m_lease.setInterval(LeaseBeat);
    connect(&m_lease, &QTimer::timeout, this,
            [this] { m_process->write("{\"type\":\"here\"}\n"); });
    connect(m_process, &QProcess::readyReadStandardOutput, this, &ProbeProcess::readOutput);
    connect(m_process, &QProcess::readyReadStandardError, this, &ProbeProcess::readLog);
    whenEnded(m_process, this, [this] { processEnded(); });
    connect(&m_watchdog, &QTimer::timeout, this, [this] {
        fail(QStringLiteral("the worker has been silent for %1 s")
                 .arg(m_watchdog.interval() / 1000.0),
             m_host.isEmpty()
                 ? QStringLiteral("try again; if it happens again, report it with the experiment")
                 : QStringLiteral("see by hand, with ssh, what keeps that machine busy"));
    });
    connect(&m_standstill, &QTimer::timeout, this, [this] {
        fail(QStringLiteral("the worker beats, but hasn't come on for %1 s")
                 .arg(m_standstill.interval() / 1000.0),
             QStringLiteral("try again; if it happens again, report it with the experiment"));
    });
    connect(&m_patience, &QTimer::timeout, this, &ProbeProcess::insist);
}

ProbeProcess::~ProbeProcess()
{
    killUnheard(m_process, this);
}

QString ProbeProcess::findWorker(const QString& chosen)
{
    QString override = qEnvironmentVariable("OUTLAY_PROBE");
    if (!override.isEmpty())
        return override;
    if (!chosen.isEmpty())
        return chosen;
    const QDir here(QCoreApplication::applicationDirPath());
    for (const char* path : {"outlay-probe", "../core/probe/worker/outlay-probe"}) {
        const QFileInfo file(here.filePath(QLatin1String(path)));
        if (file.isExecutable() && file.isFile())
            return file.canonicalFilePath();
    }
    return {};
}

void ProbeProcess::start(const core::Job& job)
{
    const QString worker = findWorker(m_worker);
    QStringList words;
    if (!worker.isEmpty())
        words = QProcess::splitCommand(qEnvironmentVariable("OUTLAY_PROBE_WRAPPER")) << worker;
    start(job, {.words = words});
}

void ProbeProcess::start(const core::Job& job, const WorkerStart& how)
{
    Q_ASSERT(m_state == State::Idle);
    m_state = State::Starting;
    m_host = how.host;
    m_program = how.words;
    m_greetings = 0;
    m_line.clear();
    m_log.clear();
    m_messages = 0;
    m_warnings = 0;
    m_progress = {};
    m_second.start();
    m_isCancelled = false;
    m_hasTerminated = false;
    m_outcome.reset();
    if (how.words.isEmpty()) {
        m_outcome =
            ProbeOutcome{.error = {core::ErrorCode::Measurement,
                                   "the worker outlay-probe is missing",
                                   "install it, or name it in the settings or in OUTLAY_PROBE",
                                   {},
                                   {}}};
        // Not from inside of start(): the caller has still to connect, perhaps.
        QTimer::singleShot(0, this, &ProbeProcess::processEnded);
        return;
    }
    QStringList command = how.words;
    m_watchdog.start();
    m_standstill.start();
    if (how.hasLease)
        m_lease.start();
    if (!m_host.isEmpty())
        ignoreInterrupts(*m_process);
    m_process->start(command.takeFirst(), command);
    m_process->write(how.job.isEmpty() ? QByteArray::fromStdString(core::toLine(job)) : how.job);
}

void ProbeProcess::cancel()
{
    if (m_state == State::Idle || m_state == State::Stopping)
        return;
    m_state = State::Stopping;
    m_isCancelled = true;
    m_process->write("{\"type\":\"cancel\"}\n");
    m_process->closeWriteChannel();
    m_patience.start();
}

void ProbeProcess::answer(const core::Kept& kept)
{
    if (m_state == State::Running)
        m_process->write(QByteArray::fromStdString(core::toLine(kept)));
}

void ProbeProcess::insist()
{
    if (m_process->state() == QProcess::NotRunning)
        return;
    if (m_hasTerminated) {
        m_process->kill();
        return;
    }
    m_hasTerminated = true;
    m_process->terminate();
    m_patience.start();
}

void ProbeProcess::readOutput()
{
    m_line += m_process->readAllStandardOutput();
    qsizetype start = 0;
    for (qsizetype end = m_line.indexOf('\n'); end >= 0; end = m_line.indexOf('\n', start)) {
        handleLine(m_line.mid(start, end - start));
        start = end + 1;
    }
    m_line.remove(0, start);
    if (m_line.size() > static_cast<qsizetype>(core::LongestLine)) {
        m_line.clear();
        fail(QStringLiteral("the worker wrote a line without end"),
             QStringLiteral("use the outlay and the outlay-probe of one version"));
    }
}

void ProbeProcess::readLog()
{
    m_log += m_process->readAllStandardError();
    if (m_log.size() > LogKept)
        m_log.remove(0, m_log.size() - LogKept);
}

void ProbeProcess::handleLine(const QByteArray& line)
{
    // Once the outcome is known, what still comes has no meaning.
    if (m_outcome || m_state == State::Idle || line.isEmpty())
        return;
    if (isFlood())
        return fail(QStringLiteral("the worker floods its output"),
                    QStringLiteral("use the outlay and the outlay-probe of one version"));
    const auto message =
        core::readMessage({line.constData(), static_cast<std::size_t>(line.size())});
    if (isGreeting(message.has_value() && std::holds_alternative<core::Hello>(*message)))
        return;
    if (!message)
        return fail(toQString(message.error().what), toQString(message.error().remedy));
    m_watchdog.start();
    handleMessage(*message);
}

bool ProbeProcess::isGreeting(bool isHello)
{
    if (m_host.isEmpty() || m_state != State::Starting || isHello)
        return false;
    return ++m_greetings <= MostGreetings;
}

/// Too many messages within a second; a long measurement may send any number in all.
bool ProbeProcess::isFlood()
{
    constexpr qint64 Second = 1000;
    if (m_second.hasExpired(Second)) {
        m_second.restart();
        m_messages = 0;
    }
    return ++m_messages > MostMessagesPerSecond;
}

void ProbeProcess::handleProgress(const core::Progress& progress)
{
    if (progress != std::exchange(m_progress, progress))
        m_standstill.start();
    Q_EMIT progressed(progress);
}

void ProbeProcess::handleWarning(const core::ProbeWarning& warning)
{
    if (++m_warnings <= MostWarnings)
        Q_EMIT warned(toQString(core::printable(warning.text)));
}

/// No step takes no time, whatever a worker says.
void ProbeProcess::handleSample(core::Sample sample)
{
    std::erase_if(sample.seconds, [](double each) { return !(each > 0); });
    if (!sample.seconds.empty())
        Q_EMIT sampled(sample);
}

void ProbeProcess::handleMessage(const core::Message& message)
{
    if (const auto* hello = std::get_if<core::Hello>(&message)) {
        if (hello->protocol != core::ProtocolVersion)
            return fail(QStringLiteral("the worker speaks protocol version %1, and this program %2")
                            .arg(hello->protocol)
                            .arg(core::ProtocolVersion),
                        QStringLiteral("use the outlay and the outlay-probe of one version"));
        m_state = State::Running;
        Q_EMIT answered(*hello);
    } else if (const auto* progress = std::get_if<core::Progress>(&message)) {
        handleProgress(*progress);
    } else if (const auto* sample = std::get_if<core::Sample>(&message)) {
        handleSample(*sample);
    } else if (const auto* variant = std::get_if<core::TriedVariant>(&message)) {
        Q_EMIT tried(variant->row);
    } else if (const auto* warning = std::get_if<core::ProbeWarning>(&message)) {
        handleWarning(*warning);
    } else if (const auto* done = std::get_if<core::Done>(&message)) {
        auto received = core::receivedMeasurement(done->measurement, core::nowUtc());
        m_outcome = received ? ProbeOutcome{.kind = ProbeOutcome::Kind::Done,
                                            .measurement = std::move(*received)}
                             : ProbeOutcome{.error = received.error()};
    } else if (const auto* error = std::get_if<core::ProbeError>(&message)) {
        m_outcome = ProbeOutcome{
            .error = {core::ErrorCode::Measurement, error->what, error->remedy, {}, {}}};
    } else if (const auto* theirs = std::get_if<core::Kept>(&message)) {
        Q_EMIT kept(*theirs);
    } else {
        m_outcome = ProbeOutcome{.kind = ProbeOutcome::Kind::Cancelled};
    }
    // A worker that has said its last word may still have to be helped out.
    if (core::isTerminal(message)) {
        m_watchdog.stop();
        m_standstill.stop();
        m_process->closeWriteChannel();
        m_patience.start();
    }
}

void ProbeProcess::fail(const QString& what, const QString& remedy)
{
    if (!m_outcome)
        m_outcome = ProbeOutcome{.error = {core::ErrorCode::Measurement,
                                           what.toStdString(),
                                           remedy.toStdString(),
                                           {},
                                           m_host.toStdString()},
                                 .isLost = !m_host.isEmpty()};
    m_state = State::Stopping;
    m_watchdog.stop();
    m_standstill.stop();
    m_process->kill();
}

void ProbeProcess::processEnded()
{
    if (m_state == State::Idle)
        return;
    readOutput();
    readLog();
    if (m_outcome)
        return finish(std::move(*m_outcome));
    const bool isOfHost = !m_host.isEmpty() && m_state == State::Starting;
    constexpr int ConnectionFailed = 255; // what ssh says of itself
    finish({.error = isOfHost ? errorOfHost() : errorOfEnd(),
            .isLost =
                isOfHost || (!m_host.isEmpty() && (m_process->exitStatus() == QProcess::CrashExit ||
                                                   m_process->exitCode() == ConnectionFailed))});
}

/// Before the worker there had said anything.
core::Error ProbeProcess::errorOfHost() const
{
    return hostError({.host = m_host,
                      .words = m_program,
                      .exitStatus = m_process->exitCode(),
                      .log = m_log,
                      .isNotStarted = m_process->error() == QProcess::FailedToStart,
                      .hasGreeted = m_greetings > 0});
}

core::Error ProbeProcess::errorOfEnd() const
{
    core::Error error{core::ErrorCode::Measurement, {}, "try again", {}, {}};
    if (m_process->error() == QProcess::FailedToStart)
        error = {core::ErrorCode::Measurement,
                 "the worker can't be started: " + m_process->errorString().toStdString(),
                 "check the path in the settings or in OUTLAY_PROBE, and its permissions",
                 {},
                 {}};
    else if (m_process->exitStatus() == QProcess::CrashExit && m_process->exitCode() == SIGKILL)
        error = {core::ErrorCode::Measurement,
                 "the worker was killed (signal 9), most often because memory ran out",
                 "choose a smaller batch or a shorter sequence, or close other programs",
                 {},
                 {}};
    else if (m_process->exitStatus() == QProcess::CrashExit)
        error.what = "the worker crashed (signal " + std::to_string(m_process->exitCode()) + ")";
    else
        error.what = "the worker ended without a result (exit status " +
                     std::to_string(m_process->exitCode()) + ")";
    const QByteArray last = m_log.trimmed().split('\n').last().left(200);
    if (!last.isEmpty())
        error.what += ", its last words were '" + core::printable(last.toStdString()) + "'";
    return m_host.isEmpty() ? error : error.in(m_host.toStdString());
}

void ProbeProcess::finish(ProbeOutcome outcome)
{
    m_watchdog.stop();
    m_standstill.stop();
    m_patience.stop();
    m_lease.stop();
    m_state = State::Idle;
    m_outcome.reset();
    // However it ended: who asked for it isn't told of a fault.
    if (m_isCancelled && outcome.kind == ProbeOutcome::Kind::Failed)
        outcome = {.kind = ProbeOutcome::Kind::Cancelled};
    outcome.log = m_log;
    Q_EMIT finished(outcome);
}

} // namespace outlay::gui
