// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/flight.h"

#include "core/base/crossing.h"
#include "core/base/units.h"
#include "core/base/waiting.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace outlay::core {
namespace {

constexpr std::array<std::int64_t, 6> Counts{1, 4, 16, 64, 128, MostSlots};
constexpr std::size_t UsualStep = 2; // of those
constexpr double EngineShare = 0.9;  // of the memory, which engines take by default
constexpr double MostKept = 0.9;     // of those in flight, because others keep them
constexpr double HalfBlock = 8;      // tokens, which caches take in blocks of 16

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
                          const Tails& tails, DeviceKind kind)
{
    const auto demandOf = [&](const Serving& asked) {
        const auto other =
            kind == DeviceKind::Cpu ? processorDemand(model, layers, asked) : std::nullopt;
        return other ? *other : servingDemand(model, layers, asked);
    };
    FlightDemand demand{.promises = promisesOf(serving), .tails = tails};
    Serving together = serving;
    for (const std::int64_t count : Counts) {
        together.batch = count;
        demand.at.push_back(demandOf(together));
    }
    together.batch = 1;
    together.inputTokens += std::llround(demand.at.front().ownTokens);
    demand.longer = demandOf(together);
    return demand;
}

double FlightState::making() const
{
    return std::max(0.0, inSteps - prompts / (1 - prompts));
}

double FlightState::busyShare() const
{
    // Between prompts it makes tokens while any answer lacks some.
    return 1 - (1 - prompts) * std::exp(-making());
}

double RequestLengths::inFlight() const
{
    return input + later * metLength(outputSpread) / 2;
}

double RequestLengths::spreadInFlight() const
{
    constexpr double Uniform =
        0.35; // somewhat over a twelfth of four halves: long answers stay longer
    return std::sqrt(std::pow(input * inputSpread, 2) + Uniform * later * later) / inFlight();
}

Flight::Flight(const FlightDemand& demand, const Devices& on)
    : m_promises(demand.promises), m_tails(demand.tails)
{
    const ServingDemand& one = demand.at.front();
    m_lengths = {one.ownTokens, one.serving.inputSpread, one.laterTokens, one.serving.outputSpread};
    const RequestSeconds alone = requestSecondsOn(one, on);
    for (const ServingDemand& at : demand.at) {
        m_counts.push_back(real(batchOf(at.serving)));
        m_tokenS.push_back(m_tokenS.empty() ? alone.token : tokenSecondsOn(at, on));
    }
    m_usualS = alone.prompt + m_lengths.later * alone.token;
    // Prompts are read in the steps that make tokens.
    const ServingDemand& step = demand.at.at(UsualStep);
    m_prompt = PromptTime(one.ownTokens, besideSecondsOn(one, step, on),
                          besideSecondsOn(demand.longer, step, on));
    m_aloneS = std::max(0.0, alone.prompt - m_prompt.seconds(one.ownTokens));
    m_promptS = m_prompt.mean(m_lengths.input, m_lengths.inputSpread);
    m_promptSpread = m_prompt.spread(m_lengths.input, m_lengths.inputSpread);
    m_promptSums = SumsBelow(m_promptSpread);
    m_contextS = std::max(0.0, tokenSecondsOn(demand.longer, on) - alone.token) / one.ownTokens;
    const double bytes = on.device.memoryGb.value_or(0) * Giga * EngineShare * real(on.count);
    m_slots = real(slotsOf(one.engine, one.serving));
    m_most = m_slots;
    if (on.device.memoryGb && one.stateBytes > 0)
        setCache(one, bytes - on.runtimeBytes - (one.memory.value() - one.stateBytes) -
                          real(on.count - 1) * one.wholeBytes);
}

/// Requests share so many bytes, each as much as it has need of by then.
void Flight::setCache(const ServingDemand& one, double bytes)
{
    constexpr double Apart = 0.6; // standard deviations of their sum that are left free
    const double tokenBytes =
        (one.stateBytes - one.fixedStateBytes) / (one.ownTokens + one.laterTokens + 1);
    double held = bytes / one.stateBytes;
    if (tokenBytes > 0) {
        m_keptTokens = one.fixedStateBytes / tokenBytes + HalfBlock;
        m_cacheTokens = std::max(bytes / tokenBytes, 0.0);
        held = m_cacheTokens / (m_lengths.inFlight() + m_keptTokens);
        const double full = std::clamp(held, 1.0, m_slots);
        held -= Apart * m_lengths.spreadInFlight() * std::sqrt(std::max(held, 0.0));
        // Full, room for the next is made by one that is read again later.
        if (held < m_slots)
            m_fullPerS = 1 / (stepsOfAnswer() * tokenS(full) / full + m_promptS +
                              m_prompt.seconds(m_lengths.inFlight()));
    }
    // One that fits at all is answered.
    m_most = std::clamp(std::floor(held), 1.0, m_slots);
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
    EnginePace pace{.prompt = m_prompt.times(slower),
                    .contextS = slower * m_contextS,
                    .lengths = m_lengths,
                    .cacheTokens = m_cacheTokens,
                    .keptTokens = m_keptTokens};
    const double most = std::isfinite(m_cacheTokens) ? m_slots : m_most;
    for (double count = 1; count <= most; ++count)
        pace.tokenS.push_back(slower * tokenS(count));
    return pace;
}

double Flight::stepsOfAnswer() const
{
    return 1 + m_lengths.later;
}

/// Of one that begins while so many others are in flight. Tokens wait while the prompts of others are read.
double Flight::latencyS(double others, double perS, double slower) const
{
    const double prompts = std::min(perS * m_promptS * slower, MostPrompts);
    return slower * (m_promptS + stepsOfAnswer() * tokenS(others + 1)) / (1 - prompts);
}

/// As many have begun as come while one is answered, which takes the longer, the more there are. Between two counts
/// that is a straight line, so the first that meets itself is computed; infinite where none does.
double Flight::inStepsUnder(double perS, double slower) const
{
    for (std::size_t i = 1; i < m_counts.size(); ++i) {
        const double from = m_counts[i - 1] - 1; // others
        const double to = m_counts[i] - 1;
        const double at = perS * latencyS(from, perS, slower);
        const double slope = (perS * latencyS(to, perS, slower) - at) / (to - from);
        const double met = slope < 1 ? (at - slope * from) / (1 - slope) : -1;
        if (met >= from && met <= to)
            return met;
    }
    return std::numeric_limits<double>::infinity();
}

FlightState Flight::under(double perS, double slower) const
{
    FlightState state;
    state.inSteps = std::min(inStepsUnder(perS, slower), m_counts.back());
    state.prompts = std::min(perS * m_promptS * slower, MostPrompts);
    const double n = state.inSteps;
    // What one more in flight adds to each; it keeps the others longer, so that more are in flight.
    const double slope = latencyS(n + 1, perS, slower) - latencyS(n, perS, slower);
    const double kept = std::min(perS * slope, MostKept);
    const double around = std::sqrt(n / (1 - kept));
    state.often = n + At95 * around;
    state.isSteady = state.often <= m_most + 1 && n <= m_most && n < m_counts.back() &&
                     state.prompts < MostPrompts && perS * slower < m_fullPerS;
    addQueue(state, perS, slower);
    addWait(state, perS, slower);
    state.latencyS = state.waitS + latencyS(n, perS, slower);
    state.inFlight = n + perS * state.waitS;
    addLate(state, perS, slower, around);
    return state;
}

/// Where few have room at a time, each place is a server with the rest in a queue before it. Among many none waits while
/// there is room in 19 of 20 moments.
void Flight::addQueue(FlightState& state, double perS, double slower) const
{
    constexpr double Many = 64;
    // Set on simulations of 2 to 64 servers whose requests all take as long: of what exponential ones wait, these do half,
    // and more where few wait at all.
    constexpr double MoreOfFew = 0.9;
    constexpr double Few = 0.14;
    if (m_most > Many || state.often + 1 <= m_most)
        return;
    const double serviceS = latencyS(std::min(state.inSteps, m_most - 1), perS, slower);
    const double spread = m_lengths.outputSpread * m_lengths.later / stepsOfAnswer();
    const double waiting = waitProbability(m_most, perS * serviceS);
    const double even = (1 + MoreOfFew * std::exp(-waiting / Few)) / 2;
    state.queueS = waitP95S({perS, serviceS, m_most}, 1) * (even + (1 - even) * spread * spread);
}

/// Whoever comes meets a step that runs rather while it is a long one, of many prompts; it makes the next ones longer, too.
void Flight::addWait(FlightState& state, double perS, double slower) const
{
    const double promptS = slower * m_promptS / (1 - state.prompts);
    const double stepS = slower * tokenS(std::max(state.inSteps, 1.0)) / (1 - state.prompts);
    state.waitS = state.busyShare() * (stepS + perS * squareS2(promptS)) / 2;
}

double Flight::squareS2(double promptS) const
{
    return promptS * promptS * (1 + m_promptSpread * m_promptSpread);
}

/// Before: how many are in flight, by chance more.
void Flight::addLate(FlightState& state, double perS, double slower, double around) const
{
    const double busy = state.prompts;
    const double promptS = slower * m_promptS / (1 - busy); // between the prompts of others
    const auto tokenWith = [&](double others) {
        return slower * tokenS(std::min(others + 1, m_most)) / (1 - busy);
    };
    const double token = tokenWith(state.inSteps);
    // While prompts are read nobody leaves.
    const double late = tokenWith(state.inSteps + At95 * around / (1 - busy));
    const double ownS = slower * m_promptS + token; // the step that reads its prompt
    const double often = perS * squareS2(promptS) / (1 - busy);
    state.scatter = {.meanS = token,
                     .othersS = (late - token) / At95,
                     .promptsS2 = often * token * (1 - busy),
                     .firstS = perS * promptS * ownS,
                     .firstS2 = often * ownS};
    const LaterTokens tokens{m_lengths.later, m_lengths.outputSpread};
    const double own = promptS * m_promptSpread;
    const double firstS = promptS + token + state.waitS;
    state.p95S = state.queueS +
                 m_tails.ofAnswer(firstS, m_lengths.later * token) *
                     answerP95S({firstS, own * own + state.scatter.firstS2}, tokens, state.scatter);
}

double Flight::tokenP95S(const FlightState& state) const
{
    const LaterTokens tokens{m_lengths.later, m_lengths.outputSpread};
    return tokens.count > 0 ? m_tails.ofTokens() * core::tokenP95S(tokens, state.scatter) : 0;
}

FirstTokens Flight::firstTokens(const FlightState& state, double perS, double slower) const
{
    const PromptTraffic traffic{.promptS = slower * m_promptS,
                                .promptSpread = m_promptSpread,
                                .aloneS = slower * m_aloneS,
                                .stepS = slower * tokenS(std::max(state.inSteps, 1.0)),
                                .perS = perS,
                                .busyShare = state.busyShare()};
    return {traffic, m_promptSums};
}

double Flight::firstTokenP95S(const FlightState& state, double perS, double slower) const
{
    return state.queueS + m_tails.pass * firstTokens(state, perS, slower).p95S();
}

Flight::Limits Flight::limits(double slower) const
{
    const FlightState alone = under(0, slower);
    Limits limits{.answerS = longestS(alone.p95S, m_promises.answerS)};
    if (m_promises.firstTokenS)
        limits.firstTokenS = longestS(firstTokenP95S(alone, 0, slower), *m_promises.firstTokenS);
    if (m_promises.tokenS)
        limits.tokenS = longestS(tokenP95S(alone), *m_promises.tokenS);
    return limits;
}

double Flight::leftOf(const Limits& limits, const FlightState& state, double perS,
                      double slower) const
{
    // Near a straight line on both sides: what can't keep up takes beyond all bounds.
    const auto left = [](double takes, double limit) {
        return takes <= limit ? 1 - takes / limit : limit / takes - 1;
    };
    double least = std::min({left(state.p95S, limits.answerS), left(state.often, m_most + 1),
                             left(state.inSteps, m_most), left(perS * slower, m_fullPerS),
                             left(perS * slower * m_promptS, MostPrompts)});
    if (limits.tokenS)
        least = std::min(least, left(tokenP95S(state), *limits.tokenS));
    if (!state.isSteady)
        return std::min(least, -std::numeric_limits<double>::min());
    // The dearest to ask is asked last.
    if (least >= 0 && limits.firstTokenS)
        least =
            std::min(least, firstTokens(state, perS, slower)
                                .leftWithin((*limits.firstTokenS - state.queueS) / m_tails.pass));
    return least;
}

bool Flight::holds(const FlightState& state, double perS, double slower) const
{
    return leftOf(limits(slower), state, perS, slower) >= 0;
}

double Flight::capacityPerS(double slower) const
{
    constexpr double Part = 1.6e-5;
    const Limits most = limits(slower);
    const auto left = [&](double perS) { return leftOf(most, under(perS, slower), perS, slower); };
    const auto [low, high] = crossingOf(left, {0, m_most / latencyS(0, 0, slower)}, Part);
    return low > 0 ? low : high; // so few that none are told from them
}

} // namespace outlay::core
