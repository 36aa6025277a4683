// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/queue_launcher.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/probe/measurements.h"
#include "gui/session/host_command.h"
#include "gui/view/format.h"

#include <algorithm>
#include <chrono>

namespace outlay::gui {
namespace {

using namespace std::chrono_literals;

constexpr auto PaceHere = 2s;
constexpr auto PaceThere = 10s; // each look is a few connections

/// The first line of what a worker says of its version.
std::string buildIn(const QByteArray& answer)
{
    return answer.split('\n').first().trimmed().toStdString();
}

bool speaksOurProtocol(const QByteArray& answer)
{
    const QByteArray line = "protocol " + QByteArray::number(qint64{core::ProtocolVersion}) + "\n";
    return answer.contains(line);
}

} // namespace

QueueLauncher::QueueLauncher(core::Profile profile, core::LaunchSite site)
    : m_profile(std::move(profile)), m_site(std::move(site))
{
    m_pace.setSingleShot(true);
    m_pace.setInterval(m_profile.isRemote() ? PaceThere : PaceHere);
    connect(&m_pace, &QTimer::timeout, this, &QueueLauncher::look);
}

void QueueLauncher::ask(const core::Words& words, const QByteArray& input,
                        std::function<void(const core::Result<QByteArray>&)> answer)
{
    HostCommand::run(this, toQString(m_profile.name), words, input,
                     [this, answer = std::move(answer)](const core::Result<QByteArray>& result) {
                         if (!m_isOver)
                             answer(result);
                     });
}

void QueueLauncher::start(std::vector<core::Job> jobs, Reuse reuse)
{
    m_jobs = std::move(jobs);
    m_reuse = reuse;
    // Which worker is there decides what its results are called.
    ask(core::workerWords(m_profile, m_site, {"--version"}), {},
        [this](const core::Result<QByteArray>& answer) {
            if (!answer)
                return failAll(answer.error());
            if (!speaksOurProtocol(*answer))
                return failAll({core::ErrorCode::Measurement,
                                "the worker there is another version: '" +
                                    core::printable(buildIn(*answer), 100) + "'",
                                "use the outlay and the outlay-probe of one version",
                                {},
                                m_profile.name});
            accept(buildIn(*answer));
        });
}

void QueueLauncher::accept(const std::string& build)
{
    const std::string occasion = m_reuse == Reuse::None ? core::nowUtc() : std::string();
    for (const core::Job& job : m_jobs) {
        core::Assignment assignment{.job = job, .build = build, .occasion = occasion};
        if (assignment.job.threads == 0)
            assignment.job.threads = core::slotsOf(m_profile, m_site).cores;
        m_keys.push_back(core::resultKey(assignment));
        m_manifest += core::toLine(assignment);
    }
    m_name = "outlay-" + core::shortHash(m_manifest);
    const double seconds = m_jobs.empty() ? 0 : m_jobs.front().seconds;
    const auto count = static_cast<std::int64_t>(m_jobs.size());
    m_tasks.emplace(count, core::jobsOfTask(count, seconds, m_profile.atOnce.value_or(1)));
    ask(core::workerWords(m_profile, m_site, {"--accept", m_profile.folder}),
        QByteArray::fromStdString(m_manifest), [this](const core::Result<QByteArray>& answer) {
            if (!answer)
                return failAll(answer.error());
            look();
        });
}

void QueueLauncher::look()
{
    collect([this] {
        if (m_tasks->missingJobs().empty() || m_isCancelled)
            return end();
        askQueue();
    });
}

void QueueLauncher::collect(std::function<void()> then)
{
    QByteArray keys;
    for (const std::int64_t job : m_tasks->missingJobs())
        keys += QByteArray::fromStdString(m_keys[static_cast<std::size_t>(job)]) + '\n';
    ask(core::workerWords(m_profile, m_site, {"--collect", m_profile.folder}), keys,
        [this, then = std::move(then)](const core::Result<QByteArray>& answer) {
            if (!answer) {
                note(answer.error());
                return m_pace.start();
            }
            for (const QByteArray& line : answer->split('\n')) {
                const auto result = core::readJobResult(line.toStdString());
                if (result)
                    take(*result);
            }
            then();
        });
}

void QueueLauncher::take(const core::JobResult& result)
{
    for (std::size_t job = 0; job < m_keys.size(); ++job) {
        if (m_keys[job] != result.key || m_tasks->isDone(static_cast<std::int64_t>(job)))
            continue;
        m_tasks->setDone(static_cast<std::int64_t>(job));
        const auto* failure = std::get_if<core::JobFailure>(&result.outcome);
        auto received =
            failure != nullptr
                ? core::Result<core::Json>(
                      tl::unexpected<core::Error>(core::Error{core::ErrorCode::Measurement,
                                                              failure->what,
                                                              failure->remedy,
                                                              {},
                                                              m_profile.name}))
                : core::receivedMeasurement(std::get<core::Json>(result.outcome), core::nowUtc());
        if (received) {
            ++m_measured;
            Q_EMIT measured(job, core::withHost(std::move(*received), m_profile.name, m_profile.hourPriceUsd));
        } else {
            ++m_failed;
            Q_EMIT failed(job, received.error());
        }
    }
    Q_EMIT changed();
}

void QueueLauncher::askQueue()
{
    ask(core::listWords(m_profile, m_site, m_name), {},
        [this](const core::Result<QByteArray>& answer) {
            if (!answer) {
                // It is unknown what runs; nothing is begun that may be running.
                note(answer.error());
                m_isEmptySince = false;
                return m_pace.start();
            }
            m_alive = core::readQueue(answer->toStdString());
            decide();
        });
}

void QueueLauncher::decide()
{
    Q_EMIT changed();
    // What ended between the two looks has left its result by now, and a shared file system takes a moment.
    if (!std::exchange(m_isEmptySince, true))
        return m_pace.start();
    m_isEmptySince = false;
    for (const std::int64_t job : m_tasks->givenUp(m_alive)) {
        m_tasks->setDone(job);
        ++m_failed;
        Q_EMIT failed(static_cast<std::size_t>(job),
                      {core::ErrorCode::Measurement,
                       "its task ended " + std::to_string(core::QueueTasks::MostTries) +
                           " times without a result",
                       "see the logs in " + m_profile.folder + "/logs",
                       {},
                       m_profile.name});
    }
    const std::vector<std::int64_t> tasks = m_tasks->takeMissing(m_alive);
    if (tasks.empty())
        return m_pace.start();
    submit(tasks);
}

void QueueLauncher::submit(const std::vector<std::int64_t>& tasks)
{
    const core::QueueTask task{.name = m_name,
                               .tasks = tasks,
                               .manifest =
                                   core::ResultFolder(m_profile.folder).manifestPath(m_manifest),
                               .each = m_tasks->each()};
    ask(core::submitWords(m_profile, m_site, task), {},
        [this](const core::Result<QByteArray>& answer) {
            if (!answer)
                note(answer.error());
            m_pace.start();
        });
}

/// Once, however often it happens.
void QueueLauncher::note(const core::Error& error)
{
    const std::string sentence = error.sentence();
    if (sentence != std::exchange(m_lastNote, sentence))
        Q_EMIT noted(toQString(sentence));
}

void QueueLauncher::failAll(const core::Error& error)
{
    m_failed = m_jobs.size();
    for (std::size_t job = 0; job < m_jobs.size(); ++job)
        Q_EMIT failed(job, error);
    end();
}

void QueueLauncher::cancel()
{
    if (m_isOver || std::exchange(m_isCancelled, true))
        return;
    if (!m_tasks)
        return end();
    m_pace.stop();
    ask(core::cancelWords(m_profile, m_site, m_name), {},
        [this](const core::Result<QByteArray>& answer) {
            if (!answer)
                note(answer.error());
            look(); // what was measured until now
        });
}

LaunchState QueueLauncher::state() const
{
    const auto running = std::count_if(m_alive.begin(), m_alive.end(),
                                       [](const core::QueuedTask& task) { return task.isRunning; });
    LaunchState state{.jobs = m_jobs.size(),
                      .measured = m_measured,
                      .failed = m_failed,
                      .running = static_cast<std::size_t>(running)};
    for (const core::QueuedTask& task : m_alive) {
        if (!task.isRunning && running == 0)
            state.waitsFor = toQString(core::printable(task.reason, 60));
    }
    return state;
}

void QueueLauncher::end()
{
    if (std::exchange(m_isOver, true))
        return;
    m_pace.stop();
    Q_EMIT finished();
}

} // namespace outlay::gui
