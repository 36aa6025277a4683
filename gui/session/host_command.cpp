// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/host_command.h"

#include "core/base/text.h"
#include "gui/session/child_process.h"
#include "gui/view/format.h"

namespace outlay::gui {
namespace {

std::string lastLineOf(const QByteArray& log)
{
    return core::printable(log.trimmed().split('\n').last().trimmed().toStdString(), 200);
}

core::Error measurementError(std::string what, std::string remedy, const QString& host)
{
    return {
        core::ErrorCode::Measurement, std::move(what), std::move(remedy), {}, host.toStdString()};
}

} // namespace

core::Error hostError(const HostFailure& f)
{
    const std::string said = lastLineOf(f.log);
    const std::string program = f.words.isEmpty() ? "" : f.words.first().toStdString();
    constexpr int ConnectionFailed = 255;
    constexpr int NotRunnable = 126;
    constexpr int NotFound = 127;
    if (f.isNotStarted)
        return measurementError("'" + program + "' can't be started",
                                "install it, or name another one in the profile", f.host);
    if (program == "ssh" && f.exitStatus == ConnectionFailed)
        return measurementError("ssh doesn't reach it" + (said.empty() ? "" : ": " + said),
                                "try the same by hand, with ssh and its address", f.host);
    if (f.exitStatus == NotFound || f.exitStatus == NotRunnable)
        return measurementError("what is to be run isn't there" + (said.empty() ? "" : ": " + said),
                                "install it there, or give its path in the profile", f.host);
    if (f.hasGreeted)
        return measurementError("something answers that is no worker" +
                                    (said.empty() ? "" : ": " + said),
                                "give the path of outlay-probe in the profile", f.host);
    return measurementError("it ended at once with exit status " + std::to_string(f.exitStatus) +
                                (said.empty() ? "" : ": " + said),
                            "try the same by hand", f.host);
}

QStringList toQStrings(const core::Words& words)
{
    QStringList all;
    for (const std::string& word : words)
        all.append(QString::fromStdString(word));
    return all;
}

void HostCommand::run(QObject* parent, const QString& host, const core::Words& words,
                      const QByteArray& input, Answer answer)
{
    auto* command = new HostCommand(parent, host, toQStrings(words), std::move(answer));
    command->m_process->start(command->m_words.first(), command->m_words.mid(1));
    command->m_process->write(input);
    command->m_process->closeWriteChannel();
}

HostCommand::HostCommand(QObject* parent, QString host, QStringList words, Answer answer)
    : QObject(parent), m_host(std::move(host)), m_words(std::move(words)),
      m_answer(std::move(answer)), m_process(new QProcess(this))
{
    ignoreInterrupts(*m_process);
    whenEnded(m_process, this, [this] { end(); });
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        m_isTooSlow = true;
        m_process->kill();
    });
    m_patience.start(Patience);
}

/// What it was asked is heard by nobody any more, and nothing waits for its end.
HostCommand::~HostCommand()
{
    killUnheard(m_process, this);
}

void HostCommand::end()
{
    m_patience.stop();
    const bool isNotStarted = m_process->error() == QProcess::FailedToStart;
    if (m_isTooSlow)
        m_answer(tl::unexpected<core::Error>(
            measurementError("it hasn't answered within " + std::to_string(Patience.count()) + " s",
                             "try the same by hand, or later", m_host)));
    else if (isNotStarted || m_process->exitStatus() == QProcess::CrashExit ||
             m_process->exitCode() != 0)
        m_answer(tl::unexpected<core::Error>(hostError({.host = m_host,
                                                        .words = m_words,
                                                        .exitStatus = m_process->exitCode(),
                                                        .log = m_process->readAllStandardError(),
                                                        .isNotStarted = isNotStarted})));
    else
        m_answer(m_process->readAllStandardOutput());
    deleteLater();
}

} // namespace outlay::gui
