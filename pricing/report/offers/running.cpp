// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/running.h"

#include "core/base/units.h"
#include "core/experiment/assumption_keys.h"
#include "core/service/day.h"
#include "pricing/report/assumption.h"
#include "pricing/report/plan_hours.h"
#include "pricing/report/run_hours.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula AlwaysFormula{"serving.hours", "{0} instances x {1} h"};
constexpr Formula TrafficFormula{
    "serving.hours.traffic",
    "as many of {0} instances as the hour asks for, {1} h on; none runs {2} min after the last "
    "request, and each start takes {3} min"};
constexpr Formula AtOnceFormula{"serving.hours.at_once",
                                "{0} requests x {1} s of machines, and {2} starts of {3} min"};
constexpr Formula ColdFormula{"serving.p95.cold",
                              "{0} ms, and {1} min to start a machine, which {2} % wait for"};

constexpr std::size_t Parts = 96; // of a day

/// One machine that starts for a request and stops when none has come for long enough: of each time that it runs once,
/// with requests that come by chance.
struct OneMachine {
    OneMachine(double perS, double waitS, double startS)
        : toStart(perS * startS), requests(toStart + std::exp(std::min(perS * waitS, Longest)))
    {
    }

    [[nodiscard]] double onShare() const { return 1 - 1 / requests; } // of the time
    /// Of the requests, how many wait for it to start: who starts it, and who comes meanwhile.
    [[nodiscard]] double coldShare() const { return std::min(1.0, (1 + toStart) / requests); }

    static constexpr double Longest = 500; // it never stops
    double toStart;                        // requests while it starts
    double requests;                       // until the next one has to start it again
};

double coldShareOf(std::span<const double> rates, double perS, double waitS, double startS)
{
    double share = 0;
    for (const double rate : rates)
        share += rate * OneMachine(perS * rate, waitS, startS).coldShare() /
                 static_cast<double>(rates.size());
    return share;
}

} // namespace

double coldShare(const Subject& subject)
{
    const Experiment& e = subject.experiment;
    return coldShareOf(TrafficShape(e.serving.peakFactor).rates(Parts),
                       meanRequestsPerS(e.serving, e.plan),
                       valueOf(subject, ScaleDownMinutes) * SecondsPerMinute,
                       valueOf(subject, StartupMinutes) * SecondsPerMinute);
}

Promises promisedIn(const Experiment& experiment)
{
    if (experiment.plan.running == Running::AtOnce)
        return {.answerS = experiment.plan.hoursPerDay * SecondsPerHour};
    return promisesOf(experiment.serving);
}

bool assumeAlike(const Experiment& a, const Experiment& b)
{
    // Where data lie and go, when a training starts, and who is paid for answers.
    constexpr std::array<std::string_view, 4> OfOthers{StorageClassKey, TransferServiceKey,
                                                       TrainingStartHourKey, ServingWayKey};
    const auto kept = [&](Json assumptions) {
        for (const std::string_view name : OfOthers)
            assumptions.erase(name);
        return assumptions;
    };
    return a.assumptions == b.assumptions || kept(a.assumptions) == kept(b.assumptions);
}

bool runsAlike(const Experiment& a, const Experiment& b)
{
    return a.model == b.model && a.serving == b.serving && assumeAlike(a, b) &&
           a.plan.running == b.plan.running &&
           runningOf(a.plan, a.plan.purchase) == runningOf(b.plan, b.plan.purchase) &&
           a.plan.hoursPerDay == b.plan.hoursPerDay && a.plan.daysPerMonth == b.plan.daysPerMonth;
}

RunningHours::RunningHours(const Subject& subject)
    : m_running(runningOf(subject.experiment.plan, subject.experiment.plan.purchase)),
      m_hoursPerMonth(hoursPerMonth(subject.experiment.plan)),
      m_daysPerMonth(daysPerMonth(subject.experiment.plan)),
      m_requestsPerMonth(subject.experiment.serving.requestsPerDay * m_daysPerMonth),
      m_startS(valueOf(subject, StartupMinutes) * SecondsPerMinute),
      m_waitS(valueOf(subject, ScaleDownMinutes) * SecondsPerMinute)
{
    if (m_running != Running::WithTraffic)
        return;
    m_peak = subject.experiment.serving.peakFactor;
    m_meanPerS = meanRequestsPerS(subject.experiment.serving, subject.experiment.plan);
    m_rates = TrafficShape(m_peak).rates(Parts);
}

double RunningHours::withTraffic(double instances, double perS) const
{
    double machines = 0; // on average
    double before = 0;
    double starts = 0; // of a day, of all but the last; each waits as long before it stops
    for (const double rate : m_rates) {
        const double needed = std::max(1.0, std::ceil(instances * std::min(rate / m_peak, 1.0)));
        const double last = OneMachine(perS * rate, m_waitS, m_startS).onShare();
        machines += (needed - 1 + last) / static_cast<double>(m_rates.size());
        starts += before > 0 ? std::max(0.0, needed - before) : 0;
        before = needed;
    }
    const double hours = machines * m_hoursPerMonth +
                         starts * m_daysPerMonth * (m_startS + m_waitS) / SecondsPerHour;
    return std::min(hours, instances * m_hoursPerMonth);
}

void RunningHours::add(Capacity& capacity, const Traffic& traffic) const
{
    const Quantity& instances = capacity.instances;
    if (!instances.isAvailable())
        capacity.hours = Quantity::unavailable(Unit::Hours, instances.how().note);
    else if (m_running == Running::AtOnce)
        addAtOnce(capacity);
    else if (m_running == Running::WithTraffic && traffic.meanPerS > 0)
        addStarts(capacity, traffic);
    else
        capacity.hours =
            product(instances, Quantity::exact(m_hoursPerMonth, Unit::Hours, {}), Unit::Hours)
                .because(how(AlwaysFormula, {instances.value(), m_hoursPerMonth}));
}

void RunningHours::addStarts(Capacity& capacity, const Traffic& traffic) const
{
    const Quantity& instances = capacity.instances;
    const auto hours = [&](double count) { return withTraffic(count, traffic.meanPerS); };
    capacity.hours = Quantity::within(
        hours(instances.value()), hours(instances.low()), hours(instances.high()), Unit::Hours,
        Basis::Assumed,
        how(TrafficFormula, {instances.value(), m_hoursPerMonth, m_waitS / SecondsPerMinute,
                             m_startS / SecondsPerMinute}));
    const double requests = m_requestsPerMonth * traffic.meanPerS / m_meanPerS;
    const double busyHours = capacity.busySeconds.value() * requests / SecondsPerHour;
    if (busyHours > capacity.hours.value())
        capacity.busySeconds = capacity.busySeconds * (capacity.hours.value() / busyHours);
    const double cold = coldShareOf(m_rates, traffic.meanPerS, m_waitS, m_startS);
    if (cold <= MostCold)
        return;
    const double startMs = m_startS * MillisPerS;
    for (Quantity* ms : {&capacity.p95Ms, &capacity.firstTokenP95Ms}) {
        if (ms->isAvailable())
            *ms = Quantity::within(
                ms->value() + startMs, ms->low() + startMs, ms->high() + startMs,
                Unit::Milliseconds, Basis::Assumed,
                how(ColdFormula, {ms->value(), m_startS / SecondsPerMinute, PerCent * cold}));
    }
    capacity.holdsLatency = holdsAll(traffic.promises, capacity, &Quantity::value);
    capacity.holdsSurely = holdsAll(traffic.promises, capacity, &Quantity::high);
}

void RunningHours::addAtOnce(Capacity& capacity) const
{
    const double requests = m_requestsPerMonth;
    const auto hours = [&](double instances, double busyS) {
        const double starts = requests > 0 ? m_daysPerMonth * instances : 0;
        // All that wait use up what a burstable machine has saved.
        return std::min((requests * busyS / capacity.sustained + starts * m_startS) /
                            SecondsPerHour,
                        instances * m_hoursPerMonth);
    };
    const Quantity& busy = capacity.busySeconds;
    const Quantity& instances = capacity.instances;
    capacity.hours =
        busy.isAvailable()
            ? Quantity::within(
                  hours(instances.value(), busy.value()), hours(instances.low(), busy.low()),
                  hours(instances.high(), busy.high()), Unit::Hours, Basis::Forecast,
                  how(AtOnceFormula, {requests, busy.value(), m_daysPerMonth * instances.value(),
                                      m_startS / SecondsPerMinute}))
            : Quantity::unavailable(Unit::Hours, busy.how().note);
    const Note why = "a day's requests are answered at once, each whenever its turn comes";
    for (Quantity* ms : {&capacity.p95Ms, &capacity.firstTokenP95Ms, &capacity.tokenP95Ms})
        *ms = Quantity::unavailable(Unit::Milliseconds, why);
    capacity.holdsLatency = true;
    capacity.holdsSurely = true;
}

} // namespace outlay::pricing
