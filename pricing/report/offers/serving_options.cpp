// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/base/units.h"
#include "pricing/report/offers/cheapest.h"
#include "pricing/report/offers/hosted.h"
#include "pricing/report/offers/offer_rank.h"
#include "pricing/report/offers/recommend.h"
#include "pricing/report/offers/running.h"
#include "pricing/report/offers/service.h"
#include "pricing/report/offers/serving_ways.h"
#include "pricing/report/plan_hours.h"
#include "pricing/report/sections.h"

#include <cmath>
#include <optional>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

/// A month of the service on each kind of machine.
std::vector<JobOn> jobsOf(const Subject& subject, const ServingReport& serving)
{
    constexpr double Several = 2;
    const double balancerUsd =
        loadBalancerUsd(subject, Quantity::exact(Several, Unit::One, {})).value();
    const Promises promises = promisesOf(subject.experiment.serving);
    std::vector<JobOn> jobs;
    jobs.reserve(serving.capacities.size());
    for (std::size_t i = 0; i < serving.capacities.size(); ++i) {
        const Capacity& capacity = serving.capacities[i];
        const bool isCautious = subject.experiment.plan.risk == Risk::Cautious;
        const bool holds = isCautious ? capacity.holdsSurely : capacity.holdsLatency;
        const double lateness =
            latenessOf(promises, capacity, isCautious ? &Quantity::high : &Quantity::value);
        const auto range = [](const Quantity& hours) {
            return HoursRange{hours.value(), hours.low(), hours.high()};
        };
        const HoursRange paid = range(capacity.hours);
        jobs.push_back({.fits = serving.forecasts[i].fits,
                        .hasTime = capacity.hours.isAvailable(),
                        .hours = paid,
                        .spotHours = paid,
                        .committedHours = range(paidHours(serving, capacity, Purchase::Reserved1y)),
                        .besidesUsd = capacity.instances.value() > 1 ? balancerUsd : 0,
                        .meetsDeadline = holds,
                        .meetsDeadlineOnSpot = holds,
                        .lateness = capacity.p95Ms.isAvailable() ? lateness : HUGE_VAL,
                        .isTooLong = lateness > MuchTooLate,
                        .isTooLongOnSpot = lateness > MuchTooLate});
    }
    return jobs;
}

/// The recommended instance under less and more traffic.
std::vector<ScalingRow> scalingOf(const Subject& subject, const Report& report,
                                  const ServingHere& here)
{
    Service service(subject, here);
    const RunningHours running(subject);
    const Traffic traffic = trafficOf(subject, here.tails);
    constexpr std::array Factors{0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0};
    std::vector<ScalingRow> rows;
    const Recommendation& recommended = report.serving.recommended;
    if (!recommended.chosen || !recommended.option)
        return rows;
    const ServingForecast& forecast = report.serving.forecasts[recommended.chosen->forecast];
    const MachineKind& kind = subject.catalogs.devices().kinds()[recommended.chosen->forecast];
    const auto busy = service.busy(kind, forecast);
    const Quantity price = subject.catalogs.prices().price(recommended.chosen->row);
    for (const double factor : Factors) {
        const Traffic more = scaled(traffic, factor);
        Capacity capacity = Service::under(more, kind, forecast, busy);
        running.add(capacity, more);
        ScalingRow row{.requestsPerDay = subject.experiment.serving.requestsPerDay * factor,
                       .instance = recommended.option->offer.machine.instance,
                       .instances = capacity.instances,
                       .p95Ms = capacity.p95Ms};
        row.needsLoadBalancer = capacity.instances.isAvailable() && capacity.instances.value() > 1;
        row.loadBalancerUsd = loadBalancerUsd(subject, capacity.instances);
        const Purchase purchase = recommended.option->offer.purchase;
        row.usdPerMonth = product(paidHours(report.serving, capacity, purchase), price, Unit::Usd);
        if (row.needsLoadBalancer)
            row.usdPerMonth = row.usdPerMonth + row.loadBalancerUsd;
        rows.push_back(std::move(row));
    }
    return rows;
}

void addForecasts(const Subject& subject, const MachineDevices& devices, Service& service,
                  const ServingHere& here, ServingReport& serving)
{
    const RunningHours running(subject);
    const Traffic traffic = trafficOf(subject, here.tails);
    const std::vector<MachineKind>& kinds = devices.kinds();
    const bool isNew = serving.forecasts.empty();
    serving.forecasts.reserve(kinds.size());
    serving.capacities.reserve(kinds.size());
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const MachineKind& kind = kinds[i];
        if (isNew && isTwin(kinds, i) && kind.unknown.empty()) {
            serving.forecasts.push_back(serving.forecasts[kind.twin]);
            ServingForecast& twin = serving.forecasts.back();
            if (twin.memory.isAvailable()) // of processors it may be another
                twin.fits = fitsOn(twin.memory, Service::devicesOf(subject, kind));
        } else if (isNew) {
            serving.forecasts.push_back(service.forecastOn(kind));
        }
        if (isTwin(kinds, i) && !service.countsMemory(kind)) {
            serving.capacities.push_back(serving.capacities[kind.twin]);
            continue;
        }
        ServingForecast& forecast = serving.forecasts[i];
        const auto busy = service.busy(kind, forecast);
        if (busy && isNew)
            busy->setRates(forecast, subject.experiment.serving);
        serving.capacities.push_back(Service::under(traffic, kind, forecast, busy));
        running.add(serving.capacities.back(), traffic);
    }
}

/// On the accelerators that the plan asks about.
void addAsked(const Subject& subject, Service& service, ServingReport& serving)
{
    for (const AcceleratorCount& asked : subject.experiment.plan.forecastOn) {
        const auto device = subject.catalogs.hardware().device(asked.accelerator);
        const MachineKind kind = device ? MachineKind{.device = *device, .count = asked.count}
                                        : MachineKind{.unknown = device.error().sentence()};
        ServingOn& on = serving.on.emplace_back(
            ServingOn{asked.accelerator, asked.count, service.forecastOn(kind)});
        if (const auto busy = service.busy(kind, on.forecast))
            busy->setRates(on.forecast, subject.experiment.serving);
    }
}

/// All that fit are: the soonest tells by how much. Weights that only the largest processors hold are the usual reason.
std::string tooLong(const Subject& subject, const Report& report)
{
    const auto& rows = subject.catalogs.book().rows();
    const Purchase planned = subject.experiment.plan.purchase;
    const Option* soonest = nullptr; // bought as planned, if any is
    bool hasAccelerators = false;    // whose memory is known
    bool isHeldByAccelerators = false;
    for (const Option& option : report.serving.options) {
        if (!option.isAllowed)
            continue;
        const Device& device = subject.catalogs.devices().kinds()[option.forecast].device;
        const bool isAccelerator = device.kind != DeviceKind::Cpu;
        hasAccelerators = hasAccelerators || (isAccelerator && option.fits != Fits::Unknown);
        isHeldByAccelerators = isHeldByAccelerators || (isAccelerator && option.fits == Fits::Yes);
        if (!option.hasUsd || option.fits != Fits::Yes || option.trust == Trust::Doubtful)
            continue;
        const auto isBetterThan = [&](const Option& other) {
            const bool isPlanned = rows[option.row].purchase == planned;
            const bool wasPlanned = rows[other.row].purchase == planned;
            return isPlanned != wasPlanned ? isPlanned : option.lateness < other.lateness;
        };
        if (soonest == nullptr || isBetterThan(*soonest))
            soonest = &option;
    }
    const OptionText text = servingOptionText(report, subject.catalogs, *soonest);
    const Quantity& memory = report.serving.memory;
    return "Nothing answers within twice what is promised: the soonest, " + timesInstances(text) +
           nameOf(text.offer) + ", takes " + plainNumber(static_cast<double>(soonest->lateness)) +
           " times as long" +
           (!hasAccelerators || isHeldByAccelerators || !memory.isAvailable()
                ? "; a smaller design or a looser promise may help."
                : ". No machine with accelerators holds the " + plainNumber(memory.value() / Giga) +
                      " GB that it needs; weights in fewer bits may be held.");
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
    serving.requestsPerDay = e.serving.requestsPerDay;
    serving.requestsPerMonth = e.serving.requestsPerDay * daysPerMonth(e.plan);
    Service service(subject, here);
    if (serving.capacities.empty())
        addForecasts(subject, devices, service, here, serving);
    addAsked(subject, service, serving);
    serving.by = subject.servedBy();
    serving.options = rankedOptions(subject, jobsOf(subject, serving));
    serving.recommended = recommend(
        subject,
        {serving.options,
         e.plan.servingOffer,
         "/plan/serving_offer",
         "a month of the service",
         [&](const Option& option) { return servingOptionText(report, subject.catalogs, option); },
         [&](const Option& option) { return servingSupport(subject, option); },
         [&](const Option&) { return tooLong(subject, report); },
         {}});
    const auto& option = serving.recommended.option;
    if (!option && e.serving.requestsPerDay <= 0)
        serving.recommended.reasons = {"No requests are planned, so nothing has to serve."};
    serving.usdPerMillion = usdPerMillion(
        option ? option->usd : Quantity::unavailable(Unit::Usd, "no offer is recommended"),
        serving.requestsPerMonth);
    addHosted(subject, report);
    addServingWays(subject, here, report);
    if (const ServingWay* way = serving.wayTaken())
        serving.usdPerMillion = way->usdPerMillion;
}

void addScaling(const Subject& subject, Report& report)
{
    report.serving.scaling = scalingOf(subject, report, servingHere(subject));
}

} // namespace outlay::pricing
