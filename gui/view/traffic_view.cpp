// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/traffic_view.h"

#include "core/base/units.h"
#include "gui/view/figure_cell.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/growth_parts.h"
#include "gui/view/text_table.h"

#include <algorithm>
#include <cmath>

namespace outlay::gui {
namespace {

using core::ServiceSlice;
using pricing::SimulatedMachines;
using pricing::SimulatedService;

QString machinesText(std::int64_t count, const DisplayLocale& locale)
{
    return count == 1 ? QStringLiteral("one machine")
                      : QStringLiteral("%1 machines").arg(locale.toString(qlonglong{count}));
}

QString secondsText(double seconds, const DisplayLocale& locale)
{
    return valueText(seconds * core::MillisPerS, core::Unit::Milliseconds, locale);
}

/// "an answer takes up to 31 s for 95 of 100, 20 s is promised".
QString missText(const SimulatedMachines::Held& missed, const core::Quantity& shown,
                 const DisplayLocale& locale)
{
    const QString what = missed.what == "answer" ? QStringLiteral("an answer takes up to")
                         : missed.what == "first_token"
                             ? QStringLiteral("the first token takes up to")
                             : QStringLiteral("a token takes up to");
    return QStringLiteral("%1 %2 for 95 of 100, %3 is promised")
        .arg(what, figureText(shown, locale),
             valueText(missed.promisedMs, core::Unit::Milliseconds, locale));
}

/// Why such a number doesn't do; at the slow end of the forecast where only that tells.
QString missText(const SimulatedMachines& row, const DisplayLocale& locale)
{
    if (const auto* missed = row.misses(&core::Quantity::value))
        return missText(*missed, missed->ms, locale);
    const auto* late = row.misses(&core::Quantity::high);
    if (late == nullptr)
        return {};
    const core::Quantity high =
        core::Quantity::within(late->ms.high(), late->ms.high(), late->ms.high(),
                               core::Unit::Milliseconds, late->ms.basis(), late->ms.how());
    return QStringLiteral("at the slow end of the forecast ") + missText(*late, high, locale);
}

QString keptText(const SimulatedService& service, std::int64_t count)
{
    const QString verb = count == 1 ? QStringLiteral("keeps") : QStringLiteral("keep");
    return service.isKeptAlone
               ? verb + QStringLiteral(" what is promised, near the day's peak, too")
               : QStringLiteral("answer%1 within twice what a request takes alone, which is longer "
                                "than promised")
                     .arg(count == 1 ? QStringLiteral("s") : QString());
}

QString verdictOf(const SimulatedService& service, const DisplayLocale& locale)
{
    if (!service.why.empty())
        return unavailableText(service.why);
    const SimulatedMachines& plan = service.plan();
    const auto failing = [&](const SimulatedMachines& row) {
        return QStringLiteral("%1 %2: %3")
            .arg(machinesText(row.machines, locale),
                 row.machines == 1 ? QStringLiteral("doesn't") : QStringLiteral("don't"),
                 missText(row, locale));
    };
    const auto wouldDo = [&](const SimulatedMachines& row) {
        const QString text = QStringLiteral("%1 would do").arg(machinesText(row.machines, locale));
        return row.keepsSurely()
                   ? text
                   : text + QStringLiteral(" as forecast, but ") + missText(row, locale);
    };
    QString text = QStringLiteral("On %1, ").arg(toQString(service.machine));
    if (!service.keeps(plan)) {
        text += failing(plan);
        const SimulatedMachines& more = service.rows.back();
        return text + QStringLiteral("; ") +
               (service.keeps(more) ? wouldDo(more) : QStringLiteral("nor does one more"));
    }
    text +=
        machinesText(plan.machines, locale) + QLatin1Char(' ') + keptText(service, plan.machines);
    if (service.planned == 0)
        return text;
    const SimulatedMachines& fewer = service.rows[service.planned - 1];
    return text + QStringLiteral("; ") + (service.keeps(fewer) ? wouldDo(fewer) : failing(fewer));
}

ChartAxis hoursAxis(const std::vector<ServiceSlice>& day)
{
    // A slice's hour is its middle.
    const double hours = day.back().hour + day.front().hour;
    ChartAxis axis{.title = QStringLiteral("Hours since the service went on"), .high = hours};
    constexpr std::array Steps{6, 4, 5, 3, 7};
    for (const int steps : Steps) {
        if (std::fmod(hours, steps) < 1e-9) {
            axis.ticks = steps + 1;
            return axis;
        }
    }
    axis.decimals = 1;
    return axis;
}

QString sampleText(const SimulatedService& service, const DisplayLocale& locale)
{
    const QString requests = countText(service.requests, locale);
    const double days = std::round(service.days); // whole ones, or a part of one
    return service.days >= 1
               ? QStringLiteral("%1 requests to one machine, of %2")
                     .arg(requests,
                          days < 2 ? QStringLiteral("a day")
                                   : QStringLiteral("%1 days alike").arg(countText(days, locale)))
               : QStringLiteral("%1 requests to one machine, a day in brief").arg(requests);
}

ChartModel loadChart(const SimulatedService& service, const DisplayLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::Lines;
    chart.title = service.plan().machines == 1
                      ? QStringLiteral("Requests on the machine through the day")
                      : QStringLiteral("Requests on each of %1 machines through the day")
                            .arg(service.plan().machines);
    chart.subtitle = QStringLiteral("Means; %1").arg(sampleText(service, locale));
    ChartSeries inFlight{QStringLiteral("Being answered"), 0, {}};
    ChartSeries waiting{QStringLiteral("Waiting"), 1, {}};
    double most = 0;
    double mostWaiting = 0;
    for (const ServiceSlice& slice : service.day) {
        inFlight.points.push_back({.x = slice.hour, .y = slice.inFlight});
        waiting.points.push_back({.x = slice.hour, .y = slice.waiting});
        most = std::max({most, slice.inFlight, slice.waiting});
        mostWaiting = std::max(mostWaiting, slice.waiting);
    }
    chart.x = hoursAxis(service.day);
    chart.y = axisFromZero(most, QStringLiteral("Requests"));
    chart.description =
        QStringLiteral("%1: up to %2 being answered, up to %3 waiting on average")
            .arg(chart.title, locale.toString(most, 'g', 3), locale.toString(mostWaiting, 'g', 3));
    chart.series.push_back(std::move(inFlight));
    constexpr double Seen = 0.005; // of the axis
    if (mostWaiting > Seen * most)
        chart.series.push_back(std::move(waiting));
    return chart;
}

ChartModel timesChart(const SimulatedService& service, const DisplayLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::Lines;
    chart.title = QStringLiteral("What 95 of 100 requests take at most");
    chart.subtitle = QStringLiteral("Dashed: as promised; %1").arg(sampleText(service, locale));
    chart.empty = QStringLiteral("So few requests come that no hour tells 95 of 100.");
    const bool hasTokens = service.plan().firstTokenP95Ms.isAvailable();
    ChartSeries answers{QStringLiteral("Whole answer"), 0, {}};
    ChartSeries firsts{QStringLiteral("First token"), 1, {}};
    double least = HUGE_VAL;
    double most = 0;
    const auto add = [&](ChartSeries& series, double hour, double seconds) {
        series.points.push_back({.x = hour, .y = seconds});
        least = std::min(least, seconds);
        most = std::max(most, seconds);
    };
    for (const ServiceSlice& slice : service.day) {
        if (slice.answerP95S)
            add(answers, slice.hour, *slice.answerP95S);
        if (hasTokens && slice.firstTokenP95S)
            add(firsts, slice.hour, *slice.firstTokenP95S);
    }
    if (answers.points.empty()) {
        chart.description = chart.empty;
        return chart;
    }
    const auto limit = [&](const QString& what, const std::optional<double>& seconds) {
        if (!seconds)
            return;
        chart.limits.push_back(
            {.at = *seconds,
             .name = QStringLiteral("%1 %2").arg(what, secondsText(*seconds, locale))});
        least = std::min(least, *seconds);
        most = std::max(most, *seconds);
    };
    limit(QStringLiteral("answer"), service.promises.answerS);
    if (hasTokens)
        limit(QStringLiteral("first token"), service.promises.firstTokenS);
    chart.x = hoursAxis(service.day);
    chart.y = logAxis(least, most, QStringLiteral("Seconds"));
    chart.description = QStringLiteral("%1: an answer near the day's peak %2")
                            .arg(chart.title, figureText(service.plan().answerP95Ms, locale));
    chart.series.push_back(std::move(answers));
    if (hasTokens)
        chart.series.push_back(std::move(firsts));
    return chart;
}

TableData machinesTable(const SimulatedService& service, const DisplayLocale& locale)
{
    TableData table;
    table.columns = {{QStringLiteral("Machines"), false},
                     {QStringLiteral("Keeps promises"), false},
                     numberColumn(QStringLiteral("Answer, 95 of 100")),
                     numberColumn(QStringLiteral("First token")),
                     numberColumn(QStringLiteral("A token")),
                     numberColumn(QStringLiteral("Being answered")),
                     numberColumn(QStringLiteral("Most waiting")),
                     numberColumn(QStringLiteral("Busy")),
                     numberColumn(QStringLiteral("A month"))};
    for (std::size_t i = 0; i < service.rows.size(); ++i) {
        const SimulatedMachines& row = service.rows[i];
        const QString count = locale.toString(qlonglong{row.machines});
        table.rows.push_back({{i == service.planned ? count + QStringLiteral(", the plan") : count,
                               static_cast<double>(row.machines)},
                              {row.keepsSurely() ? QStringLiteral("yes")
                               : row.keeps()     ? QStringLiteral("as forecast")
                                                 : QStringLiteral("no"),
                               std::nullopt, missText(row, locale)},
                              figureCell(row.answerP95Ms, locale),
                              figureCell(row.firstTokenP95Ms, locale),
                              figureCell(row.tokenP95Ms, locale),
                              figureCell(row.inFlight, locale),
                              figureCell(row.mostWaiting, locale),
                              figureCell(row.busyPercent, locale),
                              figureCell(row.usdPerMonth, locale)});
    }
    return table;
}

} // namespace

GrowthPart makeTrafficPart(const TrafficDay* day, const DisplayLocale& locale)
{
    GrowthPart part{.id = QStringLiteral("traffic"),
                    .title = QStringLiteral("The service through a day"),
                    .charts = std::vector<ChartModel>(2),
                    .tableTitle = QStringLiteral("Near the day's peak, request by request")};
    if (day == nullptr || !day->found) {
        part.verdict = QStringLiteral("A day of the plan's traffic is being simulated…");
        return part;
    }
    const SimulatedService& service = *day->found;
    part.verdict = verdictOf(service, locale);
    if (!service.why.empty())
        return part;
    if (day->isRunning)
        part.verdict =
            QStringLiteral("Being simulated again; before the last change: ") + part.verdict;
    part.charts = {loadChart(service, locale), timesChart(service, locale)};
    part.table = machinesTable(service, locale);
    return part;
}

QString trafficText(const SimulatedService& service, const DisplayLocale& locale)
{
    QString text = verdictOf(service, locale) + QStringLiteral(".\n");
    if (!service.why.empty())
        return text;
    const TableData table = machinesTable(service, locale);
    std::vector<Align> columns;
    QStringList titles;
    for (const TableColumn& column : table.columns) {
        columns.push_back(column.isNumber ? Align::Right : Align::Left);
        titles.append(column.title);
    }
    TextTable lines(columns);
    lines.add(titles);
    for (const std::vector<TableCell>& row : table.rows) {
        QStringList cells;
        for (const TableCell& cell : row)
            cells.append(cell.text);
        lines.add(cells);
    }
    return text + QLatin1Char('\n') + lines.text() +
           QStringLiteral("\n%1.\n").arg(sampleText(service, locale));
}

} // namespace outlay::gui
