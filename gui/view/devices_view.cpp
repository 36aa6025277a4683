// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "gui/view/figure_cell.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/growth_chart.h"
#include "gui/view/growth_parts.h"

#include <algorithm>

namespace outlay::gui {
namespace {

using core::Quantity;
using pricing::DevicesReport;
using pricing::DevicesRow;

constexpr std::size_t IdealColour = 5;
constexpr std::size_t ChosenColour = 2;
constexpr std::size_t OnHostsColour = 3;

TableCell timesCell(const Quantity& figure, const DisplayLocale& locale)
{
    TableCell cell = figureCell(figure, locale);
    if (figure.isAvailable())
        cell.text = numberText(figure.value(), locale);
    return cell;
}

ChartModel devicesChart(const DevicesReport& devices, const GrowthWords& words,
                        const std::vector<GrowthLine>& lines, const DisplayLocale& locale)
{
    ChartModel chart = makeGrowthChart(words, GrowthScale::Linear, lines, locale);
    if (chart.isEmpty())
        chart.empty = chart.description = unavailableText(devices.why);
    return chart;
}

std::vector<ChartModel> devicesCharts(const DevicesReport& devices, const DisplayLocale& locale)
{
    const auto line = [](const QString& title, std::size_t colour,
                         const std::vector<DevicesRow>& rows, auto figure) {
        GrowthLine drawn{title, colour, {}};
        for (const DevicesRow& row : rows)
            drawn.points.push_back({static_cast<double>(row.devices), figure(row)});
        return drawn;
    };
    const auto hours = [](const DevicesRow& row) { return row.hours; };
    const auto usd = [](const DevicesRow& row) { return row.usd; };
    const auto speedUp = [](const DevicesRow& row) { return row.step.speedUp; };
    const auto asMany = [](const DevicesRow& row) {
        return Quantity::exact(static_cast<double>(row.devices), core::Unit::One, {});
    };
    const QString here = QStringLiteral("Processes here");
    const QString onHosts = QStringLiteral("Own hosts");
    const QString over = QStringLiteral("Devices");
    const QString lower = QStringLiteral("Lower is better");
    return {devicesChart(devices,
                         {.title = QStringLiteral("Times as fast as one device"),
                          .subtitle = QStringLiteral("Higher is better"),
                          .over = over,
                          .what = QStringLiteral("Speed"),
                          .unit = QStringLiteral("times"),
                          .hasPrefix = false},
                         {line(QStringLiteral("Forecast"), RecurrentColour, devices.rows, speedUp),
                          line(QStringLiteral("Nothing lost"), IdealColour, devices.rows, asMany),
                          line(here, ChosenColour, devices.here, speedUp),
                          line(onHosts, OnHostsColour, devices.onHosts, speedUp)},
                         locale),
            devicesChart(devices,
                         {.title = QStringLiteral("Time of a run over devices"),
                          .subtitle = lower,
                          .over = over,
                          .what = QStringLiteral("Time"),
                          .unit = QStringLiteral("hours"),
                          .hasPrefix = false},
                         {line(QStringLiteral("Time"), RecurrentColour, devices.rows, hours),
                          line(here, ChosenColour, devices.here, hours),
                          line(onHosts, OnHostsColour, devices.onHosts, hours)},
                         locale),
            devicesChart(devices,
                         {.title = QStringLiteral("Cost of a run over devices"),
                          .subtitle = lower,
                          .over = over,
                          .what = QStringLiteral("Cost"),
                          .unit = locale.currency.code,
                          .factor = locale.money(1),
                          .hasPrefix = false},
                         {line(QStringLiteral("Cost"), RecurrentColour, devices.rows, usd),
                          line(onHosts, OnHostsColour, devices.onHosts, usd)},
                         locale)};
}

QString shareText(double share, const QLocale& locale)
{
    return countText(core::PerCent * share, locale) + QStringLiteral(" %");
}

QString offerVerdict(const DevicesReport& devices, const DisplayLocale& locale)
{
    if (devices.rows.empty())
        return unavailableText(devices.why);
    const DevicesRow& last = devices.rows.back();
    // What doesn't fit on fewer begins with those that hold it.
    const auto begin =
        std::find_if(devices.rows.begin(), devices.rows.end(), [](const DevicesRow& row) {
            return row.usd.isAvailable() && row.usd.value() > 0;
        });
    if (!last.step.speedUp.isAvailable() || !last.usd.isAvailable() || begin == devices.rows.end())
        return QStringLiteral("Unavailable: ") + reasonText(last.usd);
    const DevicesRow& first = *begin;
    if (first.devices == last.devices)
        return QStringLiteral("It takes %1 x %2 to hold the training (%3)")
            .arg(countText(static_cast<double>(last.devices), locale), toQString(devices.device),
                 toQString(devices.machine));
    const QString than = first.devices == 1 ? QStringLiteral("one")
                                            : countText(static_cast<double>(first.devices), locale);
    // Time and cost are of the whole run: each machine's start is paid, and waited for.
    return QStringLiteral(
               "%1 x %2 end a run in %3 of the time of %7 (%4 times the samples a second), "
               "for %5 times the cost; %8 (%6)")
        .arg(countText(static_cast<double>(last.devices), locale), toQString(devices.device),
             shareText(last.hours.value() / first.hours.value(), locale),
             numberText(last.step.speedUp.value() / first.step.speedUp.value(), locale),
             numberText(last.usd.value() / first.usd.value(), locale), toQString(devices.machine),
             than,
             devices.globalBatch > 0
                 ? QStringLiteral("they share a step of %1 samples")
                       .arg(countText(static_cast<double>(devices.globalBatch), locale))
                 : QStringLiteral("each has a batch of its own"));
}

/// "a and b" as they were measured, and others like them.
QString hostsText(const DevicesReport& devices, std::int64_t count)
{
    if (count == 1)
        return QStringLiteral("host as ") + toQString(devices.host);
    QStringList names;
    for (const std::string& name : devices.hosts)
        names.append(toQString(name));
    const QString all = names.join(QStringLiteral(", "));
    return static_cast<std::int64_t>(devices.hosts.size()) == count
               ? QStringLiteral("hosts: ") + all
               : QStringLiteral("hosts as ") + all;
}

/// Of one that a person chooses machines by.
QString onHostsVerdict(const DevicesReport& devices, const DisplayLocale& locale)
{
    const auto measured = static_cast<std::int64_t>(devices.hosts.size());
    for (const DevicesRow& row : devices.onHosts) {
        if (row.devices == measured && row.step.speedUp.isAvailable())
            return QStringLiteral(". %1 hosts of your own: %2 times as fast as %3")
                .arg(countText(static_cast<double>(measured), locale),
                     numberText(row.step.speedUp.value(), locale), toQString(devices.host));
    }
    return {};
}

QString devicesVerdict(const DevicesReport& devices, const DisplayLocale& locale)
{
    QString verdict = offerVerdict(devices, locale);
    verdict += onHostsVerdict(devices, locale);
    if (devices.here.empty() || !devices.here.back().step.speedUp.isAvailable())
        return verdict;
    const DevicesRow& last = devices.here.back();
    return verdict + QStringLiteral(". %1 processes here: %2 times as fast as one")
                         .arg(countText(static_cast<double>(last.devices), locale),
                              numberText(last.step.speedUp.value(), locale));
}

std::vector<TableCell> cellsOf(const DevicesRow& row, const QString& what,
                               const DisplayLocale& locale)
{
    const auto machines = static_cast<double>(row.machines);
    return {rowName(static_cast<double>(row.devices), what, locale),
            {countText(machines, locale), machines},
            figureCell(row.step.stepSeconds, locale),
            figureCell(row.step.computeSeconds, locale),
            figureCell(row.step.exchangeSeconds, locale),
            timesCell(row.step.speedUp, locale),
            figureCell(row.hours, locale),
            figureCell(row.usd, locale)};
}

} // namespace

GrowthPart makeDevicesPart(const DevicesReport& devices, const DisplayLocale& locale)
{
    GrowthPart part{.id = QStringLiteral("devices"),
                    .title = QStringLiteral("Several devices"),
                    .verdict = devicesVerdict(devices, locale),
                    .charts = devicesCharts(devices, locale),
                    .tableTitle = QStringLiteral("A training run over devices")};
    part.table.columns = {
        {QStringLiteral("Devices"), false},       numberColumn(QStringLiteral("Machines")),
        numberColumn(QStringLiteral("A step")),   numberColumn(QStringLiteral("Its work")),
        numberColumn(QStringLiteral("Exchange")), numberColumn(QStringLiteral("Times as fast")),
        numberColumn(QStringLiteral("Time")),     numberColumn(QStringLiteral("Cost"))};
    for (const DevicesRow& row : devices.rows)
        part.table.rows.push_back(
            cellsOf(row, QStringLiteral("x ") + toQString(devices.device), locale));
    for (const DevicesRow& row : devices.here)
        part.table.rows.push_back(cellsOf(row,
                                          row.devices == 1 ? QStringLiteral("process here")
                                                           : QStringLiteral("processes here"),
                                          locale));
    for (const DevicesRow& row : devices.onHosts)
        part.table.rows.push_back(cellsOf(row, hostsText(devices, row.devices), locale));
    return part;
}

} // namespace outlay::gui
