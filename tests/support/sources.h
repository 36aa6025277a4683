// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The program's own files, for tests that read what is written in them.
#pragma once

#include <QDirIterator>
#include <QStringList>

namespace outlay::tests {

/// Headers and code of all rooms.
inline QStringList sourceFiles()
{
    QStringList found;
    for (const char* top : {"core", "pricing", "gui"}) {
        QDirIterator files(QStringLiteral(OUTLAY_SOURCE_DIR "/") + QLatin1String(top),
                           {QStringLiteral("*.h"), QStringLiteral("*.cpp")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext())
            found.append(files.next());
    }
    return found;
}

} // namespace outlay::tests
