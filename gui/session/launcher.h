// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Measures a list of jobs on machines of profiles: live ones, which are talked to while they measure, or those behind a
// queue. Whatever happens there, each job ends as measured, failed or cancelled, and one `finished` follows.
#pragma once

#include "core/launch/command_words.h"
#include "core/probe/job.h"
#include "core/probe/message.h"
#include "gui/view/hosts_text.h"

#include <QObject>

#include <memory>
#include <vector>

namespace outlay::gui {

class ProbeProcess;

enum class Reuse {
    Stored, // a result that is stored is as good as a new one
    None
};

class Launcher : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Only once.
    virtual void start(std::vector<core::Job> jobs, Reuse reuse) = 0;
    /// What runs is ended; what was measured stays.
    virtual void cancel() = 0;
    /// No job is begun any more; what runs may end.
    virtual void stopBeginning() = 0;
    [[nodiscard]] virtual LaunchCounts state() const = 0;

protected:
    /// A worker's process for that machine, whose warnings are told by the machine's name.
    [[nodiscard]] std::unique_ptr<ProbeProcess> makeProcess(const core::Profile& profile,
                                                            const core::LaunchSite& site);

Q_SIGNALS:
    /// `measurement` says on which host it was made.
    void measured(std::size_t job, const outlay::core::Json& measurement);
    void failed(std::size_t job, const outlay::core::Error& error);
    /// Of a job that runs, as it comes.
    void progressed(std::size_t job, const outlay::core::Progress& progress);
    void sampled(std::size_t job, const outlay::core::Sample& sample);
    void changed();
    /// A sentence about a host.
    void noted(const QString& text);
    void finished();
};

/// All of one kind: a queue is one profile.
[[nodiscard]] core::Result<std::unique_ptr<Launcher>> makeLauncher(
    std::vector<core::Profile> profiles, core::LaunchSite site);

/// One job on all of them at once: a job a profile, which then train together.
[[nodiscard]] core::Result<std::unique_ptr<Launcher>> makeTogetherLauncher(
    std::vector<core::Profile> profiles, core::LaunchSite site);

/// The job as it is done on a machine of this profile.
[[nodiscard]] core::Job jobOn(const core::Profile& profile, core::Job job);

/// Where profiles are, and what this machine is.
[[nodiscard]] std::string profileFolder();
[[nodiscard]] core::LaunchSite launchSite();

} // namespace outlay::gui
