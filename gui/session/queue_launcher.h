// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/launch/queue.h"
#include "core/probe/assignment.h"
#include "gui/session/launcher.h"

#include <QTimer>

namespace outlay::gui {

/// Jobs behind a queue, asked one thing at a time: a list of them is laid into the shared folder, those without a result are submitted, and results
/// are collected until all are there. It may be ended at any moment and started again: the same list finds the same
/// tasks and the same results.
class QueueLauncher final : public Launcher {
    Q_OBJECT
public:
    QueueLauncher(core::Profile profile, core::LaunchSite site);

    void start(std::vector<core::Job> jobs, Reuse reuse) override;
    void cancel() override;
    /// What a queue has is begun by the queue.
    void stopBeginning() override {}
    [[nodiscard]] LaunchCounts state() const override;

    /// Between one look at the results and the next.
    void setPace(std::chrono::milliseconds pace) { m_pace.setInterval(pace); }

private:
    using Answer = std::function<void(const core::Result<QByteArray>&)>;

    /// Once it is cancelled the next step is `leave`, whichever was to come.
    void ask(const core::Words& words, const QByteArray& input, Answer answer);
    void pause();
    void leave();

    void accept(const std::string& build);
    void look();
    void collect(std::function<void()> then);
    void take(const core::JobResult& result);
    void askQueue();
    void decide(std::vector<core::QueuedTask> now);
    void giveUp(const std::vector<core::QueuedTask>& alive);
    void submit(const std::vector<std::int64_t>& tasks);
    void refused(const core::Error& error);
    void fail(std::int64_t job, const core::Error& error);
    void note(const core::Error& error);
    void failAll(const core::Error& error);
    void end();

    core::Profile m_profile;
    core::LaunchSite m_site;
    Reuse m_reuse = Reuse::None;
    std::vector<core::Job> m_jobs;
    std::vector<std::string> m_keys;
    std::string m_manifest;
    std::string m_name; // of the array
    std::optional<core::QueueTasks> m_tasks;
    std::vector<core::QueuedTask> m_alive; // when the queue was asked last
    QTimer m_pace;
    std::size_t m_measured = 0;
    std::size_t m_failed = 0;
    std::string m_lastNote;
    bool m_hasAsked = false; // the queue, of these tasks
    int m_refusals = 0;      // one after the other
    bool m_isCancelled = false;
    bool m_isLeaving = false;
    bool m_isOver = false;
};

} // namespace outlay::gui
