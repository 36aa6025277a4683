// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What several processes on one machine were measured to do: train together, and exchange.
#pragma once

#include "core/base/fields.h"

namespace outlay::core {

/// Summing so many bytes over the processes.
struct ExchangeTiming {
    double bytes = 0;
    double seconds = 0;

    bool operator==(const ExchangeTiming&) const = default;
};

/// seconds = log2 N x latency + 2 (N - 1) / N x bytes / bandwidth.
struct ExchangeFit {
    double latencyS = 0;
    double bytesPerS = 0;
    double miss = 1; // the largest factor between a timing and the line

    bool operator==(const ExchangeFit&) const = default;
};

/// By least squares of the relative errors. Nothing where fewer than two sizes were timed, a timing isn't
/// positive, or larger exchanges take no longer.
[[nodiscard]] std::optional<ExchangeFit> fitExchange(const std::vector<ExchangeTiming>& timings,
                                                     std::int64_t processes);

/// Each process trains on one thread with a batch of its own; on machines of their own each has all threads there.
struct ProcessesMeasurement {
    std::int64_t processes = 2;
    std::vector<std::string> hosts; // one process each; empty: all on one machine
    double aloneStepS = 0;          // median of one process while the others wait, or on this host
    double stepS = 0;               // of all together, with the exchange
    double exchangeS = 0;           // of that, summing the gradients
    std::int64_t steps = 0;
    double latencyS = 0; // of `fitExchange`
    double bytesPerS = 0;
    double miss = 1;
    std::vector<ExchangeTiming> exchange;

    bool operator==(const ProcessesMeasurement&) const = default;
};

void describe(FieldVisitor& v, ExchangeTiming& t);
void describe(FieldVisitor& v, ProcessesMeasurement& p);

} // namespace outlay::core
