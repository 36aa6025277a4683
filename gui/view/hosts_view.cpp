// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/hosts_view.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "gui/view/figure_cell.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/hosts_text.h"
#include "gui/view/probe_view.h"

#include <algorithm>

namespace outlay::gui {
namespace {

using pricing::HostRow;

QString nameOfHost(const std::string& name)
{
    return name.empty() ? QStringLiteral("This machine") : toQString(core::printable(name, 60));
}

const HostRow* rowOf(const std::vector<HostRow>& measured, const std::string& name)
{
    const auto found = std::find_if(measured.begin(), measured.end(),
                                    [&](const HostRow& row) { return row.name == name; });
    return found == measured.end() ? nullptr : &*found;
}

QString hintOf(const HostEntry& entry)
{
    const QString device = deviceHint(entry.profile, entry.facts);
    const QString worker = workerText(entry.facts);
    return device.isEmpty() ? worker : worker + QStringLiteral("; ") + device;
}

TableCell answerCell(const HostEntry& entry, const QLocale& locale)
{
    switch (entry.answer) {
    case HostAnswer::Awaited: return {QStringLiteral("asking…"), std::nullopt, {}, {}};
    case HostAnswer::Yes: {
        const auto& load = entry.facts.machine.load;
        return {load ? QStringLiteral("answers, load ") + locale.toString(*load, 'f', 1)
                     : QStringLiteral("answers"),
                std::nullopt,
                hintOf(entry),
                {}};
    }
    case HostAnswer::No: return {QStringLiteral("doesn't answer"), std::nullopt, entry.problem, {}};
    case HostAnswer::Unasked: break;
    }
    return {QStringLiteral("not asked yet"), std::nullopt, QStringLiteral("Check asks it"), {}};
}

/// As it says now, else as it was when it was measured on.
TableCell machineCell(const HostEntry* entry, const HostRow* row, const QLocale& locale)
{
    if (entry != nullptr && entry->answer == HostAnswer::Yes)
        return {
            machineText(entry->facts.machine, entry->facts.device, locale), std::nullopt, {}, {}};
    if (row != nullptr)
        return {machineText(row->measurement->machine, row->measurement->machine.device, locale),
                std::nullopt,
                QStringLiteral("When it was measured on"),
                {}};
    return {QStringLiteral("–"), std::nullopt, QStringLiteral("Unavailable: not asked yet"), {}};
}

std::vector<TableCell> measuredCells(const HostRow* row, const DisplayLocale& locale)
{
    constexpr qsizetype ToDay = 10;
    if (row == nullptr) {
        const TableCell none{QStringLiteral("–"),
                             std::nullopt,
                             QStringLiteral("Unavailable: nothing was measured there"),
                             {}};
        return {none, none, none};
    }
    const QString when = toQString(core::printable(row->measurement->created));
    return {figureCell(row->run, locale), figureCell(row->usd, locale),
            TableCell{when.left(ToDay), std::nullopt, when, {}}};
}

std::vector<TableCell> hostCells(const std::string& name, const HostEntry* entry,
                                 const HostRow* row, const DisplayLocale& locale)
{
    std::vector<TableCell> cells{
        {nameOfHost(name),
         std::nullopt,
         entry == nullptr ? QString() : profileText(entry->profile, locale),
         {}},
        machineCell(entry, row, locale),
        entry == nullptr
            ? TableCell{name.empty() ? QStringLiteral("here") : QStringLiteral("no profile"),
                        std::nullopt,
                        {},
                        {}}
            : answerCell(*entry, locale)};
    const std::vector<TableCell> figures = measuredCells(row, locale);
    cells.insert(cells.end(), figures.begin(), figures.end());
    return cells;
}

TableData hostsTable(const HostList& list, const std::vector<HostRow>& measured,
                     const DisplayLocale& locale)
{
    TableData table;
    table.columns = {{QStringLiteral("Host"), false},      {QStringLiteral("Machine"), false},
                     {QStringLiteral("Now"), false},       {QStringLiteral("This training"), true},
                     {QStringLiteral("Cost there"), true}, {QStringLiteral("Measured"), true}};
    for (const HostEntry& entry : list.hosts)
        table.rows.push_back(
            hostCells(entry.profile.name, &entry, rowOf(measured, entry.profile.name), locale));
    for (const HostRow& row : measured) {
        const bool hasProfile =
            std::any_of(list.hosts.begin(), list.hosts.end(),
                        [&](const HostEntry& entry) { return entry.profile.name == row.name; });
        if (!hasProfile)
            table.rows.push_back(hostCells(row.name, nullptr, &row, locale));
    }
    return table;
}

/// The times of this training, in a unit that suits the longest.
ChartModel hostsChart(const std::vector<HostRow>& measured, const DisplayLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::HorizontalBars;
    chart.title = QStringLiteral("Which of the machines");
    chart.subtitle =
        QStringLiteral("The whole training as measured on each; 80 % intervals; less is better");
    chart.empty = QStringLiteral("The first machine that this design is measured on shows here.");
    chart.description = QStringLiteral("This design is measured on no machine of a profile");
    double longest = 0;
    for (const HostRow& row : measured)
        longest = std::max(longest, row.run.isAvailable() ? row.run.high() : 0);
    constexpr double FewSeconds = 180;
    constexpr double FewMinutes = 180 * 60;
    constexpr double Minute = 60;
    const bool isSeconds = longest < FewSeconds;
    const bool isMinutes = !isSeconds && longest < FewMinutes;
    const double unit = isSeconds ? 1 : isMinutes ? Minute : core::SecondsPerHour;
    ChartSeries series{QStringLiteral("Time"), 0, {}};
    for (const HostRow& row : measured) {
        if (!row.run.isAvailable())
            continue;
        chart.categories.push_back(nameOfHost(row.name));
        series.points.push_back(
            {.y = row.run.value() / unit,
             .low = row.run.low() / unit,
             .high = row.run.high() / unit,
             .label = headlineText(row.run.value(), core::Unit::Seconds, locale)});
    }
    chart.y = axisFromZero(longest / unit, isSeconds   ? QStringLiteral("Seconds")
                                           : isMinutes ? QStringLiteral("Minutes")
                                                       : QStringLiteral("Hours"));
    if (!series.points.empty())
        chart.description = QStringLiteral("%1 is the fastest of %2 machines: %3, measured")
                                .arg(chart.categories.front())
                                .arg(series.points.size())
                                .arg(series.points.front().label);
    chart.series.push_back(std::move(series));
    return chart;
}

QString summaryOf(const HostList& list, const std::vector<HostRow>& measured,
                  const DisplayLocale& locale)
{
    const auto fastest = std::find_if(measured.begin(), measured.end(),
                                      [](const HostRow& row) { return row.run.isAvailable(); });
    if (fastest != measured.end())
        return QStringLiteral("Fastest: %1, %2 for this training (measured)")
            .arg(nameOfHost(fastest->name),
                 headlineText(fastest->run.value(), core::Unit::Seconds, locale));
    if (list.hosts.empty())
        return QStringLiteral("No other machine is described yet");
    return list.hosts.size() == 1
               ? QStringLiteral("One machine is described; this design isn't measured on it")
               : QStringLiteral("%1 machines are described; this design is measured on none")
                     .arg(list.hosts.size());
}

} // namespace

HostsView makeHostsView(const HostList& list, const std::vector<HostRow>& measured,
                        const DisplayLocale& locale)
{
    HostsView view{.summary = summaryOf(list, measured, locale),
                   .hosts = hostsTable(list, measured, locale),
                   .chart = hostsChart(measured, locale),
                   .findings = list.unread};
    for (const HostEntry& entry : list.hosts) {
        view.names.push_back(nameOfHost(entry.profile.name));
        if (entry.answer == HostAnswer::No)
            view.findings.push_back(entry.problem);
    }
    if (list.hosts.empty())
        view.empty =
            QStringLiteral("Describe a machine in a file of its own in %1, as gpu1.json: "
                           "{\"kind\": \"ssh\", \"address\": \"me@gpu1\"}. It needs the package "
                           "outlay-probe alone. Then press Check.")
                .arg(list.folder);
    if (list.measuring) {
        const HostEntry& entry = list.hosts.at(*list.measuring);
        const QString state = list.isStopping ? QStringLiteral("stopping")
                              : list.waitsFor.isEmpty()
                                  ? phaseText(list.progress, locale)
                                  : QStringLiteral("the queue says: ") + list.waitsFor;
        view.running =
            QStringLiteral("Measuring on %1: %2").arg(nameOfHost(entry.profile.name), state);
        constexpr double Permille = 1000;
        view.donePermille = static_cast<int>(
            Permille * std::clamp(list.progress.done / list.progress.total, 0.0, 1.0));
    }
    return view;
}

} // namespace outlay::gui
