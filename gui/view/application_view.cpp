// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/application_view.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "gui/view/field_presentation.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/growth_chart.h"
#include "pricing/application/application_content.h"

namespace outlay::gui {
namespace {

using core::Quantity;
using pricing::Application;
using pricing::ApplicationContent;
using pricing::ApplicationRow;
using pricing::ContentFigure;
using pricing::ContentKind;
using pricing::ContentRow;

constexpr std::size_t ReachedColour = 0;
constexpr std::size_t IdealColour = 5;

QString threeDigits(double value, const DisplayLocale& locale)
{
    return numberText(pricing::toThreeDigits(value), locale);
}

QString countedRange(const Quantity& figure, const DisplayLocale& locale)
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

/// A figure a row.
TableData tableOf(const std::vector<ContentFigure>& figures, const DisplayLocale& locale)
{
    TableData table{.columns = {{QStringLiteral("Figure"), false},
                                {QStringLiteral("Value"), true},
                                {QStringLiteral("Interval of 80 %"), true},
                                {QStringLiteral("Basis"), false}}};
    for (const ContentFigure& row : figures) {
        FigureView shown = makeFigureView(toQString(row.label), row.figure, nullptr, locale);
        if (row.kind == ContentKind::Count && row.figure.isAvailable()) {
            shown.value = threeDigits(row.figure.value(), locale);
            shown.detail = countedRange(row.figure, locale);
        }
        table.rows.push_back({textCell(shown.label), textCell(shown.value), textCell(shown.detail),
                              textCell(toQString(core::name(row.figure.basis())))});
    }
    return table;
}

QString cellText(const ContentFigure& cell, const DisplayLocale& locale)
{
    const Quantity& figure = cell.figure;
    if (!figure.isAvailable())
        return QStringLiteral("–");
    switch (cell.kind) {
    case ContentKind::Part: return partText(figure.value(), locale) + QStringLiteral(" %");
    case ContentKind::Count: return threeDigits(figure.value(), locale);
    case ContentKind::Figure: break;
    }
    return figure.unit() == core::Unit::One ? numberText(figure.value(), locale)
                                            : headlineText(figure.value(), figure.unit(), locale);
}

/// There is room for one interval: that of the first amount.
TableData scalingOf(const std::vector<ContentRow>& rows, const DisplayLocale& locale)
{
    TableData table{
        .columns = {{QStringLiteral("Devices"), false}, {QStringLiteral("Nodes"), true}}};
    for (const ContentRow& row : rows) {
        const bool isFirst = table.rows.empty();
        bool hasInterval = false;
        std::vector<TableCell> cells{textCell(toQString(row.devices)),
                                     textCell(toQString(row.nodes))};
        for (const ContentFigure& figure : row.figures) {
            if (isFirst)
                table.columns.push_back({toQString(figure.label), true});
            cells.push_back(textCell(cellText(figure, locale)));
            if (figure.kind != ContentKind::Count || hasInterval)
                continue;
            hasInterval = true;
            if (isFirst)
                table.columns.push_back({QStringLiteral("Interval of 80 %"), true});
            cells.push_back(textCell(countedRange(figure.figure, locale)));
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

/// Pointers and commands in a reason are for files.
QString sentenceText(const std::string& text, bool isReason)
{
    return (isReason ? readable(text) : toQString(text)).remove(QLatin1Char('`'));
}

ChartModel chartOf(const Application& a, const std::string& title, const DisplayLocale& locale)
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
        makeGrowthChart({.title = toQString(title),
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
    const ApplicationContent content =
        contentOf(a, [&](double number) { return numberText(number, locale).toStdString(); });
    std::vector<ContentFigure> amounts = content.amounts;
    amounts.insert(amounts.end(), content.measured.begin(), content.measured.end());
    ApplicationView view{.title = toQString(content.title),
                         .model = toQString(content.subject),
                         .place = toQString(content.place),
                         .asked = toQString(content.asked),
                         .askedFor = sentenceText(content.askedFor, content.asked.empty()),
                         .amounts = tableOf(amounts, locale),
                         .measured = sentenceText(content.measuredBy, a.measured.by.empty()),
                         .scaling = scalingOf(content.scaling, locale),
                         .scalingNote = toQString(content.scalingNote),
                         .chart = chartOf(a, content.speedTitle, locale),
                         .needs = tableOf(content.needs, locale)};
    for (const pricing::ApplicationTerm& term : a.terms)
        view.terms.emplace_back(toQString(term.what), toQString(term.value) +
                                                          QStringLiteral(" – ") +
                                                          toQString(term.source));
    view.assumptions = assumptionsText(a.assumptions);
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
