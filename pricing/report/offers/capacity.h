// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How many instances hold a service's promise under its traffic.
#pragma once

#include "core/hardware/flight.h"
#include "pricing/report/report.h"
#include "pricing/report/subject.h"

namespace outlay::pricing {

/// Traffic and what is asked of it.
struct Traffic {
    double peakPerS = 0;
    double meanPerS = 0; // while the service is on
    double limitMs = 0;
    double batch = 1;
    double p95OverMedian = 1;
};

[[nodiscard]] Traffic scaled(Traffic traffic, double factor);
[[nodiscard]] Traffic trafficOf(const Subject& subject, double p95OverMedian);

/// Of requests that are answered batch after batch.
[[nodiscard]] Capacity capacityOf(const Traffic& traffic, const core::ServingForecast& forecast);

/// Of an engine that takes them in as they come; `forecast` is that of one alone.
[[nodiscard]] Capacity capacityOf(const Traffic& traffic, const core::ServingForecast& forecast,
                                  const core::Flight& flight);

/// What such an engine answers at most, in place of what it answers one by one.
void setRates(core::ServingForecast& forecast, const core::Flight& flight,
              const core::Serving& serving);

} // namespace outlay::pricing
