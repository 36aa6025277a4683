// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/drift.h"

#include "core/base/units.h"
#include "pricing/date.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace outlay::pricing {
namespace {

/// Fewer pairs than that have no quantiles of their own.
constexpr std::size_t LeastPairs = 10;

/// Reserved prices were seen at one date only; they are discounts on what is asked on demand.
std::size_t kindOf(core::Purchase purchase)
{
    return purchase == core::Purchase::Spot ? 1 : 0;
}

/// The change of the logarithm over one year. Prices change by steps, so one that was seen within
/// less than a year counts as that year's.
std::optional<double> changeOf(const OfferTable& table, const OfferRow& then, const OfferRow& now)
{
    const auto days = daysBetween(table.sources[then.source].asOf, table.sources[now.source].asOf);
    const double before = then.usdPerHour.value_or(0);
    const double after = now.usdPerHour.value_or(0);
    if (!days || *days <= 0 || before <= 0 || after <= 0)
        return std::nullopt;
    return std::log(after / before) / std::sqrt(std::max(*days / core::DaysPerYear, 1.0));
}

double quantile(const std::vector<double>& sorted, double share)
{
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

} // namespace

std::array<Drift::Spread, 2> Drift::spreadOf(const Changes& changes)
{
    constexpr double LowShare = 0.1;
    constexpr double HighShare = 0.9;
    std::vector<double> all = changes[0];
    all.insert(all.end(), changes[1].begin(), changes[1].end());
    std::array<Spread, 2> spreads;
    if (all.empty())
        return spreads;
    // What did not move yet may: no group spreads less than its purchase kind did on average.
    double mean = 0;
    for (const double change : all)
        mean += std::abs(change) / static_cast<double>(all.size());
    for (std::size_t i = 0; i < spreads.size(); ++i) {
        std::vector<double> sorted = changes.at(i).size() < LeastPairs ? all : changes.at(i);
        std::sort(sorted.begin(), sorted.end());
        spreads.at(i) = {std::min(quantile(sorted, LowShare), -mean),
                         std::max(quantile(sorted, HighShare), mean), sorted.size()};
    }
    return spreads;
}

Drift::Drift(const OfferTable& table, std::span<const OfferRow> earlier)
{
    const auto isBefore = [](const OfferRow& a, const OfferRow& b) {
        return std::tuple(a.machine, a.region, a.purchase) <
               std::tuple(b.machine, b.region, b.purchase);
    };
    std::vector<OfferRow> current = table.rows;
    if (!std::is_sorted(current.begin(), current.end(), isBefore))
        std::sort(current.begin(), current.end(), isBefore);
    std::array<Changes, 2> changes;
    for (const OfferRow& then : earlier) {
        const auto now = std::lower_bound(current.begin(), current.end(), then, isBefore);
        if (now == current.end() || isBefore(then, *now))
            continue;
        const std::size_t group = table.machines[then.machine].accelerator.empty() ? 0 : 1;
        if (const auto change = changeOf(table, then, *now))
            changes.at(kindOf(then.purchase)).at(group).push_back(*change);
    }
    for (std::size_t kind = 0; kind < changes.size(); ++kind)
        m_spreads.at(kind) = spreadOf(changes.at(kind));
}

const Drift::Spread& Drift::spread(core::Purchase purchase, bool isAccelerated) const
{
    return m_spreads.at(kindOf(purchase)).at(isAccelerated ? 1 : 0);
}

PriceRange Drift::after(double years, core::Purchase purchase, bool isAccelerated) const
{
    const Spread& seen = spread(purchase, isAccelerated);
    const double rootYears = std::sqrt(std::max(years, 0.0));
    return {std::exp(seen.low * rootYears), std::exp(seen.high * rootYears)};
}

std::size_t Drift::pairs(core::Purchase purchase, bool isAccelerated) const
{
    return spread(purchase, isAccelerated).pairs;
}

} // namespace outlay::pricing
