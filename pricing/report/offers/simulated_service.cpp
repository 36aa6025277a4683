// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/simulated_service.h"

#include "core/base/units.h"
#include "pricing/report/offers/service.h"
#include "pricing/report/offers/serving_ways.h"
#include "pricing/report/sections.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula SimulatedFormula{"serving.simulated",
                                   "{0} requests of {1} days, one by one; {2} machines take turns"};
constexpr Formula SimulatedCostFormula{"serving.simulated.cost",
                                       "{0} x {1} h x {2} USD + {3} USD to share requests out"};

/// The machines that the Report has, with what answers on each.
class Simulation {
public:
    Simulation(const Subject& subject, const Report& report, const ServingHere& here)
        : m_subject(subject), m_report(report), m_chosen(*report.serving.recommended.chosen),
          m_forecast(report.serving.forecasts[m_chosen.forecast]),
          m_traffic(trafficOf(subject, here.p95OverMedian)),
          m_busy(Service(subject, here)
                     .busy(subject.catalogs.devices().kinds()[m_chosen.forecast], m_forecast))
    {
    }

    [[nodiscard]] Answering answeringAt(double (Quantity::*end)() const) const
    {
        const double latencyMs = (m_forecast.latencyMs.*end)();
        if (m_busy)
            return m_busy->pace(latencyMs);
        const Quantity& first = m_forecast.firstTokenMs;
        return PlainPace{.places = m_traffic.batch,
                         .answerS = latencyMs / MillisPerS,
                         .firstTokenS = first.isAvailable() ? (first.*end)() / MillisPerS : 0,
                         .p95OverMedian = m_traffic.p95OverMedian};
    }

    [[nodiscard]] std::optional<ServiceDay> day(std::int64_t machines,
                                                double (Quantity::*end)() const,
                                                const std::stop_token& stop) const
    {
        const Experiment& e = m_subject.experiment;
        auto day = simulateDay(answeringAt(end),
                               {.requestsPerDay = e.serving.requestsPerDay,
                                .peakFactor = e.serving.peakFactor,
                                .hours = e.plan.hoursPerDay,
                                .machines = machines},
                               stop);
        // An engine's steps don't scatter in the simulation as requests do here.
        if (day && m_busy)
            scatter(*day);
        return day;
    }

    /// Seconds of one alone.
    struct Alone {
        double answerS = 0;
        double firstTokenS = 0;
        double tokenS = 0;
    };
    [[nodiscard]] Alone alone() const
    {
        const double ratio = m_traffic.p95OverMedian / MillisPerS;
        const auto seconds = [&](const Quantity& ms) {
            return ms.isAvailable() ? ms.value() * ratio : 0;
        };
        return {seconds(m_forecast.latencyMs), seconds(m_forecast.firstTokenMs),
                seconds(m_forecast.tokenMs)};
    }

    [[nodiscard]] SimulatedMachines row(std::int64_t machines, const ServiceDay& day,
                                        const ServiceDay& fast, const ServiceDay& slow) const
    {
        const How why =
            how(SimulatedFormula, {static_cast<double>(day.requests), day.days, real(machines)});
        const auto around = [&](double ServiceDay::*of, double scale, Unit unit) {
            const double value = scale * (day.*of);
            return Quantity::within(value, std::min(value, scale * (fast.*of)),
                                    std::max(value, scale * (slow.*of)), unit, Basis::Forecast,
                                    why);
        };
        SimulatedMachines row{.machines = machines};
        row.answerP95Ms = around(&ServiceDay::answerP95S, MillisPerS, Unit::Milliseconds);
        row.inFlight = around(&ServiceDay::inFlight, 1, Unit::One);
        row.busyPercent = around(&ServiceDay::busyShare, 100, Unit::Percent);
        const auto waiting = static_cast<double>(day.mostWaiting);
        row.mostWaiting =
            Quantity::within(waiting, std::min(waiting, static_cast<double>(fast.mostWaiting)),
                             std::max(waiting, static_cast<double>(slow.mostWaiting)), Unit::One,
                             Basis::Forecast, why);
        if (m_forecast.tokenMs.isAvailable()) {
            row.firstTokenP95Ms =
                around(&ServiceDay::firstTokenP95S, MillisPerS, Unit::Milliseconds);
            row.tokenP95Ms = m_busy ? around(&ServiceDay::tokenP95S, MillisPerS, Unit::Milliseconds)
                                    : m_forecast.tokenMs * m_traffic.p95OverMedian;
        } else {
            row.firstTokenP95Ms = m_forecast.tokenMs;
            row.tokenP95Ms = m_forecast.tokenMs;
        }
        row.usdPerMonth = usd(machines);
        row.keeps = keeps(row);
        return row;
    }

    [[nodiscard]] bool isKeptAlone() const
    {
        const Promises& promised = m_traffic.promises;
        const Alone own = alone();
        return own.answerS <= promised.answerS &&
               own.firstTokenS <= promised.firstTokenS.value_or(HUGE_VAL) &&
               own.tokenS <= promised.tokenS.value_or(HUGE_VAL);
    }
    [[nodiscard]] const Promises& promises() const { return m_traffic.promises; }

private:
    void scatter(ServiceDay& day) const
    {
        for (double* seconds : {&day.answerP95S, &day.firstTokenP95S, &day.tokenP95S})
            *seconds *= m_traffic.p95OverMedian;
        for (ServiceSlice& slice : day.slices) {
            slice.answerP95S *= m_traffic.p95OverMedian;
            slice.firstTokenP95S *= m_traffic.p95OverMedian;
        }
    }

    [[nodiscard]] bool keeps(const SimulatedMachines& row) const
    {
        const Promises& promised = m_traffic.promises;
        const Alone own = alone();
        const auto isKept = [](const Quantity& ms, double ownS, const std::optional<double>& most) {
            return !most || !ms.isAvailable() || ms.value() <= longestS(ownS, *most) * MillisPerS;
        };
        return isKept(row.answerP95Ms, own.answerS, promised.answerS) &&
               isKept(row.firstTokenP95Ms, own.firstTokenS, promised.firstTokenS) &&
               isKept(row.tokenP95Ms, own.tokenS, promised.tokenS);
    }

    [[nodiscard]] Quantity usd(std::int64_t machines) const
    {
        const Quantity count = Quantity::exact(real(machines), Unit::One, {});
        const double hours =
            paidHours(m_report.serving, m_report.serving.recommended.option->offer.purchase);
        const Quantity price = m_subject.catalogs.prices().price(m_chosen.row);
        const Quantity balancer = loadBalancerUsd(m_subject, count);
        const Quantity all =
            product(Quantity::exact(hours, Unit::Hours, {}) * real(machines), price, Unit::Usd);
        return (machines > 1 ? all + balancer : all)
            .because(how(SimulatedCostFormula, {real(machines), hours, price.value(),
                                                machines > 1 ? balancer.value() : 0}));
    }

    const Subject& m_subject;
    const Report& m_report;
    const Option& m_chosen;
    const ServingForecast& m_forecast;
    Traffic m_traffic;
    std::optional<BusyMachine> m_busy;
};

/// Why the Report has no machines to simulate; empty where it has.
std::string lackOf(const Report& report)
{
    const ServingReport& serving = report.serving;
    if (serving.requestsPerDay <= 0)
        return "no requests are planned, so nothing has to serve";
    if (serving.by != ServedBy::Machines)
        return "the plan pays by the request or by the token: no machines of one's own serve";
    if (!serving.recommended.chosen || !serving.recommended.option)
        return "no machine is recommended for serving";
    if (!serving.forecasts[serving.recommended.chosen->forecast].latencyMs.isAvailable() ||
        !serving.capacities[serving.recommended.chosen->forecast].instances.isAvailable())
        return "nobody knows how long a request takes on the recommended machine";
    return {};
}

} // namespace

std::optional<SimulatedService> simulateService(const Experiment& experiment,
                                                const Catalogs& catalogs, const Report& report,
                                                std::optional<std::int64_t> machines,
                                                const std::stop_token& stop)
{
    SimulatedService service{.why = lackOf(report)};
    if (!service.why.empty())
        return service;
    const Subject subject = subjectOf(experiment, catalogs);
    const ServingHere here = servingHere(subject);
    const Simulation simulation(subject, report, here);
    const Offer& offer = report.serving.recommended.option->offer;
    service.machine = offer.machine.provider + " " + offer.machine.instance + " in " + offer.region;
    service.machinesFormula =
        report.serving.capacities[report.serving.recommended.chosen->forecast].instances.value();
    service.promises = simulation.promises();
    service.isKeptAlone = simulation.isKeptAlone();
    const std::int64_t plan =
        machines.value_or(std::max<std::int64_t>(1, std::llround(service.machinesFormula)));
    for (const std::int64_t count : {plan - 1, plan, plan + 1}) {
        if (count < 1)
            continue;
        const auto day = simulation.day(count, &Quantity::value, stop);
        const auto fast = simulation.day(count, &Quantity::low, stop);
        const auto slow = simulation.day(count, &Quantity::high, stop);
        if (stop.stop_requested())
            return std::nullopt;
        if (!day || !fast || !slow) {
            service.why = "so few requests come that there is nothing to simulate";
            service.rows.clear();
            return service;
        }
        if (count == plan) {
            service.planned = service.rows.size();
            service.day = day->slices;
            service.requests = static_cast<double>(day->requests);
            service.days = day->days;
        }
        service.rows.push_back(simulation.row(count, *day, *fast, *slow));
    }
    return service;
}

Json toJson(const SimulatedService& service)
{
    if (!service.why.empty())
        return Json::Object{{"why", service.why}};
    Json rows = Json::array();
    for (const SimulatedMachines& row : service.rows)
        rows.append(Json::Object{{"machines", row.machines},
                                 {"holds_promises", row.keeps},
                                 {"p95_ms", toJson(row.answerP95Ms)},
                                 {"first_token_p95_ms", toJson(row.firstTokenP95Ms)},
                                 {"token_p95_ms", toJson(row.tokenP95Ms)},
                                 {"in_flight", toJson(row.inFlight)},
                                 {"busy_percent", toJson(row.busyPercent)},
                                 {"most_waiting", toJson(row.mostWaiting)},
                                 {"usd_per_month", toJson(row.usdPerMonth)}});
    Json day = Json::array();
    for (const ServiceSlice& slice : service.day) {
        const bool isKnown = slice.requests > 0;
        day.append(Json::Object{
            {"hour", slice.hour},
            {"requests_per_s", slice.perS},
            {"in_flight", slice.inFlight},
            {"waiting", slice.waiting},
            {"p95_ms", isKnown ? Json(slice.answerP95S * MillisPerS) : Json()},
            {"first_token_p95_ms", isKnown ? Json(slice.firstTokenP95S * MillisPerS) : Json()}});
    }
    return Json::Object{{"machine", service.machine},   {"planned", service.plan().machines},
                        {"requests", service.requests}, {"days", service.days},
                        {"rows", std::move(rows)},      {"day", std::move(day)}};
}

} // namespace outlay::pricing
