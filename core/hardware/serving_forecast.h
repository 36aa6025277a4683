// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Forecasts of time, energy and memory of serving on hardware that isn't here.
#pragma once

#include "core/hardware/forecast.h"

namespace outlay::core {

struct ServingForecast {
    OUTLAY_VALUE(ServingForecast);

    Quantity firstTokenMs; // the prompt
    Quantity tokenMs;      // each later token
    Quantity latencyMs;    // of a whole request
    Quantity requestsPerS; // at the batch of the settings
    Quantity tokensPerS;   // generated
    Quantity watts;        // of all devices, while they serve
    Quantity kwhPerRequest;
    std::int64_t copies = 1; // of the model, which answer beside each other
    std::int64_t ofCopy = 1; // devices
    Quantity memory;         // bytes on one device
    Fits fits = Fits::Unknown;
    Bound bound = Bound::Products;
    Note note;
};

/// Of one copy of the model on all of them: they share each layer (tensor parallel), or work in turn.
[[nodiscard]] ServingForecast servingForecast(const ServingDemand& demand, const Devices& on);
[[nodiscard]] ServingForecast unavailableServing(const Note& why);

/// How many of a machine's devices one copy may have: those that divide them and the heads, and hold it, the fewest first;
/// where none does, the most that divide them. Where they would work in turn, the fewest alone; else what the settings say,
/// if they do. Empty where that is impossible.
[[nodiscard]] std::vector<std::int64_t> copySizes(const ServingDemand& demand, const Devices& on);
/// Of so many copies beside each other.
[[nodiscard]] ServingForecast beside(ServingForecast one, std::int64_t copies);
/// Of a machine whose devices can't be divided as the settings ask.
[[nodiscard]] ServingForecast undividedServing(const ServingDemand& demand, const Devices& on);

/// Seconds of a request's parts, without an interval.
struct RequestSeconds {
    double prompt = 0;
    double token = 0; // each later one
};
[[nodiscard]] RequestSeconds requestSecondsOn(const ServingDemand& demand, const Devices& on);
/// What reading its prompt adds to a step that makes a token of each request of `step` anyway: kernels run, and weights are
/// read, for both at once.
[[nodiscard]] double besideSecondsOn(const ServingDemand& demand, const ServingDemand& step,
                                     const Devices& on);
/// Of its later tokens alone.
[[nodiscard]] double tokenSecondsOn(const ServingDemand& demand, const Devices& on);
/// On a machine that makes tokens one by one.
[[nodiscard]] RequestSeconds requestSecondsAt(const ServingDemand& demand,
                                              const RequestRates& rates);

} // namespace outlay::core
