// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a program that was run said and returned, and the files that it wrote.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QProcess>
#include <QString>

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
