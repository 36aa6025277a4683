// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A file that is what the program says today: it is read in reviews, and a test holds it to that.
#pragma once

#include "core/base/file.h"

#include <QString>
#include <QStringList>

#include <algorithm>
#include <string>

namespace outlay::tests {

/// The first line that isn't as stored; empty where the file is `now`. With `variable` set in the environment it is
/// written anew first.
inline QString differenceFromStored(const std::string& path, const std::string& now,
                                    const char* variable)
{
    if (qEnvironmentVariableIsSet(variable) && !core::saveFile(path, now).has_value())
        return QStringLiteral("%1 can't be written").arg(QString::fromStdString(path));
    const auto stored = core::loadFile(path);
    if (!stored.has_value())
        return QStringLiteral("%1 can't be read").arg(QString::fromStdString(path));
    if (*stored == now)
        return {};
    const QStringList lines = QString::fromStdString(now).split(QLatin1Char('\n'));
    const QStringList before = QString::fromStdString(*stored).split(QLatin1Char('\n'));
    const auto at = std::mismatch(lines.begin(), lines.end(), before.begin(), before.end());
    const auto lineOf = [](auto it, auto end) {
        return it == end ? QStringLiteral("(nothing)") : *it;
    };
    return QStringLiteral("line %1 of %2: '%3' now, '%4' before; %5=1 writes it anew")
        .arg(at.first - lines.begin() + 1)
        .arg(QString::fromStdString(path), lineOf(at.first, lines.end()),
             lineOf(at.second, before.end()), QLatin1String(variable));
}

} // namespace outlay::tests
