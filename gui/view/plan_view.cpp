// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/plan_view.h"

#include "core/experiment/patch.h"
#include "gui/view/cost_view.h"
#include "gui/view/figure_cell.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/offer_name.h"

#include <algorithm>
#include <array>

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

/// In the order of the rows.
struct SplitProvider {
    std::string_view id;
    double core::ProviderSplit::*percent;
};
constexpr std::array SplitProviders{SplitProvider{"aws", &core::ProviderSplit::awsPercent},
                                    SplitProvider{"gcp", &core::ProviderSplit::gcpPercent},
                                    SplitProvider{"azure", &core::ProviderSplit::azurePercent}};

/// Each may be given a share, whether it has one yet or not.
PlanTable splitOf(const Report& report, const DisplayLocale& locale)
{
    PlanTable rows{QStringLiteral("planSplit"), QStringLiteral("Split over providers"), {}, {}};
    rows.table.columns = {words(u"Provider"), number(u"Share"), number(u"A month")};
    rows.table.editable = 1;
    const core::ProviderSplit split = report.plan.split.value_or(core::ProviderSplit{});
    for (const SplitProvider& provider : SplitProviders) {
        const double percent = split.*provider.percent;
        const auto found =
            std::find_if(report.month.split.begin(), report.month.split.end(),
                         [&](const pricing::SplitRow& row) { return row.provider == provider.id; });
        rows.table.rows.push_back({{providerTitle(provider.id)},
                                   {numberText(percent, locale) + QStringLiteral(" %"), percent,
                                    QStringLiteral("Press F2, or click twice, to change it"),
                                    numberText(percent, locale)},
                                   found == report.month.split.end()
                                       ? TableCell{QStringLiteral("–")}
                                       : figureCell(found->usd, locale)});
    }
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
                                   row.state == "ok" ? TableCell() : sentence(row.whatToDo)});
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

core::Json splitPatch(const core::Plan& plan, std::size_t row, double percent)
{
    core::ProviderSplit split = plan.split.value_or(core::ProviderSplit{});
    split.*SplitProviders.at(row).percent = percent;
    const bool isAny = split != core::ProviderSplit{};
    return core::Json::Array{
        core::setting("/plan/split", isAny ? core::fieldsOf(split) : core::Json())};
}

PlanView makePlanView(const Report& report, const DisplayLocale& locale)
{
    return {verdictOf(report, locale),
            {itemsOf(report, locale), splitOf(report, locale), alertsOf(report, locale),
             risksOf(report)},
            makeEnvironmentViews(report.plan, report.month, locale)};
}

} // namespace outlay::gui
