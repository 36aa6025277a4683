// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/capacity.h"

#include "core/base/units.h"
#include "core/hardware/rates.h"
#include "pricing/report/offers/queue.h"
#include "pricing/report/plan_hours.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula InstancesFormula{
    "serving.instances",
    "for {0} requests a second at the peak, {1} ms each, {2} at once, so that 95 of 100 wait at "
    "most {3} ms (M/M/c)"};
constexpr Formula P95Formula{"serving.p95", "{0} ms x {1} + {2} ms of waiting (M/M/c)"};
constexpr Formula FlightFormula{
    "serving.flight",
    "for {0} requests a second at the peak, of which a machine answers {1} within the promise, at "
    "most {2} in flight"};
constexpr Formula FlightP95Formula{
    "serving.flight.p95",
    "{0} requests in flight on average on each of {1} machines, {2} ms for an answer"};
constexpr Formula InFlightFormula{"serving.in_flight", "{0} requests a second on each x {1} s"};
constexpr Formula BusyFormula{"serving.busy",
                              "(1 - exp(-{0} in flight on average)) / {1} requests a second"};
constexpr Formula FullFormula{"serving.full",
                              "with {0} in flight on average, {1} at most, within the promise"};

/// How long a request may wait. Where its own time is beyond the limit no number of instances helps;
/// then as many are meant as keep the waiting below that time.
double allowanceS(const Traffic& traffic, double latencyMs)
{
    const double own = latencyMs * traffic.p95OverMedian;
    return (own < traffic.limitMs ? traffic.limitMs - own : own) / MillisPerS;
}

double instancesAt(const Traffic& traffic, double latencyMs)
{
    return instancesFor({traffic.peakPerS, latencyMs / MillisPerS, traffic.batch},
                        allowanceS(traffic, latencyMs));
}

Capacity unknownCapacity(const Note& why)
{
    return {.instances = Quantity::unavailable(Unit::One, why),
            .p95Ms = Quantity::unavailable(Unit::Milliseconds, why),
            .inFlight = Quantity::unavailable(Unit::One, why),
            .busySeconds = Quantity::unavailable(Unit::Seconds, why)};
}

} // namespace

Traffic trafficOf(const Subject& subject, double p95OverMedian)
{
    const Serving& s = subject.experiment.serving;
    const double peak = peakRequestsPerS(s, subject.experiment.plan);
    return {.peakPerS = peak,
            .meanPerS = peak / s.peakFactor,
            .limitMs = s.latencyP95Ms,
            .batch = static_cast<double>(batchOf(s)),
            .p95OverMedian = p95OverMedian};
}

Traffic scaled(Traffic traffic, double factor)
{
    traffic.peakPerS *= factor;
    traffic.meanPerS *= factor;
    return traffic;
}

Capacity capacityOf(const Traffic& traffic, const ServingForecast& forecast)
{
    const Quantity& latency = forecast.latencyMs;
    if (!latency.isAvailable())
        return unknownCapacity(latency.how().note);
    const double value = instancesAt(traffic, latency.value());
    Capacity capacity{
        .inFlight = Quantity::unavailable(Unit::One, "requests are answered batch after batch")};
    capacity.instances = Quantity::within(
        value, instancesAt(traffic, latency.low()), instancesAt(traffic, latency.high()), Unit::One,
        Basis::Forecast,
        how(InstancesFormula, {traffic.peakPerS, latency.value(), traffic.batch,
                               allowanceS(traffic, latency.value()) * MillisPerS}));
    const double waitMs =
        waitP95S({traffic.peakPerS, latency.value() / MillisPerS, traffic.batch}, value) *
        MillisPerS;
    const double ratio = traffic.p95OverMedian;
    const double p95 = latency.value() * ratio + waitMs;
    capacity.p95Ms = Quantity::within(
        p95, latency.low() * ratio, std::max(p95, latency.high() * ratio + waitMs),
        Unit::Milliseconds, Basis::Forecast, how(P95Formula, {latency.value(), ratio, waitMs}));
    capacity.holdsLatency = p95 <= traffic.limitMs;
    capacity.busySeconds =
        quotient(Quantity::exact(1, Unit::One, {}), forecast.requestsPerS, Unit::Seconds);
    return capacity;
}

BusyMachine::BusyMachine(Flight flight, const ServingForecast& forecast)
    : m_flight(std::move(flight)), m_own(paceOf(forecast.latencyMs.value())),
      m_fast(paceOf(forecast.latencyMs.low())), m_slow(paceOf(forecast.latencyMs.high()))
{
}

BusyMachine::Pace BusyMachine::paceOf(double latencyMs) const
{
    const double slower = latencyMs / (m_flight.under(0).latencyS * MillisPerS);
    return {slower, m_flight.capacityPerS(slower)};
}

double BusyMachine::machinesFor(const Traffic& traffic, const Pace& pace)
{
    return traffic.peakPerS > 0 ? std::max(1.0, std::ceil(traffic.peakPerS / pace.capacityPerS))
                                : 0;
}

FlightState BusyMachine::stateUnder(const Traffic& traffic, const Pace& pace) const
{
    return m_flight.under(traffic.peakPerS / std::max(machinesFor(traffic, pace), 1.0),
                          pace.slower);
}

double BusyMachine::busySeconds(double perS, const Pace& pace) const
{
    const FlightState state = m_flight.under(perS, pace.slower);
    return perS > 0 ? state.busyShare() / perS : state.latencyS;
}

Capacity BusyMachine::under(const Traffic& traffic) const
{
    const double value = machinesFor(traffic, m_own);
    const FlightState state = stateUnder(traffic, m_own);
    const FlightState fast = stateUnder(traffic, m_fast);
    const FlightState slow = stateUnder(traffic, m_slow);
    Capacity capacity;
    capacity.instances = Quantity::within(
        value, std::min(value, machinesFor(traffic, m_fast)),
        std::max(value, machinesFor(traffic, m_slow)), Unit::One, Basis::Forecast,
        how(FlightFormula, {traffic.peakPerS, m_own.capacityPerS, m_flight.most()}));
    capacity.p95Ms = Quantity::within(
        state.p95S * MillisPerS, std::min(fast.p95S, state.p95S) * MillisPerS,
        std::max(slow.p95S, state.p95S) * MillisPerS, Unit::Milliseconds, Basis::Forecast,
        how(FlightP95Formula, {state.inFlight, value, state.latencyS * MillisPerS}));
    capacity.inFlight = Quantity::within(
        state.inFlight, std::min(fast.inFlight, state.inFlight),
        std::max(slow.inFlight, state.inFlight), Unit::One, Basis::Forecast,
        how(InFlightFormula, {traffic.peakPerS / std::max(value, 1.0), state.latencyS}));
    capacity.holdsLatency = state.p95S * MillisPerS <= traffic.limitMs;
    const double meanPerS = traffic.meanPerS / std::max(value, 1.0);
    capacity.busySeconds = Quantity::within(
        busySeconds(meanPerS, m_own), busySeconds(meanPerS, m_fast), busySeconds(meanPerS, m_slow),
        Unit::Seconds, Basis::Forecast,
        how(BusyFormula, {m_flight.under(meanPerS, m_own.slower).inFlight, meanPerS}));
    return capacity;
}

void BusyMachine::setRates(ServingForecast& forecast, const Serving& serving) const
{
    const double value = m_own.capacityPerS;
    forecast.requestsPerS = Quantity::within(
        value, std::min(value, m_slow.capacityPerS), std::max(value, m_fast.capacityPerS),
        Unit::SamplesPerSecond, Basis::Forecast,
        how(FullFormula, {m_flight.under(value, m_own.slower).inFlight, m_flight.most()}));
    forecast.tokensPerS =
        product(forecast.requestsPerS,
                Quantity::exact(static_cast<double>(serving.outputTokens), Unit::One, {}),
                Unit::TokensPerSecond);
    const Quantity second = Quantity::exact(1, Unit::One, {});
    forecast.kwhPerRequest =
        energyOf(forecast.watts, quotient(second, forecast.requestsPerS, Unit::Seconds));
}

} // namespace outlay::pricing
