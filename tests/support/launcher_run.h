// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A launcher's run, written down.
#pragma once

#include "core/experiment/experiment.h"
#include "core/experiment/presets.h"
#include "gui/session/launcher.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include <functional>
#include <map>

namespace outlay::tests {

struct LauncherRun {
    std::map<std::size_t, core::Json> measured;
    std::map<std::size_t, core::Error> failed;
    QStringList notes;
    int finishes = 0;
    double seconds = 0;

    [[nodiscard]] bool isAllMeasured(std::size_t jobs) const
    {
        return measured.size() == jobs && failed.empty() && finishes == 1;
    }
};

/// Jobs that are told apart by their batch.
inline std::vector<core::Job> someJobs(std::size_t count)
{
    std::vector<core::Job> jobs;
    for (std::size_t i = 0; i < count; ++i) {
        core::Job job = core::jobOf(core::preset("mlp")->experiment);
        job.training.batch = static_cast<std::int64_t>(i) + 1;
        job.seconds = 1;
        jobs.push_back(std::move(job));
    }
    return jobs;
}

/// Until it is finished; `meanwhile` is told of each change.
inline LauncherRun runToEnd(gui::Launcher& launcher, std::vector<core::Job> jobs, gui::Reuse reuse,
                            const std::function<void()>& meanwhile = {}, int mostSeconds = 120)
{
    LauncherRun run;
    QEventLoop loop;
    QElapsedTimer clock;
    clock.start();
    QObject::connect(&launcher, &gui::Launcher::measured, &loop,
                     [&](std::size_t job, const core::Json& measurement) {
                         if (!run.measured.emplace(job, measurement).second)
                             qFatal("a job is measured twice");
                     });
    QObject::connect(&launcher, &gui::Launcher::failed, &loop,
                     [&](std::size_t job, const core::Error& error) {
                         if (!run.failed.emplace(job, error).second)
                             qFatal("a job failed twice");
                     });
    QObject::connect(&launcher, &gui::Launcher::noted, &loop,
                     [&](const QString& text) { run.notes.append(text); });
    QObject::connect(&launcher, &gui::Launcher::changed, &loop, [&] {
        if (meanwhile)
            meanwhile();
    });
    QObject::connect(&launcher, &gui::Launcher::finished, &loop, [&] {
        ++run.finishes;
        loop.quit();
    });
    QTimer::singleShot(mostSeconds * 1000, &loop, &QEventLoop::quit);
    launcher.start(std::move(jobs), reuse);
    loop.exec();
    run.seconds = static_cast<double>(clock.elapsed()) / 1e3;
    return run;
}

inline std::string hostIn(const core::Json& measurement)
{
    const core::Json* host = measurement.find("host");
    return host == nullptr || host->asString() == nullptr ? "" : *host->asString();
}

} // namespace outlay::tests
