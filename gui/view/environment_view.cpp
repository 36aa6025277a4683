// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/environment_view.h"

#include "core/experiment/patch.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"

#include <algorithm>
#include <cmath>

namespace outlay::gui {
namespace {

using core::Environment;

/// "aws/p3.2xlarge/spot" -> "spot", if it ends with a way of buying.
QString purchaseIn(const QString& offer)
{
    const QString last = offer.section(u'/', -1);
    const auto& names = core::PurchaseNames;
    const bool isOne = std::find(names.begin(), names.end(), last.toStdString()) != names.end();
    return isOne && last != offer ? last : QString();
}

QString costText(const pricing::EnvironmentRow& row, const DisplayLocale& locale)
{
    if (!row.usd.isAvailable())
        return reasonText(row.usd);
    return headlineText(row.usd.value(), core::Unit::Usd, locale) + QStringLiteral(" a month");
}

/// Where it was changed: what is shown is rounded.
void take(const QString& typed, const QString& shown, double& value, const QLocale& locale)
{
    const auto number = typedNumber(typed, locale);
    if (typed != shown && number && !typed.trimmed().isEmpty() && *number >= 0)
        value = *number;
}

} // namespace

std::vector<EnvironmentView> makeEnvironmentViews(const core::Plan& plan,
                                                  const pricing::MonthReport& month,
                                                  const DisplayLocale& locale)
{
    std::vector<EnvironmentView> views;
    for (std::size_t i = 0; i < plan.environments.size(); ++i) {
        const Environment& e = plan.environments[i];
        const QString offer = toQString(e.offer);
        const QString purchase = purchaseIn(offer);
        EnvironmentView view{.name = toQString(e.name),
                             .machine = purchase.isEmpty() ? offer : offer.section(u'/', 0, -2),
                             .purchase = purchase,
                             .count = locale.toString(qlonglong{e.count}),
                             .hoursPerDay = numberText(e.hoursPerDay, locale),
                             .daysPerMonth = numberText(e.daysPerMonth, locale),
                             .cost = {}};
        if (i < month.environments.size())
            view.cost = costText(month.environments[i], locale);
        views.push_back(std::move(view));
    }
    return views;
}

Environments withOneMore(Environments all)
{
    const std::string number = std::to_string(all.size() + 1);
    all.push_back({.name = all.empty() ? "development" : "environment " + number});
    return all;
}

Environments without(Environments all, std::size_t row)
{
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(row));
    return all;
}

Environment environmentOf(const EnvironmentView& typed, const EnvironmentView& shown,
                          const Environment& before, const QLocale& locale)
{
    constexpr double MostMachines = 1e9; // more than any plan takes, and a number all the same
    Environment e = before;
    e.name = typed.name.trimmed().toStdString();
    if (typed.machine != shown.machine || typed.purchase != shown.purchase) {
        e.offer = typed.machine.trimmed().toStdString();
        if (!typed.purchase.isEmpty() && !e.offer.empty())
            e.offer += "/" + typed.purchase.toStdString();
    }
    auto count = static_cast<double>(before.count);
    take(typed.count, shown.count, count, locale);
    if (count == std::floor(count))
        e.count = static_cast<std::int64_t>(std::min(count, MostMachines));
    take(typed.hoursPerDay, shown.hoursPerDay, e.hoursPerDay, locale);
    take(typed.daysPerMonth, shown.daysPerMonth, e.daysPerMonth, locale);
    return e;
}

core::Json environmentsPatch(const Environments& environments)
{
    core::Json list = core::Json::array();
    for (const Environment& e : environments)
        list.append(core::fieldsOf(e));
    return core::Json::Array{core::setting("/plan/environments", std::move(list))};
}

std::vector<QString> machineChoices(const pricing::PriceBook& book)
{
    std::vector<QString> choices;
    for (const pricing::Machine& machine : book.table().machines)
        choices.push_back(toQString(machine.provider + "/" + machine.instance));
    std::sort(choices.begin(), choices.end());
    return choices;
}

} // namespace outlay::gui
