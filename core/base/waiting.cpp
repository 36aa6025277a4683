// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/waiting.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace outlay::core {
namespace {

constexpr double ExactServers = 300;
constexpr double Late = 0.05; // of the requests

/// Erlang's B for one server more each time, by the recursion of its inverse, which takes no division.
class Blocking {
public:
    explicit Blocking(double load) : m_load(load), m_perLoad(1 / load) {}

    void addServer()
    {
        m_servers += 1;
        m_inverse = 1 + m_inverse * (m_servers * m_perLoad);
    }
    /// Erlang's C.
    [[nodiscard]] double waitProbability() const
    {
        const double blocked = 1 / m_inverse; // 0 where the inverse is beyond all numbers
        return blocked / (1 - m_load / m_servers * (1 - blocked));
    }
    [[nodiscard]] double servers() const { return m_servers; }

private:
    double m_load;
    double m_perLoad;
    double m_servers = 0;
    double m_inverse = 1;
};

double exactProbability(double servers, double load)
{
    Blocking blocking(load);
    while (blocking.servers() < servers)
        blocking.addServer();
    return blocking.waitProbability();
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

/// What 95 of 100 wait at most, where one of them waits with the probability `waiting`.
double p95OfWait(double waiting, double serviceS, double idleServers)
{
    return waiting <= Late ? 0 : std::log(waiting / Late) * serviceS / idleServers;
}

/// Up to `ExactServers`, or 0 where it takes more.
double fewInstances(const Queue& queue, double longestWaitS)
{
    const double load = queue.load();
    Blocking blocking(load);
    double instances = 1;
    double servers = std::floor(queue.serversPerInstance);
    while (servers <= ExactServers) {
        while (blocking.servers() < servers)
            blocking.addServer();
        if (servers > load &&
            p95OfWait(blocking.waitProbability(), queue.serviceS, servers - load) <= longestWaitS)
            return instances;
        instances += 1;
        servers = std::floor(instances * queue.serversPerInstance);
    }
    return 0;
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
    return p95OfWait(waitProbability(servers, load), queue.serviceS, servers - load);
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
    if (load < ExactServers) {
        if (const double few = fewInstances(queue, longestWaitS); few > 0)
            return few;
    }
    const auto holds = [&](double n) { return waitP95S(queue, n) <= longestWaitS; };
    double tooFew = std::floor(std::max(load, ExactServers) / queue.serversPerInstance);
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

} // namespace outlay::core
