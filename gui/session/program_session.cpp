// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/program_session.h"

#include "core/base/clock.h"
#include "core/probe/measurements.h"
#include "gui/view/edit.h"
#include "gui/view/format.h"

#include <QCoreApplication>

#include <chrono>
#include <set>

namespace outlay::gui {
namespace {

constexpr std::chrono::milliseconds OutputPace{200};

/// What is ended without anybody who waits: who destroys such a process kills it, and what it has started goes on.
std::set<QProcess*>& leftAlone()
{
    static std::set<QProcess*> left;
    return left;
}

/// This program, which has the command that runs others.
QString runner()
{
    const QString given = qEnvironmentVariable("OUTLAY_RUNNER");
    return given.isEmpty() ? QCoreApplication::applicationFilePath() : given;
}

QStringList wordsFor(const ProgramRequest& request, const QString& experiment)
{
    const auto number = [](double value) { return QString::number(value, 'g', 15); };
    QStringList words{QStringLiteral("run"), QStringLiteral("--live")};
    if (request.isWhole)
        words << QStringLiteral("--whole");
    else if (request.steps)
        words << QStringLiteral("--steps") << number(*request.steps);
    else
        words << QStringLiteral("--seconds") << number(request.seconds);
    if (request.ofSteps)
        words << QStringLiteral("--of") << number(*request.ofSteps);
    if (!request.host.isEmpty())
        words << QStringLiteral("--on") << request.host;
    if (!request.host.isEmpty() && !request.folder.isEmpty())
        words << QStringLiteral("--in") << request.folder;
    words << experiment << QStringLiteral("--");
    return words + QStringList(request.command.begin(), request.command.end());
}

} // namespace

ProgramSession::ProgramSession(Document& document, QObject* parent)
    : QObject(parent), m_document(document)
{
    m_pace.setSingleShot(true);
    m_pace.setInterval(OutputPace);
    connect(&m_pace, &QTimer::timeout, this, [this] {
        if (m_live)
            Q_EMIT progressed();
    });
    // A measurement belongs to the experiment that it was started for.
    connect(&m_document, &Document::opened, this, [this] {
        m_isOrphaned = isRunning();
        stop();
    });
}

ProgramSession::~ProgramSession()
{
    if (m_process == nullptr)
        return;
    QProcess* process = m_process;
    process->disconnect(this);
    process->setParent(nullptr);
    leftAlone().insert(process);
    QObject::connect(process, &QProcess::finished, process, [process] {
        leftAlone().erase(process);
        process->deleteLater();
    });
    process->closeWriteChannel();
}

void ProgramSession::start(const ProgramRequest& request)
{
    if (isRunning())
        return;
    m_request = request;
    m_live.emplace(request);
    m_lines = core::Lines("\n", core::LongestProgramMessage);
    m_end.reset();
    m_isOrphaned = false;
    m_process = new QProcess(this);
    Q_EMIT started(); // before it can have ended
    m_folder = std::make_unique<QTemporaryDir>();
    const QString file = m_folder->filePath(QStringLiteral("experiment.json"));
    if (!m_folder->isValid())
        return fail({core::ErrorCode::Measurement,
                     "no temporary folder can be made: " + m_folder->errorString().toStdString(),
                     "make room there",
                     {},
                     {}});
    if (const auto saved = core::saveExperiment(m_document.experiment(), file.toStdString());
        !saved)
        return fail(saved.error());
    listenTo(*m_process);
    if (request.host.isEmpty())
        m_process->setWorkingDirectory(request.folder);
    m_process->start(runner(), wordsFor(request, file));
}

void ProgramSession::listenTo(QProcess& process)
{
    connect(&process, &QProcess::readyReadStandardOutput, this, &ProgramSession::readMessages);
    connect(&process, &QProcess::readyReadStandardError, this, &ProgramSession::readOutput);
    connect(&process, &QProcess::finished, this, &ProgramSession::processEnded);
    // It may come from inside of start(), before the caller listens.
    connect(
        &process, &QProcess::errorOccurred, this,
        [this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart && m_process != nullptr)
                fail({core::ErrorCode::Measurement,
                      "nothing can be run in " + m_request->folder.toStdString() + ": " +
                          m_process->errorString().toStdString(),
                      "choose a folder that is there",
                      {},
                      {}});
        },
        Qt::QueuedConnection);
}

void ProgramSession::stop()
{
    if (m_process == nullptr)
        return;
    m_process->closeWriteChannel();
    m_live->stop();
    Q_EMIT progressed();
}

void ProgramSession::readMessages()
{
    const QByteArray bytes = m_process->readAllStandardOutput();
    m_lines.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())},
                 [this](std::string_view line) { take(line); });
}

void ProgramSession::readOutput()
{
    m_live->print(QString::fromUtf8(m_process->readAllStandardError()));
    if (!m_pace.isActive())
        m_pace.start();
}

void ProgramSession::take(std::string_view line)
{
    auto message = core::readProgramMessage(line);
    if (!message) {
        m_end = core::ProgramFailed{message.error().what, message.error().remedy, {}};
        m_process->closeWriteChannel();
    } else if (const auto* moment = std::get_if<core::ProgramMoment>(&*message)) {
        m_live->add(*moment);
        Q_EMIT progressed();
    } else {
        m_end = std::move(*message);
    }
}

void ProgramSession::processEnded()
{
    if (m_process == nullptr)
        return;
    readMessages();
    readOutput();
    if (const auto* wrong = m_end ? std::get_if<core::ProgramFailed>(&*m_end) : nullptr)
        return fail({core::ErrorCode::Measurement, wrong->what, wrong->remedy, {}, {}});
    const auto* end = m_end ? std::get_if<core::ProgramDone>(&*m_end) : nullptr;
    if (end == nullptr)
        return fail({core::ErrorCode::Measurement,
                     "what ran the program ended without a result (exit status " +
                         std::to_string(m_process->exitCode()) + ")",
                     "try again",
                     {},
                     {}});
    const auto received = core::receivedMeasurement(end->measurement, core::nowUtc());
    if (!received)
        return fail(received.error());
    const QString failure = toQString(end->failure);
    const QString log = m_live->output();
    const bool isOrphaned = m_isOrphaned;
    finish();
    if (isOrphaned) {
        Q_EMIT dropped();
    } else {
        m_document.replace(withMeasurement(m_document.experiment(), *received),
                           QStringLiteral("the measurement"));
        Q_EMIT done(failure, log);
    }
    Q_EMIT over();
}

void ProgramSession::fail(const core::Error& error)
{
    const QString log = m_live->output();
    const bool isOrphaned = m_isOrphaned;
    finish();
    if (isOrphaned)
        Q_EMIT dropped();
    else
        Q_EMIT failed(toQString(error.sentence()), log);
    Q_EMIT over();
}

void ProgramSession::finish()
{
    m_process->disconnect(this);
    m_process->deleteLater();
    m_process = nullptr;
    m_live.reset();
    m_folder.reset();
}

} // namespace outlay::gui
