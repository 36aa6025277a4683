// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/growth_chart.h"

#include "gui/view/figure_view.h"
#include "gui/view/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace outlay::gui {
namespace {

struct Range {
    double low = HUGE_VAL;
    double high = 0;

    void add(double value)
    {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

struct Ranges {
    Range at;
    Range value;
};

bool isDrawn(const GrowthPoint& point)
{
    return point.figure.isAvailable() && point.figure.value() > 0;
}

Ranges rangesOf(const std::vector<GrowthLine>& lines)
{
    Ranges ranges;
    for (const GrowthLine& line : lines) {
        for (const GrowthPoint& point : line.points) {
            if (!isDrawn(point))
                continue;
            ranges.at.add(point.at);
            ranges.value.add(point.figure.value());
            ranges.value.add(point.figure.high());
            if (point.figure.low() > 0)
                ranges.value.add(point.figure.low());
        }
    }
    return ranges;
}

QString reasonOf(const std::vector<GrowthLine>& lines)
{
    for (const GrowthLine& line : lines) {
        for (const GrowthPoint& point : line.points) {
            if (!point.figure.isAvailable())
                return reasonText(point.figure);
        }
    }
    return QStringLiteral("it isn't known for this design");
}

/// The axis at the left, and by what the values on it are divided.
ScaledAxis axisBeside(const Range& range, GrowthScale scale, const GrowthWords& words)
{
    static constexpr std::array<const char*, 7> Prefixes{"", "k", "M", "G", "T", "P", "E"};
    constexpr double Step = 1000;
    const bool isLog = scale == GrowthScale::Logarithmic;
    // Decades on both sides of a prefix: the axis' numbers stay short.
    const double typical = isLog ? std::sqrt(range.low * range.high) : range.high;
    ScaledAxis scaled;
    std::size_t prefix = 0;
    while (words.hasPrefix && typical / scaled.factor >= Step && prefix + 1 < Prefixes.size()) {
        scaled.factor *= Step;
        ++prefix;
    }
    const QString title =
        QStringLiteral("%1 (%2%3)").arg(words.what, QLatin1String(Prefixes.at(prefix)), words.unit);
    scaled.axis = isLog ? logAxis(range.low / scaled.factor, range.high / scaled.factor, title)
                        : axisFromZero(range.high / scaled.factor, title);
    return scaled;
}

ChartAxis axisBelow(const Range& at, GrowthScale scale, const QString& title)
{
    if (scale == GrowthScale::Linear)
        return axisFromZero(at.high, title);
    constexpr double Room = 1.25;
    ChartAxis axis = logAxis(at.low, at.high, title);
    axis.low = at.low / Room;
    axis.high = at.high * Room;
    return axis;
}

QString labelOf(const core::Quantity& figure, const DisplayLocale& locale)
{
    return figure.unit() == core::Unit::One ? numberText(figure.value(), locale)
                                            : headlineText(figure.value(), figure.unit(), locale);
}

ChartSeries seriesOf(const GrowthLine& line, double factor, const DisplayLocale& locale)
{
    ChartSeries series{line.name, line.colour, {}};
    for (const GrowthPoint& point : line.points) {
        const core::Quantity& figure = point.figure;
        if (!isDrawn(point))
            continue;
        series.points.push_back({.x = point.at,
                                 .y = figure.value() * factor,
                                 .low = figure.low() * factor,
                                 .high = figure.high() * factor,
                                 .label = labelOf(figure, locale)});
    }
    return series;
}

QString sentenceOf(const ChartModel& chart, const DisplayLocale& locale)
{
    QString text = chart.title + QStringLiteral(": ");
    for (const ChartSeries& series : chart.series) {
        const ChartPoint& first = series.points.front();
        const ChartPoint& last = series.points.back();
        if (&series != &chart.series.front())
            text += QStringLiteral("; ");
        text += QStringLiteral("%1 %2 at %3, %4 at %5")
                    .arg(series.name, first.label, numberText(first.x, locale), last.label,
                         numberText(last.x, locale));
    }
    return text;
}

} // namespace

ChartModel makeGrowthChart(const GrowthWords& words, GrowthScale scale,
                           const std::vector<GrowthLine>& lines, const DisplayLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::Lines;
    chart.title = words.title;
    chart.subtitle = words.subtitle;
    Ranges ranges = rangesOf(lines);
    if (ranges.at.high <= 0) {
        chart.empty = QStringLiteral("Unavailable: ") + reasonOf(lines);
        chart.description = chart.empty;
        return chart;
    }
    ranges.value.low *= words.factor;
    ranges.value.high *= words.factor;
    const ScaledAxis scaled = axisBeside(ranges.value, scale, words);
    chart.y = scaled.axis;
    chart.x = axisBelow(ranges.at, scale, words.over);
    for (const GrowthLine& line : lines) {
        ChartSeries series = seriesOf(line, words.factor / scaled.factor, locale);
        if (!series.points.empty())
            chart.series.push_back(std::move(series));
    }
    chart.description = sentenceOf(chart, locale);
    return chart;
}

} // namespace outlay::gui
