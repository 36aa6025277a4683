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
    double steadyPerS =
        0; // what a day brings to machines that run: the peak where only as many run
    core::Promises promises;
    double batch = 1;
    core::Tails tails;
    bool isAtOnce = false;  // all that come in a day, one after the other
    double inputSpread = 0; // of tokens that are read, and generated
    double outputSpread = 0;
};

[[nodiscard]] Traffic scaled(Traffic traffic, double factor);
[[nodiscard]] Traffic trafficOf(const Subject& subject, const core::Tails& tails);

/// Seconds that 95 of 100 requests take where nobody else is there; of tokens where they are generated.
struct AloneS {
    double answer = 0;
    double firstToken = 0;
    double token = 0;
};

[[nodiscard]] bool areKeptAlone(const core::Promises& promises, const AloneS& alone);

/// How many times what is promised requests take, by these ends; what nobody knows counts for nothing.
[[nodiscard]] double latenessOf(const core::Promises& promises, const Capacity& capacity,
                                double (core::Quantity::*end)() const);
[[nodiscard]] bool holdsAll(const core::Promises& promises, const Capacity& capacity,
                            double (core::Quantity::*end)() const);

/// Times as long as was promised: nobody would serve from there, whatever it costs.
inline constexpr double MuchTooLate = 2;

/// Of requests that are answered batch after batch, by machines that keep up such a share of their speed all day.
[[nodiscard]] Capacity capacityOf(const Traffic& traffic, const core::ServingForecast& forecast,
                                  double sustained = 1);
/// At that end of what is forecast.
[[nodiscard]] AloneS aloneOf(const Traffic& traffic, const core::ServingForecast& forecast,
                             double (core::Quantity::*end)() const = &core::Quantity::value);

/// An engine that takes requests in as they come, with one copy of a model on its devices.
class BusyCopy {
public:
    /// So many times as slow as forecast, and the most requests that it then answers as promised.
    struct Pace {
        double slower = 1;
        double capacityPerS = 0;
    };

    /// `forecast` is that of a request alone; its latency has to be known.
    BusyCopy(core::Flight flight, const core::ServingForecast& forecast);

    [[nodiscard]] const core::Flight& flight() const { return m_flight; }
    /// As it is forecast, with what was measured, and at both ends of the interval.
    [[nodiscard]] const Pace& own() const { return m_own; }
    [[nodiscard]] Pace fast() const { return paceOf(m_fastMs); }
    [[nodiscard]] Pace slow() const { return paceOf(m_slowMs); }
    /// Where a request alone takes so long.
    [[nodiscard]] double slowerAt(double latencyMs) const;
    [[nodiscard]] AloneS alone() const { return aloneAt(m_own.slower); }
    [[nodiscard]] AloneS surelyAlone() const { return aloneAt(slowerAt(m_slowMs)); }

private:
    [[nodiscard]] Pace paceOf(double latencyMs) const;
    [[nodiscard]] AloneS aloneAt(double slower) const;

    core::Flight m_flight;
    Pace m_own;
    double m_fastMs = 0;
    double m_slowMs = 0;
};

/// A machine with so many of them, which take turns; made once for all that is asked of it.
class BusyMachine {
public:
    BusyMachine(const BusyCopy& copy, std::int64_t copies);

    [[nodiscard]] AloneS alone() const { return m_copy.alone(); }

    /// Requests that it answers as promised.
    [[nodiscard]] double mostPerS() const { return m_copies * m_copy.own().capacityPerS; }

    [[nodiscard]] Capacity under(const Traffic& traffic) const;

    /// Steps of one copy where a request alone takes so long.
    [[nodiscard]] core::EnginePace pace(double latencyMs) const;

    /// What it answers at most, in place of what it answers one by one.
    void setRates(core::ServingForecast& forecast, const core::Serving& serving) const;

private:
    using Pace = BusyCopy::Pace;

    [[nodiscard]] double machinesFor(const Traffic& traffic, const Pace& pace) const;
    /// The state of each copy under the traffic, with when they answer.
    struct Answers {
        core::FlightState state;
        double firstTokenP95S = 0;
        double tokenP95S = 0;
    };
    /// Slower machines are more of them: that is in their number.
    [[nodiscard]] Answers answersUnder(const Traffic& traffic, const Pace& pace) const;
    /// Of a machine, for each request that comes.
    [[nodiscard]] double busySeconds(double perS, const Pace& pace) const;

    BusyCopy m_copy;
    double m_copies = 1;
    Pace m_fast; // of each copy, at both ends of the interval
    Pace m_slow;
};

} // namespace outlay::pricing
