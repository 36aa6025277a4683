// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/capacity.h"

#include "core/base/log_normal.h"
#include "core/base/units.h"
#include "core/base/waiting.h"
#include "core/experiment/field_meaning.h"
#include "core/hardware/rates.h"
#include "pricing/report/offers/running.h"
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
constexpr Formula SustainedFormula{
    "serving.instances.sustained",
    "for {0} requests a second through the day, of which a machine answers {1} at full speed, and "
    "keeps up {2} % of that"};
constexpr Formula SustainedPeakFormula{
    "serving.instances.sustained_peak",
    "for {0} requests a second at the peak, of which a machine answers {1} at full speed, and "
    "keeps up {2} % of that"};
constexpr Formula P95Formula{"serving.p95", "{0} ms x {1} + {2} ms of waiting (M/M/c)"};
constexpr Formula FlightFormula{
    "serving.flight",
    "for {0} requests a second at the peak, of which a machine answers {1} within the promise, at "
    "most {2} in flight"};
constexpr Formula FlightP95Formula{
    "serving.flight.p95",
    "{0} requests in flight on average on each of {1} copies, {2} ms for an answer"};
constexpr Formula FirstTokenFormula{"serving.first_token.p95",
                                    "the rest of the step under way, the prompts of others and its "
                                    "own, with {0} requests in flight "
                                    "and {1} a second on each"};
constexpr Formula TokenP95Formula{
    "serving.token.p95", "with {0} requests in flight, between the prompts of {1} a second"};
constexpr Formula WaitedFormula{"serving.first_token.waited",
                                "{0} ms x {1} + {2} ms of waiting (M/M/c)"};
constexpr Formula ServedTokenFormula{"serving.token.served", "{0} ms x {1}"};
constexpr Formula InFlightFormula{"serving.in_flight", "{0} requests a second on each x {1} s"};
constexpr Formula BusyFormula{
    "serving.busy",
    "(1 - (1 - {0}) x exp(-{1})) / {2} requests a second: the time that prompts take, and answers "
    "in the making on average"};
constexpr Formula AtOnceFormula{"serving.busy.full", "1 / {0} requests a second"};
constexpr Formula FullFormula{"serving.full",
                              "with {0} in flight on average, {1} at most, within the promise"};

/// A request's own time, and that to its first token: at one place of their intervals.
struct OwnTimes {
    double answerS = 0;
    std::optional<double> firstTokenS;

    /// Of its answer, as tokens scatter that are read and generated.
    [[nodiscard]] double spread(const Traffic& traffic) const
    {
        const double read = firstTokenS && answerS > 0 ? std::min(*firstTokenS / answerS, 1.0) : 1;
        return std::hypot(traffic.inputSpread * read, traffic.outputSpread * (1 - read));
    }
    /// What 95 of 100 take over the mean, as passes and lengths scatter.
    [[nodiscard]] double p95Over(const Traffic& traffic) const;
    /// How much longer they wait than where servers take as by chance (Allen and Cunneen).
    [[nodiscard]] double longerWait(const Traffic& traffic) const
    {
        return std::max(1.0, (1 + std::pow(spread(traffic), 2)) / 2);
    }
};

/// What 95 of 100 take alone, over the mean: as it was measured, and as lengths scatter.
double tailWith(double tail, double spread)
{
    const double measured = std::log(std::max(tail, 1.0)) / At95;
    const LogNormal lengths(1, spread);
    const double both = std::hypot(measured, std::log(lengths.at(1) / lengths.at(0)));
    return lengths.at(0) * std::exp(At95 * both);
}

double OwnTimes::p95Over(const Traffic& traffic) const
{
    const double first = firstTokenS.value_or(answerS);
    return tailWith(traffic.tails.ofAnswer(first, std::max(0.0, answerS - first)), spread(traffic));
}

OwnTimes timesAt(const ServingForecast& forecast, double (Quantity::*place)() const)
{
    OwnTimes own{.answerS = (forecast.latencyMs.*place)() / MillisPerS};
    if (forecast.tokenMs.isAvailable())
        own.firstTokenS = (forecast.firstTokenMs.*place)() / MillisPerS;
    return own;
}

/// How long a request may wait. Where its own time is beyond the promise no number of instances helps;
/// then as many are meant as keep the waiting below that time.
double allowanceS(const Traffic& traffic, const OwnTimes& times)
{
    const auto allowed = [&](double own, double promisedS) {
        return longestS(own, promisedS) - own;
    };
    const double answer = allowed(times.answerS * times.p95Over(traffic), traffic.promises.answerS);
    if (!times.firstTokenS || !traffic.promises.firstTokenS)
        return answer;
    return std::min(answer,
                    allowed(*times.firstTokenS * tailWith(traffic.tails.pass, traffic.inputSpread),
                            *traffic.promises.firstTokenS));
}

double instancesAt(const Traffic& traffic, const OwnTimes& times)
{
    return instancesFor({traffic.peakPerS, times.answerS, traffic.batch},
                        allowanceS(traffic, times) / times.longerWait(traffic));
}

/// As the promise asks, and no busier over a day than they keep up.
Quantity instancesOf(const Traffic& traffic, const ServingForecast& forecast, double sustained)
{
    const OwnTimes own = timesAt(forecast, &Quantity::value);
    const auto kept = [&](double requestsPerS) {
        return sustained < 1 ? std::ceil(traffic.steadyPerS / (sustained * requestsPerS)) : 0;
    };
    const double promised = instancesAt(traffic, own);
    const double steady = kept(forecast.requestsPerS.value());
    const double low = std::max(instancesAt(traffic, timesAt(forecast, &Quantity::low)),
                                kept(forecast.requestsPerS.high()));
    const double high = std::max(instancesAt(traffic, timesAt(forecast, &Quantity::high)),
                                 kept(forecast.requestsPerS.low()));
    const How why =
        steady > promised
            ? how(traffic.steadyPerS < traffic.peakPerS ? SustainedFormula : SustainedPeakFormula,
                  {traffic.steadyPerS, forecast.requestsPerS.value(), PerCent * sustained})
            : how(InstancesFormula, {traffic.peakPerS, forecast.latencyMs.value(), traffic.batch,
                                     allowanceS(traffic, own) * MillisPerS});
    return Quantity::within(std::max(promised, steady), low, high, Unit::One, Basis::Forecast, why);
}

Capacity unknownCapacity(const Note& why)
{
    return {.instances = Quantity::unavailable(Unit::One, why),
            .p95Ms = Quantity::unavailable(Unit::Milliseconds, why),
            .firstTokenP95Ms = Quantity::unavailable(Unit::Milliseconds, why),
            .tokenP95Ms = Quantity::unavailable(Unit::Milliseconds, why),
            .inFlight = Quantity::unavailable(Unit::One, why),
            .busySeconds = Quantity::unavailable(Unit::Seconds, why)};
}

/// One waits for its first token, then no longer.
void addTokens(Capacity& capacity, const ServingForecast& forecast, const Traffic& traffic,
               double waitMs)
{
    const double ratio = tailWith(traffic.tails.pass, traffic.inputSpread);
    const Quantity& first = forecast.firstTokenMs;
    const Quantity& token = forecast.tokenMs;
    if (!token.isAvailable()) {
        capacity.firstTokenP95Ms = token;
        capacity.tokenP95Ms = token;
        return;
    }
    const double p95 = first.value() * ratio + waitMs;
    capacity.firstTokenP95Ms = Quantity::within(
        p95, std::min(p95, first.low() * ratio), std::max(p95, first.high() * ratio + waitMs),
        Unit::Milliseconds, Basis::Forecast, how(WaitedFormula, {first.value(), ratio, waitMs}));
    const double each = traffic.tails.ofTokens(); // however many there are
    capacity.tokenP95Ms = (token * each).because(how(ServedTokenFormula, {token.value(), each}));
}

} // namespace

bool areKeptAlone(const Promises& promises, const AloneS& alone)
{
    return alone.answer <= promises.answerS &&
           alone.firstToken <= promises.firstTokenS.value_or(HUGE_VAL) &&
           alone.token <= promises.tokenS.value_or(HUGE_VAL);
}

double latenessOf(const Promises& promises, const Capacity& capacity,
                  double (Quantity::*end)() const)
{
    const auto times = [&](const Quantity& ms, const std::optional<double>& promisedS) {
        return promisedS && ms.isAvailable() ? (ms.*end)() / (*promisedS * MillisPerS) : 0;
    };
    return std::max({times(capacity.p95Ms, promises.answerS),
                     times(capacity.firstTokenP95Ms, promises.firstTokenS),
                     times(capacity.tokenP95Ms, promises.tokenS)});
}

bool holdsAll(const Promises& promises, const Capacity& capacity, double (Quantity::*end)() const)
{
    return latenessOf(promises, capacity, end) <= 1;
}

Traffic trafficOf(const Subject& subject, const Tails& tails)
{
    const Experiment& e = subject.experiment;
    const Serving& s = e.serving;
    const Plan& plan = e.plan;
    const double peak = peakRequestsPerS(s, plan);
    const double mean = meanRequestsPerS(s, plan);
    return {.peakPerS = peak,
            .meanPerS = mean,
            .steadyPerS = runningOf(plan, plan.purchase) == Running::WithTraffic ? peak : mean,
            .promises = promisedIn(subject.experiment),
            .batch = static_cast<double>(batchOf(s)),
            .tails = tails,
            .isAtOnce = plan.running == Running::AtOnce,
            .inputSpread = hasMeaning("/serving/input_spread", e) ? s.inputSpread : 0,
            .outputSpread = hasMeaning("/serving/output_spread", e) ? s.outputSpread : 0};
}

Traffic scaled(Traffic traffic, double factor)
{
    traffic.peakPerS *= factor;
    traffic.meanPerS *= factor;
    traffic.steadyPerS *= factor;
    return traffic;
}

Capacity capacityOf(const Traffic& asked, const ServingForecast& forecast, double sustained)
{
    Traffic traffic = asked;
    traffic.batch *= real(forecast.copies);
    const Quantity& latency = forecast.latencyMs;
    if (!latency.isAvailable())
        return unknownCapacity(latency.how().note);
    const OwnTimes own = timesAt(forecast, &Quantity::value);
    Capacity capacity{
        .inFlight = Quantity::unavailable(Unit::One, "requests are answered batch after batch")};
    capacity.instances = instancesOf(traffic, forecast, sustained);
    const double value = capacity.instances.value();
    const double waitMs = own.longerWait(traffic) * MillisPerS *
                          waitP95S({traffic.peakPerS, own.answerS, traffic.batch}, value);
    const double ratio = own.p95Over(traffic);
    const double p95 = latency.value() * ratio + waitMs;
    capacity.p95Ms = Quantity::within(
        p95, latency.low() * ratio, std::max(p95, latency.high() * ratio + waitMs),
        Unit::Milliseconds, Basis::Forecast, how(P95Formula, {latency.value(), ratio, waitMs}));
    addTokens(capacity, forecast, traffic, waitMs);
    capacity.holdsLatency = holdsAll(traffic.promises, capacity, &Quantity::value);
    capacity.holdsSurely = holdsAll(traffic.promises, capacity, &Quantity::high);
    capacity.sustained = sustained;
    capacity.busySeconds =
        quotient(Quantity::exact(1, Unit::One, {}), forecast.requestsPerS, Unit::Seconds);
    return capacity;
}

AloneS aloneOf(const Traffic& traffic, const ServingForecast& forecast,
               double (Quantity::*end)() const)
{
    const OwnTimes own = timesAt(forecast, end);
    AloneS alone{.answer = own.answerS * own.p95Over(traffic)};
    if (own.firstTokenS) {
        alone.firstToken = *own.firstTokenS * tailWith(traffic.tails.pass, traffic.inputSpread);
        alone.token = (forecast.tokenMs.*end)() / MillisPerS * traffic.tails.ofTokens();
    }
    return alone;
}

BusyCopy::BusyCopy(Flight flight, const ServingForecast& forecast)
    : m_flight(std::move(flight)), m_own(paceOf(forecast.latencyMs.value())),
      m_fastMs(forecast.latencyMs.low()), m_slowMs(forecast.latencyMs.high())
{
}

double BusyCopy::slowerAt(double latencyMs) const
{
    return latencyMs / (m_flight.usualS() * MillisPerS);
}

BusyCopy::Pace BusyCopy::paceOf(double latencyMs) const
{
    const double slower = slowerAt(latencyMs);
    return {slower, m_flight.capacityPerS(slower)};
}

AloneS BusyCopy::aloneAt(double slower) const
{
    const FlightState state = m_flight.under(0, slower);
    return {state.p95S, m_flight.firstTokenP95S(state, 0, slower), m_flight.tokenP95S(state)};
}

BusyMachine::BusyMachine(const BusyCopy& copy, std::int64_t copies)
    : m_copy(copy), m_copies(real(copies)), m_fast(copy.fast()), m_slow(copy.slow())
{
}

EnginePace BusyMachine::pace(double latencyMs) const
{
    return m_copy.flight().pace(m_copy.slowerAt(latencyMs));
}

double BusyMachine::machinesFor(const Traffic& traffic, const Pace& pace) const
{
    return traffic.peakPerS > 0
               ? std::max(1.0, std::ceil(traffic.peakPerS / (m_copies * pace.capacityPerS)))
               : 0;
}

BusyMachine::Answers BusyMachine::answersUnder(const Traffic& traffic, const Pace& pace) const
{
    const double perS = traffic.peakPerS / (m_copies * std::max(machinesFor(traffic, pace), 1.0));
    const FlightState state = m_copy.flight().under(perS, pace.slower);
    return {state, m_copy.flight().firstTokenP95S(state, perS, pace.slower),
            m_copy.flight().tokenP95S(state)};
}

double BusyMachine::busySeconds(double perS, const Pace& pace) const
{
    const FlightState state = m_copy.flight().under(perS / m_copies, pace.slower);
    return perS > 0 ? state.busyShare() / perS : state.latencyS / m_copies;
}

Capacity BusyMachine::under(const Traffic& traffic) const
{
    const double value = machinesFor(traffic, m_copy.own());
    const Answers own = answersUnder(traffic, m_copy.own());
    const Answers fast = answersUnder(traffic, m_fast);
    const Answers slow = answersUnder(traffic, m_slow);
    const FlightState& state = own.state;
    const auto around = [&](Unit unit, const How& why, const auto& of) {
        const double scale = unit == Unit::Milliseconds ? MillisPerS : 1;
        return Quantity::within(scale * of(own), scale * std::min(of(fast), of(own)),
                                scale * std::max(of(slow), of(own)), unit, Basis::Forecast, why);
    };
    const double perS = traffic.peakPerS / (m_copies * std::max(value, 1.0));
    Capacity capacity;
    capacity.instances = Quantity::within(
        value, std::min(value, machinesFor(traffic, m_fast)),
        std::max(value, machinesFor(traffic, m_slow)), Unit::One, Basis::Forecast,
        how(FlightFormula, {traffic.peakPerS, mostPerS(), m_copies * m_copy.flight().most()}));
    capacity.p95Ms = around(
        Unit::Milliseconds,
        how(FlightP95Formula, {state.inFlight, value * m_copies, state.latencyS * MillisPerS}),
        [](const Answers& a) { return a.state.p95S; });
    capacity.firstTokenP95Ms =
        around(Unit::Milliseconds, how(FirstTokenFormula, {state.inFlight, perS}),
               [](const Answers& a) { return a.firstTokenP95S; });
    capacity.tokenP95Ms = around(Unit::Milliseconds, how(TokenP95Formula, {state.inFlight, perS}),
                                 [](const Answers& a) { return a.tokenP95S; });
    capacity.inFlight = around(Unit::One, how(InFlightFormula, {m_copies * perS, state.latencyS}),
                               [&](const Answers& a) { return m_copies * a.state.inFlight; });
    capacity.holdsLatency = holdsAll(traffic.promises, capacity, &Quantity::value);
    capacity.holdsSurely = holdsAll(traffic.promises, capacity, &Quantity::high);
    const double meanPerS = traffic.meanPerS / std::max(value, 1.0);
    const FlightState mean = m_copy.flight().under(meanPerS / m_copies, m_copy.own().slower);
    const auto each = [&](const Pace& pace) {
        return traffic.isAtOnce ? 1 / (m_copies * pace.capacityPerS) : busySeconds(meanPerS, pace);
    };
    capacity.busySeconds = Quantity::within(
        each(m_copy.own()), std::min(each(m_copy.own()), each(m_fast)),
        std::max(each(m_copy.own()), each(m_slow)), Unit::Seconds, Basis::Forecast,
        traffic.isAtOnce ? how(AtOnceFormula, {mostPerS()})
                         : how(BusyFormula, {mean.prompts, mean.making(), meanPerS}));
    return capacity;
}

void BusyMachine::setRates(ServingForecast& forecast, const Serving& serving) const
{
    const double value = mostPerS();
    const double inFlight =
        m_copy.flight().under(m_copy.own().capacityPerS, m_copy.own().slower).inFlight;
    forecast.requestsPerS = Quantity::within(
        value, std::min(value, m_copies * m_slow.capacityPerS),
        std::max(value, m_copies * m_fast.capacityPerS), Unit::SamplesPerSecond, Basis::Forecast,
        how(FullFormula, {m_copies * inFlight, m_copies * m_copy.flight().most()}));
    forecast.tokensPerS =
        product(forecast.requestsPerS,
                Quantity::exact(static_cast<double>(serving.outputTokens), Unit::One, {}),
                Unit::TokensPerSecond);
    const Quantity second = Quantity::exact(1, Unit::One, {});
    forecast.kwhPerRequest =
        energyOf(forecast.watts, quotient(second, forecast.requestsPerS, Unit::Seconds));
}

} // namespace outlay::pricing
