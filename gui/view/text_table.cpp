// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/text_table.h"

#include <algorithm>

namespace outlay::gui {

QString TextTable::text() const
{
    QString out;
    for (const QStringList& row : m_rows) {
        QString line;
        for (qsizetype i = 0; i < row.size(); ++i) {
            const auto width = static_cast<int>(widthOf(i));
            const bool isLeft = m_columns.at(static_cast<std::size_t>(i)) == Align::Left;
            line += QStringLiteral("  ") +
                    (isLeft ? row.at(i).leftJustified(width) : row.at(i).rightJustified(width));
        }
        while (line.endsWith(QLatin1Char(' ')))
            line.chop(1);
        out += line + QLatin1Char('\n');
    }
    return out;
}

qsizetype TextTable::widthOf(qsizetype column) const
{
    qsizetype widest = 0;
    for (const QStringList& row : m_rows)
        widest = std::max(widest, row.at(column).size());
    return widest;
}

} // namespace outlay::gui
