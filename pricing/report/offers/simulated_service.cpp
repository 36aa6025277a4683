// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/simulated_service.h"

#include "core/base/units.h"
#include "pricing/report/offers/service.h"
#include "pricing/report/offers/serving_ways.h"
#include "pricing/report/plan_hours.h"
#include "pricing/report/run_hours.h"
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
          m_traffic(trafficOf(subject, here.tails)),
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
        return PlainPace{.places = m_traffic.batch * real(m_forecast.copies),
                         .answerS = latencyMs / MillisPerS,
                         .firstTokenS = first.isAvailable() ? (first.*end)() / MillisPerS : 0,
                         .inputSpread = m_traffic.inputSpread,
                         .outputSpread = m_traffic.outputSpread,
                         .tails = m_traffic.tails};
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
                                .machines = machines * copies()},
                               stop);
        if (day)
            joinCopies(*day);
        // An engine's steps don't scatter in the simulation as requests do here.
        if (day && m_busy)
            scatter(*day);
        return day;
    }

    [[nodiscard]] AloneS alone() const
    {
        return m_busy ? m_busy->alone() : aloneOf(m_traffic, m_forecast);
    }

    [[nodiscard]] SimulatedMachines row(std::int64_t machines, const ServiceDay& day,
                                        const ServiceDay& fast, const ServiceDay& slow) const
    {
        const How why =
            how(SimulatedFormula, {static_cast<double>(day.requests), day.days, real(machines)});
        const auto around = [&](double scale, Unit unit, const auto& of) {
            const std::optional<double> value = of(day);
            const std::optional<double> low = of(fast);
            const std::optional<double> high = of(slow);
            if (!value || !low || !high)
                return Quantity::unavailable(unit, "too few requests come near the peak");
            return Quantity::within(scale * *value, scale * std::min(*value, *low),
                                    scale * std::max(*value, *high), unit, Basis::Forecast, why);
        };
        const auto milliseconds = [&](std::optional<double> ServiceDay::*of) {
            return around(MillisPerS, Unit::Milliseconds,
                          [of](const ServiceDay& d) { return d.*of; });
        };
        const auto number = [](auto of) {
            return [of](const ServiceDay& d) { return std::optional(static_cast<double>(d.*of)); };
        };
        SimulatedMachines row{.machines = machines};
        row.answerP95Ms = milliseconds(&ServiceDay::answerP95S);
        row.inFlight = around(1, Unit::One, number(&ServiceDay::inFlight));
        row.busyPercent = around(100, Unit::Percent, number(&ServiceDay::busyShare));
        row.mostWaiting = around(1, Unit::One, number(&ServiceDay::mostWaiting));
        const Quantity& token = m_forecast.tokenMs;
        const bool hasTokens = token.isAvailable();
        row.firstTokenP95Ms = hasTokens ? milliseconds(&ServiceDay::firstTokenP95S) : token;
        // One by one they wait before the first token alone; of one later token there is no mean of several.
        const bool isSimulated = m_busy && day.tokenP95S;
        row.tokenP95Ms = isSimulated ? milliseconds(&ServiceDay::tokenP95S)
                         : hasTokens ? token * m_traffic.tails.ofTokens()
                                     : token;
        row.usdPerMonth = usd(machines);
        hold(row);
        return row;
    }

    [[nodiscard]] bool isKeptAlone() const { return areKeptAlone(m_traffic.promises, alone()); }
    [[nodiscard]] const Promises& promises() const { return m_traffic.promises; }

private:
    /// What takes requests in turns: an engine's copies, each as a machine.
    [[nodiscard]] std::int64_t copies() const { return m_busy ? m_forecast.copies : 1; }

    /// A machine has those of all its copies.
    void joinCopies(ServiceDay& day) const
    {
        day.inFlight *= real(copies());
        day.requests *= static_cast<std::size_t>(copies());
        day.mostWaiting *= static_cast<std::size_t>(copies()); // at most
        for (ServiceSlice& slice : day.slices) {
            slice.inFlight *= real(copies());
            slice.waiting *= real(copies());
        }
    }

    void scatter(ServiceDay& day) const
    {
        const Tails& tails = m_traffic.tails;
        const auto stretch = [](std::optional<double>& seconds, double tail) {
            if (seconds)
                *seconds *= tail;
        };
        const auto stretchBoth = [&](std::optional<double>& answerS,
                                     std::optional<double>& firstS) {
            const double first = firstS.value_or(answerS.value_or(0));
            stretch(answerS, tails.ofAnswer(first, answerS.value_or(0) - first));
            stretch(firstS, tails.pass);
        };
        stretchBoth(day.answerP95S, day.firstTokenP95S);
        stretch(day.tokenP95S, tails.ofTokens());
        for (ServiceSlice& slice : day.slices)
            stretchBoth(slice.answerP95S, slice.firstTokenP95S);
    }

    void hold(SimulatedMachines& row) const
    {
        const Promises& promised = m_traffic.promises;
        const AloneS own = alone();
        const auto add = [&](std::string_view what, const Quantity& ms, double ownS,
                             const std::optional<double>& promisedS) {
            if (promisedS && ms.isAvailable())
                row.held.push_back(
                    {what, ms, *promisedS * MillisPerS, longestS(ownS, *promisedS) * MillisPerS});
        };
        add("answer", row.answerP95Ms, own.answer, promised.answerS);
        add("first_token", row.firstTokenP95Ms, own.firstToken, promised.firstTokenS);
        add("token", row.tokenP95Ms, own.token, promised.tokenS);
        const double sustained = m_report.serving.capacities[m_chosen.forecast].sustained;
        if (sustained < 1)
            row.held.push_back({"busy", row.busyPercent, PerCent * sustained, PerCent * sustained});
    }

    [[nodiscard]] Quantity usd(std::int64_t machines) const
    {
        const Quantity count = Quantity::exact(real(machines), Unit::One, {});
        const Capacity& capacity = m_report.serving.capacities[m_chosen.forecast];
        const double hours = paidHours(m_report.serving, capacity,
                                       m_report.serving.recommended.option->offer.purchase)
                                 .value() /
                             capacity.instances.value();
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
    if (serving.recommended.option &&
        runningOf(report.plan, serving.recommended.option->offer.purchase) != Running::Always)
        return "the plan has machines run only while requests ask for them: a simulated day is of "
               "those that always run";
    if (!serving.recommended.chosen || !serving.recommended.option)
        return "no machine is recommended for serving";
    if (!serving.forecasts[serving.recommended.chosen->forecast].latencyMs.isAvailable() ||
        !serving.capacities[serving.recommended.chosen->forecast].instances.isAvailable())
        return "nobody knows how long a request takes on the recommended machine";
    return {};
}

} // namespace

const SimulatedMachines::Held* SimulatedMachines::misses(double (Quantity::*end)() const) const
{
    const Held* worst = nullptr;
    const auto share = [&](const Held& one) { return (one.ms.*end)() / one.mostMs; };
    for (const Held& one : held) {
        if (share(one) > 1 && (worst == nullptr || share(one) > share(*worst)))
            worst = &one;
    }
    return worst;
}

bool SimulatedMachines::keepsPromises(double (Quantity::*end)() const) const
{
    return std::all_of(held.begin(), held.end(),
                       [&](const Held& one) { return (one.ms.*end)() <= one.promisedMs; });
}

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
    service.promises = simulation.promises();
    service.isKeptAlone = simulation.isKeptAlone();
    service.isCautious = experiment.plan.risk == Risk::Cautious;
    const double planned =
        report.serving.capacities[report.serving.recommended.chosen->forecast].instances.value();
    const std::int64_t plan = machines.value_or(std::max<std::int64_t>(1, std::llround(planned)));
    for (const std::int64_t count : {plan - 1, plan, plan + 1}) {
        if (count < 1)
            continue;
        const auto day = simulation.day(count, &Quantity::value, stop);
        const auto fast = simulation.day(count, &Quantity::low, stop);
        const auto slow = simulation.day(count, &Quantity::high, stop);
        if (stop.stop_requested())
            return std::nullopt;
        const auto isTold = [](const std::optional<ServiceDay>& one) {
            return one && one->answerP95S;
        };
        if (!isTold(day) || !isTold(fast) || !isTold(slow)) {
            service.why = "so few requests come that no day tells what 95 of 100 take";
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
                                 {"enough", row.isEnough()},
                                 {"surely_enough", row.isSurelyEnough()},
                                 {"holds_promises", row.keepsPromises(&Quantity::value)},
                                 {"surely_holds_promises", row.keepsPromises(&Quantity::high)},
                                 {"p95_ms", toJson(row.answerP95Ms)},
                                 {"first_token_p95_ms", toJson(row.firstTokenP95Ms)},
                                 {"token_p95_ms", toJson(row.tokenP95Ms)},
                                 {"in_flight", toJson(row.inFlight)},
                                 {"busy_percent", toJson(row.busyPercent)},
                                 {"most_waiting", toJson(row.mostWaiting)},
                                 {"usd_per_month", toJson(row.usdPerMonth)}});
    Json day = Json::array();
    for (const ServiceSlice& slice : service.day) {
        const auto ms = [](const std::optional<double>& seconds) {
            return seconds ? Json(*seconds * MillisPerS) : Json();
        };
        const bool hasTokens = service.plan().firstTokenP95Ms.isAvailable();
        day.append(
            Json::Object{{"hour", slice.hour},
                         {"requests_per_s", slice.perS},
                         {"in_flight", slice.inFlight},
                         {"waiting", slice.waiting},
                         {"p95_ms", ms(slice.answerP95S)},
                         {"first_token_p95_ms", hasTokens ? ms(slice.firstTokenP95S) : Json()}});
    }
    return Json::Object{{"machine", service.machine},   {"planned", service.plan().machines},
                        {"requests", service.requests}, {"days", service.days},
                        {"rows", std::move(rows)},      {"day", std::move(day)}};
}

} // namespace outlay::pricing
