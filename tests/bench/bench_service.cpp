// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// bench_service [SERVICES [SPREAD [SLOTS [each]]]]: the formulas for requests in flight against the simulation, over random services of
// several devices, below 0.85 of what a machine answers. SPREAD is the most by which lengths scatter.
#include "core/experiment/presets.h"
#include "core/hardware/hardware_catalog.h"
#include "core/probe/statistics.h"
#include "core/service/simulation.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace outlay::core;

namespace {

/// How far a formula lies from the simulation, of all services.
class Misses {
public:
    explicit Misses(const char* what) : m_what(what) {}

    void add(double formula, double simulated)
    {
        if (simulated > 0)
            m_shares.push_back(std::abs(formula / simulated - 1));
    }
    void print() const
    {
        const auto within =
            std::count_if(m_shares.begin(), m_shares.end(), [](double s) { return s <= 0.15; });
        std::printf("%-28s %5zu: median %5.1f %%, 90 %% within %5.1f %%; within 15 %%: %5.1f %%\n",
                    m_what, m_shares.size(), 100 * median(m_shares),
                    100 * percentile(m_shares, 0.9),
                    100.0 * static_cast<double>(within) / static_cast<double>(m_shares.size()));
    }

private:
    const char* m_what;
    std::vector<double> m_shares;
};

struct Place {
    const char* device;
    std::int64_t count;
};

} // namespace

int main(int count, char** arguments)
{
    const int services = count > 1 ? std::atoi(arguments[1]) : 1000;
    const double widest = count > 2 ? std::atof(arguments[2]) : 1.3;
    constexpr std::array Places{
        Place{"A10G", 1},           Place{"L40S", 1}, Place{"A100-80GB-SXM4", 1},
        Place{"H100-SXM5-80GB", 1}, Place{"L4", 1},   Place{"A100-80GB-SXM4", 4}};
    const std::int64_t slotCount = count > 3 ? std::atoll(arguments[3]) : 0;
    const bool isVerbose = count > 4;
    std::mt19937_64 random(18);
    const auto between = [&](double low, double high) {
        return std::exp(std::uniform_real_distribution(std::log(low), std::log(high))(random));
    };
    Misses inFlight("mean in flight");
    Misses answer("95 of 100 answers");
    Misses first("first token, 95 of 100");
    Misses firstApart("  places to spare, under 0.5");
    Misses token("a token, 95 of 100");
    Misses busy("time at work");
    double formulaS = 0;
    for (int i = 0; i < services; ++i) {
        const Place& place = Places.at(random() % Places.size());
        Experiment e = preset("llama-3.1-8b")->experiment;
        e.serving.inputTokens = std::llround(between(20, 6000));
        e.serving.outputTokens = std::llround(between(20, 1000));
        e.serving.inputSpread = std::uniform_real_distribution(0.0, widest)(random);
        e.serving.outputSpread = std::uniform_real_distribution(0.0, widest)(random);
        if (widest > 0 && random() % 3 == 0)
            e.serving.sharedTokens = e.serving.inputTokens / 2;
        e.serving.latencyP95Ms = 1e9;
        if (slotCount > 0) {
            e.serving.engine = Engine::LlamaCpp;
            e.serving.slotCount = slotCount;
        }
        const auto device = hardwareCatalog()->device(place.device);
        const Devices on{*device, place.count, *calibration()};
        const FlightDemand demand =
            flightDemand(e.model, LayerKinds(expand(e.model)), e.serving, {});
        const auto start = std::chrono::steady_clock::now();
        const Flight flight(demand, on);
        const double load = std::uniform_real_distribution(0.02, 0.85)(random);
        const double perS = load * flight.capacityPerS();
        const FlightState state = flight.under(perS);
        const double firstS = flight.firstTokenP95S(state, perS);
        const double tokenS = flight.tokenP95S(state);
        formulaS += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const auto day = simulateDay(flight.pace(), {.requestsPerDay = perS * 86400});
        if (!day)
            continue;
        if (isVerbose)
            std::printf(
                "%s x%lld in %lld %.2f out %lld %.2f load %.2f flight %.1f/%.1f (most %.0f) "
                "answer %.3f/%.3f token %.4f/%.4f first %.3f/%.3f\n",
                place.device, static_cast<long long>(place.count),
                static_cast<long long>(e.serving.inputTokens), e.serving.inputSpread,
                static_cast<long long>(e.serving.outputTokens), e.serving.outputSpread, load,
                state.inFlight, day->inFlight, flight.most(), state.p95S, *day->answerP95S, tokenS,
                *day->tokenP95S, firstS, *day->firstTokenP95S);
        inFlight.add(state.inFlight, day->inFlight);
        answer.add(state.p95S, *day->answerP95S);
        token.add(tokenS, *day->tokenP95S);
        busy.add(state.busyShare(), day->busyShare);
        first.add(firstS, *day->firstTokenP95S);
        if (load < 0.5 && state.inFlight < 0.5 * flight.most())
            firstApart.add(firstS, *day->firstTokenP95S);
    }
    for (const Misses* misses : {&inFlight, &answer, &first, &firstApart, &token, &busy})
        misses->print();
    std::printf("%.0f us for the formulas of a machine\n", 1e6 * formulaS / services);
    return 0;
}
