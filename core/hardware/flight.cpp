// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/flight.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace outlay::core {
namespace {

constexpr std::array<std::int64_t, 5> Counts{1, 4, 16, 64, 256};
constexpr double EngineShare = 0.9; // of the memory, which engines take by default
constexpr double MostKept = 0.9;    // of those in flight, because others keep them
constexpr double MostPrompts = 0.9; // of the time, before answers stop
constexpr double Together = 1.5;    // power of the queue of prompts; by the simulation in the tests
constexpr double At95 = 1.645;      // standard deviations
constexpr double Early = 0.95;      // of the requests

bool takesInAsTheyCome(Engine engine)
{
    switch (engine) {
    case Engine::Vllm:
    case Engine::TensorRtLlm:
    case Engine::SgLang:
    case Engine::DeepSpeed: return true;
    case Engine::LibTorch:
    case Engine::TensorFlow:
    case Engine::FasterTransformer:
    case Engine::Transformers:
    case Engine::LlamaCpp: break;
    }
    return false;
}

/// An engine's steps: each reads the prompts that came during the one before, then makes one token of each answer.
class Steps {
public:
    Steps(double promptS, double tokenS, double perS, double meanS)
        : m_promptS(promptS), m_tokenS(tokenS), m_perS(perS)
    {
        // After a long step more prompts have come, which makes the next one long: they spread wider than by chance,
        // by a negative binomial law. Who comes meets a long step more often than a short one.
        const double usual = std::min(perS * meanS, MostUsual);
        const double kept = std::pow(std::min(perS * promptS, MostPrompts), 2);
        double sum = 0;
        double chance = std::exp(kept > 0 ? usual * (1 - kept) / kept * std::log1p(-kept) : -usual);
        for (double prompts = 0; prompts < mostOf(usual / (1 - kept)); ++prompts) {
            m_met.push_back(chance * lengthWith(prompts));
            sum += m_met.back();
            chance *= (prompts * kept + usual * (1 - kept)) / (prompts + 1);
        }
        for (double& share : m_met)
            share /= sum;
    }

    /// Of those who come while such steps run, how many have their first token so soon.
    [[nodiscard]] double shareWithin(double seconds) const
    {
        double share = 0;
        double prompts = 0;
        for (const double met : m_met) {
            if (met > Least)
                share += met * shareMeeting(lengthWith(prompts), seconds);
            ++prompts;
        }
        return share;
    }

private:
    static constexpr double Least = 1e-4;
    static constexpr double MostUsual = 600; // its chance of none is still a number

    /// More than that never come by chance where so many are usual.
    [[nodiscard]] static double mostOf(double usual) { return usual + 6 * std::sqrt(usual) + 6; }

    [[nodiscard]] double lengthWith(double prompts) const { return m_tokenS + m_promptS * prompts; }

    /// The rest of a step that takes `lengthS`, then one with the prompts of all who came during it.
    [[nodiscard]] double shareMeeting(double lengthS, double seconds) const
    {
        double share = 0;
        const double usual = std::min(m_perS * lengthS, MostUsual);
        double chance = std::exp(-usual);
        for (double others = 0; others < mostOf(usual); ++others) {
            const double left = seconds - lengthWith(others + 1);
            if (left <= 0)
                break;
            share += chance * std::min(left / lengthS, 1.0);
            chance *= usual / (others + 1);
        }
        return share;
    }

    double m_promptS;
    double m_tokenS;
    double m_perS;
    std::vector<double> m_met; // how often one comes while a step with so many prompts runs
};

} // namespace

Promises promisesOf(const Serving& serving)
{
    const auto seconds = [](const std::optional<double>& ms) {
        return ms ? std::optional(*ms / MillisPerS) : std::nullopt;
    };
    return {.answerS = serving.latencyP95Ms / MillisPerS,
            .firstTokenS = seconds(serving.firstTokenP95Ms),
            .tokenS = seconds(serving.tokenP95Ms)};
}

bool isContinuous(const ServingDemand& demand)
{
    return couldBeContinuous(demand) && !demand.serving.batch;
}

bool couldBeContinuous(const ServingDemand& demand)
{
    return takesInAsTheyCome(demand.engine) && demand.laterTokens > 0;
}

FlightDemand flightDemand(const Model& model, const LayerKinds& layers, const Serving& serving,
                          double p95OverMedian)
{
    FlightDemand demand{.promises = promisesOf(serving), .p95OverMedian = p95OverMedian};
    Serving together = serving;
    for (const std::int64_t count : Counts) {
        together.batch = count;
        demand.at.push_back(servingDemand(model, layers, together));
    }
    return demand;
}

double FlightState::busyShare() const
{
    return -std::expm1(-inFlight);
}

Flight::Flight(const FlightDemand& demand, const Devices& on)
    : m_promises(demand.promises), m_ratio(demand.p95OverMedian)
{
    const ServingDemand& one = demand.at.front();
    m_later = one.laterTokens;
    const RequestSeconds alone = requestSecondsOn(one, on);
    m_promptS = alone.prompt;
    for (const ServingDemand& at : demand.at) {
        m_counts.push_back(real(batchOf(at.serving)));
        m_tokenS.push_back(m_tokenS.empty() ? alone.token : tokenSecondsOn(at, on));
    }
    const double bytes = on.device.memoryGb.value_or(0) * Giga * EngineShare * real(on.count);
    const double left = bytes - on.runtimeBytes - (one.memory.value() - one.stateBytes);
    const bool isLimited = on.device.memoryGb && one.stateBytes > 0;
    const double held = isLimited ? std::floor(left / one.stateBytes) : m_counts.back();
    // One that fits at all is answered.
    m_most = std::clamp(held, 1.0, m_counts.back());
}

double Flight::tokenS(double inFlight) const
{
    const auto above = std::upper_bound(m_counts.begin(), m_counts.end(), inFlight);
    if (above == m_counts.begin())
        return m_tokenS.front();
    const auto i =
        std::min(static_cast<std::size_t>(above - m_counts.begin()), m_counts.size() - 1);
    const double share = (inFlight - m_counts[i - 1]) / (m_counts[i] - m_counts[i - 1]);
    return m_tokenS[i - 1] + share * (m_tokenS[i] - m_tokenS[i - 1]);
}

EnginePace Flight::pace(double slower) const
{
    EnginePace pace{.promptS = slower * m_promptS,
                    .steps = std::max<std::int64_t>(1, std::llround(m_later))};
    for (double count = 1; count <= m_most; ++count)
        pace.tokenS.push_back(slower * tokenS(count));
    return pace;
}

/// Tokens wait while the prompts of others are read.
double Flight::latencyS(double inFlight, double perS, double slower) const
{
    const double prompts = std::min(perS * m_promptS * slower, MostPrompts);
    return slower * (m_promptS + m_later * tokenS(std::max(inFlight, 1.0))) / (1 - prompts);
}

/// As many are in flight as come while one is answered, which takes the longer, the more there are. Between two counts
/// that is a straight line, so the first that meets itself is computed; infinite where none does.
double Flight::inFlightUnder(double perS, double slower) const
{
    const double alone = perS * latencyS(1, perS, slower);
    if (alone <= 1)
        return alone;
    for (std::size_t i = 1; i < m_counts.size(); ++i) {
        const double from = m_counts[i - 1];
        const double at = perS * latencyS(from, perS, slower);
        const double then = perS * latencyS(m_counts[i], perS, slower);
        const double slope = (then - at) / (m_counts[i] - from);
        const double met = slope < 1 ? (at - slope * from) / (1 - slope) : -1;
        if (met >= from && met <= m_counts[i])
            return met;
    }
    return std::numeric_limits<double>::infinity();
}

FlightState Flight::under(double perS, double slower) const
{
    FlightState state;
    state.inFlight = std::min(inFlightUnder(perS, slower), m_counts.back());
    const double n = state.inFlight;
    const double busy = std::min(perS * m_promptS * slower, MostPrompts);
    // What one more in flight adds to each; it keeps the others longer, so that more are in flight.
    const double slope = latencyS(n + 1, perS, slower) - latencyS(n, perS, slower);
    const double kept = std::min(perS * slope, MostKept);
    const double around = std::sqrt(n / (1 - kept));
    const double often = n + At95 * around;
    state.isSteady = often <= m_most + 1 && state.inFlight <= m_most &&
                     state.inFlight < m_counts.back() && perS * m_promptS * slower < MostPrompts;
    state.latencyS = latencyS(state.inFlight, perS, slower);
    // Prompts of others come by chance, too, and those that wait for each other come together.
    const double prompts = std::sqrt(n) * m_promptS * slower / std::pow(1 - busy, Together);
    const double late = latencyS(std::min(often, m_most), perS, slower);
    state.p95S = m_ratio * (late + At95 * prompts);
    const double ownPromptS = slower * m_promptS / (1 - busy);
    state.tokenP95S = m_later > 0 ? m_ratio * (late - ownPromptS + At95 * prompts) / m_later : 0;
    return state;
}

double Flight::firstTokenP95S(const FlightState& state, double perS, double slower) const
{
    const double promptS = slower * m_promptS;
    const double stepS = slower * tokenS(std::max(state.inFlight, 1.0));
    const double busy = std::min(perS * promptS, MostPrompts);
    const Steps steps{promptS, stepS, perS, stepS / (1 - busy)};
    const double aloneS = slower * (m_promptS + tokenS(1));
    const double share = state.busyShare();
    double low = promptS;
    double high = aloneS + stepS;
    const auto kept = [&](double s) {
        return (s >= aloneS ? 1 - share : 0) + share * steps.shareWithin(s);
    };
    constexpr int Doublings = 40; // enough wherever answers keep up with requests
    for (int i = 0; i < Doublings && kept(high) < Early; ++i)
        high *= 2;
    constexpr int Halvings = 12;
    for (int i = 0; i < Halvings; ++i) {
        const double middle = (low + high) / 2;
        (kept(middle) < Early ? low : high) = middle;
    }
    return m_ratio * high;
}

bool Flight::holds(const FlightState& state, double perS, double slower) const
{
    const auto isKept = [](double value, double alone, double promised) {
        return value <= longestS(alone, promised);
    };
    if (!state.isSteady ||
        !isKept(state.p95S, m_ratio * latencyS(1, 0, slower), m_promises.answerS))
        return false;
    if (m_promises.tokenS &&
        !isKept(state.tokenP95S, m_ratio * slower * tokenS(1), *m_promises.tokenS))
        return false;
    return !m_promises.firstTokenS ||
           isKept(firstTokenP95S(state, perS, slower), m_ratio * slower * (m_promptS + tokenS(1)),
                  *m_promises.firstTokenS);
}

double Flight::capacityPerS(double slower) const
{
    constexpr int Halvings = 16;
    double low = 0;
    double high = m_most / latencyS(1, 0, slower);
    for (int i = 0; i < Halvings; ++i) {
        const double middle = (low + high) / 2;
        (holds(under(middle, slower), middle, slower) ? low : high) = middle;
    }
    return low > 0 ? low : high; // so few that none are told from them
}

} // namespace outlay::core
