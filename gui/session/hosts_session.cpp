// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/hosts_session.h"

#include "gui/session/host_check.h"
#include "gui/view/edit.h"
#include "gui/view/format.h"

#include <algorithm>
#include <chrono>

namespace outlay::gui {
namespace {

constexpr std::chrono::milliseconds HostsPace{200};

} // namespace

HostsSession::HostsSession(Document& document, QObject* parent)
    : QObject(parent), m_document(document)
{
    m_pace.setSingleShot(true);
    m_pace.setInterval(HostsPace);
    connect(&m_pace, &QTimer::timeout, this, &HostsSession::changed);
    // A measurement belongs to the experiment that it was started for.
    connect(&m_document, &Document::opened, this, [this] {
        m_isOrphaned = isRunning();
        cancel();
    });
}

void HostsSession::read()
{
    if (isRunning())
        return;
    m_isRead = true;
    const std::vector<HostEntry> before = std::exchange(m_list.hosts, {});
    m_list.folder = QString::fromStdString(profileFolder());
    m_list.unread.clear();
    const core::ProfileFolder all = core::loadProfiles(profileFolder());
    for (const core::Error& error : all.errors)
        m_list.unread.push_back(toQString(error.sentence()));
    for (const core::Profile& profile : all.profiles) {
        const auto known = std::find_if(before.begin(), before.end(), [&](const HostEntry& entry) {
            return entry.profile == profile;
        });
        m_list.hosts.push_back(known == before.end() ? HostEntry{.profile = profile} : *known);
    }
    Q_EMIT changed();
}

void HostsSession::check()
{
    read();
    const core::LaunchSite site = launchSite();
    for (HostEntry& entry : m_list.hosts) {
        if (entry.answer == HostAnswer::Awaited)
            continue;
        entry.answer = HostAnswer::Awaited;
        checkHost(this, entry.profile, site,
                  [this, host = entry.profile.name](const core::Result<core::HostFacts>& facts) {
                      answered(host, facts);
                  });
    }
    Q_EMIT changed();
}

void HostsSession::answered(const std::string& host, const core::Result<core::HostFacts>& facts)
{
    for (HostEntry& entry : m_list.hosts) {
        if (entry.profile.name != host)
            continue;
        entry.answer = facts ? HostAnswer::Yes : HostAnswer::No;
        if (facts)
            entry.facts = *facts;
        else
            entry.problem = toQString(facts.error().sentence());
    }
    m_pace.start();
}

void HostsSession::measure(std::size_t host, double seconds)
{
    if (isRunning() || host >= m_list.hosts.size())
        return;
    const core::Profile& profile = m_list.hosts[host].profile;
    const core::Experiment& e = m_document.experiment();
    core::Job job = core::jobOf(e);
    job.seconds = seconds;
    // What was begun behind a queue and isn't here yet is fetched; who has it wants a new one.
    const bool isHere =
        e.measurements.onHosts(std::span(&profile.name, 1)).answering(core::askedOf(e)) != nullptr;
    const bool isFetched = profile.kind == core::ProfileKind::Queue && !isHere;
    m_list.measuring = host;
    begin(core::Profile(profile), {std::move(job)}, isFetched ? Reuse::Stored : Reuse::None);
}

void HostsSession::measureAll(std::vector<core::Job> jobs, const core::Profile& profile)
{
    if (isRunning() || jobs.empty())
        return;
    for (std::size_t host = 0; host < m_list.hosts.size(); ++host) {
        if (m_list.hosts[host].profile == profile)
            m_list.measuring = host;
    }
    begin(profile, std::move(jobs), Reuse::Stored);
}

void HostsSession::begin(const core::Profile& profile, std::vector<core::Job> jobs, Reuse reuse)
{
    auto launcher = makeLauncher({profile}, launchSite());
    if (!launcher) {
        m_list.measuring.reset();
        Q_EMIT failed(toQString(launcher.error().sentence()));
        return;
    }
    m_launcher = std::move(*launcher);
    m_counts = {.jobs = jobs.size()};
    m_isOrphaned = false;
    m_hasEnded = false;
    m_list.progress = {.phase = "start"};
    m_list.waitsFor.clear();
    m_list.isStopping = false;
    listenTo(*m_launcher);
    Q_EMIT started();
    m_launcher->start(std::move(jobs), reuse);
    Q_EMIT changed();
}

void HostsSession::listenTo(Launcher& launcher)
{
    connect(&launcher, &Launcher::progressed, this,
            [this](std::size_t, const core::Progress& progress) {
                m_list.progress = progress;
                if (!m_pace.isActive())
                    m_pace.start();
            });
    connect(&launcher, &Launcher::measured, this,
            [this](std::size_t, const core::Json& measurement) {
                m_hasEnded = true;
                store(measurement);
            });
    connect(&launcher, &Launcher::failed, this, [this](std::size_t, const core::Error& error) {
        m_hasEnded = true;
        Q_EMIT failed(toQString(error.sentence()));
    });
    connect(&launcher, &Launcher::noted, this, &HostsSession::warned);
    connect(&launcher, &Launcher::finished, this, &HostsSession::finish);
    connect(&launcher, &Launcher::changed, this, [this] {
        m_counts = m_launcher->state();
        m_list.waitsFor = m_counts.waitsFor;
        m_pace.start();
    });
}

bool HostsSession::goesOnAlone() const
{
    return m_list.measuring &&
           m_list.hosts[*m_list.measuring].profile.kind == core::ProfileKind::Queue;
}

void HostsSession::cancel()
{
    if (!isRunning())
        return;
    m_list.isStopping = true;
    m_launcher->cancel();
    Q_EMIT changed();
}

void HostsSession::store(const core::Json& measurement)
{
    if (!m_isOrphaned)
        m_document.replace(withMeasurement(m_document.experiment(), measurement),
                           QStringLiteral("the measurement"));
}

/// The launcher is in the midst of saying so.
void HostsSession::finish()
{
    m_counts = m_launcher->state();
    m_launcher.release()->deleteLater();
    m_list.measuring.reset();
    Q_EMIT over();
    Q_EMIT changed();
    if (!m_hasEnded)
        Q_EMIT dropped();
}

} // namespace outlay::gui
