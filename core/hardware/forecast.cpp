// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/forecast.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/hardware/forecast_parts.h"
#include "core/hardware/held_pass.h"
#include "core/hardware/holding.h"
#include "core/hardware/rates.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {

OUTLAY_VALUE_DEFAULTED(TrainingForecast);
namespace {

constexpr Formula StepFormula{
    "forecast.step", "products {0} s + bytes {1} s + recurrent steps {2} s + launches {3} s + "
                     "optimizer {4} s + waiting for other devices {5} s"};
constexpr Formula WaitingFormula{
    "forecast.waiting",
    "{0} s to sum all gradients and {1} s to gather all weights, beside {2} s of "
    "work: {3} s of a step wait"};
constexpr Formula HostWaitingFormula{
    "forecast.waiting_host",
    "{0} s to sum all gradients, {1} s to gather all weights, {2} s to fetch what waits in the "
    "machine's memory and {3} s to hand gradients over, beside {4} s of work: {5} s of a step "
    "wait"};
constexpr Formula SplitWaitingFormula{"forecast.waiting_split",
                                      "{0} s of sums within layers, of rows for experts and of "
                                      "what stages send + {1} s of stages that wait for each "
                                      "other + {2} s for copies, beside {3} s of work"};
constexpr Formula RunFormula{
    "forecast.run",
    "({0} steps x {1} s + {2} s for validation) / {3}, the part of a run that they are"};
constexpr Formula HoursFormula{"forecast.device_hours", "{0} s x {1} devices / 3600"};
constexpr Formula RateFormula{"forecast.rate", "{0} in a step / {1} s"};
constexpr Formula UtilisationFormula{"forecast.utilisation",
                                     "{0} FLOP a step / {1} s / {2} FLOP/s of {3} devices"};

/// Where a global batch is divided.
std::string passesText(const TrainingDemand& demand, const Layout& layout, const Devices& on)
{
    if (!demand.training.globalBatch)
        return {};
    const Training t = onCopies(demand.training, layout, on.count);
    return ", " + plainNumber(real(t.batch)) + " samples at once and " +
           plainNumber(real(t.accumulation)) + (t.accumulation == 1 ? " pass" : " passes") +
           " of each in a step";
}

/// "; 8 devices share each layer, 4 hold a part of the depth".
std::string layoutText(const Layout& layout)
{
    std::string text;
    if (layout.tensor > 1)
        text += "; " + plainNumber(real(layout.tensor)) + " devices share each layer";
    if (layout.context > 1)
        text += "; " + plainNumber(real(layout.context)) + " devices share each sample's positions";
    if (layout.experts > 1)
        text += "; " + plainNumber(real(layout.experts)) + " devices divide each layer's experts";
    if (layout.stages > 1)
        text += "; " + plainNumber(real(layout.stages)) + " stages hold parts of the depth" +
                (layout.chunks > 1 ? ", " + plainNumber(real(layout.chunks)) + " each" : "");
    return text;
}

std::string expertsText(const TrainingDemand& demand)
{
    return demand.experts > 0 ? "; rows go evenly to experts, which run in grouped kernels" : "";
}

/// Why devices can't be laid out as the settings ask.
std::string unlaid(const TrainingDemand& demand, const Devices& on)
{
    const Training& t = demand.training;
    std::vector<std::string> parts;
    const auto ask = [&](const std::optional<std::int64_t>& devices, std::string_view what) {
        if (devices.value_or(1) > 1)
            parts.push_back(plainNumber(real(*devices)) + std::string(what));
    };
    ask(t.tensorParallel, " devices to a layer");
    ask(t.contextParallel, " devices to a sample");
    ask(t.expertParallel, " devices to the experts of a layer");
    ask(t.pipelineStages, " stages");
    ask(t.pipelineChunks, " chunks in each");
    std::string asked;
    for (std::size_t i = 0; i < parts.size(); ++i)
        asked += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return "its layout asks for " + asked + ", into which " + plainNumber(real(on.count)) + " x " +
           on.device.name + ", its heads, " + (t.expertParallel ? "its experts, " : "") +
           "its blocks or the passes of a step may not divide";
}

std::string unjoined(const Device& device)
{
    return "nobody lists what joins " + device.name + " with its machine's memory";
}

/// What follows from the seconds of a step.
void fillRun(TrainingForecast& f, const TrainingDemand& demand, const Layout& layout,
             const Devices& on, const Attainable& rates)
{
    const Training t = onCopies(demand.training, layout, on.count);
    const double count = real(on.count);
    const double copies = real(on.count / layout.ofCopy());
    const double atMost =
        demand.training.globalBatch ? real(*demand.training.globalBatch) : HUGE_VAL;
    const double samples = std::min(real(t.batch * t.accumulation) * copies, atMost);
    const double steps = std::ceil(std::ceil(demand.run.trainSamples / samples) * t.epochs);
    const double validated = (demand.run.samples - demand.run.trainSamples) * t.epochs;
    const double validation =
        validated * readingSeconds(demand, rates, layout, on.calibration) / real(t.batch) / copies;
    const Quantity& step = f.stepSeconds;
    const Calibration& c = on.calibration;
    f.runShare = c.runs.of(t.software);
    const double value = (steps * step.value() + validation) / f.runShare;
    const double factor = step.high() / step.value();
    const double ofRun = factor * c.spreads.wholeRun;
    f.runSeconds = Quantity::within(
        value, value / ofRun, value * ofRun, Unit::Seconds, Basis::Forecast,
        how(RunFormula, {steps, step.value(), validation, f.runShare},
            std::string(SoftwareNames.at(static_cast<std::size_t>(t.software))) + " software"));
    f.deviceHours = (f.runSeconds * (count / SecondsPerHour));
    f.deviceHours =
        Quantity::within(f.deviceHours.value(), f.deviceHours.low(), f.deviceHours.high(),
                         Unit::Hours, Basis::Forecast, how(HoursFormula, {value, count}));
    f.samplesPerS = spread(samples / step.value(), factor, Unit::SamplesPerSecond,
                           how(RateFormula, {samples, step.value()}));
    const double tokens = samples * real(t.sequence);
    f.tokensPerS = demand.hasTokens
                       ? spread(tokens / step.value(), factor, Unit::TokensPerSecond,
                                how(RateFormula, {tokens, step.value()}))
                       : Quantity::unavailable(Unit::TokensPerSecond, "this design has no tokens");
    f.kwh = energyOf(f.watts, f.runSeconds);
}

How waitingOf(const StepTime& step, const Layout& layout)
{
    const StepShares& shares = step.shares;
    if (layout.offload != Offload::None)
        return how(HostWaitingFormula,
                   {shares.ringS + shares.betweenS, shares.gatherS, shares.fetchS, shares.handS,
                    step.kernels.total(), step.waitingS});
    return !layout.isPlain() ? how(SplitWaitingFormula, {step.betweenLayersS, step.idleS,
                                                         step.waitingS, step.kernels.total()})
                             : how(WaitingFormula, {shares.ringS + shares.betweenS, shares.gatherS,
                                                    step.kernels.total(), step.waitingS});
}

/// Wider where the machine takes part: how fast it is follows from less.
double withHost(double factor, const StepTime& step, const Layout& layout, const Spreads& spreads)
{
    if (layout.offload == Offload::None)
        return factor;
    const double ofDevices = step.total() - step.updateS - step.waitingS;
    return (factor * ofDevices + std::max(factor, spreads.ofUpdate) * step.updateS +
            std::max(factor, spreads.ofFetching) * step.waitingS) /
           step.total();
}

/// Of what is missed by more than other trainings.
double leastSpread(const TrainingDemand& demand, const Layout& layout, const Attainable& rates,
                   const Devices& on)
{
    const Spreads& s = on.calibration.spreads;
    const Training& t = demand.training;
    double least = on.calibration.ratesOf(on.device.generation).trainedSpread;
    if (demand.experts > 0)
        least = std::max(least, s.withExperts);
    if (rates.narrowFlopsPerS > 0)
        least = std::max(least, s.inFp8);
    const bool isGathered = gathersWeights(layout.sharding) && on.count > 1;
    if (!isGathered || t.method != Method::Lora)
        return least;
    // Some libraries gather each matrix of an adapter on its own; of what quantised ones do more for lengths of samples
    // nothing is known.
    if (t.frozenWeights == FrozenWeights::Same)
        return std::max(least, s.gatheredAdapters);
    return demand.hasUnevenSamples() ? std::max(least, s.unevenQuantised) : least;
}

TrainingForecast knownTraining(const TrainingDemand& demand, const Devices& on,
                               const PeakRate& peak, const Attainable& rates, const Layout& layout)
{
    const Training t = onCopies(demand.training, layout, on.count);
    const Calibration& c = on.calibration;
    const StepTime step = stepTime(demand, rates, layout, on);
    const double total = step.total();
    const PassTime& k = step.kernels;
    const double ofKernels =
        std::max(spreadOf(c.spreads.training, on), leastSpread(demand, layout, rates, on));
    const double factor = withHost(spreadOf(k, total, ofKernels, on), step, layout, c.spreads);
    const std::string lack = peak.note.empty() ? "" : "; " + peak.note.text();
    TrainingForecast f;
    f.stepSeconds = spread(total, factor, Unit::Seconds,
                           how(StepFormula,
                               {k.productS, k.movingS, k.recurrenceS, k.launchS,
                                step.updateS + step.overheadS, step.notWorkingS()},
                               nameOf(on) + passesText(demand, layout, on) + layoutText(layout) +
                                   expertsText(demand) + lack));
    f.waitingSeconds = spread(step.notWorkingS(), factor, Unit::Seconds, waitingOf(step, layout));
    f.bound = boundOf(k, step.notWorkingS(), layout.offload != Offload::None ? step.updateS : 0);
    const double flops = demand.stepFlops * real(t.accumulation) / real(layout.ofCopy());
    f.utilisation = spread(
        100 * flops / total / peak.flopsPerS, factor, Unit::Percent,
        how(UtilisationFormula, {flops * real(on.count), total, peak.flopsPerS, real(on.count)}));
    f.watts = powerOf(k, total, real(on.count), on);
    fillRun(f, demand, layout, on, rates);
    return f;
}

} // namespace

TrainingForecast unavailableTraining(const Note& why)
{
    TrainingForecast f;
    f.stepSeconds = f.waitingSeconds = f.runSeconds = Quantity::unavailable(Unit::Seconds, why);
    f.deviceHours = Quantity::unavailable(Unit::Hours, why);
    f.tokensPerS = Quantity::unavailable(Unit::TokensPerSecond, why);
    f.samplesPerS = Quantity::unavailable(Unit::SamplesPerSecond, why);
    f.utilisation = Quantity::unavailable(Unit::Percent, why);
    f.watts = Quantity::unavailable(Unit::Watts, why);
    f.kwh = Quantity::unavailable(Unit::KilowattHours, why);
    f.note = why;
    return f;
}

std::string_view name(Bound bound)
{
    constexpr std::array<std::string_view, 6> Names{
        "matrix products", "memory bandwidth",         "steps of the recurrence",
        "kernel launches", "exchange between devices", "update by the machine's processors"};
    return Names.at(static_cast<std::size_t>(bound));
}

double stepSecondsOn(const TrainingDemand& demand, const Attainable& on)
{
    return stepTime(demand, on).total();
}

TrainingForecast trainingForecast(const TrainingDemand& demand, const Devices& on)
{
    return trainingForecast(holdingOn(demand, on), on);
}

TrainingForecast trainingForecast(const Holding& holding, const Devices& on)
{
    const TrainingDemand& demand = *holding.pass;
    const PeakRate peak = peakRate(on.device, demand.training.precision);
    const Attainable rates = attainableOf(on.device, demand.training, on.calibration);
    const bool hasHost =
        holding.layout.offload == Offload::None || hostLinkGbPerS(on.device).has_value();
    const bool isPossible = on.count >= 1 && rates.isKnown() && holding.isPossible && hasHost;
    TrainingForecast f = isPossible ? knownTraining(demand, on, peak, rates, holding.layout)
                                    : unavailableTraining(on.count < 1          ? "no device"
                                                          : !holding.isPossible ? unlaid(demand, on)
                                                          : hasHost ? lacking(on.device, peak)
                                                                    : unjoined(on.device));
    f.note = peak.note;
    f.layout = holding.layout;
    f.machines = on.machines;
    if (!holding.isPossible) {
        f.note = unlaid(demand, on);
        f.memory = Quantity::unavailable(Unit::Bytes, f.note);
        f.fits = Fits::No;
        return f;
    }
    const Training each = onCopies(demand.training, f.layout, on.count);
    f.batch = each.batch;
    f.passes = each.accumulation;
    f.memory = memoryWith(demand, f.layout, on);
    f.fits = fitsOn(f.memory, on);
    if (f.layout.offload == Offload::None)
        return f;
    f.hostMemory =
        memoryOfHost(demand, f.layout, copiesOf(f.layout, on).devices, devicesInMachine(on));
    if (fitsBeside(f.hostMemory->value(), on.hostGb, on.calibration) == Fits::No)
        f.fits = Fits::No;
    return f;
}

} // namespace outlay::core
