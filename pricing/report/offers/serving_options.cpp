// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/base/units.h"
#include "pricing/report/assumption.h"
#include "pricing/report/here/serving_here.h"
#include "pricing/report/offers/offer_rank.h"
#include "pricing/report/offers/queue.h"
#include "pricing/report/offers/recommend.h"
#include "pricing/report/offers/serving_ways.h"
#include "pricing/report/plan_hours.h"
#include "pricing/report/sections.h"

#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula InstancesFormula{
    "serving.instances",
    "for {0} requests a second at the peak, {1} ms each, {2} at once, so that 95 of 100 wait at "
    "most {3} ms (M/M/c)"};
constexpr Formula P95Formula{"serving.p95", "{0} ms x {1} + {2} ms of waiting (M/M/c)"};

/// Traffic and what is asked of it.
struct Traffic {
    double peakPerS = 0;
    double limitMs = 0;
    double batch = 1;
    double p95OverMedian = 1;
};

Traffic trafficOf(const Subject& subject, double p95OverMedian)
{
    const Serving& s = subject.experiment.serving;
    return {peakRequestsPerS(s, subject.experiment.plan), s.latencyP95Ms,
            static_cast<double>(s.batch), p95OverMedian};
}

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

Capacity capacityOf(const Traffic& traffic, const ServingForecast& forecast)
{
    const Quantity& latency = forecast.latencyMs;
    if (!latency.isAvailable())
        return {.instances = Quantity::unavailable(Unit::One, latency.how().note),
                .p95Ms = Quantity::unavailable(Unit::Milliseconds, latency.how().note)};
    const double value = instancesAt(traffic, latency.value());
    Capacity capacity;
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
    return capacity;
}

ServingForecast unknownForecast(const Subject& subject, const Note& why)
{
    ServingForecast f = unavailableServing(why);
    f.memory = subject.serving.memory;
    return f;
}

Devices devicesOf(const Subject& subject, const MachineKind& kind)
{
    return {kind.device, kind.count, subject.catalogs.calibration(),
            runtimeBytesOn(subject, kind.device)};
}

ServingForecast forecastOn(const Subject& subject, const MachineKind& kind,
                           const Corrections& corrections)
{
    if (!kind.unknown.empty())
        return unknownForecast(subject, kind.unknown);
    ServingForecast f = servingForecast(subject.serving, devicesOf(subject, kind));
    correct(f, corrections.of(kind.device));
    return f;
}

/// A month of the service on each kind of machine.
std::vector<JobOn> jobsOf(const Subject& subject, const ServingReport& serving)
{
    constexpr double Several = 2;
    const double balancerUsd =
        loadBalancerUsd(subject, Quantity::exact(Several, Unit::One, {})).value();
    std::vector<JobOn> jobs;
    jobs.reserve(serving.capacities.size());
    for (std::size_t i = 0; i < serving.capacities.size(); ++i) {
        const Capacity& capacity = serving.capacities[i];
        const double hours = serving.hoursPerMonth;
        const HoursRange paid{capacity.instances.value() * hours, capacity.instances.low() * hours,
                              capacity.instances.high() * hours};
        jobs.push_back({.fits = serving.forecasts[i].fits,
                        .hasTime = capacity.instances.isAvailable(),
                        .hours = paid,
                        .spotHours = paid,
                        .committedHours = paid,
                        .besidesUsd = capacity.instances.value() > 1 ? balancerUsd : 0,
                        .meetsDeadline = capacity.holdsLatency,
                        .meetsDeadlineOnSpot = capacity.holdsLatency});
    }
    return jobs;
}

/// The recommended instance under less and more traffic.
std::vector<ScalingRow> scalingOf(const Subject& subject, const Report& report,
                                  const Traffic& traffic)
{
    constexpr std::array Factors{0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0};
    std::vector<ScalingRow> rows;
    const Recommendation& recommended = report.serving.recommended;
    if (!recommended.chosen || !recommended.option)
        return rows;
    const ServingForecast& forecast = report.serving.forecasts[recommended.chosen->forecast];
    const Quantity price = subject.catalogs.prices().price(recommended.chosen->row);
    for (const double factor : Factors) {
        Traffic scaled = traffic;
        scaled.peakPerS *= factor;
        const Capacity capacity = capacityOf(scaled, forecast);
        ScalingRow row{.requestsPerDay = subject.experiment.serving.requestsPerDay * factor,
                       .instance = recommended.option->offer.machine.instance,
                       .instances = capacity.instances,
                       .p95Ms = capacity.p95Ms};
        row.needsLoadBalancer = capacity.instances.isAvailable() && capacity.instances.value() > 1;
        row.loadBalancerUsd = loadBalancerUsd(subject, capacity.instances);
        row.usdPerMonth =
            product(capacity.instances * report.serving.hoursPerMonth, price, Unit::Usd);
        if (row.needsLoadBalancer)
            row.usdPerMonth = row.usdPerMonth + row.loadBalancerUsd;
        rows.push_back(std::move(row));
    }
    return rows;
}

void addForecasts(const Subject& subject, const MachineDevices& devices, const ServingHere& here,
                  ServingReport& serving)
{
    if (serving.forecasts.empty()) {
        serving.forecasts.reserve(devices.kinds().size());
        for (const MachineKind& kind : devices.kinds()) {
            if (kind.twin < serving.forecasts.size() && kind.unknown.empty()) {
                serving.forecasts.push_back(serving.forecasts[kind.twin]);
                serving.forecasts.back().fits =
                    fitsOn(serving.forecasts.back().memory, devicesOf(subject, kind));
            } else {
                serving.forecasts.push_back(forecastOn(subject, kind, here.corrections));
            }
        }
    }
    const Traffic traffic = trafficOf(subject, here.p95OverMedian);
    serving.capacities.reserve(serving.forecasts.size());
    for (std::size_t i = 0; i < serving.forecasts.size(); ++i) {
        const std::uint32_t twin = devices.kinds()[i].twin;
        serving.capacities.push_back(twin < i ? serving.capacities[twin]
                                              : capacityOf(traffic, serving.forecasts[i]));
    }
    for (const AcceleratorCount& asked : subject.experiment.plan.forecastOn) {
        const auto device = subject.catalogs.hardware().device(asked.accelerator);
        const MachineKind kind = device ? MachineKind{.device = *device, .count = asked.count}
                                        : MachineKind{.unknown = device.error().sentence()};
        serving.on.push_back(
            {asked.accelerator, asked.count, forecastOn(subject, kind, here.corrections)});
    }
}

} // namespace

void addServing(const Subject& subject, Report& report)
{
    const MachineDevices& devices = subject.catalogs.devices();
    const Experiment& e = subject.experiment;
    ServingReport& serving = report.serving;
    const ServingHere here = servingHere(subject);
    serving.latencyMs = here.latencyMs;
    serving.p95Ms = here.p95Ms;
    serving.throughputPerS = here.throughputPerS;
    serving.hoursPerMonth = hoursPerMonth(e.plan);
    serving.requestsPerMonth = e.serving.requestsPerDay * daysPerMonth(e.plan);
    addForecasts(subject, devices, here, serving);
    serving.isFunction = subject.assumedText("serving_way", "instance") == "serverless";
    serving.options = rankedOptions(subject, jobsOf(subject, serving));
    serving.recommended =
        recommend(subject, {serving.options, e.plan.servingOffer, "/plan/serving_offer",
                            "a month of the service", [&](const Option& option) {
                                return servingOptionText(report, subject.catalogs, option);
                            }});
    const auto& option = serving.recommended.option;
    serving.usdPerMillion = usdPerMillion(
        option ? option->usd : Quantity::unavailable(Unit::Usd, "no offer is recommended"),
        serving.requestsPerMonth);
    addServingWays(subject, here, report);
}

void addScaling(const Subject& subject, Report& report)
{
    report.serving.scaling =
        scalingOf(subject, report, trafficOf(subject, servingHere(subject).p95OverMedian));
}

} // namespace outlay::pricing
