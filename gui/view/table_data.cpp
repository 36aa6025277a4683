// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/table_data.h"

namespace outlay::gui {

QString tabSeparated(const TableData& table)
{
    const auto separator = [](std::size_t i) {
        return i == 0 ? QString() : QString(QLatin1Char('\t'));
    };
    QString text;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        text += separator(i) + table.columns[i].title;
    text += QLatin1Char('\n');
    for (const std::vector<TableCell>& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += separator(i) + row[i].text;
        text += QLatin1Char('\n');
    }
    return text;
}

} // namespace outlay::gui
