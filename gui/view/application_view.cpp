// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/application_view.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/growth_chart.h"

namespace outlay::gui {
namespace {

using core::Quantity;
using pricing::Application;
using pricing::ApplicationRow;

constexpr std::size_t ReachedColour = 0;
constexpr std::size_t IdealColour = 5;

QString countOf(std::int64_t count, const DisplayLocale& locale)
{
    return countText(core::real(count), locale);
}

QString threeDigits(double value, const DisplayLocale& locale)
{
    return numberText(pricing::toThreeDigits(value), locale);
}

/// Hours of devices aren't a duration: they are counted.
QString amountText(double value, const QString& unit, const DisplayLocale& locale)
{
    return threeDigits(value, locale) + QLatin1Char(' ') + unit;
}

QString amountRange(const Quantity& figure, const DisplayLocale& locale)
{
    if (!figure.isAvailable() || figure.low() == figure.high())
        return {};
    return QStringLiteral("%1 to %2")
        .arg(threeDigits(figure.low(), locale), threeDigits(figure.high(), locale));
}

TableCell textCell(const QString& text)
{
    return {.text = text};
}

TableData figureTable()
{
    return {.columns = {{QStringLiteral("Figure"), false},
                        {QStringLiteral("Value"), true},
                        {QStringLiteral("Interval of 80 %"), true},
                        {QStringLiteral("Basis"), false}}};
}

void addFigure(TableData& table, const QString& label, const Quantity& figure,
               const DisplayLocale& locale)
{
    const FigureView shown = makeFigureView(label, figure, nullptr, locale);
    table.rows.push_back({textCell(label), textCell(shown.value), textCell(shown.detail),
                          textCell(toQString(core::name(figure.basis())))});
}

void addAmount(TableData& table, const QString& label, const Quantity& figure,
               const DisplayLocale& locale)
{
    if (!figure.isAvailable())
        return addFigure(table, label, figure, locale);
    table.rows.push_back({textCell(label), textCell(threeDigits(figure.value(), locale)),
                          textCell(amountRange(figure, locale)),
                          textCell(toQString(core::name(figure.basis())))});
}

QString shapeText(const Application& a, const DisplayLocale& locale)
{
    return QStringLiteral("%1 x %2 on %3 %4")
        .arg(countOf(a.devices, locale), toQString(a.device), countOf(a.nodes, locale),
             a.nodes == 1 ? QStringLiteral("node") : QStringLiteral("nodes"));
}

QString askedFor(const Application& a, const DisplayLocale& locale)
{
    if (!a.asked.isAvailable())
        return QStringLiteral("Nothing can be asked for yet: ") + reasonText(a.asked);
    const QString range = amountRange(a.asked, locale);
    return QStringLiteral("%1for %2 %3 on %4, with a reserve of %5 %")
        .arg(range.isEmpty() ? QString() : range + QStringLiteral(" (80 %), "),
             countOf(a.runs, locale), a.runs == 1 ? QStringLiteral("run") : QStringLiteral("runs"),
             shapeText(a, locale), numberText(a.reservePercent, locale));
}

TableData amountsOf(const Application& a, const DisplayLocale& locale)
{
    TableData table = figureTable();
    addAmount(table, toQString(a.unit) + QStringLiteral(" asked for"), a.asked, locale);
    if (a.isCharged())
        addAmount(table, QStringLiteral("the same in ") + toQString(a.hoursName), a.deviceHours,
                  locale);
    addFigure(table, QStringLiteral("one run by the clock"), a.hours, locale);
    addFigure(table, QStringLiteral("a step on these devices"), a.step, locale);
    const pricing::MeasuredStep& m = a.measured;
    if (m.by.empty())
        return table;
    addFigure(table, QStringLiteral("a step, measured"), m.step, locale);
    addFigure(table, QStringLiteral("one run where it was measured"), m.run, locale);
    if (m.coreHours.isAvailable())
        addAmount(table, QStringLiteral("that in core-hours"), m.coreHours, locale);
    return table;
}

TableCell numberCell(const Quantity& figure, const QString& text)
{
    return textCell(figure.isAvailable() ? text : QStringLiteral("–"));
}

TableData scalingOf(const Application& a, const DisplayLocale& locale)
{
    TableData table{.columns = {{QStringLiteral("Devices"), false},
                                {QStringLiteral("Nodes"), true},
                                {QStringLiteral("A run"), true},
                                {QStringLiteral("Speed-up"), true},
                                {QStringLiteral("Efficiency"), true},
                                {toQString(a.hoursName), true},
                                {QStringLiteral("Interval of 80 %"), true}}};
    if (a.isCharged())
        table.columns.push_back({toQString(a.unit), true});
    for (const ApplicationRow& row : a.rows) {
        std::vector<TableCell> cells{
            textCell(countOf(row.devices, locale) +
                     (row.isAsked ? QStringLiteral(", asked") : QString())),
            textCell(countOf(row.nodes, locale)),
            numberCell(row.hours, headlineText(row.hours.value(), row.hours.unit(), locale)),
            numberCell(row.speedUp, numberText(row.speedUp.value(), locale)),
            numberCell(row.efficiency,
                       partText(row.efficiency.value(), locale) + QStringLiteral(" %")),
            numberCell(row.deviceHours, threeDigits(row.deviceHours.value(), locale)),
            textCell(amountRange(row.deviceHours, locale))};
        if (a.isCharged())
            cells.push_back(numberCell(row.units, threeDigits(row.units.value(), locale)));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

ChartModel chartOf(const Application& a, const DisplayLocale& locale)
{
    constexpr std::int64_t MostLinear = 16; // beyond, the first ones would lie on each other
    const std::int64_t most = a.rows.empty() ? 1 : a.rows.back().devices;
    GrowthLine reached{QStringLiteral("Forecast"), ReachedColour, {}};
    GrowthLine ideal{QStringLiteral("Nothing lost"), IdealColour, {}};
    for (const ApplicationRow& row : a.rows) {
        const double count = core::real(row.devices);
        reached.points.push_back({count, row.speedUp});
        // Without anything reached there is nothing to compare with.
        if (row.speedUp.isAvailable())
            ideal.points.push_back({count, Quantity::exact(count, core::Unit::One, {})});
    }
    ChartModel chart =
        makeGrowthChart({.title = QStringLiteral("Times as fast as one device"),
                         .subtitle = QStringLiteral("Higher is better"),
                         .over = QStringLiteral("Devices"),
                         .what = QStringLiteral("Speed"),
                         .unit = QStringLiteral("times"),
                         .hasPrefix = false},
                        most > MostLinear ? GrowthScale::Logarithmic : GrowthScale::Linear,
                        {reached, ideal}, locale);
    if (a.rows.empty())
        chart.empty = chart.description = QStringLiteral("Unavailable: ") + toQString(a.why);
    return chart;
}

QString memoryLabel(const Application& a, const DisplayLocale& locale)
{
    if (a.memoryGb <= 0)
        return QStringLiteral("memory on a device");
    const QString held = a.fits == core::Fits::Yes  ? QStringLiteral(", it fits")
                         : a.fits == core::Fits::No ? QStringLiteral(", it doesn't fit")
                                                    : QString();
    return QStringLiteral("memory on a device, of %1 GB%2")
        .arg(numberText(a.memoryGb, locale), held);
}

TableData needsOf(const Application& a, const DisplayLocale& locale)
{
    TableData table = figureTable();
    addFigure(table, memoryLabel(a, locale), a.memory, locale);
    addFigure(table, QStringLiteral("a checkpoint"), a.checkpoint, locale);
    addFigure(table, QStringLiteral("all checkpoints that are kept"), a.checkpoints, locale);
    addFigure(table, QStringLiteral("the data set"), a.dataset, locale);
    addFigure(table, QStringLiteral("energy of the devices, in all"), a.kwh, locale);
    addFigure(table, QStringLiteral("carbon of that"), a.kgCo2e, locale);
    return table;
}

/// "precision \"fp32\", batch 32": pointers are for files.
QString assumptionsText(const std::vector<pricing::AssumptionRow>& rows)
{
    QStringList parts;
    for (const pricing::AssumptionRow& row : rows) {
        QString name = toQString(row.pointer).section(QLatin1Char('/'), -1);
        name.replace(QLatin1Char('_'), QLatin1Char(' '));
        QString value = toQString(core::writeJson(row.value, core::JsonStyle::Compact));
        value.remove(QLatin1Char('"'));
        parts.append(name + QLatin1Char(' ') + value);
    }
    return parts.isEmpty() ? QStringLiteral("Every setting of the training is given.")
                           : QStringLiteral("Outlay's defaults, for nobody gave them: ") +
                                 parts.join(QStringLiteral(", ")) + QLatin1Char('.');
}

} // namespace

ApplicationView makeApplicationView(const Application& a, const DisplayLocale& locale)
{
    ApplicationView view;
    view.title = QStringLiteral("Application for compute time: ") + toQString(a.name);
    view.model = toQString(a.model) + QStringLiteral(" · ") + toQString(a.work);
    view.place = toQString(a.place);
    if (a.asked.isAvailable())
        view.asked = amountText(a.asked.value(), toQString(a.unit), locale);
    view.askedFor = askedFor(a, locale);
    view.amounts = amountsOf(a, locale);
    view.measured = a.measured.by.empty()
                        ? QStringLiteral("No step was measured: ") + reasonText(a.measured.step)
                        : QStringLiteral("The step was measured by ") + toQString(a.measured.by);
    view.scaling = scalingOf(a, locale);
    view.chart = chartOf(a, locale);
    view.needs = needsOf(a, locale);
    for (const pricing::ApplicationTerm& term : a.terms)
        view.terms.emplace_back(toQString(term.what), toQString(term.value) +
                                                          QStringLiteral(" – ") +
                                                          toQString(term.source));
    view.assumptions = assumptionsText(a.assumptions);
    view.measured.remove(QLatin1Char('`'));
    view.foot = toQString(a.provenance);
    return view;
}

std::vector<CentreChoice> centreChoices()
{
    std::vector<CentreChoice> choices{{{}, QStringLiteral("none: the machine of the plan"), {}}};
    if (const auto& known = pricing::centres()) {
        for (const pricing::Centre& centre : known->all())
            choices.push_back(
                {centre.id,
                 QStringLiteral("%1, in %2").arg(toQString(centre.name), toQString(centre.unit)),
                 QStringLiteral("%1 (%2, read %3)")
                     .arg(toQString(centre.note), toQString(known->source(centre).name),
                          toQString(known->source(centre).read))});
    }
    return choices;
}

} // namespace outlay::gui
