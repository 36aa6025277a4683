// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/scaling_view.h"

#include "gui/view/field_presentation.h"
#include "gui/view/figure_cell.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/offer_name.h"

#include <algorithm>
#include <cmath>

namespace outlay::gui {
namespace {

using core::Quantity;
using pricing::ScalingRow;
using pricing::ServingReport;

/// A figure over the traffic, where it is known.
struct Curve {
    const char16_t* title;
    const char16_t* subtitle;
    const char16_t* axis; // null: money of a month
    const char16_t* unit; // of the sentence; null: as the axis
    std::size_t colour;
    Quantity ScalingRow::*figure;
};
constexpr Curve CostCurve{u"Cost of a month over traffic",
                          u"Lower is better; traffic is logarithmic",
                          nullptr,
                          nullptr,
                          0,
                          &ScalingRow::usdPerMonth};
constexpr Curve LatencyCurve{u"Latency that 95 % of the requests keep",
                             u"Lower is better; traffic is logarithmic",
                             u"95 % of requests within (ms)",
                             u"ms",
                             2,
                             &ScalingRow::p95Ms};

QString noneText(const ServingReport& serving)
{
    if (!serving.recommended.option && !serving.recommended.reasons.empty())
        return QStringLiteral("Unavailable: ") + readable(serving.recommended.reasons.front());
    return QStringLiteral("Unavailable: no instance is known to serve this design");
}

/// The same traffic where its tokens are sold, at each of `points`.
ChartSeries boughtTokens(const ServingReport& serving, const ChartSeries& machines,
                         const DisplayLocale& locale)
{
    constexpr std::size_t Colour = 1;
    const pricing::HostedRow* best = serving.hosted.best();
    if (best == nullptr || serving.requestsPerDay <= 0)
        return {};
    ChartSeries series{
        QStringLiteral("%1 by the token").arg(toQString(pricing::hostTitle(best->provider))),
        Colour,
        {}};
    for (const ChartPoint& point : machines.points) {
        const double times = point.x / serving.requestsPerDay;
        series.points.push_back(
            {.x = point.x, .y = locale.money(times * best->usdPerMonth.value())});
    }
    return series;
}

/// The plan's traffic, to be dragged, and from which on machines cost less than bought tokens.
void addTraffic(const ServingReport& serving, const DisplayLocale& locale, ChartModel& chart)
{
    const auto add = [&](double at, const QString& name, bool isMovable) {
        if (chart.x.low <= at && at <= chart.x.high)
            chart.limits.push_back(
                {.of = ChartLimit::Of::X, .at = at, .name = name, .isMovable = isMovable});
    };
    add(serving.requestsPerDay,
        QStringLiteral("now %1").arg(countText(serving.requestsPerDay, locale)), true);
    const pricing::HostedReport& hosted = serving.hosted;
    constexpr double All = 100; // of what a machine answers
    if (hosted.crossingPerDay.isAvailable() && hosted.crossingShare.isAvailable() &&
        hosted.crossingShare.value() <= All)
        add(hosted.crossingPerDay.value(),
            QStringLiteral("from %1").arg(countText(hosted.crossingPerDay.value(), locale)), false);
}

/// Money over traffic that grows a thousandfold, where two ways are to be told apart everywhere.
void widen(ChartModel& chart, const ChartSeries& machines, const ChartSeries& bought)
{
    constexpr double Wide = 30;
    double lowest = HUGE_VAL;
    double highest = 0;
    for (const ChartSeries* series : {&machines, &bought}) {
        for (const ChartPoint& point : series->points) {
            lowest = std::min(lowest, point.low.value_or(point.y));
            highest = std::max(highest, point.high.value_or(point.y));
        }
    }
    if (!(lowest > 0) || highest < Wide * lowest)
        return;
    chart.y = logAxis(lowest, highest, chart.y.title);
    chart.subtitle = QStringLiteral("Lower is better; both are logarithmic");
}

ChartModel chartOf(const ServingReport& serving, const Curve& curve, const DisplayLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::Lines;
    chart.title = QString::fromUtf16(curve.title);
    chart.subtitle = QString::fromUtf16(curve.subtitle);
    chart.empty = noneText(serving);
    const bool isMoney = curve.axis == nullptr;
    const QString axis = isMoney ? locale.currency.code + QStringLiteral(" a month")
                                 : QString::fromUtf16(curve.axis);
    const double factor = isMoney ? locale.money(1) : 1;
    ChartSeries series{axis, curve.colour, {}};
    double highest = 0;
    for (const ScalingRow& row : serving.scaling) {
        const Quantity& figure = row.*curve.figure;
        if (!figure.isAvailable() || row.requestsPerDay <= 0)
            continue;
        series.points.push_back({.x = row.requestsPerDay,
                                 .y = figure.value() * factor,
                                 .low = figure.low() * factor,
                                 .high = figure.high() * factor});
        highest = std::max(highest, figure.high() * factor);
    }
    const ChartSeries bought = isMoney ? boughtTokens(serving, series, locale) : ChartSeries();
    for (const ChartPoint& point : bought.points)
        highest = std::max(highest, point.y);
    chart.y = axisFromZero(highest, axis);
    if (series.points.empty()) {
        chart.description = chart.empty;
        return chart;
    }
    const ChartPoint first = series.points.front();
    const ChartPoint last = series.points.back();
    chart.x = logAxis(first.x, last.x, QStringLiteral("Requests a day"));
    const QString unit = curve.unit == nullptr ? axis : QString::fromUtf16(curve.unit);
    chart.description = QStringLiteral("%1 %2 at %3 requests a day, %4 at %5")
                            .arg(numberText(first.y, locale), unit, numberText(first.x, locale),
                                 numberText(last.y, locale), numberText(last.x, locale));
    if (isMoney)
        addTraffic(serving, locale, chart);
    if (!bought.points.empty()) {
        widen(chart, series, bought);
        series.name = QStringLiteral("Machines");
        chart.description +=
            QStringLiteral("; by the token %1 at %2")
                .arg(numberText(bought.points.back().y, locale), numberText(last.x, locale));
    }
    chart.series.push_back(std::move(series));
    if (!bought.points.empty())
        chart.series.push_back(bought);
    return chart;
}

TableData tableOf(const ServingReport& serving, const DisplayLocale& locale)
{
    TableData table;
    table.columns = {
        {QStringLiteral("Instance"), false},        {QStringLiteral("Requests a day"), true},
        {QStringLiteral("Instances"), true},        {QStringLiteral("Load balancer"), false},
        {QStringLiteral("95 % of requests"), true}, {QStringLiteral("A month"), true}};
    for (const ScalingRow& row : serving.scaling)
        table.rows.push_back(
            {{toQString(row.instance)},
             {countText(row.requestsPerDay, locale), row.requestsPerDay},
             figureCell(row.instances, locale),
             {row.needsLoadBalancer ? QStringLiteral("needed") : QStringLiteral("none")},
             figureCell(row.p95Ms, locale),
             figureCell(row.usdPerMonth, locale)});
    return table;
}

TableData waysOf(const ServingReport& serving, const DisplayLocale& locale)
{
    TableData table;
    table.columns = {{QStringLiteral("Way"), false},
                     {QStringLiteral("A month"), true},
                     {QStringLiteral("A million requests"), true},
                     {QStringLiteral("Why"), false}};
    for (const pricing::ServingWay& way : serving.ways)
        table.rows.push_back(
            {{way.name == "api" ? QStringLiteral("hosted API") : toQString(way.name)},
             figureCell(way.usdPerMonth, locale),
             figureCell(way.usdPerMillion, locale),
             {toQString(way.why), std::nullopt, toQString(way.why)}});
    return table;
}

QString verdictOf(const ServingReport& serving, const DisplayLocale& locale)
{
    if (serving.scaling.empty())
        return noneText(serving);
    const auto second =
        std::find_if(serving.scaling.begin(), serving.scaling.end(), [](const ScalingRow& row) {
            return row.instances.isAvailable() && row.instances.value() > 1;
        });
    if (second == serving.scaling.end())
        return QStringLiteral("One %1 holds all of the traffic shown")
            .arg(toQString(serving.scaling.front().instance));
    return QStringLiteral("From %1 requests a day on more than one %2 is needed")
        .arg(countText(second->requestsPerDay, locale), toQString(second->instance));
}

/// Rent or buy: where a machine costs as much as its tokens.
QString crossingText(const ServingReport& serving, const DisplayLocale& locale)
{
    const Quantity& at = serving.hosted.crossingPerDay;
    const Quantity& share = serving.hosted.crossingShare;
    if (!at.isAvailable() || !share.isAvailable())
        return {};
    constexpr double All = 100;
    if (share.low() > All)
        return QStringLiteral("; bought by the token they always cost less than such a machine");
    const auto percent = [&](double value) { return locale.toString(value, 'f', 0); };
    const QString range =
        percent(share.low()) == percent(share.high())
            ? QString()
            : QStringLiteral(" (%1 to %2 %)").arg(percent(share.low()), percent(share.high()));
    return QStringLiteral("; a machine that answers %1 requests a day, %2 %%3 of what it can, "
                          "costs as much as their tokens")
        .arg(countText(at.value(), locale), percent(share.value()), range);
}

} // namespace

ScalingView makeScalingView(const pricing::Report& report, const DisplayLocale& locale)
{
    const ServingReport& serving = report.serving;
    ScalingView view;
    view.verdict = verdictOf(serving, locale) + crossingText(serving, locale);
    view.cost = chartOf(serving, CostCurve, locale);
    view.latency = chartOf(serving, LatencyCurve, locale);
    view.table = tableOf(serving, locale);
    view.ways = waysOf(serving, locale);
    view.waysTitle = serving.ways.empty()
                         ? QStringLiteral("Other ways to serve: unavailable")
                         : QStringLiteral("The experiment's own traffic in each way of serving");
    view.parts = makeGrowthView(report.scaling, locale);
    return view;
}

core::Json trafficValue(double at)
{
    return core::Json(std::round(at));
}

} // namespace outlay::gui
