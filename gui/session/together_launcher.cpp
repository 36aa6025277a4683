// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/together_launcher.h"

#include "core/base/text.h"
#include "core/probe/measurements.h"
#include "gui/session/host_command.h"

#include <algorithm>
#include <utility>

namespace outlay::gui {

TogetherLauncher::TogetherLauncher(std::vector<core::Profile> profiles, core::LaunchSite site)
    : m_profiles(std::move(profiles)), m_site(std::move(site))
{
}

void TogetherLauncher::start(std::vector<core::Job> jobs, Reuse)
{
    for (std::size_t place = 0; place < m_profiles.size(); ++place)
        m_places.push_back(std::make_unique<ProbeProcess>());
    for (std::size_t place = 0; place < m_profiles.size(); ++place)
        begin(place, std::move(jobs[place]));
}

void TogetherLauncher::begin(std::size_t place, core::Job job)
{
    const core::Profile& profile = m_profiles[place];
    ProbeProcess& process = *m_places[place];
    const bool isOneMachine =
        std::all_of(m_profiles.begin(), m_profiles.end(),
                    [](const core::Profile& one) { return one.kind == core::ProfileKind::Local; });
    core::Together together{.rank = static_cast<std::int64_t>(place), .hosts = {}, .address = {}};
    for (const core::Profile& one : m_profiles)
        together.hosts.push_back(one.name);
    if (isOneMachine)
        together.address = "127.0.0.1";
    job = jobOn(profile, std::move(job));
    if (job.threads == 0)
        job.threads = core::slotsOf(profile, m_site).cores;
    job.together = std::move(together);
    connect(&process, &ProbeProcess::kept, this,
            [this, place](const core::Kept& kept) { hear(place, kept); });
    connect(&process, &ProbeProcess::finished, this,
            [this, place](const ProbeOutcome& outcome) { end(place, outcome); });
    connect(&process, &ProbeProcess::progressed, this,
            [this, place](const core::Progress& progress) { Q_EMIT progressed(place, progress); });
    const core::Words options{"--together", "--lease", core::plainNumber(m_site.leaseSeconds)};
    process.start(job, {.words = toQStrings(core::workerWords(profile, m_site, options)),
                        .host = toQString(profile.name),
                        .hasLease = true,
                        .job = {}});
}

void TogetherLauncher::hear(std::size_t place, const core::Kept& kept)
{
    if (kept.bytes) {
        m_known[kept.key] = kept;
        for (const std::size_t who : std::exchange(m_wanted[kept.key], {}))
            m_places[who]->answer(kept);
    } else if (const auto known = m_known.find(kept.key); known != m_known.end()) {
        m_places[place]->answer(known->second);
    } else {
        m_wanted[kept.key].push_back(place);
    }
}

void TogetherLauncher::end(std::size_t place, const ProbeOutcome& outcome)
{
    const core::Profile& profile = m_profiles[place];
    ++m_ended;
    if (outcome.kind == ProbeOutcome::Kind::Failed)
        fail(place, outcome.error.in(profile.name));
    if (outcome.kind == ProbeOutcome::Kind::Done) {
        const auto measurement = core::readMeasurement(outcome.measurement);
        const bool isWhole = measurement && measurement->processes;
        if (!isWhole && measurement && measurement->cancelledIn.empty() &&
            !measurement->findings.empty())
            fail(place, core::Error{core::ErrorCode::Measurement,
                                    measurement->findings.back(),
                                    {},
                                    {},
                                    profile.name});
        ++m_measured; // alone, at least
        Q_EMIT measured(place,
                        core::withHost(outcome.measurement, profile.name, profile.hourPriceUsd));
    }
    Q_EMIT changed();
    if (m_ended == m_places.size())
        Q_EMIT finished();
}

/// The others would wait in vain.
void TogetherLauncher::fail(std::size_t place, const core::Error& error)
{
    if (m_failed++ == 0)
        Q_EMIT failed(place, error);
    cancel();
}

void TogetherLauncher::cancel()
{
    for (const auto& process : m_places)
        process->cancel();
}

LaunchCounts TogetherLauncher::state() const
{
    return {.jobs = m_profiles.size(),
            .measured = m_measured,
            .failed = m_failed,
            .running = m_places.size() - m_ended};
}

} // namespace outlay::gui
