// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/plan_view.h"

#include "gui/view/cost_view.h"
#include "gui/view/figure_cell.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/offer_name.h"

#include <algorithm>

namespace outlay::gui {
namespace {

using pricing::Report;

TableColumn words(const char16_t* title)
{
    return {QString::fromUtf16(title), false};
}

TableColumn number(const char16_t* title)
{
    return {QString::fromUtf16(title), true};
}

TableCell sentence(const std::string& text)
{
    return {toQString(text), std::nullopt, toQString(text)};
}

PlanTable itemsOf(const Report& report, const DisplayLocale& locale)
{
    PlanTable items{QStringLiteral("planItems"),
                    QStringLiteral("The month by item"),
                    QStringLiteral("Unavailable: ") + reasonText(report.month.total),
                    {}};
    items.table.columns = {words(u"Item"), number(u"A month")};
    for (const pricing::MonthItem& item : report.month.items)
        items.table.rows.push_back({{monthItemTitle(item.item)}, figureCell(item.usd, locale)});
    if (!items.table.rows.empty())
        items.table.rows.push_back(
            {{QStringLiteral("Total")}, figureCell(report.month.total, locale)});
    return items;
}

PlanTable environmentsOf(const Report& report, const DisplayLocale& locale)
{
    PlanTable rows{QStringLiteral("planEnvironments"),
                   QStringLiteral("Environments"),
                   QStringLiteral("The plan names no environments"),
                   {}};
    rows.table.columns = {words(u"Environment"), words(u"Offer"), number(u"Hours a month"),
                          number(u"A month")};
    for (const pricing::EnvironmentRow& row : report.month.environments)
        rows.table.rows.push_back({{toQString(row.name)},
                                   {toQString(row.offer)},
                                   {numberText(row.hours, locale), row.hours},
                                   figureCell(row.usd, locale)});
    return rows;
}

PlanTable splitOf(const Report& report, const DisplayLocale& locale)
{
    PlanTable rows{QStringLiteral("planSplit"),
                   QStringLiteral("Split over providers"),
                   QStringLiteral("The plan names no split over providers"),
                   {}};
    rows.table.columns = {words(u"Provider"), number(u"Share"), number(u"A month")};
    for (const pricing::SplitRow& row : report.month.split)
        rows.table.rows.push_back(
            {{providerTitle(row.provider)},
             {numberText(row.percent, locale) + QStringLiteral(" %"), row.percent},
             figureCell(row.usd, locale)});
    return rows;
}

PlanTable alertsOf(const Report& report, const DisplayLocale& locale)
{
    PlanTable rows{QStringLiteral("planAlerts"),
                   QStringLiteral("Alerts"),
                   QStringLiteral("No alert could be computed for this design"),
                   {}};
    rows.table.columns = {words(u"Alert"), words(u"State"), number(u"Projected"),
                          number(u"Threshold"), words(u"What to do")};
    for (const pricing::AlertRow& row : report.alerts)
        rows.table.rows.push_back({sentence(row.name),
                                   {toQString(row.state)},
                                   figureCell(row.projected, locale),
                                   figureCell(row.threshold, locale),
                                   sentence(row.whatToDo)});
    return rows;
}

PlanTable risksOf(const Report& report)
{
    PlanTable rows{QStringLiteral("planRisks"),
                   QStringLiteral("Risks"),
                   QStringLiteral("No risk was found for this design"),
                   {}};
    rows.table.columns = {words(u"Risk"), words(u"Level"), words(u"Why"), words(u"What to do")};
    for (const pricing::RiskRow& row : report.risks) {
        const auto level = static_cast<std::size_t>(row.level);
        rows.table.rows.push_back(
            {sentence(row.name),
             {toQString(pricing::LevelNames.at(level)), static_cast<double>(level)},
             sentence(row.why),
             sentence(row.whatToDo)});
    }
    return rows;
}

QString verdictOf(const Report& report, const DisplayLocale& locale)
{
    const core::Quantity& total = report.month.total;
    QString text =
        total.isAvailable()
            ? headlineText(total.value(), core::Unit::Usd, locale) + QStringLiteral(" a month")
            : QStringLiteral("The month is unavailable: ") + reasonText(total);
    const auto count = [&](std::string_view state) {
        return std::count_if(report.alerts.begin(), report.alerts.end(),
                             [&](const pricing::AlertRow& row) { return row.state == state; });
    };
    if (!report.alerts.empty())
        text += QStringLiteral("; %1 of %2 limits not kept, %3 near")
                    .arg(count("exceeded") + count("below"))
                    .arg(report.alerts.size())
                    .arg(count("near"));
    return text;
}

} // namespace

PlanView makePlanView(const Report& report, const DisplayLocale& locale)
{
    return {verdictOf(report, locale),
            {itemsOf(report, locale), environmentsOf(report, locale), splitOf(report, locale),
             alertsOf(report, locale), risksOf(report)}};
}

} // namespace outlay::gui
