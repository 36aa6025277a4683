// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Traffic that others measured: vLLM with as many chats in flight as it was given, and what is forecast of it.
#pragma once

#include "core/base/units.h"
#include "core/hardware/flight.h"
#include "tests/support/known_models.h"

#include <cmath>

namespace outlay::tests {

struct ServedTraffic {
    core::Model model;
    core::ServingPrecision precision = core::ServingPrecision::Bf16;
    double inFlight = 1;
    double output = 1; // tokens of an answer
};

struct TrafficForecast {
    core::Quantity tokenMs; // between tokens of one answer, while nothing is read
    double promptsMs = 0;   // more for each, by the prompts of those who take the places of others
    [[nodiscard]] double allMs() const { return tokenMs.value() + promptsMs; }
    /// Whether milliseconds that were measured with prompts lie within the interval.
    [[nodiscard]] bool holdsWithPrompts(double ms) const
    {
        const double own = ms * tokenMs.value() / allMs();
        return tokenMs.low() <= own && own <= tokenMs.high();
    }
};

inline TrafficForecast forecastOf(const ServedTraffic& traffic, const core::Devices& on)
{
    constexpr std::int64_t OfChat =
        200; // tokens of a question, of which nobody says how many they were
    core::Serving s{.inputTokens = OfChat,
                    .outputTokens = std::llround(traffic.output),
                    .precision = traffic.precision,
                    .engine = core::Engine::Vllm};
    const core::LayerKinds kinds = core::expand(traffic.model);
    const core::Flight flight(core::flightDemand(traffic.model, kinds, s, {}), on);
    s.batch = std::llround(traffic.inFlight);
    TrafficForecast f;
    f.tokenMs = core::servingForecast(core::servingDemand(traffic.model, kinds, s), on).tokenMs;
    f.promptsMs = core::MillisPerS * flight.pace().prompt.mean(core::real(OfChat), 0) *
                  traffic.inFlight / traffic.output;
    return f;
}

} // namespace outlay::tests
