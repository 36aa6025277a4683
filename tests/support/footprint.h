// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a program holds of the machine at a moment, counted from outside of what is tested.
#pragma once

#include "core/program/process_tree.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QString>

#include <malloc.h>

namespace outlay::tests {

struct Footprint {
    qsizetype processes = 0; // below this one
    qsizetype descriptors = 0;
    qsizetype files = 0; // in a folder, and all below it
    double heapMb = 0;   // that is in use
    double residentMb = 0;
};

inline double residentMegabytes()
{
    constexpr double KilobytesPerMb = 1024;
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray text = status.readAll();
    const QByteArray key = "VmRSS:";
    const QByteArray line = text.mid(text.indexOf(key) + key.size()).trimmed();
    return line.left(line.indexOf(' ')).toDouble() / KilobytesPerMb;
}

inline double heapMegabytes()
{
    constexpr double BytesPerMb = 1 << 20;
    const auto heap = ::mallinfo2();
    return static_cast<double>(heap.uordblks + heap.hblkhd) / BytesPerMb;
}

inline Footprint footprintIn(const QString& folder)
{
    Footprint found;
    found.processes = static_cast<qsizetype>(core::ProcessTree::members().size());
    found.descriptors = QDir(QStringLiteral("/proc/self/fd"))
                            .entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot)
                            .size();
    QDirIterator files(folder, QDir::Files | QDir::Hidden | QDir::System,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        files.next();
        ++found.files;
    }
    found.heapMb = heapMegabytes();
    found.residentMb = residentMegabytes();
    return found;
}

} // namespace outlay::tests
