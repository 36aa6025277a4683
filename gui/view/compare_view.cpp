// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/compare_view.h"

#include "gui/view/compare_text.h"
#include "gui/view/figure_cell.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace outlay::gui {
namespace {

using pricing::Comparison;
using pricing::ComparisonRow;
using pricing::Difference;

QString columnName(const Comparison& comparison, std::size_t index)
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

TableCell cellOf(const Difference& cell, const DisplayLocale& locale)
{
    TableCell shown = figureCell(cell.figure, locale);
    if (const QString change = changeText(cell, locale); !change.isEmpty())
        shown.text += QStringLiteral(" (") + change + QLatin1Char(')');
    return shown;
}

TableData tableOf(const Comparison& comparison, const DisplayLocale& locale)
{
    TableData table;
    table.columns = {{QStringLiteral("Figure"), false}};
    for (std::size_t i = 0; i < comparison.names.size(); ++i)
        table.columns.push_back({columnName(comparison, i), true});
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

ChartModel chartOf(const Comparison& comparison, const ComparisonRow& row,
                   const DisplayLocale& locale)
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
    const bool isMoney = unit == core::Unit::Usd;
    const double factor = isMoney ? locale.money(1) : 1;
    const QString symbol = isMoney                   ? locale.currency.code
                           : unit == core::Unit::One ? QString()
                                                     : toQString(core::symbol(unit));
    const ScaledAxis scaled = scaledAxis(highest * factor, chart.title, symbol);
    chart.y = scaled.axis;
    ChartSeries series{chart.title, 0, {}};
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const core::Quantity& figure = row.cells[i].figure;
        const bool isDrawn = figure.isAvailable() && figure.value() >= 0;
        if (!isDrawn)
            continue;
        // A chart has each name once.
        const QString name = columnName(comparison, i);
        const bool isTaken = std::find(chart.categories.begin(), chart.categories.end(), name) !=
                             chart.categories.end();
        chart.categories.push_back(isTaken ? QStringLiteral("%1 (%2)").arg(name).arg(i + 1) : name);
        series.points.push_back({.y = figure.value() * factor / scaled.factor,
                                 .low = std::max(0.0, figure.low()) * factor / scaled.factor,
                                 .high = figure.high() * factor / scaled.factor,
                                 .label = headlineText(figure.value(), unit, locale),
                                 .isStrong = i == 0});
    }
    chart.description =
        QStringLiteral("%1 in %2 experiments").arg(chart.title).arg(series.points.size());
    chart.series.push_back(std::move(series));
    return chart;
}

constexpr std::string_view QualityKey = "quality/";

std::vector<const ComparisonRow*> qualityRows(const Comparison& comparison)
{
    std::vector<const ComparisonRow*> rows;
    for (const ComparisonRow& row : comparison.rows) {
        if (row.key.starts_with(QualityKey))
            rows.push_back(&row);
    }
    return rows;
}

/// The chosen figure where it is a cost; else what a training run costs.
const ComparisonRow* costRow(const Comparison& comparison, const ComparisonRow* chosen)
{
    const auto isCost = [](const ComparisonRow& row) {
        return !row.cells.empty() && row.cells.front().figure.unit() == core::Unit::Usd;
    };
    if (chosen != nullptr && isCost(*chosen))
        return chosen;
    const auto found =
        std::find_if(comparison.rows.begin(), comparison.rows.end(),
                     [](const ComparisonRow& row) { return row.key == "cheapest_usd"; });
    return found == comparison.rows.end() ? nullptr : &*found;
}

QString listed(const QStringList& names)
{
    constexpr qsizetype MostNamed = 5;
    QString text = names.mid(0, MostNamed).join(QStringLiteral(", "));
    if (names.size() > MostNamed)
        text += QStringLiteral(" and %1 more").arg(names.size() - MostNamed);
    return text;
}

struct Placed {
    std::vector<ChartPoint> points;
    QStringList withoutQuality;
    QStringList withoutCost;
};

Placed placedBy(const Comparison& comparison, const ComparisonRow& cost,
                const ComparisonRow& quality, const DisplayLocale& locale)
{
    Placed placed;
    for (std::size_t i = 0; i < comparison.names.size(); ++i) {
        const core::Quantity& usd = cost.cells[i].figure;
        const core::Quantity& reached = quality.cells[i].figure;
        if (!reached.isAvailable())
            placed.withoutQuality.append(columnName(comparison, i));
        else if (!usd.isAvailable())
            placed.withoutCost.append(columnName(comparison, i));
        else
            placed.points.push_back({.x = reached.value(),
                                     .y = locale.money(usd.value()),
                                     .low = locale.money(std::max(0.0, usd.low())),
                                     .high = locale.money(usd.high()),
                                     .label = columnName(comparison, i),
                                     .isStrong = i == 0,
                                     .key = i});
    }
    return placed;
}

QString unplacedText(const Placed& placed, const QString& quality, const QString& cost)
{
    QStringList parts;
    if (!placed.withoutQuality.empty())
        parts.append(QStringLiteral("without %1: %2").arg(quality, listed(placed.withoutQuality)));
    if (!placed.withoutCost.empty())
        parts.append(QStringLiteral("without a known cost (%1): %2")
                         .arg(cost.toLower(), listed(placed.withoutCost)));
    return parts.isEmpty() ? QString()
                           : QStringLiteral("Not in the chart, ") +
                                 parts.join(QStringLiteral("; ")) + QLatin1Char('.');
}

/// Costs that differ by orders of magnitude would lie on one another at the bottom.
ChartAxis costAxis(const std::vector<ChartPoint>& points, const QString& title)
{
    double lowest = HUGE_VAL;
    double highest = 0;
    for (const ChartPoint& point : points) {
        lowest = std::min(lowest, *point.low);
        highest = std::max(highest, *point.high);
    }
    constexpr double Orders = 50;
    return lowest > 0 && highest > Orders * lowest ? logAxis(lowest, highest, title)
                                                   : axisFromZero(highest, title);
}

QString qualityVerdict(const std::vector<ChartPoint>& points, const QString& quality,
                       const DisplayLocale& locale)
{
    const auto [least, most] =
        std::minmax_element(points.begin(), points.end(),
                            [](const ChartPoint& a, const ChartPoint& b) { return a.y < b.y; });
    const auto text = [&](const ChartPoint& point) {
        return QStringLiteral("%1 (%2, %3 %4)")
            .arg(point.label, headlineText(point.y / locale.money(1), core::Unit::Usd, locale),
                 quality, numberText(point.x, locale));
    };
    return points.size() == 1 ? text(*least)
                              : QStringLiteral("From %1 to %2").arg(text(*least), text(*most));
}

void addQuality(CompareView& view, const Comparison& comparison, const ComparisonRow* figure,
                std::size_t chosen, const DisplayLocale& locale)
{
    const std::vector<const ComparisonRow*> rows = qualityRows(comparison);
    for (const ComparisonRow* row : rows)
        view.qualities.push_back(toQString(std::string_view(row->key).substr(QualityKey.size())));
    ChartModel& chart = view.quality;
    chart.kind = ChartModel::Kind::Scatter;
    chart.title = QStringLiteral("Cost against quality");
    chart.empty = QStringLiteral("No experiment says how good it is; give its quality, as in "
                                 "\"quality\": {\"mse\": 0.0013}");
    const ComparisonRow* cost = costRow(comparison, figure);
    if (rows.empty() || cost == nullptr)
        return;
    const std::size_t place = std::min(chosen, rows.size() - 1);
    const QString& quality = view.qualities[place];
    const Placed placed = placedBy(comparison, *cost, *rows[place], locale);
    view.unplaced = unplacedText(placed, quality, toQString(cost->label));
    if (placed.points.empty()) {
        chart.empty = view.unplaced;
        return;
    }
    chart.subtitle = sentenceCase(cost->label) + QStringLiteral("; lower is cheaper");
    chart.description = qualityVerdict(placed.points, quality, locale);
    double least = HUGE_VAL;
    double most = -HUGE_VAL;
    ChartSeries baseline{QStringLiteral("Baseline"), 1, {}};
    ChartSeries others{QStringLiteral("Others"), 0, {}};
    for (const ChartPoint& point : placed.points) {
        least = std::min(least, point.x);
        most = std::max(most, point.x);
        (point.key == std::size_t{0} ? baseline : others).points.push_back(point);
    }
    for (ChartSeries* series : {&baseline, &others}) {
        if (!series->points.empty())
            chart.series.push_back(std::move(*series));
    }
    chart.x = axisAround(least, most, quality);
    chart.y = costAxis(placed.points, locale.currency.code);
}

} // namespace

std::vector<QString> comparedNames(const std::vector<pricing::Compared>& all)
{
    std::vector<QString> names;
    for (const pricing::Compared& one : all)
        names.push_back(toQString(one.experiment.name.empty() ? one.file : one.experiment.name));
    return names;
}

Comparison comparisonTo(std::size_t baseline, const std::vector<pricing::Compared>& all,
                        const pricing::Catalogs& catalogs)
{
    std::vector<pricing::Compared> ordered = all;
    const auto first =
        ordered.begin() + static_cast<std::ptrdiff_t>(std::min(baseline, all.size() - 1));
    std::rotate(ordered.begin(), first, first + 1);
    return pricing::compare(ordered, catalogs);
}

std::size_t comparedAt(std::size_t place, std::size_t baseline)
{
    if (place == 0)
        return baseline;
    return place <= baseline ? place - 1 : place;
}

CompareView makeCompareView(const Comparison& comparison, const CompareChoice& choice,
                            const DisplayLocale& locale)
{
    CompareView view;
    view.table = tableOf(comparison, locale);
    const std::vector<const ComparisonRow*> rows = shownRows(comparison);
    for (const ComparisonRow* row : rows)
        view.figures.push_back(sentenceCase(row->label));
    const ComparisonRow* figure =
        rows.empty() ? nullptr : rows[std::min(choice.figure, rows.size() - 1)];
    if (figure != nullptr)
        view.chart = chartOf(comparison, *figure, locale);
    addQuality(view, comparison, figure, choice.quality, locale);
    view.verdict = comparison.names.size() < 2
                       ? QStringLiteral("Open other experiments to see them beside this one")
                       : QStringLiteral("%1 experiments; differences are to %2; %3 settings differ")
                             .arg(comparison.names.size())
                             .arg(columnName(comparison, 0))
                             .arg(comparison.settings.size());
    return view;
}

} // namespace outlay::gui
