// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/attach_run.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "gui/session/file_hash.h"
#include "pricing/date.h"

#include <QFutureWatcher>
#include <QtConcurrentRun>

#include <algorithm>
#include <filesystem>

namespace outlay::gui {
core::Result<void> checkDays(const pricing::RecordFilter& filter)
{
    for (const std::string& day : {filter.from, filter.to}) {
        if (!day.empty() && !pricing::dayOf(day))
            return core::usageError(core::inQuotes(day) + " is no date",
                                    "give one such as 2026-11-20");
    }
    return {};
}

core::Result<pricing::Actual> readActual(const AttachRequest& request,
                                         const core::Experiment& experiment,
                                         const pricing::Report& report)
{
    const auto record = pricing::readRecord(request.file, request.filter);
    if (!record)
        return core::failureOf(record);
    const auto hash = sha256Of(request.file);
    if (!hash)
        return core::failureOf(hash);
    pricing::Actual actual = pricing::actualOf(*record, experiment, report, request.isHere);
    actual.file = std::filesystem::path(request.file).filename().string();
    actual.sha256 = *hash;
    actual.attached = core::nowUtc();
    return actual;
}

core::Result<core::Experiment> withActual(core::Experiment experiment,
                                          const pricing::Actual& actual)
{
    const auto before = pricing::actualsOf(experiment.actuals);
    const bool isKnown =
        std::any_of(before.begin(), before.end(), [&](const pricing::Actual& other) {
            return other.sha256 == actual.sha256 && other.seconds == actual.seconds &&
                   other.usd == actual.usd;
        });
    if (isKnown)
        return core::inputError("the run is attached to it already", "give another one");
    experiment.actuals.append(pricing::toJson(actual));
    return experiment;
}

void RunAttacher::read(const AttachRequest& request, const core::Experiment& experiment,
                       const pricing::Report& report)
{
    using Reading = core::Result<pricing::Actual>;
    const int generation = ++m_generation;
    auto* watcher = new QFutureWatcher<Reading>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, generation] {
        watcher->deleteLater();
        if (generation == m_generation)
            Q_EMIT finished(watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(readActual, request, experiment, report));
}

} // namespace outlay::gui
