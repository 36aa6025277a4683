// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/session/launcher.h"
#include "gui/session/probe_process.h"

#include <map>

namespace outlay::gui {

/// One job on several machines at once, which train together when each has been measured alone. They find each other by
/// way of this program; where one fails, the others are ended.
class TogetherLauncher final : public Launcher {
    Q_OBJECT
public:
    TogetherLauncher(std::vector<core::Profile> profiles, core::LaunchSite site);

    /// A job a profile; which place each takes is said here.
    void start(std::vector<core::Job> jobs, Reuse reuse) override;
    void cancel() override;
    void stopBeginning() override {} // all has begun
    [[nodiscard]] LaunchCounts state() const override;

private:
    void begin(std::size_t place, core::Job job);
    void hear(std::size_t place, const core::Kept& kept);
    [[nodiscard]] bool isTooMuch(std::size_t place, const core::Kept& kept);
    void end(std::size_t place, const ProbeOutcome& outcome);
    void fail(std::size_t place, const core::Error& error);

    std::vector<core::Profile> m_profiles;
    core::LaunchSite m_site;
    std::vector<std::unique_ptr<ProbeProcess>> m_places;
    std::map<std::string, core::Kept> m_known;
    std::map<std::string, std::vector<std::size_t>> m_wanted; // by whom
    std::vector<std::size_t> m_told;                          // by each, and asked
    std::size_t m_measured = 0;
    std::size_t m_failed = 0;
    std::size_t m_ended = 0;
};

} // namespace outlay::gui
