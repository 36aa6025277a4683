// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/hardware/rates.h"
#include "pricing/report/assumption.h"
#include "pricing/report/plan_hours.h"
#include "pricing/report/run_hours.h"
#include "pricing/report/sections.h"
#include "pricing/stack.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula RunFormula{"option.run", "{0} h x {1} USD an hour"};
constexpr Formula TogetherFormula{"option.run.instances", "instances that train together"};
constexpr Formula MonthFormula{"option.month", "{0} instances x {1} h x {2} USD an hour"};
constexpr Formula RunningFormula{"option.month.running",
                                 "{0} h x {1} USD an hour; {2} at the peak"};
constexpr Formula CommittedFormula{"serving.hours.committed", "{0} instances x {1} h"};
constexpr Formula EnergyFormula{"option.month.kwh",
                                "{0} requests x {1} kWh + {2} kWh while waiting"};
constexpr Formula IdleFormula{"option.month.idle_kwh", "{0} h x {1} W / 1,000"};
constexpr Formula NoIdleFormula{"option.run.idle_kwh", "{0} h: a run ends with its work"};
constexpr double WattsPerKilowatt = 1000;
constexpr double HoursADay = 24;

std::string_view nameOf(Fits fits)
{
    switch (fits) {
    case Fits::Yes: return "yes";
    case Fits::No: return "no";
    case Fits::Unknown: return "unknown";
    }
    return "";
}

std::string capitalised(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

std::string sentence(std::string text)
{
    return capitalised(std::move(text)) + ".";
}

/// What is to be said of any option: its price, its memory, the plan.
OptionText textOf(const Report& report, const Catalogs& catalogs, const Option& option)
{
    const PriceBook& book = catalogs.book();
    OptionText text{.offer = offerOf(book.table(), book.rows()[option.row]),
                    .fits = std::string(nameOf(option.fits)),
                    .meetsDeadline = option.meetsDeadline};
    const std::string caution = catalogs.prices().caution(option.row);
    if (!caution.empty())
        text.why.push_back(option.trust == Trust::Stale ? "The price is " + caution + "."
                                                        : sentence(caution));
    const Stack& stack = stackOf(text.offer.machine);
    if (!allowsStack(report.plan, stack))
        text.why.push_back("Its code has to be built for " + std::string(stack.title) +
                           ", which the plan doesn't name among its software.");
    else if (!option.isAllowed)
        text.why.emplace_back("The plan's providers and regions leave it out.");
    if (!option.isWorthIt)
        text.why.emplace_back(
            "It is paid for every hour of its term, and most of them pass unused.");
    if (!option.isWithinBudget)
        text.why.push_back("It costs more than the budget of " +
                           plainNumber(report.plan.budgetUsd.value_or(0)) + " USD.");
    return text;
}

std::string_view shardedThings(Sharding sharding)
{
    switch (sharding) {
    case Sharding::None: break;
    case Sharding::Optimizer: return "The optimizer's state is";
    case Sharding::Gradients: return "Gradients and the optimizer's state are";
    case Sharding::Full:
    case Sharding::Hybrid: return "Weights, gradients and the optimizer's state are";
    }
    return {};
}

/// "its 8 devices", "all 32 devices of the 4 machines".
std::string dividersOf(const OptionText& text, const TrainingForecast& forecast)
{
    const double inOne = text.offer.machine.accelerators;
    const double machines = real(forecast.machines);
    if (forecast.layout.ofWeights() > 1)
        return "the " + plainNumber(inOne * machines / real(forecast.layout.ofWeights())) +
               (forecast.layout.context > 1 ? " devices with the same part" : " copies");
    if (forecast.machines == 1)
        return "its " + plainNumber(inOne) + " devices";
    if (forecast.layout.sharding == Sharding::Hybrid)
        return "the " + plainNumber(inOne) + " devices of each machine, which holds a copy";
    return "all " + plainNumber(inOne * machines) + " devices of the " + plainNumber(machines) +
           " machines";
}

/// ", that of experts over the 2 that have the same"; nothing where experts are divided like all else.
std::string expertsApart(const OptionText& text, const TrainingForecast& forecast)
{
    const Layout& layout = forecast.layout;
    if (layout.experts == 1)
        return {};
    const double devices = text.offer.machine.accelerators * real(forecast.machines);
    const std::int64_t same = copiesOfExperts(layout, std::llround(devices) / layout.ofWeights());
    return same > 1
               ? ", that of experts over the " + plainNumber(real(same)) + " that have the same"
               : ", but for experts, of which each has its own";
}

/// "Each layer is shared by 8 devices (tensor parallel), and the depth is divided into 4 stages (pipeline)".
std::string splitText(const Layout& layout)
{
    std::vector<std::string> parts;
    if (layout.tensor > 1)
        parts.push_back("each layer is shared by " + plainNumber(real(layout.tensor)) +
                        " devices (tensor and sequence parallel)");
    if (layout.context > 1)
        parts.push_back("the positions of each sample are shared by " +
                        plainNumber(real(layout.context)) + " devices (context parallel)");
    if (layout.experts > 1)
        parts.push_back("the experts of each layer are divided among " +
                        plainNumber(real(layout.experts)) + " devices (expert parallel)");
    if (layout.stages > 1)
        parts.push_back(
            "the depth is divided into " + plainNumber(real(layout.stages)) + " stages (pipeline" +
            (layout.chunks > 1 ? ", interleaved " + plainNumber(real(layout.chunks)) + "-fold)"
                               : ")"));
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? ", and " : ", ") + parts[i];
    return text;
}

/// What waits beside the devices, and what does it.
void sayOffload(OptionText& text, const TrainingForecast& forecast)
{
    text.hostMemory = forecast.hostMemory;
    if (!forecast.hostMemory)
        return;
    const bool isWeights = forecast.layout.offload == Offload::Weights;
    const bool isAlone = forecast.machines == 1 && text.offer.machine.accelerators == 1;
    const std::string divided =
        isAlone ? std::string() : " are divided among " + dividersOf(text, forecast) + " and";
    const std::string onEach = plainNumber(forecast.memory.value() / Giga) + " GB on a device";
    text.why.push_back(
        (isWeights ? "Weights, gradients and the optimizer's state"
                   : "Gradients and the optimizer's state") +
        divided + " wait in the machine's memory, " +
        plainNumber(forecast.hostMemory->value() / Giga) + " GB of it, " +
        (isWeights
             ? "and come for their work, with at most " + onEach +
                   ": FSDP's CPUOffload or DeepSpeed's offload_param does it."
             : "where its processors make the update, with " + onEach +
                   (isAlone && forecast.passes == 1
                        ? ": torchao's CPUOffloadOptimizer or DeepSpeed's ZeRO-Offload does it."
                        : ": DeepSpeed's ZeRO-Offload does it.")));
}

/// What it asks of the code that trains.
void sayLayout(OptionText& text, const TrainingForecast& forecast)
{
    text.layout = forecast.layout;
    const Sharding sharding = forecast.layout.sharding;
    if (!forecast.memory.isAvailable())
        return;
    const std::string onEach = plainNumber(forecast.memory.value() / Giga);
    const bool isSplit = !forecast.layout.isPlain();
    if (isSplit)
        text.why.push_back(capitalised(splitText(forecast.layout)) + ", with at most " + onEach +
                           " GB on a device: " +
                           (forecast.layout.ofWeights() > 1 || forecast.layout.experts > 1
                                ? "Megatron-LM, NeMo or TorchTitan does it."
                                : "TorchTitan, NeMo or ms-swift does it."));
    if (sharding == Sharding::None || forecast.hostMemory)
        return;
    const std::string divided = std::string(shardedThings(sharding)) + " sharded over " +
                                dividersOf(text, forecast) + expertsApart(text, forecast);
    text.why.push_back(
        isSplit ? divided + "."
                : divided + ", with " + onEach + " GB on each: " +
                      (sharding == Sharding::Optimizer
                           ? "DeepSpeed's ZeRO 1 or PyTorch's ZeroRedundancyOptimizer does it."
                           : "FSDP or DeepSpeed's ZeRO does it."));
}

/// But for what is beside them.
bool isHeldByDevices(const OptionText& text, const Catalogs& catalogs)
{
    const double memoryGb = text.offer.machine.acceleratorMemoryGb.value_or(0);
    return text.memory.isAvailable() &&
           text.memory.value() <= memoryGb * BytesPerGb * catalogs.calibration().usableMemory;
}

/// `isHeld` by its devices: then what doesn't fit is beside them.
void sayFit(OptionText& text, const Option& option, const std::string& note, bool isHeld = false)
{
    const auto& gb = text.offer.machine.accelerator.empty()
                         ? text.offer.machine.memoryGb
                         : text.offer.machine.acceleratorMemoryGb;
    const auto& ofMachine = text.offer.machine.memoryGb;
    const bool isBeside = isHeld && text.hostMemory;
    if (option.fits == Fits::No && isBeside)
        text.why.push_back("It needs " + plainNumber(text.hostMemory->value() / Giga) +
                           " GB of the machine's own memory of " +
                           plainNumber(ofMachine.value_or(0) * BytesPerGb / Giga) + " GB.");
    else if (option.fits == Fits::No && text.memory.isAvailable())
        text.why.push_back("It needs " + plainNumber(text.memory.value() / 1e9) +
                           " GB on a device of " + plainNumber(gb.value_or(0)) + " GB.");
    if (option.fits == Fits::Unknown && isBeside)
        text.why.emplace_back("Nobody says how much memory the machine itself has.");
    else if (option.fits == Fits::Unknown)
        text.why.push_back("Whether it fits isn't known" +
                           (note.empty() ? "." : ": " + note + "."));
    else if (!note.empty())
        text.why.push_back(sentence(note));
}

Quantity carbonAt(const Report& report, const Catalogs& catalogs, const OptionText& text)
{
    return carbonOf(catalogs.carbon(), placeOf(text.offer), report.gridBasis, text.kwh);
}

/// Of the instances' devices, in the paid hours in which no request is worked on.
Quantity idleKwh(const Report& report, const Catalogs& catalogs, const Option& option,
                 const Quantity& paidHours)
{
    const MachineKind& kind = catalogs.devices().kinds()[option.forecast];
    const PowerRange power = powerRange(kind.device, catalogs.calibration().idleShareOfTdp);
    if (!paidHours.isAvailable() || power.maxWatts <= 0)
        return Quantity::unavailable(Unit::KilowattHours,
                                     paidHours.isAvailable() ? power.note : paidHours.how().note);
    // A machine that waits is modelled, and was seen from half of that to half as much again.
    constexpr double Miss = 0.5;
    const Quantity work = busyHours(report.serving, option.forecast);
    const double busy = work.isAvailable() ? work.value() : 0;
    const double watts = static_cast<double>(kind.count) * power.idleWatts;
    const auto kwhIn = [&](double hours) {
        return std::max(0.0, hours - busy) * watts / WattsPerKilowatt;
    };
    const double idleHours = std::max(0.0, paidHours.value() - busy);
    return Quantity::within(kwhIn(paidHours.value()), kwhIn(paidHours.low()) * (1 - Miss),
                            kwhIn(paidHours.high()) * (1 + Miss), Unit::KilowattHours,
                            Basis::Forecast, how(IdleFormula, {idleHours, watts}, power.note));
}

/// What its tokens take, where it generates any.
std::string tokensText(const Capacity& capacity)
{
    if (!capacity.tokenP95Ms.isAvailable())
        return {};
    return ", to the first token " + plainNumber(capacity.firstTokenP95Ms.value()) +
           " ms, for each later one " + plainNumber(capacity.tokenP95Ms.value()) + " ms";
}

} // namespace

Site placeOf(const Offer& offer)
{
    const std::string prefix = offer.machine.provider + "/";
    Site there;
    there.region = offer.region.starts_with(prefix) ? offer.region : prefix + offer.region;
    return there;
}

Quantity busyHours(const ServingReport& serving, std::size_t kind)
{
    return serving.capacities[kind].busySeconds * (serving.requestsPerMonth / SecondsPerHour);
}

Quantity paidHours(const ServingReport& serving, const Capacity& capacity, Purchase purchase)
{
    if (!isCommitment(purchase) || !capacity.instances.isAvailable())
        return capacity.hours;
    const double hours = std::max(serving.hoursPerMonth, HoursInMonth);
    return product(capacity.instances, Quantity::exact(hours, Unit::Hours, {}), Unit::Hours)
        .because(how(CommittedFormula, {capacity.instances.value(), hours}));
}

std::optional<double> busyShare(const ServingReport& serving, const Option& option,
                                Purchase purchase)
{
    const Quantity busy = busyHours(serving, option.forecast);
    const Quantity hours = paidHours(serving, serving.capacities[option.forecast], purchase);
    if (!busy.isAvailable() || !hours.isAvailable() || hours.value() <= 0)
        return std::nullopt;
    return std::min(1.0, busy.value() / hours.value());
}

std::optional<double> busyShare(const ServingReport& serving)
{
    const Recommendation& recommended = serving.recommended;
    return recommended.option && recommended.chosen
               ? busyShare(serving, *recommended.chosen, recommended.option->offer.purchase)
               : std::nullopt;
}

std::optional<double> waitingPercent(double busyShare)
{
    constexpr double Mostly = 0.5;
    const double waits = 1 - busyShare;
    // What is nearly always isn't rounded to always.
    return waits < Mostly ? std::nullopt
                          : std::optional(std::min(99.0, std::round(PerCent * waits)));
}

OptionText trainingOptionText(const Report& report, const Catalogs& catalogs, const Option& option)
{
    const TrainingForecast& forecast = report.training.forecasts[option.forecast];
    OptionText text = textOf(report, catalogs, option);
    const Quantity price = catalogs.prices().price(option.row);
    const RunHours& runHours = report.training.runHours;
    text.hours = runHours.hours(forecast.runSeconds, text.offer.purchase, forecast.machines);
    const Quantity paid = runHours.paid(text.hours, text.offer.purchase, forecast.machines);
    text.usd = product(paid, price, Unit::Usd)
                   .because(how(RunFormula, {paid.value(), price.value()}, price.how().note));
    text.kwh = forecast.kwh;
    text.workKwh = forecast.kwh;
    text.idleKwh = Quantity::exact(0, Unit::KilowattHours, how(NoIdleFormula, {0}));
    text.kgCo2e = carbonAt(report, catalogs, text);
    text.memory = forecast.memory;
    text.instances = Quantity::exact(real(forecast.machines), Unit::One, how(TogetherFormula));
    const auto& network = catalogs.devices().kinds()[option.forecast].networkGbPerS;
    if (forecast.machines > 1 && network)
        text.why.push_back(plainNumber(real(forecast.machines)) +
                           " machines train together, each with a network of " +
                           plainNumber(*network * BitsPerByte) + " Gbit/s.");
    sayLayout(text, forecast);
    sayOffload(text, forecast);
    sayFit(text, option, forecast.note.text(), isHeldByDevices(text, catalogs));
    if (option.isTooLong && text.hours.isAvailable())
        text.why.push_back("It takes " + plainNumber(text.hours.value() / HoursADay) + " days on " +
                           plainNumber(real(forecast.machines)) +
                           (forecast.machines == 1 ? " machine" : " machines") +
                           ", longer than a plan may (/assumptions/" +
                           std::string(LongestRunDays.name) + ").");
    if (!option.meetsDeadline)
        text.why.push_back("It takes " + plainNumber(text.hours.value()) +
                           " h, longer than the deadline of " +
                           plainNumber(report.plan.deadlineHours.value_or(0)) + " h.");
    return text;
}

OptionText servingOptionText(const Report& report, const Catalogs& catalogs, const Option& option)
{
    const ServingForecast& forecast = report.serving.forecasts[option.forecast];
    const Capacity& capacity = report.serving.capacities[option.forecast];
    OptionText text = textOf(report, catalogs, option);
    const Quantity price = catalogs.prices().price(option.row);
    if (forecast.copies > 1)
        text.why.push_back(plainNumber(real(forecast.copies)) +
                           " copies of the model answer beside each other in a machine, each on " +
                           (forecast.ofCopy == 1
                                ? std::string("a device")
                                : plainNumber(real(forecast.ofCopy)) + " devices") +
                           " of its own.");
    text.instances = capacity.instances;
    text.hours = paidHours(report.serving, capacity, text.offer.purchase);
    const double count = capacity.instances.isAvailable() ? capacity.instances.value() : 0;
    const bool isAlways = runningOf(report.plan, text.offer.purchase) == Running::Always ||
                          isCommitment(text.offer.purchase);
    const double hours = text.hours.isAvailable() ? text.hours.value() : 0;
    text.usd =
        product(text.hours, price, Unit::Usd)
            .because(isAlways
                         ? how(MonthFormula, {count, count > 0 ? hours / count : 0, price.value()},
                               price.how().note)
                         : how(RunningFormula, {hours, price.value(), count}, price.how().note));
    const double requests = report.serving.requestsPerMonth;
    text.workKwh = energyOf(forecast.watts, capacity.busySeconds * requests);
    text.idleKwh = idleKwh(report, catalogs, option, text.hours);
    text.kwh = (text.workKwh + text.idleKwh)
                   .because(how(EnergyFormula,
                                {requests, requests > 0 ? text.workKwh.value() / requests : 0,
                                 text.idleKwh.isAvailable() ? text.idleKwh.value() : 0},
                                text.idleKwh.how().sentence()));
    text.kgCo2e = carbonAt(report, catalogs, text);
    text.memory = forecast.memory;
    sayFit(text, option, forecast.note.text());
    const double sustained = catalogs.devices().kinds()[option.forecast].sustained;
    if (sustained < 1)
        text.why.push_back("A burstable machine: over a day it keeps up " +
                           plainNumber(PerCent * sustained) +
                           " % of its speed, so there are enough that none is busier.");
    if (capacity.inFlight.isAvailable())
        text.why.push_back("At the peak " + plainNumber(capacity.inFlight.value()) +
                           " requests are in flight on each: the engine takes them in as they "
                           "come.");
    if (!option.meetsDeadline && capacity.p95Ms.isAvailable())
        text.why.push_back(
            "95 of 100 requests take up to " + plainNumber(capacity.p95Ms.value()) + " ms" +
            tokensText(capacity) + ": " +
            (option.isTooLong ? "more than twice what is promised." : "longer than promised."));
    return text;
}

} // namespace outlay::pricing
