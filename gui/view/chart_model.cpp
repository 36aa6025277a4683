// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/chart_model.h"

#include "gui/view/axis_ticks.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace outlay::gui {
namespace {

QString cellOf(const ChartPoint& point, const DisplayLocale& locale)
{
    QString text = point.label.isEmpty() ? numberText(point.y, locale) : point.label;
    if (point.low && point.high && *point.low < *point.high)
        text += QStringLiteral(" (%1 to %2)")
                    .arg(numberText(*point.low, locale), numberText(*point.high, locale));
    return text;
}

TableData tableOfPoints(const ChartModel& model, const DisplayLocale& locale)
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
    for (const ChartLimit& limit : model.limits) {
        const bool isX = limit.of == ChartLimit::Of::X;
        const TableCell value{numberText(limit.at, locale), limit.at};
        if (limit.isSet)
            table.rows.push_back({{QStringLiteral("Limit: ") + limit.name},
                                  isX ? value : TableCell(),
                                  isX ? TableCell() : value});
    }
    return table;
}

TableData tableOfBars(const ChartModel& model, const DisplayLocale& locale)
{
    TableData table;
    table.columns = {{QStringLiteral("Item"), false}};
    for (const ChartSeries& series : model.series)
        table.columns.push_back({series.name, true});
    for (std::size_t i = 0; i < model.categories.size(); ++i) {
        std::vector<TableCell> row{{model.categories[i]}};
        for (const ChartSeries& series : model.series) {
            if (i < series.points.size())
                row.push_back({cellOf(series.points[i], locale),
                               series.points[i].y - series.points[i].base.value_or(0)});
            else
                row.push_back({});
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

TableData tableOfSlices(const ChartModel& model, const DisplayLocale& locale)
{
    TableData table;
    table.columns = {
        {QStringLiteral("Item"), false}, {model.y.title, true}, {QStringLiteral("Basis"), false}};
    for (const ChartSeries& slice : model.series) {
        for (const ChartPoint& point : slice.points)
            table.rows.push_back({{slice.name},
                                  {cellOf(point, locale), point.y, point.hint},
                                  {point.basis, std::nullopt, point.hint}});
    }
    return table;
}

} // namespace

bool ChartModel::isEmpty() const
{
    return std::all_of(series.begin(), series.end(),
                       [](const ChartSeries& s) { return s.points.empty(); });
}

std::optional<double> draggedLimit(double value, const ChartAxis& axis)
{
    constexpr double Digits = 3;
    if (!(value < axis.high))
        return std::nullopt;
    const double inside = std::max(value, axis.low);
    if (!(inside > 0))
        return inside;
    const double power = std::pow(10, std::floor(std::log10(inside)) - Digits + 1);
    const double rounded = std::round(inside / power) * power;
    return rounded < axis.high ? std::optional(rounded) : std::nullopt;
}

std::optional<double> movedLimit(const ChartLimit& limit, const ChartAxis& axis, int steps)
{
    constexpr double StepsADecade = 40;
    constexpr double StepsAnAxis = 100;
    if (!limit.isSet && steps > 0)
        return std::nullopt;
    const double step = axis.isLog ? std::pow(10, steps / StepsADecade)
                                   : (axis.high - axis.low) * steps / StepsAnAxis;
    return draggedLimit(axis.isLog ? limit.at * step : limit.at + step, axis);
}

TableData tableOf(const ChartModel& model, const DisplayLocale& locale)
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

namespace {

/// A round number that goes some four times into `range`, and the decimals that it needs.
std::pair<double, int> roundStep(double range)
{
    constexpr double Intervals = 4;
    const double rough = range / Intervals;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    constexpr std::array Steps{1.0, 2.0, 2.5, 5.0, 10.0};
    const double step = power * *std::find_if(Steps.begin(), Steps.end() - 1, [&](double s) {
                            return s * power >= rough * (1 - 1e-9);
                        });
    const bool isHalf = std::abs(step / power - 2.5) < 1e-9;
    return {step, std::max(0, static_cast<int>(-std::floor(std::log10(step))) + (isHalf ? 1 : 0))};
}

} // namespace

ChartAxis axisFromZero(double highest, const QString& title)
{
    ChartAxis axis;
    axis.title = title;
    if (!(highest > 0) || !std::isfinite(highest))
        return axis;
    const auto [step, decimals] = roundStep(highest);
    const double count = std::ceil(highest / step - 1e-9);
    axis.high = step * count;
    axis.ticks = static_cast<int>(count) + 1;
    axis.decimals = decimals;
    return axis;
}

ChartAxis axisAround(double lowest, double highest, const QString& title)
{
    ChartAxis axis;
    axis.title = title;
    if (!std::isfinite(lowest) || !std::isfinite(highest) || lowest > highest)
        return axis;
    constexpr double Room = 0.1;
    const double size = std::max(std::abs(lowest), std::abs(highest));
    const bool isOne = highest - lowest <= size * 1e-9;
    const double range = isOne ? (size > 0 ? size : 1.0) : highest - lowest;
    const double room = range * (isOne ? 0.5 : Room); // one value alone gets an axis of its size
    const auto [step, decimals] = roundStep(highest - lowest + 2 * room);
    const double first = std::floor((lowest - room) / step);
    const double last = std::ceil((highest + room) / step);
    axis.low = first * step;
    axis.high = last * step;
    axis.ticks = static_cast<int>(last - first) + 1;
    axis.decimals = decimals;
    return axis;
}

ChartAxis logAxis(double lowest, double highest, const QString& title)
{
    ChartAxis axis{.title = title, .low = 1, .high = 10, .isLog = true};
    if (!(lowest > 0) || !(highest >= lowest) || !std::isfinite(highest))
        return axis;
    // A point on the limit would be cut in half.
    constexpr double Room = 1.1;
    const double low = std::log10(lowest / Room);
    const double high = std::log10(highest * Room);
    axis.low = std::pow(10, std::floor(low));
    axis.high = std::pow(10, std::ceil(high));
    // Numbers stand at powers of ten: with two of them inside, the ends may be closer to the points.
    if (std::floor(high) - std::ceil(low) < 1)
        return axis;
    for (const double step : {5.0, 2.0}) {
        if (axis.low * step <= lowest / Room)
            axis.low *= step;
        if (axis.high / step >= highest * Room)
            axis.high /= step;
    }
    return axis;
}

ChartAxis timeAxis(double lowestHours, double highestHours, const QString& title)
{
    ChartAxis axis{.title = title, .low = 1, .high = 10, .isLog = true, .isTime = true};
    const std::vector<RoundTime>& times = roundTimes();
    if (!(lowestHours > 0) || !(highestHours >= lowestHours) || !std::isfinite(highestHours))
        return axis;
    constexpr double Room = 1.1;
    axis.low = times.front().hours;
    axis.high = times.back().hours;
    for (const RoundTime& time : times) {
        if (time.hours <= lowestHours / Room)
            axis.low = time.hours;
        if (time.hours >= highestHours * Room) {
            axis.high = time.hours;
            break;
        }
    }
    return axis;
}

ScaledAxis scaledAxis(double highest, const QString& what, const QString& unit)
{
    constexpr double Step = 1000;
    ScaledAxis scaled;
    std::size_t prefix = 0;
    while (highest / scaled.factor >= Step && prefix + 1 < Prefixes.size()) {
        scaled.factor *= Step;
        ++prefix;
    }
    scaled.axis =
        axisFromZero(highest / scaled.factor,
                     what + QStringLiteral(" (") + prefixed(prefix, unit) + QLatin1Char(')'));
    return scaled;
}

} // namespace outlay::gui
