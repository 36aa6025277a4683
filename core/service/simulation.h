// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A service under a day's traffic, request by request: what the formulas for machines are held against.
#pragma once

#include "core/hardware/flight.h"
#include "core/service/day.h"

#include <stop_token>
#include <variant>

namespace outlay::core {

/// Requests that are answered one by one, so many at a time.
struct PlainPace {
    double places = 1;
    double answerS = 0; // of half of them
    double firstTokenS = 0;
    double inputSpread = 0;  // of that, as its tokens are more or fewer
    double outputSpread = 0; // of what follows, the same
    Tails tails;             // of each by itself; slow requests are so from their first token on
};

/// A machine with an engine that takes requests in as they come, or with one that answers them one by one.
using Answering = std::variant<EnginePace, PlainPace>;

/// All requests, which machines take in turns.
struct ServiceTraffic {
    double requestsPerDay = 0;
    double peakFactor = 1;
    double hours = 24; // of a day that the service is on
    std::int64_t machines = 1;
};

/// Of a part of the day.
struct ServiceSlice {
    double hour = 0;     // in the middle
    double perS = 0;     // requests that came, to all machines
    double inFlight = 0; // on each machine, on average
    double waiting = 0;  // for a place there
    // Nothing where too few came to tell 95 of 100.
    std::optional<double> answerP95S;
    std::optional<double> firstTokenP95S;
    std::size_t requests = 0; // that were simulated
};

struct ServiceDay {
    std::vector<ServiceSlice> slices;
    // Of those who come near the peak; nothing where too few did.
    std::optional<double> answerP95S;
    std::optional<double> firstTokenP95S;
    std::optional<double> tokenP95S; // of an answer's later tokens on average, if it has several
    double inFlight = 0;
    double busyShare = 0; // of the day in which a machine answers any
    std::size_t mostWaiting = 0;
    std::size_t requests = 0; // that were simulated, on one of the machines
    double days = 0;          // that they took; a part where a whole one has too many
};

/// One of the machines through as many days as it takes to tell 95 of 100; the same whenever it is asked for. Nothing
/// where it is stopped, or no request comes.
[[nodiscard]] std::optional<ServiceDay> simulateDay(const Answering& machine,
                                                    const ServiceTraffic& traffic,
                                                    const std::stop_token& stop = {});

} // namespace outlay::core
