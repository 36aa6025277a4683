// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is to be done next for tasks that a queue runs. Results are the truth; the queue is asked only what is still
// alive, and where it can't be asked nothing is known.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace outlay::core {

/// A task that hasn't ended, as the queue says.
struct QueuedTask {
    std::int64_t number = 0;
    bool isRunning = false;
    std::string reason; // why it waits

    bool operator==(const QueuedTask&) const = default;
};

/// "3 PENDING Resources": a line a task; other lines are left out.
[[nodiscard]] std::vector<QueuedTask> readQueue(std::string_view text);

/// The tasks of a manifest and how they stand.
class QueueTasks {
public:
    /// A task is submitted so often at most.
    static constexpr int MostTries = 6;

    QueueTasks(std::int64_t jobs, std::int64_t each);

    [[nodiscard]] std::int64_t count() const;
    [[nodiscard]] std::int64_t each() const { return m_each; }
    [[nodiscard]] std::int64_t taskOf(std::int64_t job) const { return job / m_each; }

    void setDone(std::int64_t job) { m_isDone.at(static_cast<std::size_t>(job)) = true; }
    [[nodiscard]] bool isDone(std::int64_t job) const
    {
        return m_isDone.at(static_cast<std::size_t>(job));
    }
    [[nodiscard]] std::vector<std::int64_t> missingJobs() const;

    /// Tasks with a job that is missing and that are not alive, unless they were tried too often.
    [[nodiscard]] std::vector<std::int64_t> toSubmit(const std::vector<QueuedTask>& alive) const;
    /// The queue has taken them.
    void setTried(const std::vector<std::int64_t>& tasks);
    /// Jobs whose task was tried as often as it may and isn't alive.
    [[nodiscard]] std::vector<std::int64_t> givenUp(const std::vector<QueuedTask>& alive) const;

private:
    [[nodiscard]] std::vector<std::int64_t> deadTasks(const std::vector<QueuedTask>& alive) const;

    std::int64_t m_each;
    std::vector<bool> m_isDone; // a job each
    std::map<std::int64_t, int> m_tries;
};

/// Of a worker, before it measures.
inline constexpr double WorkerStartSeconds = 3;

/// Jobs of a task, so that none is over in an instant and each machine gets some.
[[nodiscard]] std::int64_t jobsOfTask(std::int64_t jobs, double secondsOfJob, std::int64_t atOnce);

} // namespace outlay::core
