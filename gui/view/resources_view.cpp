// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/resources_view.h"

#include "core/base/units.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"

#include <QStringList>

#include <algorithm>

namespace outlay::gui {
namespace {

using core::Quantity;
using core::Unit;
using pricing::Benchmark;

constexpr double MostPercent = 300; // bars beyond it are cut, which the axis says
constexpr std::size_t FineColour = 0;
constexpr std::size_t WorseColour = 1;

bool isComparable(const Benchmark& row)
{
    return row.value.isAvailable() && row.reference.isAvailable() && row.reference.value() > 0;
}

bool isWorse(const Benchmark& row)
{
    return row.isLowerBetter ? row.value.value() > row.reference.value()
                             : row.value.value() < row.reference.value();
}

QString titleOf(const std::string& metric)
{
    QString title = toQString(metric);
    if (!title.isEmpty())
        title[0] = title[0].toUpper();
    return title;
}

QString textOf(const Quantity& figure, const DisplayLocale& locale)
{
    return headlineText(figure.value(), figure.unit(), locale);
}

ChartPoint pointOf(const Benchmark& row, const DisplayLocale& locale)
{
    const auto share = [&](double value) {
        return std::min(MostPercent, core::PerCent * value / row.reference.value());
    };
    const QString value = textOf(row.value, locale);
    const QString label = value + QStringLiteral(" vs ") + textOf(row.reference, locale);
    const QString worse = isWorse(row) ? QStringLiteral(", worse") : QString();
    return {.y = share(row.value.value()),
            .low = share(row.value.low()),
            .high = share(row.value.high()),
            .reference = core::PerCent,
            .label = label + worse,
            .brief = value + worse,
            .colour = isWorse(row) ? WorseColour : FineColour};
}

QString verdictOf(const std::vector<Benchmark>& rows)
{
    if (rows.empty())
        return QStringLiteral("Unavailable: nothing of this design has a limit that is known");
    const auto count = std::count_if(rows.begin(), rows.end(), isWorse);
    if (count == 0)
        return QStringLiteral("Nothing passes its mark");
    const auto worst = std::find_if(rows.begin(), rows.end(), isWorse);
    return count == 1 ? QStringLiteral("1 of %1 is worse than its mark: %2")
                            .arg(rows.size())
                            .arg(toQString(worst->metric))
                      : QStringLiteral("%1 of %2 are worse than their marks; first: %3")
                            .arg(count)
                            .arg(rows.size())
                            .arg(toQString(worst->metric));
}

ChartModel chartOf(const std::vector<Benchmark>& rows, const DisplayLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::HorizontalBars;
    chart.title = QStringLiteral("What this design uses");
    chart.subtitle = QStringLiteral("Bar: this design; tick: what there is");
    chart.description = verdictOf(rows);
    chart.empty = chart.description;
    ChartSeries series{QStringLiteral("Share of what there is"), FineColour, {}};
    double highest = core::PerCent;
    bool isCut = false;
    for (const Benchmark& row : rows) {
        chart.categories.push_back(titleOf(row.metric));
        series.points.push_back(pointOf(row, locale));
        highest = std::max(highest, series.points.back().high.value_or(0));
        isCut = isCut || row.value.value() > row.reference.value() * MostPercent / core::PerCent;
    }
    chart.series.push_back(std::move(series));
    chart.y = axisFromZero(highest, isCut ? QStringLiteral("% of what there is, cut at 300")
                                          : QStringLiteral("% of what there is"));
    return chart;
}

} // namespace

ResourcesView makeResourcesView(const pricing::Report& report, const DisplayLocale& locale)
{
    std::vector<Benchmark> rows = report.benchmarks;
    QStringList unavailable;
    for (const Benchmark& row : rows) {
        if (!row.value.isAvailable())
            unavailable.append(toQString(row.metric));
    }
    std::erase_if(rows, [](const Benchmark& row) { return !isComparable(row); });
    ResourcesView view;
    view.verdict = verdictOf(rows);
    view.chart = chartOf(rows, locale);
    QStringList sources;
    for (const Benchmark& row : rows) {
        if (const QString source = toQString(row.source); !sources.contains(source))
            sources.append(source);
    }
    QStringList parts;
    if (!unavailable.isEmpty())
        parts.append(QStringLiteral("Unavailable: ") + unavailable.join(QStringLiteral(", ")));
    // A source may be a list itself.
    if (!sources.isEmpty())
        parts.append(QStringLiteral("Marks: ") +
                     sources.join(QStringLiteral("; "))
                         .replace(QStringLiteral("; "), QStringLiteral(" · ")));
    view.sources = parts.join(QStringLiteral(" · "));
    return view;
}

} // namespace outlay::gui
