// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/live_launcher.h"

#include "core/base/text.h"
#include "core/probe/measurements.h"
#include "gui/session/host_command.h"
#include "gui/view/format.h"

#include <algorithm>

namespace outlay::gui {

LiveLauncher::LiveLauncher(std::vector<core::Profile> profiles, core::LaunchSite site)
    : m_site(std::move(site))
{
    for (core::Profile& profile : profiles)
        m_hosts.push_back({.profile = std::move(profile)});
    for (std::size_t host = 0; host < m_hosts.size(); ++host) {
        const std::int64_t count = core::slotsOf(m_hosts[host].profile, m_site).count;
        for (std::int64_t i = 0; i < count; ++i)
            addPlace(host);
    }
}

void LiveLauncher::addPlace(std::size_t host)
{
    m_places.push_back(std::make_unique<Place>());
    Place* place = m_places.back().get();
    place->host = host;
    place->process = makeProcess(m_hosts[host].profile, m_site);
    ProbeProcess* process = place->process.get();
    connect(process, &ProbeProcess::answered, this, [this, host] { m_hosts[host].losses = 0; });
    connect(process, &ProbeProcess::progressed, this,
            [this, place](const core::Progress& progress) {
                if (place->job)
                    Q_EMIT progressed(*place->job, progress);
            });
    connect(process, &ProbeProcess::sampled, this, [this, place](const core::Sample& sample) {
        if (place->job)
            Q_EMIT sampled(*place->job, sample);
    });
    connect(process, &ProbeProcess::finished, this,
            [this, place](const ProbeOutcome& outcome) { end(*place, outcome); });
}

void LiveLauncher::start(std::vector<core::Job> jobs, Reuse reuse)
{
    m_jobs = std::move(jobs);
    m_reuse = reuse;
    m_tries.assign(m_jobs.size(), 0);
    for (std::size_t job = 0; job < m_jobs.size(); ++job)
        m_waiting.push_back(job);
    QMetaObject::invokeMethod(this, &LiveLauncher::fill, Qt::QueuedConnection);
}

void LiveLauncher::cancel()
{
    stopBeginning();
    for (const auto& place : m_places) {
        if (place->job)
            place->process->cancel();
    }
}

void LiveLauncher::stopBeginning()
{
    if (std::exchange(m_isStopping, true))
        return;
    m_waiting.clear();
    QMetaObject::invokeMethod(this, &LiveLauncher::finishIfOver, Qt::QueuedConnection);
}

LaunchCounts LiveLauncher::state() const
{
    const auto running = std::count_if(m_places.begin(), m_places.end(),
                                       [](const auto& place) { return place->job.has_value(); });
    return {.jobs = m_jobs.size(),
            .measured = m_measured,
            .failed = m_failed,
            .running = static_cast<std::size_t>(running)};
}

void LiveLauncher::fill()
{
    for (const auto& place : m_places) {
        const bool isFree = !place->job && !place->isResting && !m_hosts[place->host].isBad;
        if (!isFree || m_waiting.empty())
            continue;
        const std::size_t job = m_waiting.front();
        m_waiting.pop_front();
        begin(*place, job);
    }
    Q_EMIT changed();
    finishIfOver();
}

void LiveLauncher::begin(Place& place, std::size_t job)
{
    const core::Profile& profile = m_hosts[place.host].profile;
    place.job = job;
    ++m_tries[job];
    core::Words options{"--lease", core::plainNumber(m_site.leaseSeconds)};
    if (m_reuse == Reuse::Stored && !profile.folder.empty())
        options.insert(options.end(), {"--results", profile.folder});
    core::Job asked = jobOn(profile, m_jobs[job]);
    if (asked.threads == 0)
        asked.threads = core::slotsOf(profile, m_site).cores;
    place.process->start(asked, {.words = toQStrings(core::workerWords(profile, m_site, options)),
                                 .host = toQString(profile.name),
                                 .hasLease = true,
                                 .job = {}});
}

void LiveLauncher::end(Place& place, const ProbeOutcome& outcome)
{
    const std::size_t job = *std::exchange(place.job, std::nullopt);
    const core::Profile& profile = m_hosts[place.host].profile;
    const std::string& host = profile.name;
    switch (outcome.kind) {
    case ProbeOutcome::Kind::Done:
        ++m_measured;
        Q_EMIT measured(job, core::withHost(outcome.measurement, host, profile.hourPriceUsd));
        break;
    case ProbeOutcome::Kind::Cancelled: break;
    case ProbeOutcome::Kind::Failed:
        if (outcome.isLost) {
            lose(place, job, outcome.error.in(host));
        } else {
            ++m_failed;
            Q_EMIT failed(job, outcome.error.in(host));
        }
    }
    fill();
}

/// Nobody knows what has become of it: it is tried again where there are hosts.
void LiveLauncher::lose(Place& place, std::size_t job, const core::Error& error)
{
    Host& host = m_hosts[place.host];
    m_lastLoss = error;
    ++host.losses;
    // Where it was the last one, its jobs say so.
    if (host.losses >= MostLosses && !std::exchange(host.isBad, true) && hasHosts())
        Q_EMIT noted(toQString(error.sentence()));
    if (host.isBad)
        --m_tries[job]; // the host's fault
    if (m_tries[job] >= MostTries || m_isStopping) {
        ++m_failed;
        Q_EMIT failed(job, error);
    } else {
        m_waiting.push_back(job);
    }
    place.isResting = true;
    QTimer::singleShot(m_rest * host.losses, this, [this, &place] {
        place.isResting = false;
        fill();
    });
}

bool LiveLauncher::hasHosts() const
{
    return std::any_of(m_hosts.begin(), m_hosts.end(),
                       [](const Host& host) { return !host.isBad; });
}

void LiveLauncher::finishIfOver()
{
    if (m_isOver || state().running > 0)
        return;
    if (!hasHosts()) {
        for (const std::size_t job : std::exchange(m_waiting, {})) {
            ++m_failed;
            Q_EMIT failed(job, m_lastLoss);
        }
    }
    if (!m_waiting.empty())
        return;
    m_isOver = true;
    Q_EMIT finished();
}

} // namespace outlay::gui
