// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/session/launcher.h"
#include "gui/session/probe_process.h"

#include <chrono>
#include <deque>

namespace outlay::gui {

/// A worker a measurement, as many at once as the machines have places. A job whose worker is lost is tried again, on
/// another machine if there is one.
class LiveLauncher final : public Launcher {
    Q_OBJECT
public:
    static constexpr int MostTries = 3;  // of a job
    static constexpr int MostLosses = 3; // of a host, one after the other

    LiveLauncher(std::vector<core::Profile> profiles, core::LaunchSite site);

    void start(std::vector<core::Job> jobs, Reuse reuse) override;
    void cancel() override;
    void stopBeginning() override;
    [[nodiscard]] LaunchCounts state() const override;

    /// After a loss, and longer after each.
    void setRest(std::chrono::milliseconds rest) { m_rest = rest; }

private:
    struct Host {
        core::Profile profile;
        int losses = 0; // since it last answered
        bool isBad = false;
    };
    struct Place {
        std::size_t host = 0;
        std::unique_ptr<ProbeProcess> process;
        std::optional<std::size_t> job;
        bool isResting = false; // after a loss
    };

    void addPlace(std::size_t host);
    void fill();
    void begin(Place& place, std::size_t job);
    void end(Place& place, const ProbeOutcome& outcome);
    void lose(Place& place, std::size_t job, const core::Error& error);
    [[nodiscard]] bool hasHosts() const;
    void finishIfOver();

    core::LaunchSite m_site;
    std::vector<Host> m_hosts;
    std::vector<std::unique_ptr<Place>> m_places;
    std::vector<core::Job> m_jobs;
    std::vector<int> m_tries;
    std::deque<std::size_t> m_waiting;
    Reuse m_reuse = Reuse::None;
    std::size_t m_measured = 0;
    std::size_t m_failed = 0;
    core::Error m_lastLoss;
    std::chrono::milliseconds m_rest{1000};
    bool m_isStopping = false; // nothing is begun any more
    bool m_isOver = false;
};

} // namespace outlay::gui
