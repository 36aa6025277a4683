// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a program that was run said and returned, and the files that it wrote.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <chrono>

namespace outlay::tests {

struct Outcome {
    int exitCode = -1; // where it didn't come to an end by itself, too
    QByteArray out;
    QByteArray err;
};

inline Outcome outcomeOf(QProcess& process,
                         std::chrono::milliseconds most = std::chrono::seconds(30))
{
    if (!process.waitForFinished(static_cast<int>(most.count())) ||
        process.exitStatus() != QProcess::NormalExit)
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

/// The program in this folder, which is its home, too. There is no display: a command that opened a window system would
/// fail, and pixels are none of its business.
inline Outcome runWithoutDisplay(const QList<QByteArray>& words, const QString& folder)
{
    QStringList arguments;
    for (const QByteArray& word : words)
        arguments << QString::fromUtf8(word);
    QProcess process;
    process.setWorkingDirectory(folder);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_DATA_HOME"), folder);
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder);
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("none-at-all"));
    environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QStringLiteral("2"));
    for (const char* display : {"DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"})
        environment.remove(QLatin1String(display));
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(OUTLAY_PROGRAM), arguments);
    return outcomeOf(process);
}

/// Nothing but one line of complaint, which says so.
inline bool isRefusal(const Outcome& o, const QByteArray& what)
{
    return o.exitCode == 2 && o.out.isEmpty() && o.err.count('\n') == 1 && o.err.contains(what);
}

inline QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace outlay::tests
