// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/change_view.h"

#include "core/base/units.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/setting_text.h"

#include <algorithm>
#include <cmath>

namespace outlay::gui {
namespace {

using pricing::BillChange;
using pricing::ChangeStep;

constexpr std::size_t BillColour = 0;
constexpr std::size_t DearerColour = 1;
constexpr std::size_t CheaperColour = 2;

QString money(double usd, const DisplayLocale& locale)
{
    return headlineText(usd, core::Unit::Usd, locale);
}

QString movedBy(double usd, const DisplayLocale& locale)
{
    return (usd < 0 ? QStringLiteral("−") : QStringLiteral("+")) + money(std::abs(usd), locale);
}

QString capitalised(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

QString stepAmount(const core::Quantity& figure, const DisplayLocale& locale)
{
    if (!figure.isAvailable())
        return QStringLiteral("–");
    return figure.unit() == core::Unit::One
               ? numberText(figure.value(), locale) + (figure.value() == 1
                                                           ? QStringLiteral(" machine")
                                                           : QStringLiteral(" machines"))
               : headlineText(figure.value(), figure.unit(), locale);
}

/// "1.4 h → 2.1 h", "L4 → A100 because it needs 31 GB".
QString behind(const ChangeStep& step, const DisplayLocale& locale)
{
    const bool isFigure = step.fromFigure.isAvailable() || step.toFigure.isAvailable();
    const QString from = isFigure ? stepAmount(step.fromFigure, locale) : toQString(step.from);
    const QString to = isFigure ? stepAmount(step.toFigure, locale) : toQString(step.to);
    QString text = from.isEmpty() && to.isEmpty() ? QString()
                   : from == to                   ? from
                                                  : QStringLiteral("%1 → %2").arg(from, to);
    if (!step.because.empty())
        text += QStringLiteral(", because ") + toQString(step.because);
    return text;
}

QString sentenceOf(const BillChange& bill, const DisplayLocale& locale)
{
    const QString name = capitalised(toQString(bill.of));
    if (!bill.after.isAvailable())
        return name + QStringLiteral(": unavailable now, ") + reasonText(bill.after);
    const QString now = money(bill.after.value(), locale);
    if (!bill.before.isAvailable())
        return QStringLiteral("%1: %2 now; it was unavailable before").arg(name, now);
    const double was = bill.before.value();
    if (bill.steps.empty())
        return QStringLiteral("%1: %2, as before").arg(name, now);
    const double percent = was > 0 ? core::PerCent * (bill.after.value() / was - 1) : 0;
    const QString change = was > 0
                               ? QStringLiteral(" (%1%2 %)")
                                     .arg(percent < 0 ? QStringLiteral("−") : QStringLiteral("+"),
                                          numberText(std::abs(percent), locale))
                               : QString();
    return QStringLiteral("%1: %2 instead of %3%4").arg(name, now, money(was, locale), change);
}

/// The step that moves it most, as the chart's message.
QString messageOf(const BillChange& bill, const DisplayLocale& locale)
{
    const auto most = std::max_element(
        bill.steps.begin(), bill.steps.end(),
        [](const ChangeStep& a, const ChangeStep& b) { return std::abs(a.usd) < std::abs(b.usd); });
    return QStringLiteral("%1, most of it by %2: %3")
        .arg(sentenceOf(bill, locale), toQString(most->what), movedBy(most->usd, locale));
}

ChartModel waterfallOf(const BillChange& bill, const DisplayLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::HorizontalBars;
    chart.title = capitalised(toQString(bill.of));
    chart.subtitle = QStringLiteral("From what it was to what it is; each step begins where the "
                                    "one above it ends");
    chart.empty = QStringLiteral("Nothing has moved it.");
    chart.description = sentenceOf(bill, locale);
    ChartSeries series{QStringLiteral("USD"), BillColour, {}};
    if (bill.steps.empty()) {
        chart.series.push_back(std::move(series));
        return chart;
    }
    chart.description = messageOf(bill, locale);
    const auto addBill = [&](const QString& name, double usd) {
        chart.categories.push_back(name);
        series.points.push_back(
            {.y = usd, .label = money(usd, locale), .colour = BillColour, .isStrong = true});
    };
    double at = bill.before.value();
    double highest = std::max(at, bill.after.value());
    addBill(QStringLiteral("before"), at);
    for (const ChangeStep& step : bill.steps) {
        chart.categories.push_back(toQString(step.what));
        series.points.push_back({.y = at + step.usd,
                                 .base = at,
                                 .label = movedBy(step.usd, locale),
                                 .colour = step.usd > 0 ? DearerColour : CheaperColour});
        at += step.usd;
        highest = std::max(highest, at);
    }
    addBill(QStringLiteral("now"), bill.after.value());
    chart.y = axisFromZero(highest, QStringLiteral("USD"));
    chart.series.push_back(std::move(series));
    return chart;
}

TableData stepsOf(const BillChange& bill, const DisplayLocale& locale)
{
    TableData table;
    table.columns = {{QStringLiteral("Step"), false},
                     {QStringLiteral("Moves it by"), true},
                     {QStringLiteral("What is behind it"), false}};
    for (const ChangeStep& step : bill.steps)
        table.rows.push_back({{capitalised(toQString(step.what))},
                              {movedBy(step.usd, locale), step.usd},
                              {behind(step, locale)}});
    return table;
}

} // namespace

ChangeView makeChangeView(const pricing::Compared& before, const pricing::Compared& after,
                          const pricing::Catalogs& catalogs, const DisplayLocale& locale)
{
    constexpr std::size_t MostSettings = 4;
    ChangeView view;
    view.settings = differenceText(before.experiment, after.experiment, MostSettings, locale);
    if (view.settings.isEmpty())
        view.settings = QStringLiteral("No setting differs; what was measured may.");
    for (const BillChange& bill : pricing::changesOf(before, after, catalogs))
        view.bills.push_back(
            {sentenceOf(bill, locale), waterfallOf(bill, locale), stepsOf(bill, locale)});
    return view;
}

} // namespace outlay::gui
