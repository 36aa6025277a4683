// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/file_session.h"

#include "core/base/file.h"
#include "core/experiment/cost_analysis.h"
#include "core/experiment/import.h"
#include "gui/view/format.h"
#include "pricing/report/known_assumptions.h"
#include "pricing/report/known_names.h"

#include <QFileInfo>

#include <chrono>
#include <utility>

namespace outlay::gui {
namespace {

constexpr std::chrono::milliseconds AutosaveAfter{2000}; // of rest
constexpr std::chrono::milliseconds GoneAfter{500}; // longer than an editor takes to replace it

core::Json contentOf(const QString& path)
{
    const auto json = core::loadJson(path.toStdString());
    return json ? *json : core::Json();
}

} // namespace

FileSession::FileSession(Document& document, QString recoveryFolder, QObject* parent)
    : QObject(parent), m_document(document), m_recovery(std::move(recoveryFolder))
{
    m_autosave.setSingleShot(true);
    m_autosave.setInterval(AutosaveAfter);
    connect(&m_document.undoStack(), &QUndoStack::indexChanged, this, &FileSession::follow);
    connect(&m_document.undoStack(), &QUndoStack::cleanChanged, this, &FileSession::follow);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &FileSession::checkDisk);
    m_away.setInterval(GoneAfter);
    connect(&m_away, &QTimer::timeout, this, &FileSession::checkGone);
    connect(&m_autosave, &QTimer::timeout, this, [this] {
        if (const auto kept = m_recovery.keep(m_document.experiment()); !kept)
            Q_EMIT recoveryFailed(toQString(kept.error().sentence()));
    });
}

QString FileSession::title() const
{
    const QString name =
        m_path.isEmpty() ? toQString(m_document.experiment().name) : QFileInfo(m_path).fileName();
    return name.isEmpty() ? QStringLiteral("New experiment") : name;
}

core::Result<std::vector<std::string>> FileSession::open(const QString& path)
{
    const std::string file = path.toStdString();
    auto reading = core::loadAnyExperiment(file);
    if (reading) {
        for (const auto& sound : {pricing::checkNames(reading->experiment, m_document.catalogs()),
                                  pricing::checkAssumptions(reading->experiment)}) {
            if (!sound)
                reading->warnings.push_back(sound.error().sentence());
        }
        for (std::string& sentence : pricing::unknownAssumptions(reading->experiment))
            reading->warnings.push_back(std::move(sentence));
        // Saving must not put an experiment in the place of a cost analysis.
        if (core::isCostAnalysis(contentOf(path))) {
            start(std::move(reading->experiment));
        } else {
            m_document.open(std::move(reading->experiment));
            setPath(QFileInfo(path).absoluteFilePath());
        }
        return std::move(reading->warnings);
    }
    auto imported = core::importModel(file);
    // Of two errors that of the format which the file claims to be helps more.
    if (!imported)
        return tl::unexpected<core::Error>(reading.error().place == "/format" ? imported.error()
                                                                              : reading.error());
    start(std::move(imported->experiment));
    return std::move(imported->notes);
}

void FileSession::start(core::Experiment experiment)
{
    m_document.open(std::move(experiment));
    setPath({});
}

void FileSession::duplicate()
{
    core::Experiment copy = m_document.experiment();
    copy.name = (copy.name.empty() ? title().toStdString() : copy.name) + " (copy)";
    start(std::move(copy));
    m_document.undoStack().resetClean();
}

void FileSession::restore(const LostWork& work)
{
    start(work.experiment);
    m_document.undoStack().resetClean(); // it has no file that it could be like
    Recovery::discard(work);
}

core::Result<void> FileSession::save()
{
    return saveAs(m_path);
}

core::Result<void> FileSession::saveAs(const QString& path)
{
    // Not while it is written: that change is ours.
    if (!m_watcher.files().isEmpty())
        m_watcher.removePaths(m_watcher.files());
    if (auto saved = core::saveExperiment(m_document.experiment(), path.toStdString()); !saved) {
        setPath(m_path);
        return saved;
    }
    m_document.undoStack().setClean();
    setPath(QFileInfo(path).absoluteFilePath());
    return {};
}

void FileSession::setPath(const QString& path)
{
    if (!m_watcher.files().isEmpty())
        m_watcher.removePaths(m_watcher.files());
    m_away.stop();
    m_isGone = false;
    m_path = path;
    m_onDisk = path.isEmpty() ? core::Json() : contentOf(path);
    if (!path.isEmpty())
        m_watcher.addPath(path);
    follow();
}

void FileSession::follow()
{
    m_isUnsaved = !m_document.undoStack().isClean();
    if (m_isUnsaved) {
        m_autosave.start();
    } else {
        m_autosave.stop();
        m_recovery.forget();
    }
    Q_EMIT changed();
}

void FileSession::checkDisk()
{
    if (!QFileInfo::exists(m_path)) {
        m_away.start();
        return;
    }
    // Editors replace files by renaming: the watch is lost with the old one.
    if (!m_watcher.files().contains(m_path))
        m_watcher.addPath(m_path);
    core::Json now = contentOf(m_path);
    if (now.isNull() || now == m_onDisk)
        return;
    m_onDisk = std::move(now);
    Q_EMIT changedOnDisk();
}

void FileSession::checkGone()
{
    if (QFileInfo::exists(m_path)) {
        m_away.stop();
        m_isGone = false;
        checkDisk();
        return;
    }
    if (std::exchange(m_isGone, true))
        return; // it may come back yet
    m_onDisk = {};
    m_document.undoStack().resetClean();
    Q_EMIT goneFromDisk();
}

} // namespace outlay::gui
