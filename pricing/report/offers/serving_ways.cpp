// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/serving_ways.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/hardware/rates.h"
#include "pricing/provider.h"
#include "pricing/report/assumption.h"
#include "pricing/report/here/here_power.h"
#include "pricing/report/offers/capacity.h"
#include "pricing/report/offers/hosted.h"
#include "pricing/report/offers/running.h"
#include "pricing/report/plan_hours.h"
#include "pricing/report/run_hours.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula FunctionFormula{
    "serving.function", "{0} requests x {1} s x {2} GB at the price of a GB-second, {3} USD, and "
                        "{4} USD for the requests"};
constexpr Formula MillionFormula{"serving.million", "{0} USD / {1} requests x 1,000,000"};
constexpr Formula EdgeFormula{"serving.edge",
                              "({0} kWh idle + {1} kWh at work) x PUE {2} x {3} USD/kWh"};
constexpr Formula NoneFormula{"serving.load_balancer", "none for one instance"};
constexpr Formula BalancerFormula{"serving.load_balancer.month", "{0} h x {1} USD an hour"};
constexpr Formula ManagedFormula{"serving.managed", "{0} instances x {1} h x {2} USD an hour"};

constexpr double Million = 1e6;

constexpr std::array<const char*, 3> RunningTexts{", always on", ", on with the traffic",
                                                  ", on until the day's requests are answered"};

Quantity unknownUsd(Note why)
{
    return Quantity::unavailable(Unit::Usd, std::move(why));
}

ServingWay wayOf(std::string name, const Quantity& usd, double requests, std::string why)
{
    return {.name = std::move(name),
            .usdPerMonth = usd,
            .usdPerMillion = usdPerMillion(usd, requests),
            .why = std::move(why)};
}

/// So much memory, the processors that come with it, and a request there.
struct FunctionSize {
    double gb = 0;
    ServingForecast forecast;
    Quantity p95Ms;
    double lateness = HUGE_VAL;
    bool holdsLatency = false;
};

/// The smallest that holds the promise, each twice the one before; the largest where none does. More memory brings more
/// of a processor: the request is shorter by as much as its second is dearer.
FunctionSize functionSize(const Subject& subject, const Tails& tails, double leastGb)
{
    const FunctionService& functions = *functionProvider().functions;
    Experiment single = subject.experiment;
    single.serving.batch = 1;
    const auto other = processorDemand(single.model, subject.kinds, single.serving);
    const ServingDemand demand =
        other ? *other : servingDemand(single.model, subject.kinds, single.serving);
    // Each request has a function of its own: none waits.
    Traffic alone = trafficOf(subject, tails);
    alone.peakPerS = alone.meanPerS = 0;
    alone.batch = 1;
    FunctionSize size;
    for (double gb = leastGb; !size.holdsLatency && size.gb < functions.mostGb; gb *= 2) {
        size.gb = std::min(gb, functions.mostGb);
        const Device cpu = subject.catalogs.hardware().processorsOf(
            "", size.gb / functions.gbPerVcpu, std::nullopt);
        size.forecast = servingForecast(demand, {cpu, 1, subject.catalogs.calibration()});
        const Capacity capacity = capacityOf(alone, size.forecast);
        size.p95Ms = capacity.p95Ms;
        size.lateness = latenessOf(alone.promises, capacity, &Quantity::value);
        size.holdsLatency = capacity.holdsLatency;
    }
    return size;
}

constexpr Formula TailFormula{"serving.function.p95",
                              "{0} ms x {1}, as measured and as lengths scatter"};

ServingWay functionWay(const Subject& subject, const ServingHere& here, const Report& report)
{
    const double requests = report.serving.requestsPerMonth;
    const Quantity& memory = subject.servingOn(DeviceKind::Cpu).memory;
    const FunctionService& functions = *functionProvider().functions;
    const double model = memory.isAvailable() ? memory.value() / Giga : 0;
    const double needed =
        std::max(functions.leastGb, model + valueOf(subject, ServerlessRuntimeGb));
    if (!memory.isAvailable() || needed > functions.mostGb)
        return wayOf("serverless",
                     unknownUsd("a function has at most " + plainNumber(functions.mostGb) +
                                " GB, and this takes " + plainNumber(needed)),
                     requests, "The model is too large for a function.");
    const FunctionSize size = functionSize(subject, here.tails, needed);
    const Quantity seconds =
        product(size.forecast.latencyMs, Quantity::exact(1e-3, Unit::One, {}), Unit::Seconds);
    if (seconds.isAvailable() && seconds.value() > functions.mostSeconds)
        return wayOf("serverless",
                     unknownUsd("a function runs for at most " +
                                plainNumber(functions.mostSeconds) + " s, and a request takes " +
                                plainNumber(seconds.value())),
                     requests, "A request takes too long for a function.");
    ServingWay way =
        wayOf("serverless", functionUsd(subject.catalogs, {requests, size.gb, seconds}), requests,
              std::string(functions.title) + ", " + plainNumber(size.gb) + " GB with " +
                  plainNumber(size.gb / functions.gbPerVcpu) + " vCPUs; without cold starts.");
    way.latencyMs = size.forecast.latencyMs;
    if (way.latencyMs.isAvailable())
        way.p95Ms = size.p95Ms.because(
            how(TailFormula, {way.latencyMs.value(), size.p95Ms.value() / way.latencyMs.value()}));
    way.holdsLatency = size.holdsLatency;
    way.lateness = size.lateness;
    return way;
}

ServingWay instanceWay(const Subject& subject, const Report& report)
{
    const auto& option = report.serving.recommended.option;
    const double requests = report.serving.requestsPerMonth;
    if (!option)
        return wayOf("instance", unknownUsd("no offer is recommended"), requests,
                     "No instance is recommended.");
    const bool isBalanced = option->instances.isAvailable() && option->instances.value() > 1;
    return wayOf("instance",
                 isBalanced ? option->usd + loadBalancerUsd(subject, option->instances)
                            : option->usd,
                 requests,
                 option->offer.machine.provider + " " + option->offer.machine.instance +
                     RunningTexts.at(
                         static_cast<std::size_t>(runningOf(report.plan, option->offer.purchase))) +
                     (isBalanced ? ", with a load balancer." : "."));
}

ServingWay managedWay(const Subject& subject, const Report& report)
{
    const double requests = report.serving.requestsPerMonth;
    const auto& option = report.serving.recommended.option;
    if (!option)
        return wayOf("managed instance", unknownUsd("no offer is recommended"), requests,
                     "No instance is recommended.");
    const std::string& id = option->offer.machine.provider;
    const auto& managed = provider(id).managed;
    if (!managed)
        return wayOf("managed instance",
                     unknownUsd("no managed price is known of " + std::string(providerTitle(id)) +
                                ", whose instance is recommended"),
                     requests, "No managed price is known.");
    const std::string service = std::string(managed->prefix) + option->offer.machine.instance;
    const Catalogs& catalogs = subject.catalogs;
    const Quantity hour =
        catalogs.tariffs().cost({TariffKind::Managed, id, service, option->offer.region}, 1,
                                catalogs.today(), catalogs.book().drift());
    const Quantity& hours =
        report.serving.capacities[report.serving.recommended.chosen->forecast].hours;
    const double count = option->instances.value();
    const Quantity usd =
        product(hours, hour, Unit::Usd)
            .because(how(ManagedFormula,
                         {count, count > 0 ? hours.value() / count : 0, hour.value()},
                         hour.how().note));
    return wayOf("managed instance", usd, requests,
                 std::string(managed->title) + ", " + service +
                     ", beside the same instance by itself.");
}

ServingWay edgeWay(const Subject& subject, const ServingHere& here, const Report& report)
{
    const double requests = report.serving.requestsPerMonth;
    const double onS = report.serving.hoursPerMonth * SecondsPerHour;
    const Quantity busyS =
        product(here.latencyMs, Quantity::exact(requests / 1000, Unit::One, {}), Unit::Seconds);
    if (busyS.isAvailable() && busyS.value() > onS)
        return wayOf("edge", unknownUsd("one machine like this can't answer so many requests"),
                     requests, "This machine is too slow for the traffic.");
    const Quantity work = energyOf(powerHere(subject), busyS);
    const double idleS = busyS.isAvailable() ? onS - busyS.value() : onS;
    const Quantity idle =
        energyOf(idlePowerHere(subject), Quantity::exact(idleS, Unit::Seconds, {}));
    const CarbonCatalog& carbon = subject.catalogs.carbon();
    const Quantity overhead = overheadOf(carbon, subject.experiment.site);
    const Quantity price = electricityPrice(carbon, subject.experiment.site);
    const Quantity usd =
        energyCost(product(idle + work, overhead, Unit::KilowattHours), price)
            .because(how(EdgeFormula, {idle.value(), work.value(), overhead.value(), price.value()},
                         price.how().note));
    return wayOf("edge", usd, requests,
                 "Electricity of a machine like this one, always on; not what it costs to buy.");
}

} // namespace

Quantity functionUsd(const Catalogs& catalogs, const FunctionCalls& calls)
{
    const Provider& sold = functionProvider();
    const FunctionService& functions = *sold.functions;
    const Drift& drift = catalogs.book().drift();
    const auto cost = [&](std::string_view service, double amount) {
        return catalogs.tariffs().cost({TariffKind::Serverless, sold.id, service, functions.home},
                                       amount, catalogs.today(), drift);
    };
    if (!calls.seconds.isAvailable())
        return unknownUsd(calls.seconds.how().note);
    const auto time = [&](double seconds) {
        return cost(functions.secondsTariff, calls.perMonth * seconds * calls.gb);
    };
    const Quantity requests = cost(functions.requestsTariff, calls.perMonth);
    const Quantity usual = time(calls.seconds.value());
    const Quantity quick = time(calls.seconds.low());
    const Quantity slow = time(calls.seconds.high());
    if (!requests.isAvailable() || !usual.isAvailable())
        return unknownUsd("no source lists the price of a function");
    return Quantity::within(
        usual.value() + requests.value(), quick.low() + requests.low(),
        slow.high() + requests.high(), Unit::Usd, std::max(calls.seconds.basis(), usual.basis()),
        how(FunctionFormula,
            {calls.perMonth, calls.seconds.value(), calls.gb, usual.value(), requests.value()},
            usual.how().note));
}

Quantity usdPerMillion(const Quantity& usdPerMonth, double requestsPerMonth)
{
    if (requestsPerMonth <= 0)
        return Quantity::unavailable(Unit::Usd, "there are no requests");
    return (usdPerMonth * (Million / requestsPerMonth))
        .because(how(MillionFormula, {usdPerMonth.value(), requestsPerMonth}));
}

Quantity loadBalancerUsd(const Subject& subject, const Quantity& instances)
{
    if (!instances.isAvailable())
        return unknownUsd(instances.how().note);
    if (instances.value() <= 1)
        return Quantity::exact(0, Unit::Usd, how(NoneFormula));
    // Some providers ask only for the rule, and traffic may take several capacity units.
    constexpr double Least = 1.0 / 3;
    constexpr double Most = 3;
    const double hours = hoursPerMonth(subject.experiment.plan);
    const double usd = valueOf(subject, LoadBalancerUsdPerHour);
    return Quantity::within(
        usd * hours, Least * usd * hours, Most * usd * hours, Unit::Usd, Basis::Assumed,
        how(BalancerFormula, {hours, usd}, "assumption load_balancer_usd_per_hour"));
}

void addServingWays(const Subject& subject, const ServingHere& here, Report& report)
{
    report.serving.ways = {functionWay(subject, here, report), instanceWay(subject, report),
                           managedWay(subject, report), edgeWay(subject, here, report)};
    if (auto hosted = hostedWay(subject, report))
        report.serving.ways.insert(report.serving.ways.begin() + 1, std::move(*hosted));
}

} // namespace outlay::pricing
