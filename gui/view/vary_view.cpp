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

/// `factor` leads to the axis.
std::vector<ChartPoint> pointsOf(const std::vector<VaryPoint>& points, Quantity VaryPoint::*which,
                                 double factor, const DisplayLocale& locale)
{
    std::vector<ChartPoint> all;
    for (const VaryPoint& point : points) {
        const Quantity& figure = point.*which;
        if (figure.isAvailable())
            all.push_back({.x = point.at,
                           .y = figure.value() * factor,
                           .low = figure.low() * factor,
                           .high = figure.high() * factor,
                           .label = headlineText(figure.value(), figure.unit(), locale)});
    }
    return all;
}

ChartModel chartOf(const FormField& field, const std::vector<VaryPoint>& points,
                   const CurveRow& row, const QString& measuredOn, const DisplayLocale& locale)
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
        if (row.figure == &VaryPoint::seconds && point.measured.isAvailable())
            highest = std::max(highest, point.measured.high() * toAxis);
    }
    const ScaledAxis scaled = scaledAxis(highest, chart.title, unit);
    chart.y = scaled.axis;
    const double factor = toAxis / scaled.factor;
    ChartSeries series{chart.title, row.colour, pointsOf(points, row.figure, factor, locale)};
    chart.empty = QStringLiteral("Unavailable: ") + reason;
    chart.description = chart.empty;
    if (series.points.empty())
        return chart;
    const bool isLog = field.slider && field.slider->isLog && series.points.front().x > 0;
    chart.x = isLog ? logAxis(series.points.front().x, series.points.back().x, fieldTitle(field))
                    : axisFromZero(series.points.back().x, fieldTitle(field));
    chart.description = descriptionOf(series, row, locale);
    chart.series.push_back(std::move(series));
    if (row.figure != &VaryPoint::seconds)
        return chart;
    constexpr std::size_t OfMeasured = 4;
    ChartSeries measured{QStringLiteral("Measured on ") + measuredOn, OfMeasured,
                         pointsOf(points, &VaryPoint::measured, factor, locale)};
    if (!measured.points.empty())
        chart.series.push_back(std::move(measured));
    return chart;
}

Quantity measuredRun(const pricing::Report& report, const std::string& on)
{
    const Quantity none = Quantity::unavailable(core::Unit::Seconds, "it wasn't measured there");
    if (on.empty())
        return report.training.here.isAvailable() &&
                       report.training.here.basis() == core::Basis::Measured
                   ? report.training.here
                   : none;
    const auto& hosts = report.hosts;
    const auto row = std::find_if(hosts.begin(), hosts.end(), [&](const pricing::HostRow& each) {
        return each.name == on && each.isOfDesign;
    });
    return row == hosts.end() ? none : row->run;
}

} // namespace

VaryPoint varyPointOf(double at, const pricing::Report& report, const std::string& on)
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
    point.measured = measuredRun(report, on);
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
                                     const DisplayLocale& locale, const QString& measuredOn)
{
    std::vector<ChartModel> charts;
    for (const CurveRow& row : Curves)
        charts.push_back(chartOf(field, points, row, measuredOn, locale));
    return charts;
}

} // namespace outlay::gui
