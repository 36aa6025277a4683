// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/track_session.h"

#include "core/experiment/experiment.h"
#include "gui/view/format.h"

#include <QDir>
#include <QDirIterator>
#include <QFutureWatcher>
#include <QtConcurrentRun>

#include <algorithm>

namespace outlay::gui {
namespace {

constexpr int MostFiles = 10'000;
constexpr qint64 LargestFile = qint64{64} << 20;

const std::string& timeOf(const TrackedRun& run)
{
    return run.actual.began.empty() ? run.actual.attached : run.actual.began;
}

void addExperiment(TrackFolder& folder, const QFileInfo& file)
{
    const auto reading = file.size() > LargestFile
                             ? core::Result<core::ExperimentReading>(core::inputError("", ""))
                             : core::loadExperiment(file.filePath().toStdString());
    if (!reading) {
        ++folder.others;
        return;
    }
    ++folder.experiments;
    const core::Experiment& experiment = reading->experiment;
    const QString name = experiment.name.empty() ? file.fileName() : toQString(experiment.name);
    for (pricing::Actual& actual : pricing::actualsOf(experiment.actuals)) {
        // Of a copy of an experiment it is no further run.
        const bool isKnown =
            std::any_of(folder.runs.begin(), folder.runs.end(),
                        [&](const TrackedRun& other) { return other.actual == actual; });
        if (!isKnown)
            folder.runs.push_back({name, std::move(actual)});
    }
}

TrackFolder readFolder(const QString& path)
{
    TrackFolder folder{.path = path};
    if (!QDir(path).isReadable()) {
        folder.problem = QStringLiteral("This folder can't be read: choose another one.");
        return folder;
    }
    QDirIterator files(path, {QStringLiteral("*.json")}, QDir::Files, QDirIterator::Subdirectories);
    for (int seen = 0; files.hasNext(); ++seen) {
        if (seen >= MostFiles) {
            folder.problem = QStringLiteral("This folder has more than %1 files: choose one with "
                                            "experiments alone.")
                                 .arg(MostFiles);
            folder.runs.clear();
            return folder;
        }
        files.next();
        addExperiment(folder, files.fileInfo());
    }
    std::stable_sort(
        folder.runs.begin(), folder.runs.end(),
        [](const TrackedRun& a, const TrackedRun& b) { return timeOf(a) < timeOf(b); });
    return folder;
}

} // namespace

void TrackSession::read(const QString& path)
{
    const int generation = ++m_generation;
    m_folder = {.path = path, .isReading = !path.isEmpty()};
    Q_EMIT changed();
    if (path.isEmpty())
        return;
    auto* watcher = new QFutureWatcher<TrackFolder>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, generation] {
        watcher->deleteLater();
        if (generation != m_generation)
            return;
        m_folder = watcher->result();
        Q_EMIT changed();
    });
    watcher->setFuture(QtConcurrent::run(readFolder, path));
}

} // namespace outlay::gui
