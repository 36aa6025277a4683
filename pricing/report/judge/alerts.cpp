// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/hardware/flight.h"
#include "pricing/report/assumption.h"
#include "pricing/report/judge/risks.h"
#include "pricing/report/offers/chosen.h"
#include "pricing/report/plan_hours.h"
#include "pricing/report/sections.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula LimitFormula{"alert.limit", "{0}"};
constexpr Formula ShareFormula{"alert.memory", "100 x {0} B / {1} B"};
constexpr Formula BusyFormula{
    "alert.busy", "100 x {0} requests/s at the peak / ({1} requests/s x {2} instances)"};
constexpr Formula RunsFormula{"alert.runs", "{0} h of a run x {1} runs"};
constexpr Formula DayFormula{"alert.day", "{0} USD a month / {1} days"};

Quantity limitOf(double value, Unit unit, std::string note)
{
    return Quantity::within(value, value, value, unit, Basis::Assumed,
                            how(LimitFormula, {value}, std::move(note)));
}

/// Near where the interval reaches over the limit, or nine tenths of the way are gone.
std::string stateOf(const Quantity& projected, const Quantity& threshold)
{
    constexpr double Near = 0.9;
    if (!projected.isAvailable() || !threshold.isAvailable())
        return "unknown";
    if (projected.value() > threshold.value())
        return "exceeded";
    const bool isNear =
        projected.high() > threshold.value() || projected.value() > Near * threshold.value();
    return isNear ? "near" : "ok";
}

void add(Report& report, std::string name, Quantity threshold, Quantity projected,
         std::string whatToDo)
{
    std::string state = stateOf(projected, threshold);
    report.alerts.push_back({std::move(name), std::move(threshold), std::move(projected),
                             std::move(state), std::move(whatToDo)});
}

/// How busy the recommended instances are in the busiest hour.
Quantity busyOf(const Subject& subject, const Report& report)
{
    const auto& text = report.serving.recommended.option;
    const auto& option = report.serving.recommended.chosen;
    if (report.serving.by != ServedBy::Machines)
        return Quantity::unavailable(Unit::Percent, "no machine of one's own serves");
    if (!text || !option || option->forecast >= report.serving.forecasts.size())
        return Quantity::unavailable(Unit::Percent, "no instance is recommended for serving");
    const Quantity& rate = report.serving.forecasts[option->forecast].requestsPerS;
    const Serving& s = subject.experiment.serving;
    const double peak = peakRequestsPerS(s, subject.experiment.plan);
    const Quantity wanted = Quantity::exact(peak, Unit::SamplesPerSecond, {});
    const Quantity capacity = product(rate, text->instances, Unit::SamplesPerSecond);
    return (quotient(wanted, capacity, Unit::Percent) * 100)
        .because(how(BusyFormula, {peak, rate.value(), text->instances.value()}));
}

Quantity memoryShare(const Subject& subject, const Quantity& memory,
                     const Recommendation& recommended)
{
    const auto& option = recommended.option;
    if (!option)
        return Quantity::unavailable(Unit::Percent, "no offer is chosen");
    const MachineKind* machine = machineOf(subject.catalogs, recommended);
    const auto bytes = machine != nullptr ? machine->memoryBytes() : std::nullopt;
    if (!bytes)
        return Quantity::unavailable(
            Unit::Percent, "the memory of " + option->offer.machine.instance + " is not known");
    return product(memory, Quantity::exact(100 / *bytes, Unit::One, {}), Unit::Percent)
        .because(how(ShareFormula, {memory.value(), *bytes}, option->offer.machine.instance));
}

void addUtilisation(const Subject& subject, Report& report)
{
    // Machines that answer a day's requests at once are meant to be full.
    if (subject.experiment.plan.running != Running::AtOnce)
        add(report, "utilisation of the service",
            limitOf(valueOf(subject, AlertBusyPercent), Unit::Percent,
                    "assumption alert_busy_percent"),
            busyOf(subject, report),
            takesInRequests(subject, report) ? "add an instance, or take a faster one"
                                             : "add an instance, or serve larger batches");
    const auto& option = report.training.recommended.chosen;
    const Quantity used = !option || option->forecast >= report.training.forecasts.size()
                              ? Quantity::unavailable(Unit::Percent, "no offer is chosen")
                              : report.training.forecasts[option->forecast].utilisation;
    // This one is a floor: the state turns when the figure falls below it.
    const Quantity floor = limitOf(valueOf(subject, AlertIdlePercent), Unit::Percent,
                                   "at least; assumption alert_idle_percent");
    const bool isLow = used.isAvailable() && used.value() < floor.value();
    const bool isNear = used.isAvailable() && used.low() < floor.value();
    report.alerts.push_back({"utilisation of the training", floor, used,
                             !used.isAvailable() ? "unknown"
                             : isLow             ? "below"
                             : isNear            ? "near"
                                                 : "ok",
                             "raise the batch, or take a smaller machine"});
}

/// What isn't done yet of what would help, and what always does.
std::string trainingRemedy(const Training& training)
{
    std::string remedy;
    if (training.batch > 1)
        remedy += "reduce the batch, ";
    if (!recomputes(training))
        remedy += "turn checkpointing on, ";
    return remedy + (remedy.empty() ? "" : "or ") + "take a device with more memory";
}

std::string servingRemedy(const Serving& serving)
{
    std::string remedy;
    if (batchOf(serving) > 1)
        remedy += "serve smaller batches, ";
    if (serving.precision != ServingPrecision::Int4)
        remedy += "serve in a narrower precision, ";
    return remedy + (remedy.empty() ? "" : "or ") + "take a device with more memory";
}

void addMemory(const Subject& subject, Report& report)
{
    const Quantity limit = limitOf(valueOf(subject, AlertMemoryPercent), Unit::Percent,
                                   "assumption alert_memory_percent");
    const Recommendation& training = report.training.recommended;
    add(report, "memory of the training", limit,
        memoryShare(subject, training.option ? training.option->memory : report.training.memory,
                    training),
        trainingRemedy(subject.experiment.training));
    const Recommendation& serving = report.serving.recommended;
    add(report, "memory of the service", limit,
        memoryShare(subject, serving.option ? serving.option->memory : report.serving.memory,
                    serving),
        servingRemedy(subject.experiment.serving));
}

/// What the service promises, held against what the recommended machines do.
void addPromises(const Subject& subject, Report& report)
{
    const Serving& s = subject.experiment.serving;
    if (subject.experiment.plan.running == Running::AtOnce)
        return; // nobody waits for an answer
    const auto limit = [](double ms, const char* pointer) {
        return Quantity::exact(ms, Unit::Milliseconds, how(LimitFormula, {ms}, pointer));
    };
    add(report, "latency that 95 % of the requests keep",
        limit(s.latencyP95Ms, "/serving/latency_p95_ms"), report.serving.plannedP95Ms(),
        "use a faster machine, a smaller batch or a shorter output");
    const Capacity* planned = report.serving.plannedCapacity();
    if (planned == nullptr || !generates(subject.experiment.model))
        return;
    if (s.firstTokenP95Ms)
        add(report, "time to the first token that 95 % of the requests keep",
            limit(*s.firstTokenP95Ms, "/serving/first_token_p95_ms"), planned->firstTokenP95Ms,
            "use a faster machine, more of them, or shorter prompts");
    if (s.tokenP95Ms)
        add(report, "time of a token that 95 % of the answers keep",
            limit(*s.tokenP95Ms, "/serving/token_p95_ms"), planned->tokenP95Ms,
            "use a machine with faster memory, a narrower precision, or more machines");
}

/// Against the budget where there is one, else against a day's spending.
void addCost(const Subject& subject, Report& report)
{
    if (const auto budget = subject.experiment.plan.budgetUsd) {
        add(report, "cost of a month",
            Quantity::exact(*budget, Unit::Usd, how(LimitFormula, {*budget}, "/plan/budget_usd")),
            report.month.total, "apply the recommendations, or raise the budget");
        return;
    }
    const double days = daysPerMonth(subject.experiment.plan);
    const Quantity daily = (report.month.total * (1 / std::max(1.0, days)))
                               .because(how(DayFormula, {report.month.total.value(), days}));
    add(report, "cost of a day",
        limitOf(valueOf(subject, AlertUsdPerDay), Unit::Usd,
                "assumption alert_usd_per_day; /plan/budget_usd sets a budget"),
        daily, "review what runs, and set a budget");
}

/// Runs of a month that take longer than a month would overlap.
void addRuns(const Subject& subject, Report& report)
{
    const double runs = subject.experiment.training.runsPerMonth;
    const auto& option = report.training.recommended.option;
    if (runs <= 0 || !option)
        return;
    const Quantity taken =
        (option->hours * runs).because(how(RunsFormula, {option->hours.value(), runs}));
    add(report, "hours of a month's training runs",
        Quantity::exact(HoursInMonth, Unit::Hours, how(LimitFormula, {HoursInMonth}, "a month")),
        taken, "plan fewer runs a month (/training/runs_per_month), or more machines for each");
}

} // namespace

void addAlerts(const Subject& subject, Report& report)
{
    const Experiment& e = subject.experiment;
    addUtilisation(subject, report);
    addMemory(subject, report);
    addPromises(subject, report);
    addCost(subject, report);
    addRuns(subject, report);
    if (e.plan.deadlineHours) {
        const auto& option = report.training.recommended.option;
        add(report, "duration of a run",
            Quantity::exact(*e.plan.deadlineHours, Unit::Hours,
                            how(LimitFormula, {*e.plan.deadlineHours}, "/plan/deadline_hours")),
            option ? option->hours : Quantity::unavailable(Unit::Hours, "no offer is chosen"),
            "take a faster offer, or more devices");
    }
    addRisks(subject, report);
}

} // namespace outlay::pricing
