// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/scaling.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace outlay::pricing {
namespace {

constexpr double ExactServers = 300;
constexpr double Late = 0.05; // of the requests

/// Erlang's B by the recursion of its inverse, which takes no division, and from it C.
double exactProbability(double servers, double load)
{
    double inverse = 1;
    const double perLoad = 1 / load;
    const auto count = static_cast<std::int64_t>(servers);
    for (std::int64_t n = 1; n <= count; ++n)
        inverse = 1 + inverse * (static_cast<double>(n) * perLoad);
    const double blocked = 1 / inverse; // 0 where the inverse is beyond all numbers
    return blocked / (1 - load / servers * (1 - blocked));
}

double limitProbability(double servers, double load)
{
    const double spare = (servers - load) / std::sqrt(servers);
    const double density = std::exp(-spare * spare / 2) / std::sqrt(2 * std::numbers::pi);
    if (density <= 0)
        return 0;
    const double below = std::erfc(-spare / std::numbers::sqrt2) / 2;
    return 1 / (1 + spare * below / density);
}

} // namespace

double waitProbability(double servers, double load)
{
    if (load <= 0)
        return 0;
    if (load >= servers)
        return 1;
    return servers <= ExactServers ? exactProbability(servers, load)
                                   : limitProbability(servers, load);
}

double waitP95S(const Queue& queue, double instances)
{
    const double servers = std::floor(instances * queue.serversPerInstance);
    const double load = queue.load();
    if (load <= 0)
        return 0;
    if (load >= servers)
        return std::numeric_limits<double>::infinity();
    const double waiting = waitProbability(servers, load);
    if (waiting <= Late)
        return 0;
    return std::log(waiting / Late) * queue.serviceS / (servers - load);
}

double instancesFor(const Queue& queue, double longestWaitS)
{
    const double load = queue.load();
    if (load <= 0)
        return 0;
    // Beyond that, counting single instances means nothing.
    constexpr double MostCounted = 1e12;
    if (!(load < MostCounted))
        return std::ceil(load / queue.serversPerInstance);
    const auto holds = [&](double n) { return waitP95S(queue, n) <= longestWaitS; };
    double tooFew = std::floor(load / queue.serversPerInstance);
    double enough = tooFew + 1;
    for (double step = 1; !holds(enough); step *= 2) {
        tooFew = enough;
        enough += step;
    }
    while (enough - tooFew > 1) {
        const double middle = std::floor((tooFew + enough) / 2);
        (holds(middle) ? enough : tooFew) = middle;
    }
    return enough;
}

} // namespace outlay::pricing
