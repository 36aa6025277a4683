// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/recovery.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QUuid>

namespace outlay::gui {
namespace {

QString lockOf(const QString& file)
{
    return file + QStringLiteral(".lock");
}

} // namespace

QString recoveryFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           QStringLiteral("/outlay/recovery");
}

Recovery::Recovery(QString folder)
    : m_folder(std::move(folder)),
      m_file(m_folder + QLatin1Char('/') + QUuid::createUuid().toString(QUuid::WithoutBraces) +
             QStringLiteral(".json"))
{
}

Recovery::~Recovery()
{
    forget();
}

core::Result<void> Recovery::keep(const core::Experiment& experiment)
{
    if (m_lock == nullptr) {
        if (!QDir().mkpath(m_folder))
            return core::inputError("the folder for unsaved work can't be made",
                                    "save your work, and check " + m_folder.toStdString());
        m_lock = std::make_unique<QLockFile>(lockOf(m_file));
        m_lock->setStaleLockTime(0); // only the end of its program frees it
        m_lock->tryLock(0);
    }
    return core::saveExperiment(experiment, m_file.toStdString());
}

void Recovery::forget()
{
    if (m_lock == nullptr)
        return;
    QFile::remove(m_file);
    m_lock.reset();
}

std::optional<LostWork> Recovery::findLostWork() const
{
    const QDir folder(m_folder);
    for (const QString& name :
         folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Time)) {
        const QString file = folder.filePath(name);
        if (file == m_file)
            continue;
        QLockFile lock(lockOf(file));
        lock.setStaleLockTime(0);
        if (!lock.tryLock(0))
            continue;
        const auto reading = core::loadExperiment(file.toStdString());
        if (reading)
            return LostWork{file, reading->experiment};
    }
    return std::nullopt;
}

void Recovery::discard(const LostWork& work)
{
    QFile::remove(work.copy);
    QFile::remove(lockOf(work.copy));
}

} // namespace outlay::gui
