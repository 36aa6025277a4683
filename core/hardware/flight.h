// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// An engine that takes requests in while it answers others: how many are in flight, how long each takes, and how
// many come at most.
#pragma once

#include "core/hardware/answer_times.h"
#include "core/hardware/first_token.h"
#include "core/hardware/prompt_time.h"
#include "core/hardware/serving_forecast.h"

#include <limits>

namespace outlay::core {

/// The engine does so, tokens are generated, and no batch is asked for.
[[nodiscard]] bool isContinuous(const ServingDemand& demand);
/// It would, if the settings didn't name a batch.
[[nodiscard]] bool couldBeContinuous(const ServingDemand& demand);

/// What 95 of 100 requests are promised, in seconds.
struct Promises {
    double answerS = 0;
    std::optional<double> firstTokenS;
    std::optional<double> tokenS; // each later one, on average over an answer

    bool operator==(const Promises&) const = default;
};
[[nodiscard]] Promises promisesOf(const Serving& serving);
/// That one may take under traffic who takes so long alone: as promised, or twice that where it isn't kept even alone.
[[nodiscard]] inline double longestS(double aloneS, double promisedS)
{
    return aloneS <= promisedS ? promisedS : 2 * aloneS;
}

/// What tokens ask of a device with more and more requests in flight: made once for all devices.
struct FlightDemand {
    std::vector<ServingDemand> at; // each with a larger batch
    ServingDemand longer;          // of one that has twice as many tokens of its own
    Promises promises;
    Tails tails;
};
[[nodiscard]] FlightDemand flightDemand(const Model& model, const LayerKinds& layers,
                                        const Serving& serving, const Tails& tails,
                                        DeviceKind kind = DeviceKind::Gpu);

/// A machine under so many requests a second.
struct FlightState {
    double inFlight = 0; // on average
    double inSteps = 0;  // of those: who has begun
    double waitS = 0;    // of each for the step under way, on average
    double queueS = 0;   // of 95 of 100 at most, for room, before the engine takes them in
    double latencyS = 0; // of an answer on average
    double prompts = 0;  // of the time, that they are read
    double p95S = 0;
    double often = 0;      // in flight in 19 of 20 moments at most
    TokenScatter scatter;  // of its later tokens
    bool isSteady = false; // they are answered as fast as they come, and their caches fit

    /// Of those in flight, those whose prompt has been read, on average.
    [[nodiscard]] double making() const;
    /// Part of the time in which any is in flight, as they come by chance.
    [[nodiscard]] double busyShare() const;
};

/// What requests take of an engine, by their own tokens.
struct RequestLengths {
    double input = 1; // of a usual one
    double inputSpread = 0;
    double later = 1; // tokens after the first
    double outputSpread = 0;

    /// Tokens of its own that one in flight has, on average.
    [[nodiscard]] double inFlight() const;
    /// Of those in flight, over that.
    [[nodiscard]] double spreadInFlight() const;
};

/// Seconds of an engine's steps: each reads the prompts that came during the one before, and makes one token of each
/// answer whose prompt has been read.
struct EnginePace {
    PromptTime prompt;          // beside what the step takes anyway
    std::vector<double> tokenS; // with 1, 2, ... in flight, up to the most that it takes in
    double contextS = 0;        // more for each token that they have above the usual
    RequestLengths lengths;
    double cacheTokens = std::numeric_limits<double>::infinity();
    double keptTokens = 0; // beside its own, of each that is in flight
};

class Flight {
public:
    Flight(const FlightDemand& demand, const Devices& on);

    /// Requests whose caches fit beside the weights, and that the engine takes in.
    [[nodiscard]] double most() const { return m_most; }

    [[nodiscard]] EnginePace pace(double slower = 1) const;
    /// A request of the usual lengths, alone.
    [[nodiscard]] double usualS() const { return m_usualS; }

    /// `slower` times as slow as forecast.
    [[nodiscard]] FlightState under(double perS, double slower = 1) const;
    /// What 95 of 100 answers take for each later token, under the traffic of that state.
    [[nodiscard]] double tokenP95S(const FlightState& state) const;
    /// When 95 of 100 have their first token.
    [[nodiscard]] double firstTokenP95S(const FlightState& state, double perS,
                                        double slower = 1) const;
    /// The promises are kept; what one request alone doesn't keep takes at most twice as long as there.
    [[nodiscard]] bool holds(const FlightState& state, double perS, double slower = 1) const;
    /// The most requests a second that hold.
    [[nodiscard]] double capacityPerS(double slower = 1) const;

private:
    void setCache(const ServingDemand& one, double bytes);
    [[nodiscard]] double tokenS(double inFlight) const;
    /// The first of them reads its prompt.
    [[nodiscard]] double stepsOfAnswer() const;
    [[nodiscard]] double inStepsUnder(double perS, double slower) const;
    [[nodiscard]] double latencyS(double others, double perS, double slower) const;
    /// The most that 95 of 100 may take.
    struct Limits {
        double answerS = 0;
        std::optional<double> firstTokenS;
        std::optional<double> tokenS;
    };
    [[nodiscard]] Limits limits(double slower) const;
    /// What is left of the first limit to be reached, as a share of it, or of requests that have their first token in
    /// time; less than nothing beyond it, or where they can't keep up.
    [[nodiscard]] double leftOf(const Limits& limits, const FlightState& state, double perS,
                                double slower) const;
    /// The mean of the squares of prompts that take so long on average.
    [[nodiscard]] double squareS2(double promptS) const;
    void addQueue(FlightState& state, double perS, double slower) const;
    void addWait(FlightState& state, double perS, double slower) const;
    void addLate(FlightState& state, double perS, double slower, double around) const;
    [[nodiscard]] FirstTokens firstTokens(const FlightState& state, double perS,
                                          double slower) const;

    std::vector<double> m_counts;
    std::vector<double> m_tokenS; // with so many in flight
    PromptTime m_prompt;
    double m_promptS = 0; // on average over all lengths
    double m_aloneS = 0;  // beside it, of a pass that reads nothing else
    double m_usualS = 0;
    double m_promptSpread = 0;
    SumsBelow m_promptSums;
    double m_contextS = 0;
    RequestLengths m_lengths;
    double m_cacheTokens = std::numeric_limits<double>::infinity();
    double m_keptTokens = 0;
    double m_slots = 0;
    double m_most = 0;
    double m_fullPerS = std::numeric_limits<double>::infinity(); // with all caches full
    Promises m_promises;
    Tails m_tails;
};

} // namespace outlay::core
