// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/launch/queue.h"
#include "core/probe/assignment.h"
#include "gui/session/launcher.h"

#include <QTimer>

namespace outlay::gui {

/// Jobs behind a queue: a list of them is laid into the shared folder, those without a result are submitted, and results
/// are collected until all are there. It may be ended at any moment and started again: the same list finds the same
/// tasks and the same results.
class QueueLauncher final : public Launcher {
    Q_OBJECT
public:
    QueueLauncher(core::Profile profile, core::LaunchSite site);

    void start(std::vector<core::Job> jobs, Reuse reuse) override;
    void cancel() override;
    void stopBeginning() override { cancel(); }
    [[nodiscard]] LaunchState state() const override;

    /// Between one look at the results and the next.
    void setPace(std::chrono::milliseconds pace) { m_pace.setInterval(pace); }

private:
    void ask(const core::Words& words, const QByteArray& input,
             std::function<void(const core::Result<QByteArray>&)> answer);
    void accept(const std::string& build);
    void look();
    void collect(std::function<void()> then);
    void take(const core::JobResult& result);
    void askQueue();
    void decide();
    void submit(const std::vector<std::int64_t>& tasks);
    void note(const core::Error& error);
    void failAll(const core::Error& error);
    void end();

    core::Profile m_profile;
    core::LaunchSite m_site;
    Reuse m_reuse = Reuse::None;
    std::vector<core::Job> m_jobs;
    std::vector<core::Assignment> m_assignments;
    std::vector<std::string> m_keys;
    std::string m_manifest;
    std::string m_name; // of the array
    std::optional<core::QueueTasks> m_tasks;
    std::vector<core::QueuedTask> m_alive;
    bool m_isEmptySince =
        false; // the queue had nothing for the missing ones, and the results are looked at once more
    QTimer m_pace;
    std::size_t m_measured = 0;
    std::size_t m_failed = 0;
    std::string m_lastNote;
    bool m_isCancelled = false;
    bool m_isOver = false;
};

} // namespace outlay::gui
