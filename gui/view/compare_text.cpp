// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/compare_text.h"

#include "core/base/text.h"
#include "gui/view/format.h"
#include "gui/view/text_table.h"
#include "pricing/report/compare/sweep_table.h"

namespace outlay::gui {
namespace {

using pricing::Comparison;

QString signedText(double value, const QString& magnitude)
{
    return (value < 0 ? QStringLiteral("-") : QStringLiteral("+")) + magnitude;
}

QString cellText(const pricing::Difference& cell, const DisplayLocale& locale)
{
    const QString change = changeText(cell, locale);
    return figureText(cell.figure, locale) +
           (change.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(change));
}

/// Every row of the table: a head, the settings that differ, the figures.
std::vector<QStringList> rowsOf(const Comparison& comparison, const DisplayLocale& locale)
{
    QStringList head{QString()};
    for (const std::string& file : comparison.files)
        head << toQString(core::printable(file, 60));
    std::vector<QStringList> rows{head};
    for (const pricing::SettingRow& row : comparison.settings) {
        QStringList cells{toQString(core::printable(row.pointer, 60))};
        for (const core::Json& value : row.values)
            cells << (value.isNull() ? QStringLiteral("-")
                                     : toQString(core::printable(pricing::settingText(value), 40)));
        rows.push_back(cells);
    }
    for (const pricing::ComparisonRow& row : comparison.rows) {
        QStringList cells{toQString(core::printable(row.label, 60))};
        for (const pricing::Difference& cell : row.cells)
            cells << cellText(cell, locale);
        rows.push_back(cells);
    }
    return rows;
}

} // namespace

QString changeText(const pricing::Difference& cell, const DisplayLocale& locale)
{
    if (!cell.change)
        return {};
    if (*cell.change == 0)
        return QStringLiteral("same");
    QString text =
        signedText(*cell.change, valueText(std::abs(*cell.change), cell.figure.unit(), locale));
    if (!cell.changePercent)
        return text;
    return text + QStringLiteral(", ") +
           signedText(*cell.changePercent,
                      valueText(std::abs(*cell.changePercent), core::Unit::Percent, locale));
}

QString makeComparisonText(const Comparison& comparison, const DisplayLocale& locale)
{
    TextTable table(std::vector<Align>(comparison.files.size() + 1, Align::Left));
    for (const QStringList& row : rowsOf(comparison, locale))
        table.add(row);
    return table.text();
}

QString makeComparisonMarkdown(const Comparison& comparison, const DisplayLocale& locale)
{
    QString out;
    bool isHead = true;
    auto rows = rowsOf(comparison, locale);
    for (QStringList& row : rows) {
        for (QString& text : row)
            text.replace(QLatin1Char('|'), QStringLiteral("\\|"));
        out += QStringLiteral("| ") + row.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
        if (isHead)
            out +=
                QLatin1Char('|') + QStringLiteral("---|").repeated(row.size()) + QLatin1Char('\n');
        isHead = false;
    }
    return out;
}

} // namespace outlay::gui
