// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/together_launcher.h"

#include "core/base/text.h"
#include "core/probe/measurements.h"
#include "gui/session/host_command.h"
#include "gui/view/format.h"

#include <algorithm>
#include <utility>

namespace outlay::gui {
namespace {

/// Why it was measured alone.
std::string whyNot(const core::Measurement& measurement)
{
    constexpr std::string_view Begin = "Training together was not measured";
    for (const std::string& finding : measurement.findings) {
        if (finding.starts_with(Begin))
            return finding.ends_with('.') ? finding.substr(0, finding.size() - 1) : finding;
    }
    return "training together was not measured";
}

} // namespace

TogetherLauncher::TogetherLauncher(std::vector<core::Profile> profiles, core::LaunchSite site)
    : m_profiles(std::move(profiles)), m_site(std::move(site))
{
}

void TogetherLauncher::start(std::vector<core::Job> jobs, Reuse)
{
    for (std::size_t place = 0; place < m_profiles.size(); ++place)
        m_places.push_back(makeProcess(m_profiles[place], m_site));
    m_told.resize(m_profiles.size());
    for (std::size_t place = 0; place < m_profiles.size(); ++place)
        begin(place, std::move(jobs[place]));
    Q_EMIT changed();
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
    if (isTooMuch(place, kept))
        return fail(place, core::Error{core::ErrorCode::Measurement,
                                       "the worker there says too much of itself",
                                       "use the outlay and the outlay-probe of one version",
                                       {},
                                       m_profiles[place].name});
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
        const bool isWhole =
            measurement && measurement->processes && !measurement->processes->hosts.empty();
        if (!isWhole && measurement && measurement->cancelledIn.empty())
            fail(place, core::Error{core::ErrorCode::Measurement,
                                    whyNot(*measurement),
                                    "measure on each machine without --together",
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

/// A worker tells and asks a few addresses.
bool TogetherLauncher::isTooMuch(std::size_t place, const core::Kept& kept)
{
    constexpr std::size_t MostMessages = 1000;
    constexpr std::size_t LongestKey = 200;
    constexpr std::size_t MostBytes = 64U << 10U;
    return ++m_told[place] > MostMessages || kept.key.size() > LongestKey ||
           (kept.bytes && kept.bytes->size() > MostBytes);
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
