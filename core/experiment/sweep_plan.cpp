// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/sweep_plan.h"

#include "core/base/text.h"
#include "core/base/units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace outlay::core {
namespace {

/// Where a point lies on each axis, from 0 to 1, by the order of the values.
class PointPlaces {
public:
    explicit PointPlaces(const Sweep& sweep)
    {
        std::size_t stride = sweep.size();
        for (const SweepAxis& axis : sweep.axes()) {
            stride /= axis.values.size();
            m_axes.push_back({stride, axis.values.size()});
        }
    }

    [[nodiscard]] double squaredDistance(std::size_t a, std::size_t b) const
    {
        double sum = 0;
        for (const auto& [stride, count] : m_axes) {
            const auto at = [stride = stride, count = count](std::size_t point) {
                return count < 2 ? 0.0
                                 : static_cast<double>(point / stride % count) /
                                       static_cast<double>(count - 1);
            };
            sum += (at(a) - at(b)) * (at(a) - at(b));
        }
        return sum;
    }

private:
    struct Axis {
        std::size_t stride;
        std::size_t count;
    };
    std::vector<Axis> m_axes;
};

} // namespace

Result<SweepBudget> readBudget(std::string_view text)
{
    struct BudgetUnit {
        std::string_view name;
        double factor;
        std::optional<double> SweepBudget::*field;
    };
    constexpr double HourOfMinute = 1 / 60.0;
    const std::array<BudgetUnit, 3> units{{{"min", HourOfMinute, &SweepBudget::hours},
                                           {"h", 1, &SweepBudget::hours},
                                           {"usd", 1, &SweepBudget::usd}}};
    for (const BudgetUnit& unit : units) {
        if (!text.ends_with(unit.name))
            continue;
        const auto number = numberIn(text.substr(0, text.size() - unit.name.size()));
        if (!number || *number <= 0)
            break;
        SweepBudget budget;
        budget.*unit.field = *number * unit.factor;
        return budget;
    }
    return usageError(inQuotes(text) + " is no budget", "give it as 90min, 2h or 5usd");
}

std::vector<std::size_t> spreadFirst(const Sweep& sweep, std::vector<std::size_t> points)
{
    const PointPlaces places(sweep);
    std::vector<std::size_t> order;
    std::vector<double> nearest(points.size(), std::numeric_limits<double>::infinity());
    std::size_t next = 0;
    while (order.size() < points.size()) {
        const std::size_t chosen = points[next];
        order.push_back(chosen);
        nearest[next] = -1; // taken
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (nearest[i] >= 0)
                nearest[i] = std::min(nearest[i], places.squaredDistance(points[i], chosen));
        }
        next = static_cast<std::size_t>(std::max_element(nearest.begin(), nearest.end()) -
                                        nearest.begin());
    }
    return order;
}

Result<SweepPlan> planWithin(const Sweep& sweep, std::vector<std::size_t> points,
                             const SweepBudget& budget, const SweepMachines& machines)
{
    if (budget.usd && !machines.usdPerHour)
        return usageError("the budget is in dollars, and what an hour costs isn't known",
                          "give hour_price_usd in the profile of each host, or a budget in hours");
    double hours = budget.hours.value_or(std::numeric_limits<double>::infinity());
    if (budget.usd && *machines.usdPerHour > 0)
        hours = std::min(hours, *budget.usd / *machines.usdPerHour);
    // All places work until the last round.
    const double rounds = std::floor(hours * SecondsPerHour / machines.secondsOfPoint + 1e-9);
    const double most = rounds * machines.atOnce;
    if (most < 1 && !points.empty())
        return usageError("the budget doesn't suffice for one point, which takes " +
                              plainNumber(machines.secondsOfPoint) + " s",
                          "give a larger one, or a shorter --seconds");
    SweepPlan plan{.points = spreadFirst(sweep, std::move(points))};
    if (static_cast<double>(plan.points.size()) > most) {
        plan.leftOut = plan.points.size() - static_cast<std::size_t>(most);
        plan.points.resize(static_cast<std::size_t>(most));
    }
    plan.hours = std::ceil(static_cast<double>(plan.points.size()) / machines.atOnce) *
                 machines.secondsOfPoint / SecondsPerHour;
    if (machines.usdPerHour)
        plan.usd = plan.hours * *machines.usdPerHour;
    return plan;
}

} // namespace outlay::core
