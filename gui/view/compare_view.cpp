// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/compare_view.h"

#include "gui/view/comparison.h"
#include "gui/view/figure_cell.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"

#include <algorithm>

namespace outlay::gui {
namespace {

using pricing::Comparison;
using pricing::ComparisonRow;
using pricing::Difference;

QString nameOf(const Comparison& comparison, std::size_t index)
{
    const std::string& name = comparison.names[index];
    return toQString(name.empty() ? comparison.files[index] : name);
}

QString sentenceCase(const std::string& label)
{
    QString title = toQString(label);
    if (!title.isEmpty())
        title[0] = title[0].toUpper();
    return title;
}

TableCell cellOf(const Difference& cell, const QLocale& locale)
{
    TableCell shown = figureCell(cell.figure, locale);
    if (const QString change = changeText(cell, locale); !change.isEmpty())
        shown.text += QStringLiteral(" (") + change + QLatin1Char(')');
    return shown;
}

TableData tableOf(const Comparison& comparison, const QLocale& locale)
{
    TableData table;
    table.columns = {{QStringLiteral("Figure"), false}};
    for (std::size_t i = 0; i < comparison.names.size(); ++i)
        table.columns.push_back({nameOf(comparison, i), true});
    for (const ComparisonRow& row : comparison.rows) {
        std::vector<TableCell> cells{{sentenceCase(row.label)}};
        for (const Difference& cell : row.cells)
            cells.push_back(cellOf(cell, locale));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::vector<const ComparisonRow*> shownRows(const Comparison& comparison)
{
    std::vector<const ComparisonRow*> rows;
    for (const ComparisonRow& row : comparison.rows) {
        const bool isKnown =
            std::any_of(row.cells.begin(), row.cells.end(), [](const Difference& d) {
                return d.figure.isAvailable() && d.figure.value() >= 0;
            });
        if (isKnown)
            rows.push_back(&row);
    }
    return rows;
}

ChartModel chartOf(const Comparison& comparison, const ComparisonRow& row, const QLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::HorizontalBars;
    chart.title = sentenceCase(row.label);
    chart.subtitle = QStringLiteral("The baseline first");
    chart.empty = QStringLiteral("This figure is unavailable in all experiments");
    double highest = 0;
    for (const Difference& cell : row.cells)
        highest = std::max(highest, cell.figure.high());
    const core::Unit unit = row.cells.front().figure.unit();
    const QString symbol = unit == core::Unit::One ? QString() : toQString(core::symbol(unit));
    const ScaledAxis scaled = scaledAxis(highest, chart.title, symbol);
    chart.y = scaled.axis;
    ChartSeries series{chart.title, 0, {}};
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const core::Quantity& figure = row.cells[i].figure;
        const bool isDrawn = figure.isAvailable() && figure.value() >= 0;
        if (!isDrawn)
            continue;
        // A chart has each name once.
        const QString name = nameOf(comparison, i);
        const bool isTaken = std::find(chart.categories.begin(), chart.categories.end(), name) !=
                             chart.categories.end();
        chart.categories.push_back(isTaken ? QStringLiteral("%1 (%2)").arg(name).arg(i + 1) : name);
        series.points.push_back({.y = figure.value() / scaled.factor,
                                 .low = std::max(0.0, figure.low()) / scaled.factor,
                                 .high = figure.high() / scaled.factor,
                                 .label = headlineText(figure.value(), unit, locale),
                                 .isStrong = i == 0});
    }
    chart.description =
        QStringLiteral("%1 in %2 experiments").arg(chart.title).arg(series.points.size());
    chart.series.push_back(std::move(series));
    return chart;
}

} // namespace

CompareView makeCompareView(const Comparison& comparison, std::size_t chosen, const QLocale& locale)
{
    CompareView view;
    view.table = tableOf(comparison, locale);
    const std::vector<const ComparisonRow*> rows = shownRows(comparison);
    for (const ComparisonRow* row : rows)
        view.figures.push_back(sentenceCase(row->label));
    if (!rows.empty())
        view.chart = chartOf(comparison, *rows[std::min(chosen, rows.size() - 1)], locale);
    view.verdict = comparison.names.size() < 2
                       ? QStringLiteral("Open other experiments to see them beside this one")
                       : QStringLiteral("%1 experiments; differences are to %2; %3 settings differ")
                             .arg(comparison.names.size())
                             .arg(nameOf(comparison, 0))
                             .arg(comparison.settings.size());
    return view;
}

} // namespace outlay::gui
