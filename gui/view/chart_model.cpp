// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/chart_model.h"

#include "gui/view/figure_view.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace outlay::gui {
namespace {

QString cellOf(const ChartPoint& point, const QLocale& locale)
{
    QString text = point.label.isEmpty() ? numberText(point.y, locale) : point.label;
    if (point.low && point.high && *point.low < *point.high)
        text += QStringLiteral(" (%1 to %2)")
                    .arg(numberText(*point.low, locale), numberText(*point.high, locale));
    return text;
}

TableData tableOfPoints(const ChartModel& model, const QLocale& locale)
{
    TableData table;
    table.columns = {
        {QStringLiteral("Series"), false}, {model.x.title, true}, {model.y.title, true}};
    for (const ChartSeries& series : model.series) {
        for (const ChartPoint& point : series.points)
            table.rows.push_back({{series.name},
                                  {numberText(point.x, locale), point.x},
                                  {cellOf(point, locale), point.y}});
    }
    return table;
}

TableData tableOfBars(const ChartModel& model, const QLocale& locale)
{
    TableData table;
    table.columns = {{QStringLiteral("Item"), false}};
    for (const ChartSeries& series : model.series)
        table.columns.push_back({series.name, true});
    for (std::size_t i = 0; i < model.categories.size(); ++i) {
        std::vector<TableCell> row{{model.categories[i]}};
        for (const ChartSeries& series : model.series) {
            if (i < series.points.size())
                row.push_back({cellOf(series.points[i], locale), series.points[i].y});
            else
                row.push_back({});
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

TableData tableOfSlices(const ChartModel& model, const QLocale& locale)
{
    TableData table;
    table.columns = {{QStringLiteral("Item"), false}, {model.y.title, true}};
    for (const ChartSeries& slice : model.series) {
        for (const ChartPoint& point : slice.points)
            table.rows.push_back({{slice.name}, {cellOf(point, locale), point.y}});
    }
    return table;
}

} // namespace

bool ChartModel::isEmpty() const
{
    return std::all_of(series.begin(), series.end(),
                       [](const ChartSeries& s) { return s.points.empty(); });
}

TableData tableOf(const ChartModel& model, const QLocale& locale)
{
    switch (model.kind) {
    case ChartModel::Kind::Bars:
    case ChartModel::Kind::HorizontalBars: return tableOfBars(model, locale);
    case ChartModel::Kind::Doughnut: return tableOfSlices(model, locale);
    case ChartModel::Kind::Lines:
    case ChartModel::Kind::Scatter: break;
    }
    return tableOfPoints(model, locale);
}

ChartAxis axisFromZero(double highest, const QString& title)
{
    ChartAxis axis;
    axis.title = title;
    if (!(highest > 0) || !std::isfinite(highest))
        return axis;
    constexpr double Intervals = 4;
    const double rough = highest / Intervals;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    constexpr std::array Steps{1.0, 2.0, 2.5, 5.0, 10.0};
    const double step = power * *std::find_if(Steps.begin(), Steps.end() - 1, [&](double s) {
                            return s * power >= rough * (1 - 1e-9);
                        });
    const double count = std::ceil(highest / step - 1e-9);
    axis.high = step * count;
    axis.ticks = static_cast<int>(count) + 1;
    const bool isHalf = std::abs(step / power - 2.5) < 1e-9;
    axis.decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step))) + (isHalf ? 1 : 0));
    return axis;
}

ChartAxis logAxis(double lowest, double highest, const QString& title)
{
    ChartAxis axis{.title = title, .low = 1, .high = 10, .isLog = true};
    if (!(lowest > 0) || !(highest >= lowest) || !std::isfinite(highest))
        return axis;
    // A point on the limit would be cut in half.
    constexpr double Room = 1.1;
    axis.low = std::pow(10, std::floor(std::log10(lowest / Room)));
    axis.high = std::pow(10, std::ceil(std::log10(highest * Room)));
    return axis;
}

ScaledAxis scaledAxis(double highest, const QString& what, const QString& unit)
{
    static constexpr std::array<const char*, 8> Prefixes{"", "k", "M", "G", "T", "P", "E", "Z"};
    constexpr double Step = 1000;
    ScaledAxis scaled;
    std::size_t prefix = 0;
    while (highest / scaled.factor >= Step && prefix + 1 < Prefixes.size()) {
        scaled.factor *= Step;
        ++prefix;
    }
    scaled.axis = axisFromZero(highest / scaled.factor, what + QStringLiteral(" (") +
                                                            QLatin1String(Prefixes.at(prefix)) +
                                                            unit + QLatin1Char(')'));
    return scaled;
}

} // namespace outlay::gui
