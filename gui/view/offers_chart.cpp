// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/figure_view.h"
#include "gui/view/offer_name.h"
#include "gui/view/offers_view.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace outlay::gui {
namespace {

using core::Unit;

/// Points that would lie on one another are one: thousands take long to draw and say no more.
class Thinned {
public:
    bool isNew(double hours, double usd)
    {
        constexpr double CellsADecade = 24;
        const auto cell = [](double value) {
            return static_cast<int>(std::floor(std::log10(value) * CellsADecade));
        };
        return m_seen.insert({cell(hours), cell(usd)}).second;
    }

private:
    std::set<std::pair<int, int>> m_seen;
};

struct Groups {
    ChartSeries sound{QStringLiteral("Fits"), 0, {}};
    ChartSeries other{QStringLiteral("Doubtful, not known to fit, or outside the plan"), 5, {}};
    ChartSeries front{QStringLiteral("None is faster and cheaper"), 1, {}};
    ChartSeries chosen{QStringLiteral("Chosen"), 3, {}};
};

Groups groupsOf(const OfferRows& rows, const std::vector<std::uint32_t>& shown,
                const std::vector<std::uint32_t>& front, const core::Plan& plan,
                const DisplayLocale& locale)
{
    Groups groups;
    Thinned soundCells;
    Thinned otherCells;
    const auto pointOf = [&](std::uint32_t row) {
        return ChartPoint{
            .x = *rows.hours(row), .y = locale.money(rows.option(row).usd.value), .key = row};
    };
    for (const std::uint32_t row : shown) {
        const bool isDrawn = rows.option(row).hasUsd && rows.hours(row) && *rows.hours(row) > 0;
        if (!isDrawn)
            continue;
        const ChartPoint point = pointOf(row);
        const bool isSound = pricing::keepsPlan(rows.option(row));
        if (plan.trainingOffer && rows.choice(row) == *plan.trainingOffer)
            groups.chosen.points.push_back(point);
        if ((isSound ? soundCells : otherCells).isNew(point.x, point.y))
            (isSound ? groups.sound : groups.other).points.push_back(point);
    }
    for (const std::uint32_t row : front)
        groups.front.points.push_back(pointOf(row));
    return groups;
}

QString verdictOf(const OfferRows& rows, const std::vector<std::uint32_t>& front,
                  const DisplayLocale& locale)
{
    if (rows.count() == 0)
        return QStringLiteral("Unavailable: there are no offers to compare");
    if (front.empty())
        return QStringLiteral("None of the offers shown is known to fit within the plan");
    const auto text = [&](std::uint32_t row) {
        return QStringLiteral("%1 in %2")
            .arg(headlineText(rows.option(row).usd.value, Unit::Usd, locale),
                 headlineText(*rows.hours(row), Unit::Hours, locale));
    };
    // A price that may have changed is never called the cheapest without its date.
    const bool isStale = rows.option(front.back()).trust == pricing::Trust::Stale;
    const QString cheapest = isStale ? QStringLiteral("cheapest known, as of ") +
                                           rows.text(front.back(), OfferColumn::AsOf, locale)
                                     : QStringLiteral("cheapest");
    return front.size() == 1 ? QStringLiteral("One offer is both fastest and %1: %2")
                                   .arg(cheapest, text(front.front()))
                             : QStringLiteral("From %1 (fastest) to %2 (%3)")
                                   .arg(text(front.front()), text(front.back()), cheapest);
}

/// One beyond the chart is drawn at its edge; its name has the value.
ChartLimit limitOf(const QString& what, const std::optional<double>& value, Unit unit,
                   const ChartAxis& axis, const DisplayLocale& locale)
{
    const QString name = value
                             ? QStringLiteral("%1 %2").arg(what, headlineText(*value, unit, locale))
                             : QStringLiteral("no %1").arg(what);
    const double factor = unit == Unit::Usd ? locale.money(1) : 1;
    return {.of = unit == Unit::Hours ? ChartLimit::Of::X : ChartLimit::Of::Y,
            .at = std::clamp(value ? *value * factor : axis.high, axis.low, axis.high),
            .name = name,
            .isSet = value.has_value(),
            .isMovable = true};
}

} // namespace

OffersView makeOffersView(const OfferRows& rows, const std::vector<std::uint32_t>& shown,
                          const core::Plan& plan, const DisplayLocale& locale)
{
    const std::vector<std::uint32_t> front = paretoFront(rows, shown);
    Groups groups = groupsOf(rows, shown, front, plan, locale);
    OffersView view;
    view.verdict = verdictOf(rows, front, locale);
    ChartModel& chart = view.chart;
    chart.kind = ChartModel::Kind::Scatter;
    chart.title = QStringLiteral("Time against cost of one training run");
    chart.subtitle = QStringLiteral("Both logarithmic; down and left is better");
    chart.description = view.verdict;
    chart.empty = view.verdict;
    double least[2]{HUGE_VAL, HUGE_VAL};
    double most[2]{0, 0};
    for (ChartSeries* series : {&groups.sound, &groups.other, &groups.front, &groups.chosen}) {
        for (const ChartPoint& point : series->points) {
            least[0] = std::min(least[0], point.x);
            most[0] = std::max(most[0], point.x);
            least[1] = std::min(least[1], point.y);
            most[1] = std::max(most[1], point.y);
        }
        if (!series->points.empty())
            chart.series.push_back(std::move(*series));
    }
    chart.x = logAxis(least[0], most[0], QStringLiteral("Hours"));
    chart.y = logAxis(least[1], most[1], locale.currency.code);
    chart.limits = {
        limitOf(QStringLiteral("deadline"), plan.deadlineHours, Unit::Hours, chart.x, locale),
        limitOf(QStringLiteral("budget"), plan.budgetUsd, Unit::Usd, chart.y, locale)};
    for (const ChartLimit& limit : chart.limits) {
        if (limit.isSet)
            chart.description += QStringLiteral("; ") + limit.name;
    }
    return view;
}

core::Json limitValue(std::size_t limit, std::optional<double> at, const DisplayLocale& locale)
{
    const double perUnit = LimitPointers.at(limit) == "/plan/budget_usd" ? locale.money(1) : 1;
    return at ? core::Json(*at / perUnit) : core::Json();
}

} // namespace outlay::gui
