// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/launcher.h"

#include "core/probe/machine.h"
#include "gui/session/live_launcher.h"
#include "gui/session/queue_launcher.h"
#include "gui/session/settings.h"
#include "gui/session/together_launcher.h"
#include "gui/view/format.h"

#include <QDir>
#include <QStandardPaths>

#include <algorithm>
#include <chrono>

namespace outlay::gui {
namespace {

/// A folder of this user alone, where shared connections have their ends; empty where there is none.
std::string socketFolder()
{
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    constexpr qsizetype LongestForSockets = 50; // a path of theirs has 108 bytes at most
    const QString folder = runtime + QStringLiteral("/outlay");
    if (runtime.isEmpty() || folder.size() > LongestForSockets || !QDir().mkpath(folder))
        return {};
    QFile::setPermissions(folder,
                          QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    return folder.toStdString();
}

} // namespace

std::unique_ptr<ProbeProcess> Launcher::makeProcess(const core::Profile& profile,
                                                    const core::LaunchSite& site)
{
    auto process = std::make_unique<ProbeProcess>();
    if (profile.isRemote())
        process->setLongestSilence(std::chrono::round<std::chrono::milliseconds>(
            std::chrono::duration<double>(site.silenceSeconds)));
    const QString name = toQString(profile.name);
    connect(process.get(), &ProbeProcess::warned, this, [this, name](const QString& text) {
        Q_EMIT noted(name.isEmpty() ? text : name + QStringLiteral(": ") + text);
    });
    return process;
}

core::Result<std::unique_ptr<Launcher>> makeLauncher(std::vector<core::Profile> profiles,
                                                     core::LaunchSite site)
{
    const auto queues =
        std::count_if(profiles.begin(), profiles.end(), [](const core::Profile& profile) {
            return profile.kind == core::ProfileKind::Queue;
        });
    if (queues == 0)
        return std::make_unique<LiveLauncher>(std::move(profiles), std::move(site));
    if (profiles.size() > 1)
        return core::usageError("a queue can't be joined with other hosts",
                                "give one queue, or hosts without one");
    return std::make_unique<QueueLauncher>(std::move(profiles.front()), std::move(site));
}

core::Result<std::unique_ptr<Launcher>> makeTogetherLauncher(std::vector<core::Profile> profiles,
                                                             core::LaunchSite site)
{
    const bool hasQueue =
        std::any_of(profiles.begin(), profiles.end(), [](const core::Profile& profile) {
            return profile.kind == core::ProfileKind::Queue;
        });
    if (hasQueue)
        return core::usageError("a queue says by itself when its machines work",
                                "name hosts that ssh reaches, as nodes that the queue gave you");
    const auto onAccelerator =
        std::find_if(profiles.begin(), profiles.end(), [](const core::Profile& profile) {
            return profile.device && *profile.device != core::HostDevice::Cpu;
        });
    if (onAccelerator != profiles.end())
        return core::usageError("'" + onAccelerator->name +
                                    "' measures on its accelerator, and "
                                    "machines train together on processors only",
                                "name a profile of it without \"device\"");
    if (profiles.size() < 2)
        return core::usageError("one machine has nobody to train with",
                                "name two hosts or more with --on");
    return std::make_unique<TogetherLauncher>(std::move(profiles), std::move(site));
}

core::Job jobOn(const core::Profile& profile, core::Job job)
{
    static_assert(core::HostDeviceNames == core::ProbeDeviceNames);
    if (profile.device)
        job.device = static_cast<core::ProbeDevice>(*profile.device);
    return job;
}

std::string profileFolder()
{
    const QString given = qEnvironmentVariable("OUTLAY_HOSTS");
    if (!given.isEmpty())
        return given.toStdString();
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
    return folder.toStdString() + "/outlay/hosts";
}

core::LaunchSite launchSite()
{
    return {.worker = ProbeProcess::findWorker(storedWorker()).toStdString(),
            .sockets = socketFolder(),
            .cores = core::thisMachine().cores};
}

} // namespace outlay::gui
