// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/vary_view.h"

#include "core/base/units.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"

#include <algorithm>

namespace outlay::gui {
namespace {

using core::Quantity;

/// A chart is a row here; `factor` leads from the figure's unit to that of the axis, before its prefix.
struct CurveRow {
    const char16_t* title;
    const char16_t* unit; // null: money
    double factor;
    std::size_t colour;
    Quantity VaryPoint::*figure;
};
constexpr std::array Curves{CurveRow{u"Cost of a run", nullptr, 1, 0, &VaryPoint::usd},
                            CurveRow{u"Time of a run", u"h", 1 / 3600.0, 1, &VaryPoint::seconds},
                            CurveRow{u"Training memory", u"B", 1, 2, &VaryPoint::memory},
                            CurveRow{u"CO₂e of a run", u"g", 1000, 3, &VaryPoint::kgCo2e}};

QString fieldTitle(const FormField& field)
{
    return field.unit.isEmpty()
               ? field.label
               : field.label + QStringLiteral(" (") + field.unit + QLatin1Char(')');
}

QString descriptionOf(const ChartSeries& series, const CurveRow& row, const DisplayLocale& locale)
{
    const auto text = [&](const ChartPoint& point) {
        return QStringLiteral("%1 at %2").arg(point.label, numberText(point.x, locale));
    };
    return QStringLiteral("%1: %2, %3")
        .arg(QString::fromUtf16(row.title), text(series.points.front()),
             text(series.points.back()));
}

ChartModel chartOf(const FormField& field, const std::vector<VaryPoint>& points,
                   const CurveRow& row, const DisplayLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::Lines;
    chart.title = QString::fromUtf16(row.title);
    chart.subtitle = QStringLiteral("Lower is better");
    const QString unit = row.unit == nullptr ? locale.currency.code : QString::fromUtf16(row.unit);
    const double toAxis = row.unit == nullptr ? locale.money(row.factor) : row.factor;
    double highest = 0;
    QString reason = QStringLiteral("it is being computed");
    for (const VaryPoint& point : points) {
        const Quantity& figure = point.*row.figure;
        if (figure.isAvailable())
            highest = std::max(highest, figure.high() * toAxis);
        else
            reason = reasonText(figure);
    }
    const ScaledAxis scaled = scaledAxis(highest, chart.title, unit);
    chart.y = scaled.axis;
    ChartSeries series{chart.title, row.colour, {}};
    for (const VaryPoint& point : points) {
        const Quantity& figure = point.*row.figure;
        if (!figure.isAvailable())
            continue;
        const double factor = toAxis / scaled.factor;
        series.points.push_back({.x = point.at,
                                 .y = figure.value() * factor,
                                 .low = figure.low() * factor,
                                 .high = figure.high() * factor,
                                 .label = headlineText(figure.value(), figure.unit(), locale)});
    }
    chart.empty = QStringLiteral("Unavailable: ") + reason;
    chart.description = chart.empty;
    if (series.points.empty())
        return chart;
    const bool isLog = field.slider && field.slider->isLog && series.points.front().x > 0;
    chart.x = isLog ? logAxis(series.points.front().x, series.points.back().x, fieldTitle(field))
                    : axisFromZero(series.points.back().x, fieldTitle(field));
    chart.description = descriptionOf(series, row, locale);
    chart.series.push_back(std::move(series));
    return chart;
}

} // namespace

VaryPoint varyPointOf(double at, const pricing::Report& report)
{
    const auto& option = report.training.recommended.option;
    VaryPoint point{.at = at, .memory = report.training.memory, .kgCo2e = report.carbon.kgCo2e};
    const bool isHere = report.training.here.isAvailable() || !option;
    point.usd = option ? option->usd : report.training.hereUsd;
    point.seconds = isHere
                        ? report.training.here
                        : core::product(option->hours,
                                        Quantity::exact(core::SecondsPerHour, core::Unit::One, {}),
                                        core::Unit::Seconds);
    return point;
}

std::vector<double> valuesToVary(const FormField& field)
{
    constexpr std::size_t Most = 24;
    if (!field.slider)
        return {};
    std::vector<double> stops = stopsOf(*field.slider);
    if (stops.size() <= Most)
        return stops;
    std::vector<double> values;
    for (std::size_t i = 0; i < Most; ++i)
        values.push_back(stops[i * (stops.size() - 1) / (Most - 1)]);
    return values;
}

std::vector<ChartModel> makeVaryView(const FormField& field, const std::vector<VaryPoint>& points,
                                     const DisplayLocale& locale)
{
    std::vector<ChartModel> charts;
    for (const CurveRow& row : Curves)
        charts.push_back(chartOf(field, points, row, locale));
    return charts;
}

} // namespace outlay::gui
