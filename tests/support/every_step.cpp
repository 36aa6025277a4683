// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/every_step.h"

#include "core/base/units.h"
#include "core/hardware/flight.h"
#include "core/service/simulation.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>
#include <random>

namespace outlay::tests {
namespace {

using namespace core;

/// Seconds of prompts and of steps with so many in flight.
class Forecast {
public:
    Forecast(const Experiment& e, const Devices& devices, std::int64_t most)
    {
        const LayerKinds layers(expand(e.model));
        const auto seconds = [&](const Serving& serving) {
            return requestSecondsOn(servingDemand(e.model, layers, serving), devices);
        };
        Serving s = e.serving;
        for (s.batch = 1; *s.batch <= most; ++*s.batch)
            m_tokenS.push_back(seconds(s).token);
        constexpr std::int64_t Usual = 16;
        s.batch = Usual;
        const ServingDemand step = servingDemand(e.model, layers, s);
        s.batch = 1;
        for (const double share :
             {0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 6.0, 10.0}) {
            s.inputTokens = std::llround(share * real(e.serving.inputTokens));
            m_promptS[real(s.inputTokens)] =
                besideSecondsOn(servingDemand(e.model, layers, s), step, devices);
        }
    }

    [[nodiscard]] double tokenS(std::size_t count) const { return m_tokenS.at(count - 1); }
    [[nodiscard]] std::size_t most() const { return m_tokenS.size(); }
    [[nodiscard]] double promptS(double tokens) const
    {
        const auto above = m_promptS.lower_bound(tokens);
        if (above == m_promptS.begin())
            return above->second;
        const auto below = std::prev(above);
        if (above == m_promptS.end())
            return below->second * tokens / below->first;
        const double share = (tokens - below->first) / (above->first - below->first);
        return below->second + share * (above->second - below->second);
    }

private:
    std::vector<double> m_tokenS; // with 1, 2, ...
    std::map<double, double> m_promptS;
};

struct Seen {
    double inFlight = 0;
    double latencyS = 0;
    double busyShare = 0;
    double answerP95S = 0;
    double firstP95S = 0;
    double tokenP95S = 0; // of an answer's later ones on average
};

double p95Of(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() * 95 / 100];
}

/// Log-normal; always the same where nothing scatters.
class Lengths {
public:
    Lengths(std::int64_t mean, double spread)
        : m_mean(real(mean)), m_sigma(std::sqrt(std::log(1 + spread * spread))),
          m_law(std::log(m_mean) - m_sigma * m_sigma / 2, m_sigma)
    {
    }
    double operator()(std::mt19937_64& random)
    {
        return m_sigma > 0 ? std::max(1.0, std::round(m_law(random))) : m_mean;
    }

private:
    double m_mean;
    double m_sigma;
    std::lognormal_distribution<double> m_law;
};

/// Reads the prompts that have come and makes one token of each answer that has begun, and so on.
class Engine {
public:
    Engine(const Forecast& forecast, const Serving& serving, double perS)
        : m_forecast(forecast), m_gap(perS), m_inputs(serving.inputTokens, serving.inputSpread),
          m_laters(serving.outputTokens - 1, serving.outputSpread), m_next(m_gap(m_random))
    {
    }

    [[nodiscard]] Seen run(std::size_t requests)
    {
        while (m_answers.size() < requests) {
            come();
            if (m_running.empty() && m_waiting.empty())
                m_now = m_next;
            else
                step();
        }
        const double count = static_cast<double>(m_answers.size());
        return {.inFlight = m_area / m_now,
                .latencyS = std::accumulate(m_answers.begin(), m_answers.end(), 0.0) / count,
                .busyShare = m_busy / m_now,
                .answerP95S = p95Of(m_answers),
                .firstP95S = p95Of(m_firsts),
                .tokenP95S = p95Of(m_each)};
    }

private:
    struct Answer {
        double came = 0;
        double input = 0;
        double tokens = 0;
        double left = 0;
        double first = 0; // no time is before any
    };

    void come()
    {
        for (; m_next <= m_now; m_next += m_gap(m_random)) {
            const double tokens = m_laters(m_random);
            m_waiting.push_back({m_next, m_inputs(m_random), tokens, tokens});
        }
    }

    void step()
    {
        double seconds = 0;
        for (; !m_waiting.empty() && m_running.size() < m_forecast.most(); m_waiting.pop_front()) {
            seconds += m_forecast.promptS(m_waiting.front().input);
            m_running.push_back(m_waiting.front());
        }
        seconds += m_forecast.tokenS(m_running.size());
        m_area += static_cast<double>(m_running.size() + m_waiting.size()) * seconds;
        m_busy += seconds;
        m_now += seconds;
        for (Answer& answer : m_running) {
            if (answer.first <= 0)
                answer.first = m_now; // by the step that has read it
            else
                --answer.left;
            if (answer.left <= 0)
                leave(answer);
        }
        std::erase_if(m_running, [](const Answer& answer) { return answer.left <= 0; });
    }

    void leave(const Answer& answer)
    {
        m_answers.push_back(m_now - answer.came);
        m_firsts.push_back(answer.first - answer.came);
        if (answer.tokens > 0)
            m_each.push_back((m_now - answer.first) / answer.tokens);
    }

    const Forecast& m_forecast;
    std::mt19937_64 m_random{7};
    std::exponential_distribution<double> m_gap;
    Lengths m_inputs;
    Lengths m_laters;
    double m_next;
    double m_now = 0;
    double m_area = 0;
    double m_busy = 0;
    std::deque<Answer> m_waiting;
    std::vector<Answer> m_running;
    std::vector<double> m_answers;
    std::vector<double> m_firsts;
    std::vector<double> m_each;
};

} // namespace

std::string missedInFlight(const Experiment& service, const Devices& on, double load,
                           const Allowed& allowed)
{
    constexpr std::size_t Requests = 20000;
    constexpr double DayS = 86400;
    const Flight flight(
        flightDemand(service.model, LayerKinds(expand(service.model)), service.serving, {}), on);
    const double perS = load * flight.capacityPerS();
    const FlightState state = flight.under(perS);
    const Forecast forecast(service, on, static_cast<std::int64_t>(flight.most()));
    const Seen seen = Engine(forecast, service.serving, perS).run(Requests);
    const auto day = simulateDay(flight.pace(), {.requestsPerDay = perS * DayS});
    if (!day)
        return "there is no day to simulate";
    struct Compared {
        const char* what;
        double found;
        double seen;
        double allowed;
    };
    const double formula = allowed.formula;
    const double simulation = allowed.simulation;
    for (const Compared& c : {
             Compared{"in flight", state.inFlight, seen.inFlight, formula},
             Compared{"latency", state.latencyS, seen.latencyS, formula},
             Compared{"busy", state.busyShare(), seen.busyShare, formula},
             Compared{"answer", state.p95S, seen.answerP95S, formula},
             Compared{"first token", flight.firstTokenP95S(state, perS), seen.firstP95S, formula},
             Compared{"token", flight.tokenP95S(state), seen.tokenP95S, formula},
             Compared{"in flight of the day", day->inFlight, seen.inFlight, simulation},
             Compared{"busy of the day", day->busyShare, seen.busyShare, simulation},
             Compared{"answer of the day", *day->answerP95S, seen.answerP95S, simulation},
             Compared{"first token of the day", *day->firstTokenP95S, seen.firstP95S, simulation},
             Compared{"token of the day", *day->tokenP95S, seen.tokenP95S, simulation},
         }) {
        if (!(std::abs(c.found / c.seen - 1) < c.allowed))
            return std::string(c.what) + ": " + std::to_string(c.found) + " against " +
                   std::to_string(c.seen);
    }
    return {};
}

} // namespace outlay::tests
