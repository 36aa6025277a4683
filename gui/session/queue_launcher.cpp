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
#include <cmath>

namespace outlay::gui {
namespace {

using namespace std::chrono_literals;

constexpr auto PaceHere = 2s;
constexpr auto PaceThere = 10s; // each look is a few connections

/// The line above the protocol's: a shell may have said something before. Nothing where it is another protocol.
std::optional<std::string> buildIn(const QByteArray& answer)
{
    const QByteArray protocol = "protocol " + QByteArray::number(qint64{core::ProtocolVersion});
    const QList<QByteArray> lines = answer.split('\n');
    const qsizetype at = lines.lastIndexOf(protocol);
    if (at < 1)
        return std::nullopt;
    return lines[at - 1].trimmed().toStdString();
}

/// A worker loads its libraries, and a step may take longer than it was given.
std::int64_t minutesFor(const std::vector<core::Job>& jobs, std::int64_t each)
{
    constexpr double Longer = 2;
    constexpr double StartSeconds = 60;
    constexpr double Minute = 60;
    const double seconds = jobs.empty() ? 0 : jobs.front().seconds;
    return static_cast<std::int64_t>(
        std::ceil(static_cast<double>(each) * (Longer * seconds + StartSeconds) / Minute));
}

/// Alive by one of two looks: what neither has seen has ended before the results were looked at between them.
std::vector<core::QueuedTask> eitherOf(std::vector<core::QueuedTask> before,
                                       const std::vector<core::QueuedTask>& now)
{
    before.insert(before.end(), now.begin(), now.end());
    return before;
}

} // namespace

QueueLauncher::QueueLauncher(core::Profile profile, core::LaunchSite site)
    : m_profile(std::move(profile)), m_site(std::move(site))
{
    m_pace.setSingleShot(true);
    m_pace.setInterval(m_profile.isRemote() ? PaceThere : PaceHere);
    connect(&m_pace, &QTimer::timeout, this, &QueueLauncher::look);
}

void QueueLauncher::ask(const core::Words& words, const QByteArray& input, Answer answer)
{
    HostCommand::run(this, toQString(m_profile.name), words, input,
                     [this, answer = std::move(answer)](const core::Result<QByteArray>& result) {
                         if (m_isOver)
                             return;
                         if (m_isCancelled && !m_isLeaving)
                             return leave();
                         answer(result);
                     });
}

void QueueLauncher::pause()
{
    if (m_isCancelled && !m_isLeaving)
        return leave();
    m_pace.start();
}

void QueueLauncher::start(std::vector<core::Job> jobs, Reuse reuse)
{
    for (core::Job& job : jobs)
        m_jobs.push_back(jobOn(m_profile, std::move(job)));
    m_reuse = reuse;
    // Which worker is there decides what its results are called.
    ask(core::workerWords(m_profile, m_site, {"--version"}), {},
        [this](const core::Result<QByteArray>& answer) {
            if (!answer)
                return failAll(answer.error());
            const auto build = buildIn(*answer);
            if (!build)
                return failAll({core::ErrorCode::Measurement,
                                "no worker of this version answers, but '" +
                                    core::printable(answer->trimmed().toStdString(), 100) + "'",
                                "use the outlay and the outlay-probe of one version",
                                {},
                                m_profile.name});
            accept(*build);
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
        if (m_tasks->missingJobs().empty())
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
                return m_isLeaving ? end() : pause();
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
            Q_EMIT measured(
                job, core::withHost(std::move(*received), m_profile.name, m_profile.hourPriceUsd));
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
            if (answer)
                return decide(core::readQueue(answer->toStdString()));
            // It is unknown what runs; nothing is begun that may be running.
            note(answer.error());
            m_hasAsked = false;
            pause();
        });
}

void QueueLauncher::decide(std::vector<core::QueuedTask> now)
{
    const std::vector<core::QueuedTask> alive = eitherOf(std::exchange(m_alive, now), now);
    Q_EMIT changed();
    // The results have to be looked at between two looks at the queue, and a shared file system takes a moment.
    if (!std::exchange(m_hasAsked, true))
        return pause();
    giveUp(alive);
    const std::vector<std::int64_t> tasks = m_tasks->toSubmit(alive);
    if (tasks.empty())
        return pause();
    submit(tasks);
}

void QueueLauncher::giveUp(const std::vector<core::QueuedTask>& alive)
{
    for (const std::int64_t job : m_tasks->givenUp(alive))
        fail(job, {core::ErrorCode::Measurement,
                   "its task ended " + std::to_string(core::QueueTasks::MostTries) +
                       " times without a result",
                   "see the logs in " + m_profile.folder + "/logs",
                   {},
                   m_profile.name});
}

void QueueLauncher::fail(std::int64_t job, const core::Error& error)
{
    m_tasks->setDone(job);
    ++m_failed;
    Q_EMIT failed(static_cast<std::size_t>(job), error);
}

void QueueLauncher::submit(const std::vector<std::int64_t>& tasks)
{
    const core::QueueTask task{.name = m_name,
                               .tasks = tasks,
                               .manifest =
                                   core::ResultFolder(m_profile.folder).manifestPath(m_manifest),
                               .each = m_tasks->each(),
                               .leastMinutes = minutesFor(m_jobs, m_tasks->each())};
    ask(core::submitWords(m_profile, m_site, task), {},
        [this, tasks](const core::Result<QByteArray>& answer) {
            if (!answer)
                return refused(answer.error());
            m_refusals = 0;
            m_tasks->setTried(tasks);
            // They may end before the queue is asked again.
            for (const std::int64_t number : tasks)
                m_alive.push_back({.number = number, .isRunning = false, .reason = {}});
            pause();
        });
}

/// A queue that is full for the moment takes them later; one that always refuses says why.
void QueueLauncher::refused(const core::Error& error)
{
    constexpr int MostRefusals = 6;
    note(error);
    if (++m_refusals < MostRefusals || !m_alive.empty())
        return pause();
    for (const std::int64_t job : m_tasks->missingJobs())
        fail(job, error);
    end();
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
    // Else the step that is being done is the last one before.
    if (m_pace.isActive())
        leave();
}

/// What was measured until then is fetched.
void QueueLauncher::leave()
{
    m_pace.stop();
    m_isLeaving = true;
    if (!m_tasks)
        return end();
    ask(core::cancelWords(m_profile, m_site, m_name), {},
        [this](const core::Result<QByteArray>& answer) {
            if (!answer)
                note(answer.error());
            collect([this] { end(); });
        });
}

LaunchCounts QueueLauncher::state() const
{
    const auto running = std::count_if(m_alive.begin(), m_alive.end(),
                                       [](const core::QueuedTask& task) { return task.isRunning; });
    LaunchCounts state{.jobs = m_jobs.size(),
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
