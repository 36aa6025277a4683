// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/figure_view.h"
#include "gui/view/offer_name.h"
#include "gui/view/offers_view.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
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

/// Why an offer isn't simply one to take: each reason has a look of its own.
struct Groups {
    ChartSeries sound{QStringLiteral("Fits"), 0, {}};
    ChartSeries broken{QStringLiteral("Outside the plan"), 2, {}};
    ChartSeries unfit{QStringLiteral("Doesn't or may not fit"), 4, {}};
    ChartSeries doubtful{QStringLiteral("Doubtful price"), 5, {}};
    ChartSeries front{QStringLiteral("None is faster and cheaper"), 1, {}};
    ChartSeries chosen{QStringLiteral("Chosen"), 3, {}};

    [[nodiscard]] std::array<ChartSeries*, 6> all()
    {
        return {&sound, &broken, &unfit, &doubtful, &front, &chosen};
    }
    [[nodiscard]] ChartSeries& of(const pricing::Option& option)
    {
        if (pricing::keepsPlan(option))
            return sound;
        if (option.trust == pricing::Trust::Doubtful)
            return doubtful;
        return option.fits == core::Fits::Yes ? broken : unfit;
    }
};

/// What a hundredth of its cost or of its time would buy sets no scale, and isn't drawn.
class Outclassed {
public:
    /// `front` has the fastest first.
    Outclassed(const OfferRows& rows, const std::vector<std::uint32_t>& front)
        : m_rows(rows), m_front(front)
    {
    }

    [[nodiscard]] bool operator()(std::uint32_t row) const
    {
        constexpr double Hundredfold = 100;
        const double hours = *m_rows.workHours(row);
        const double usd = m_rows.option(row).usd.value;
        const auto cheapestWithin = [&](double atMost) {
            const auto after =
                std::partition_point(m_front.begin(), m_front.end(), [&](std::uint32_t best) {
                    return *m_rows.workHours(best) <= atMost;
                });
            return after == m_front.begin() ? HUGE_VAL : m_rows.option(*(after - 1)).usd.value;
        };
        return usd >= Hundredfold * cheapestWithin(hours) ||
               usd >= cheapestWithin(hours / Hundredfold);
    }

private:
    const OfferRows& m_rows;
    const std::vector<std::uint32_t>& m_front;
};

bool isDrawable(const OfferRows& rows, std::uint32_t row)
{
    return rows.option(row).hasUsd && rows.option(row).usd.value > 0 && rows.workHours(row) &&
           *rows.workHours(row) > 0;
}

bool isPlanned(core::OfferChoice choice, const std::optional<core::OfferChoice>& planned)
{
    if (planned && planned->region.empty())
        choice.region.clear();
    return planned && choice == *planned;
}

Groups groupsOf(const OfferRows& rows, const std::vector<std::uint32_t>& shown,
                const Outclassed& isOutclassed, const core::Plan& plan, const DisplayLocale& locale)
{
    Groups groups;
    std::map<const ChartSeries*, Thinned> cells;
    const auto pointOf = [&](std::uint32_t row) {
        return ChartPoint{
            .x = *rows.workHours(row), .y = locale.money(rows.option(row).usd.value), .key = row};
    };
    for (const std::uint32_t row : shown) {
        if (!isDrawable(rows, row))
            continue;
        // Without a region the first of the ranking is meant.
        if (groups.chosen.points.empty() && isPlanned(rows.choice(row), plan.trainingOffer))
            groups.chosen.points.push_back(pointOf(row));
        if (isOutclassed(row))
            continue;
        const ChartPoint point = pointOf(row);
        ChartSeries& group = groups.of(rows.option(row));
        if (cells[&group].isNew(point.x, point.y))
            group.points.push_back(point);
    }
    for (const std::uint32_t row : paretoFront(rows, shown)) {
        if (isDrawable(rows, row) && !isOutclassed(row))
            groups.front.points.push_back(pointOf(row));
    }
    return groups;
}

/// That holds all that could be drawn, so that a filter moves nothing; and how much of it isn't drawn.
struct Scale {
    double leastHours = HUGE_VAL;
    double mostHours = 0;
    double leastUsd = HUGE_VAL;
    double mostUsd = 0;
    std::size_t leftOut = 0;

    void take(double hours, double usd)
    {
        leastHours = std::min(leastHours, hours);
        mostHours = std::max(mostHours, hours);
        leastUsd = std::min(leastUsd, usd);
        mostUsd = std::max(mostUsd, usd);
    }
};

Scale scaleOf(const OfferRows& rows, const Outclassed& isOutclassed)
{
    Scale scale;
    for (std::uint32_t row = 0; row < rows.count(); ++row) {
        if (!isDrawable(rows, row))
            continue;
        if (isOutclassed(row))
            ++scale.leftOut;
        else
            scale.take(*rows.workHours(row), rows.option(row).usd.value);
    }
    return scale;
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

/// What the plan says of a limit.
struct Planned {
    QString what;
    Unit unit = Unit::Usd;
    std::optional<double> value;
};

/// One beyond the chart is drawn at its edge; its name has the value.
ChartLimit limitOf(const Planned& planned, const std::optional<double>& at, const ChartAxis& axis,
                   const DisplayLocale& locale)
{
    const QString name = planned.value
                             ? QStringLiteral("%1 %2").arg(
                                   planned.what, headlineText(*planned.value, planned.unit, locale))
                             : QStringLiteral("no %1").arg(planned.what);
    return {.of = planned.unit == Unit::Hours ? ChartLimit::Of::X : ChartLimit::Of::Y,
            .at = std::clamp(at.value_or(axis.high), axis.low, axis.high),
            .name = name,
            .isSet = planned.value.has_value(),
            .isMovable = true};
}

QString subtitleOf(const OfferRows& rows, const Scale& scale, const DisplayLocale& locale)
{
    QString text = QStringLiteral("Both logarithmic; down and left is better");
    if (rows.startupHours() > 0)
        text += QStringLiteral("; without the %1 that each takes to start")
                    .arg(headlineText(rows.startupHours(), Unit::Hours, locale));
    if (scale.leftOut > 0)
        text += QStringLiteral("; %1 that are outclassed a hundredfold are left out")
                    .arg(locale.toString(qulonglong{scale.leftOut}));
    return text;
}

} // namespace

OffersView makeOffersView(const OfferRows& rows, const std::vector<std::uint32_t>& shown,
                          const core::Plan& plan, const DisplayLocale& locale)
{
    std::vector<std::uint32_t> all(rows.count());
    std::iota(all.begin(), all.end(), 0U);
    // By what could be bought, so that a limit that is moved doesn't move the scale under it.
    const std::vector<std::uint32_t> best = paretoFront(rows, all, FrontOf::Usable);
    const Outclassed isOutclassed(rows, best);
    Groups groups = groupsOf(rows, shown, isOutclassed, plan, locale);
    Scale scale = scaleOf(rows, isOutclassed);
    OffersView view;
    view.verdict = verdictOf(rows, paretoFront(rows, shown), locale);
    ChartModel& chart = view.chart;
    chart.kind = ChartModel::Kind::Scatter;
    chart.title = QStringLiteral("Time against cost of one training run");
    chart.subtitle = subtitleOf(rows, scale, locale);
    chart.description = view.verdict;
    chart.empty = view.verdict;
    for (const ChartPoint& point : groups.chosen.points)
        scale.take(point.x, point.y / locale.money(1));
    for (ChartSeries* series : groups.all()) {
        if (!series->points.empty())
            chart.series.push_back(std::move(*series));
    }
    chart.x =
        timeAxis(scale.leastHours, scale.mostHours,
                 rows.startupHours() > 0 ? QStringLiteral("Time of the run, without its start")
                                         : QStringLiteral("Time of the run"));
    chart.y =
        logAxis(locale.money(scale.leastUsd), locale.money(scale.mostUsd), locale.currency.code);
    const std::optional<double> deadline =
        plan.deadlineHours ? std::optional(*plan.deadlineHours - rows.startupHours())
                           : std::nullopt;
    chart.limits = {
        limitOf({QStringLiteral("deadline"), Unit::Hours, plan.deadlineHours}, deadline, chart.x,
                locale),
        limitOf({QStringLiteral("budget"), Unit::Usd, plan.budgetUsd},
                plan.budgetUsd ? std::optional(locale.money(*plan.budgetUsd)) : std::nullopt,
                chart.y, locale)};
    for (const ChartLimit& limit : chart.limits) {
        if (limit.isSet)
            chart.description += QStringLiteral("; ") + limit.name;
    }
    return view;
}

core::Json limitValue(const OfferRows& rows, std::size_t limit, std::optional<double> at,
                      const DisplayLocale& locale)
{
    if (!at)
        return {};
    const bool isMoney = LimitPointers.at(limit) == "/plan/budget_usd";
    if (isMoney)
        return {*at / locale.money(1)};
    constexpr double Fine = 1e4; // a third of a second
    return {std::round((*at + rows.startupHours()) * Fine) / Fine};
}

} // namespace outlay::gui
