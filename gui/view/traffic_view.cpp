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
QString missText(const SimulatedMachines::Held& missed, double ms, const DisplayLocale& locale)
{
    if (missed.what == "busy")
        return QStringLiteral("each is busy for %1 of the day, and keeps up %2")
            .arg(valueText(ms, core::Unit::Percent, locale),
                 valueText(missed.promisedMs, core::Unit::Percent, locale));
    const QString what = missed.what == "answer" ? QStringLiteral("an answer takes up to")
                         : missed.what == "first_token"
                             ? QStringLiteral("the first token takes up to")
                             : QStringLiteral("a token takes up to");
    const auto text = [&](double value) {
        return valueText(value, core::Unit::Milliseconds, locale);
    };
    return QStringLiteral("%1 %2 for 95 of 100, %3 is promised")
        .arg(what, text(ms), text(missed.promisedMs));
}

/// Why such a number doesn't do; at the slow end of the forecast where only that tells.
QString missText(const SimulatedMachines& row, const DisplayLocale& locale)
{
    if (const auto* missed = row.misses(&core::Quantity::value))
        return missText(*missed, missed->ms.value(), locale);
    const auto* late = row.misses(&core::Quantity::high);
    return late == nullptr ? QString()
                           : QStringLiteral("at the slow end of the forecast ") +
                                 missText(*late, late->ms.high(), locale);
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
        return row.isSurelyEnough()
                   ? text
                   : text + QStringLiteral(" as forecast, but ") + missText(row, locale);
    };
    QString text = QStringLiteral("On %1, ").arg(toQString(service.machine));
    if (!service.isEnough(plan)) {
        text += failing(plan);
        const SimulatedMachines& more = service.rows.back();
        return text + QStringLiteral("; ") +
               (service.isEnough(more) ? wouldDo(more) : QStringLiteral("nor does one more"));
    }
    text +=
        machinesText(plan.machines, locale) + QLatin1Char(' ') + keptText(service, plan.machines);
    if (service.isKeptAlone && !plan.isSurelyEnough())
        text += QStringLiteral(", as forecast; ") + missText(plan, locale);
    if (service.planned == 0)
        return text;
    const SimulatedMachines& fewer = service.rows[service.planned - 1];
    return text + QStringLiteral("; ") +
           (service.isEnough(fewer) ? wouldDo(fewer) : failing(fewer));
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

/// Whether what is promised is kept; where one alone misses it, none of that is.
TableCell keptCell(const SimulatedMachines& row, const DisplayLocale& locale)
{
    if (row.keepsPromises(&core::Quantity::high))
        return {QStringLiteral("yes"), std::nullopt};
    if (row.keepsPromises(&core::Quantity::value))
        return {QStringLiteral("as forecast"), std::nullopt, missText(row, locale)};
    if (row.isEnough())
        return {QStringLiteral("no, as one alone"), std::nullopt,
                QStringLiteral("One request alone takes longer than is promised")};
    return {QStringLiteral("no"), std::nullopt, missText(row, locale)};
}

TableData machinesTable(const SimulatedService& service, const DisplayLocale& locale)
{
    TableData table;
    const bool hasTokens = service.plan().firstTokenP95Ms.isAvailable();
    table.columns = {{QStringLiteral("Machines"), false},
                     {QStringLiteral("Keeps promises"), false},
                     numberColumn(QStringLiteral("Answer, 95 of 100"))};
    if (hasTokens) {
        table.columns.push_back(numberColumn(QStringLiteral("First token")));
        table.columns.push_back(numberColumn(QStringLiteral("A token")));
    }
    for (const char16_t* title : {u"Being answered", u"Most waiting", u"Busy", u"A month"})
        table.columns.push_back(numberColumn(QString::fromUtf16(title)));
    for (std::size_t i = 0; i < service.rows.size(); ++i) {
        const SimulatedMachines& row = service.rows[i];
        const QString count = locale.toString(qlonglong{row.machines});
        std::vector<TableCell> cells{
            {i == service.planned ? count + QStringLiteral(", the plan") : count,
             static_cast<double>(row.machines)},
            keptCell(row, locale)};
        std::vector<const core::Quantity*> figures{&row.answerP95Ms};
        if (hasTokens)
            figures.insert(figures.end(), {&row.firstTokenP95Ms, &row.tokenP95Ms});
        figures.insert(figures.end(),
                       {&row.inFlight, &row.mostWaiting, &row.busyPercent, &row.usdPerMonth});
        for (const core::Quantity* figure : figures)
            cells.push_back(figureCell(*figure, locale));
        table.rows.push_back(std::move(cells));
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
