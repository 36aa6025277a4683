// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Queues: how long requests wait before so many servers (M/M/c), and how many hold a limit.
#pragma once

namespace outlay::core {

/// Requests that come at random, and servers that each answer one at a time.
struct Queue {
    double arrivalsPerS = 0;
    double serviceS = 0;           // mean of one request
    double serversPerInstance = 1; // requests that an instance answers at once

    /// Servers that are busy at any time.
    [[nodiscard]] double load() const { return arrivalsPerS * serviceS; }
};

/// The probability that a request must wait (Erlang C): exact up to 300 servers, then by Halfin and Whitt's
/// limit. 1 where the servers can't keep up.
[[nodiscard]] double waitProbability(double servers, double load);

/// What 95 of 100 requests wait at most, in seconds; infinite where the servers can't keep up.
[[nodiscard]] double waitP95S(const Queue& queue, double instances);

/// The fewest instances with which that is at most `longestWaitS`; 0 for no requests.
[[nodiscard]] double instancesFor(const Queue& queue, double longestWaitS);

} // namespace outlay::core
