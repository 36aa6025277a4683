// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/queue.h"

#include "core/base/text.h"
#include "core/base/whole.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

namespace outlay::core {

std::vector<QueuedTask> readQueue(std::string_view text)
{
    std::vector<QueuedTask> tasks;
    for (const std::string& line : split(text, '\n')) {
        std::istringstream words(line);
        std::string number;
        std::string state;
        QueuedTask task;
        if (!(words >> number >> state))
            continue;
        const auto parsed = wholeOf(numberIn(number).value_or(-1));
        if (!parsed || *parsed < 0)
            continue;
        task.number = *parsed;
        task.isRunning = state.front() == 'R' && state.find("REQ") == std::string::npos;
        std::getline(words >> std::ws, task.reason);
        tasks.push_back(std::move(task));
    }
    return tasks;
}

QueueTasks::QueueTasks(std::int64_t jobs, std::int64_t each)
    : m_each(each), m_isDone(static_cast<std::size_t>(jobs), false)
{
}

std::int64_t QueueTasks::count() const
{
    return (static_cast<std::int64_t>(m_isDone.size()) + m_each - 1) / m_each;
}

std::vector<std::int64_t> QueueTasks::missingJobs() const
{
    std::vector<std::int64_t> missing;
    for (std::size_t job = 0; job < m_isDone.size(); ++job) {
        if (!m_isDone[job])
            missing.push_back(static_cast<std::int64_t>(job));
    }
    return missing;
}

std::vector<std::int64_t> QueueTasks::deadTasks(const std::vector<QueuedTask>& alive) const
{
    std::set<std::int64_t> dead;
    for (const std::int64_t job : missingJobs())
        dead.insert(taskOf(job));
    for (const QueuedTask& task : alive)
        dead.erase(task.number);
    return {dead.begin(), dead.end()};
}

std::vector<std::int64_t> QueueTasks::toSubmit(const std::vector<QueuedTask>& alive) const
{
    std::vector<std::int64_t> tasks = deadTasks(alive);
    std::erase_if(tasks, [&](std::int64_t task) {
        const auto tries = m_tries.find(task);
        return tries != m_tries.end() && tries->second >= MostTries;
    });
    return tasks;
}

void QueueTasks::setTried(const std::vector<std::int64_t>& tasks)
{
    for (const std::int64_t task : tasks)
        ++m_tries[task];
}

std::vector<std::int64_t> QueueTasks::givenUp(const std::vector<QueuedTask>& alive) const
{
    const std::vector<std::int64_t> dead = deadTasks(alive);
    std::vector<std::int64_t> jobs;
    for (const std::int64_t job : missingJobs()) {
        const auto tries = m_tries.find(taskOf(job));
        if (tries != m_tries.end() && tries->second >= MostTries &&
            std::binary_search(dead.begin(), dead.end(), taskOf(job)))
            jobs.push_back(job);
    }
    return jobs;
}

std::int64_t jobsOfTask(std::int64_t jobs, double secondsOfJob, std::int64_t atOnce)
{
    constexpr double ShortestTask = 60; // below that the queue's own time shows
    constexpr std::int64_t Rounds = 4;  // for each machine, so that none waits long for the last
    constexpr std::int64_t MostTasks =
        1000; // what Slurm takes in one array, unless it is told otherwise
    const auto wanted =
        static_cast<std::int64_t>(std::ceil(ShortestTask / (secondsOfJob + WorkerStartSeconds)));
    const std::int64_t spread =
        std::max<std::int64_t>(1, jobs / (Rounds * std::max<std::int64_t>(1, atOnce)));
    const std::int64_t least = (jobs + MostTasks - 1) / MostTasks;
    return std::max({std::int64_t{1}, least, std::min(wanted, spread)});
}

} // namespace outlay::core
