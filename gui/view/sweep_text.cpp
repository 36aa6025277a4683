// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/sweep_text.h"

#include "core/base/text.h"
#include "gui/view/format.h"
#include "gui/view/text_table.h"

#include <algorithm>

namespace outlay::gui {
namespace {

bool isKnownSomewhere(const pricing::SweepTable& table, std::size_t column)
{
    return std::any_of(table.rows.begin(), table.rows.end(), [&](const pricing::SweepRow& row) {
        return row.headlines[column].figure.isAvailable();
    });
}

} // namespace

QString makeSweepText(const pricing::SweepTable& table, const QLocale& locale)
{
    if (table.rows.empty())
        return {};
    QStringList head;
    QStringList unknown;
    std::vector<std::size_t> columns;
    for (const core::SweepAxis& axis : table.axes)
        head << toQString(core::printable(axis.pointer, 60));
    const std::vector<pricing::Headline>& first = table.rows.front().headlines;
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (isKnownSomewhere(table, i)) {
            columns.push_back(i);
            head << toQString(first[i].key);
        } else {
            unknown << toQString(first[i].key);
        }
    }
    TextTable text(std::vector<Align>(static_cast<std::size_t>(head.size()), Align::Right));
    text.add(head);
    for (const pricing::SweepRow& row : table.rows) {
        QStringList cells;
        for (const core::Json& value : row.values)
            cells << toQString(core::printable(pricing::settingText(value), 40));
        for (const std::size_t i : columns)
            cells << figureText(row.headlines[i].figure, locale);
        text.add(cells);
    }
    if (unknown.isEmpty())
        return text.text();
    return text.text() + QStringLiteral("\nUnavailable at every point: ") +
           unknown.join(QStringLiteral(", ")) + QStringLiteral(".\n");
}

} // namespace outlay::gui
