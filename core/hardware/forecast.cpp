// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/forecast.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/hardware/holding.h"
#include "core/hardware/rates.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {

OUTLAY_VALUE_DEFAULTED(TrainingForecast);
OUTLAY_VALUE_DEFAULTED(ServingForecast);
namespace {

constexpr Formula StepFormula{
    "forecast.step", "products {0} s + bytes {1} s + recurrent steps {2} s + launches {3} s + "
                     "optimizer {4} s + waiting for other devices {5} s"};
constexpr Formula WaitingFormula{
    "forecast.waiting",
    "{0} s to sum all gradients and {1} s to gather all weights, beside {2} s of "
    "work: {3} s of a step wait"};
constexpr Formula SplitWaitingFormula{
    "forecast.waiting_split",
    "{0} s of sums within layers and of what stages send + {1} s of stages that wait for each "
    "other + {2} s for copies, beside {3} s of work"};
constexpr Formula RunFormula{
    "forecast.run",
    "({0} steps x {1} s + {2} s for validation) / {3}, the part of a run that they are"};
constexpr Formula HoursFormula{"forecast.device_hours", "{0} s x {1} devices / 3600"};
constexpr Formula RateFormula{"forecast.rate", "{0} in a step / {1} s"};
constexpr Formula UtilisationFormula{"forecast.utilisation",
                                     "{0} FLOP a step / {1} s / {2} FLOP/s of {3} devices"};
constexpr Formula PowerFormula{"forecast.power", "{0} x ({1} W idle + {2} x ({3} W - {1} W))"};
constexpr Formula BatchFormula{"forecast.batch_rate", "{0} requests at once / {1} ms"};
constexpr Formula CopiesFormula{"forecast.copies", "{0} x {1} copies beside each other"};
constexpr Formula LatencyFormula{"forecast.latency", "prompt {0} ms + {1} tokens x {2} ms"};
constexpr Formula PassFormula{
    "forecast.pass",
    "products {0} ms + bytes {1} ms + recurrent steps {2} ms + launches and engine {3} ms + "
    "exchange {4} ms"};
constexpr Formula ShareFormula{"forecast.memory_share", "{0} B shared by {1} devices"};

double spreadOf(const KindSpread& kind, const Devices& on)
{
    return on.calibration.spreads.of(kind, on.device.name, on.device.generation);
}

/// Half-width of the interval as a factor: between those of the kinds of work, by their shares.
double spreadOf(double recurrentShare, double otherSpread, const Devices& on)
{
    const Spreads& s = on.calibration.spreads;
    const double kinds = recurrentShare <= 0 ? otherSpread
                                             : std::pow(spreadOf(s.recurrent, on), recurrentShare) *
                                                   std::pow(otherSpread, 1 - recurrentShare);
    return kinds * (on.count > 1 ? std::pow(s.perDoubling, std::log2(real(on.count))) : 1);
}

Quantity spread(double value, double factor, Unit unit, How how)
{
    return Quantity::within(value, value / factor, value * factor, unit, Basis::Forecast,
                            std::move(how));
}

Bound boundOf(const PassTime& time, double exchangeS)
{
    const std::array parts{time.productS, time.movingS, time.recurrenceS, time.launchS, exchangeS};
    return static_cast<Bound>(std::max_element(parts.begin(), parts.end()) - parts.begin());
}

std::string nameOf(const Devices& on)
{
    std::string name = "on " + std::to_string(on.count) + " x " + on.device.name;
    if (on.machines > 1)
        name += " in " + std::to_string(on.machines) + " machines";
    return name;
}

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
    if (layout.stages > 1)
        text += "; " + plainNumber(real(layout.stages)) + " stages hold parts of the depth" +
                (layout.chunks > 1 ? ", " + plainNumber(real(layout.chunks)) + " each" : "");
    return text;
}

std::string lacking(const Device& device, const PeakRate& peak)
{
    const char* what = peak.flopsPerS <= 0 ? "no arithmetic rate" : "no memory bandwidth";
    return std::string(what) + " is listed for " + device.name;
}

/// Why devices can't be laid out as the settings ask.
std::string unlaid(const TrainingDemand& demand, const Devices& on)
{
    const Training& t = demand.training;
    const std::int64_t chunks = t.pipelineChunks.value_or(1);
    return "its layout asks for " + plainNumber(real(t.tensorParallel.value_or(1))) +
           " devices to a layer and " + plainNumber(real(t.pipelineStages.value_or(1))) +
           " stages" +
           (chunks > 1 ? " in " + plainNumber(real(chunks)) + " chunks each" : std::string()) +
           ", into which " + plainNumber(real(on.count)) + " x " + on.device.name +
           ", its heads, its blocks or the passes of a step may not divide";
}

/// Power of all devices while `time` is spent by so many of them at once: idle, and the more above it the harder they
/// work.
Quantity powerOf(const PassTime& time, double totalS, double working, const Devices& on)
{
    const Calibration& c = on.calibration;
    const PowerRange power = powerRange(on.device, c.idleShareOfTdp);
    if (power.maxWatts <= 0 || totalS <= 0)
        return Quantity::unavailable(Unit::Watts, power.note);
    const double count = real(on.count);
    const double atMost = working / count; // of all devices, on average
    const double busy = atMost *
                        (c.computePower * (time.productS + time.recurrenceS) +
                         c.memoryPower * (totalS - time.productS - time.recurrenceS)) /
                        totalS;
    const auto watts = [&](double share) {
        return count * (power.idleWatts + share * (power.maxWatts - power.idleWatts));
    };
    // From half of the way above idle that is meant, to all that the device may draw.
    return Quantity::within(
        watts(busy), watts(busy / 2), watts(atMost), Unit::Watts, Basis::Forecast,
        how(PowerFormula, {count, power.idleWatts, busy, power.maxWatts}, power.note));
}

Quantity memoryShare(const Quantity& all, std::int64_t devices)
{
    if (devices < 2)
        return all;
    return (all * (1 / real(devices))).because(how(ShareFormula, {all.value(), real(devices)}));
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
    return layout.ofCopy() > 1
               ? how(SplitWaitingFormula,
                     {step.betweenLayersS, step.idleS, step.waitingS, step.kernels.total()})
               : how(WaitingFormula, {shares.ringS + shares.betweenS, shares.gatherS,
                                      step.kernels.total(), step.waitingS});
}

TrainingForecast knownTraining(const TrainingDemand& demand, const Devices& on,
                               const PeakRate& peak, const Attainable& rates, const Layout& layout)
{
    const Training t = onCopies(demand.training, layout, on.count);
    const Calibration& c = on.calibration;
    const StepTime step = stepTime(demand, rates, layout, on);
    const double total = step.total();
    const PassTime& k = step.kernels;
    const double factor = spreadOf(k.recurrenceS / total, spreadOf(c.spreads.training, on), on);
    const std::string lack = peak.note.empty() ? "" : "; " + peak.note.text();
    TrainingForecast f;
    f.stepSeconds =
        spread(total, factor, Unit::Seconds,
               how(StepFormula,
                   {k.productS, k.movingS, k.recurrenceS, k.launchS, step.updateS + step.overheadS,
                    step.notWorkingS()},
                   nameOf(on) + passesText(demand, layout, on) + layoutText(layout) + lack));
    f.waitingSeconds = spread(step.notWorkingS(), factor, Unit::Seconds, waitingOf(step, layout));
    f.bound = boundOf(k, step.notWorkingS());
    const double flops = demand.stepFlops * real(t.accumulation) / real(layout.ofCopy());
    f.utilisation = spread(
        100 * flops / total / peak.flopsPerS, factor, Unit::Percent,
        how(UtilisationFormula, {flops * real(on.count), total, peak.flopsPerS, real(on.count)}));
    f.watts = powerOf(k, total, real(on.count), on);
    fillRun(f, demand, layout, on, rates);
    return f;
}

struct ServingTimes {
    PassTime prompt;
    PassTime token;
    double promptExchangeS = 0;
    double tokenExchangeS = 0;
};

/// With what the engine takes beside the kernels, as the processor's part.
PassTime passTime(const std::vector<KernelGroup>& groups, const Attainable& on, double devices)
{
    PassTime time = forwardTime(groups, on, devices).withHost();
    time.launchS += on.overheadS;
    return time;
}

/// Of a pass over so many tokens of each request: every block sums its result over the devices twice, or each device
/// hands it to the next.
double servingExchangeS(const ServingDemand& demand, const Devices& on, double tokens)
{
    if (on.count < 2)
        return 0;
    const double latencyS =
        on.calibration.ratesOf(demand.engine, on.device.name).exchangeUs * Micro;
    const double bytes = real(batchOf(demand.serving)) * tokens * demand.width * 2;
    return worksInTurn(demand.engine) ? real(on.count - 1) * (latencyS + sendSeconds(bytes, on))
                                      : 2 * demand.blocks * (latencyS + exchangeSeconds(bytes, on));
}

/// Those that share a pass.
double passSharers(const ServingDemand& demand, const Devices& on)
{
    return worksInTurn(demand.engine) ? 1 : real(on.count);
}

ServingTimes servingTimes(const ServingDemand& demand, const Devices& on)
{
    const double sharers = passSharers(demand, on);
    const RequestRates rates = requestRatesOf(on.device, demand, on.calibration);
    ServingTimes times;
    times.prompt = passTime(demand.prompt, rates.prompt, sharers);
    times.promptExchangeS = servingExchangeS(demand, on, demand.ownTokens);
    if (demand.laterTokens > 0) {
        times.token = passTime(demand.token, rates.token, sharers);
        times.tokenExchangeS = servingExchangeS(demand, on, 1);
    }
    return times;
}

/// What was seen of the engine that a person names.
const char* engineDoubt(const ServingDemand& demand, const Devices& on)
{
    if (!demand.isEngineKnown)
        return ", which is assumed";
    const bool isSeen =
        Spreads::isSeen(on.calibration.spreads.token, seenAs(demand.engine, on.device.name));
    return demand.laterTokens > 0 && !isSeen ? ", of which no run on this device was seen" : "";
}

/// Whose way of serving it is, where the devices are more than processors.
Note engineNote(const ServingDemand& demand, const Devices& on)
{
    if (on.device.kind == DeviceKind::Cpu)
        return nameOf(on);
    return nameOf(on) + ", as " +
           std::string(EngineTitles.at(static_cast<std::size_t>(demand.engine))) + " serves" +
           (on.count > 1 && worksInTurn(demand.engine) ? ", one device after the other" : "") +
           engineDoubt(demand, on);
}

Quantity passFigure(const PassTime& time, double exchangeS, double otherSpread, const Note& engine,
                    const Devices& on)
{
    const double seconds = time.total() + exchangeS;
    const double factor = spreadOf(seconds > 0 ? time.recurrenceS / seconds : 0, otherSpread, on);
    return spread(
        seconds * MillisPerS, factor, Unit::Milliseconds,
        how(PassFormula,
            {time.productS * MillisPerS, time.movingS * MillisPerS, time.recurrenceS * MillisPerS,
             time.launchS * MillisPerS, exchangeS * MillisPerS},
            engine));
}

/// What follows from the latency of a request.
void fillRates(ServingForecast& f, const ServingDemand& demand)
{
    const Serving& s = demand.serving;
    const Quantity answered = Quantity::exact(real(batchOf(s)) * MillisPerS, Unit::One, {});
    f.requestsPerS = quotient(answered, f.latencyMs, Unit::SamplesPerSecond)
                         .because(how(BatchFormula, {real(batchOf(s)), f.latencyMs.value()}));
    f.tokensPerS =
        demand.laterTokens > 0
            ? product(f.requestsPerS, Quantity::exact(real(s.outputTokens), Unit::One, {}),
                      Unit::TokensPerSecond)
            : Quantity::unavailable(Unit::TokensPerSecond, "no tokens are generated");
    const double secondsPerRequest = 1 / MillisPerS / real(batchOf(s));
    f.kwhPerRequest =
        energyOf(f.watts, product(f.latencyMs, Quantity::exact(secondsPerRequest, Unit::One, {}),
                                  Unit::Seconds));
}

ServingForecast knownServing(const ServingDemand& demand, const Devices& on,
                             const ServingTimes& times)
{
    const Spreads& spreads = on.calibration.spreads;
    const double later = demand.laterTokens;
    const Note engine = engineNote(demand, on);
    ServingForecast f;
    const double pass = spreadOf(spreads.pass, on);
    const double known =
        spreads.of(spreads.token, seenAs(demand.engine, on.device.name), on.device.generation);
    const double token = demand.isEngineKnown ? known : std::max(known, spreads.engineUnknown);
    // No prompt of what generates was scored alone: it is known as well as its tokens at most.
    f.firstTokenMs = passFigure(times.prompt, times.promptExchangeS,
                                later > 0 ? std::max(pass, token) : pass, engine, on);
    f.tokenMs = Quantity::unavailable(Unit::Milliseconds, "no further tokens are generated");
    f.latencyMs = f.firstTokenMs;
    if (later > 0) {
        f.tokenMs = passFigure(times.token, times.tokenExchangeS, token, engine, on);
        f.latencyMs =
            (f.firstTokenMs + f.tokenMs * later)
                .because(how(LatencyFormula, {f.firstTokenMs.value(), later, f.tokenMs.value()}));
    }
    PassTime all = times.prompt;
    all += times.token.times(later);
    const double exchangeS = times.promptExchangeS + later * times.tokenExchangeS;
    f.bound = boundOf(all, exchangeS);
    f.watts = powerOf(all, all.total() + exchangeS, passSharers(demand, on), on);
    fillRates(f, demand);
    return f;
}

/// Those that hold one copy: all where they share each layer, else as few as divide them and hold it.
Devices devicesOfCopy(const ServingDemand& demand, const Devices& on)
{
    Devices each = on;
    if (!worksInTurn(demand.engine) || demand.isOneCopy)
        return each;
    for (std::int64_t count = 1; count < on.count; ++count) {
        each.count = count;
        if (on.count % count == 0 && fitsOn(memoryShare(demand.memory, count), each) != Fits::No)
            return each;
    }
    each.count = on.count;
    return each;
}

void setCopies(ServingForecast& f, std::int64_t copies)
{
    f.copies = copies;
    for (Quantity* one : {&f.requestsPerS, &f.tokensPerS, &f.watts}) {
        if (one->isAvailable())
            *one = (*one * real(copies)).because(how(CopiesFormula, {one->value(), real(copies)}));
    }
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

ServingForecast unavailableServing(const Note& why)
{
    ServingForecast f;
    f.firstTokenMs = f.tokenMs = f.latencyMs = Quantity::unavailable(Unit::Milliseconds, why);
    f.requestsPerS = Quantity::unavailable(Unit::SamplesPerSecond, why);
    f.tokensPerS = Quantity::unavailable(Unit::TokensPerSecond, why);
    f.watts = Quantity::unavailable(Unit::Watts, why);
    f.kwhPerRequest = Quantity::unavailable(Unit::KilowattHours, why);
    f.note = why;
    return f;
}

std::string_view name(Bound bound)
{
    constexpr std::array<std::string_view, 5> Names{"matrix products", "memory bandwidth",
                                                    "steps of the recurrence", "kernel launches",
                                                    "exchange between devices"};
    return Names.at(static_cast<std::size_t>(bound));
}

double stepSecondsOn(const TrainingDemand& demand, const Attainable& on)
{
    return stepTime(demand, on).total();
}

RequestSeconds requestSecondsOn(const ServingDemand& demand, const Devices& on)
{
    const ServingTimes times = servingTimes(demand, on);
    return {times.prompt.total() + times.promptExchangeS,
            times.token.total() + times.tokenExchangeS};
}

double tokenSecondsOn(const ServingDemand& demand, const Devices& on)
{
    const RequestRates rates = requestRatesOf(on.device, demand, on.calibration);
    return passTime(demand.token, rates.token, passSharers(demand, on)).total() +
           servingExchangeS(demand, on, 1);
}

RequestSeconds requestSecondsAt(const ServingDemand& demand, const RequestRates& rates)
{
    RequestSeconds seconds{.prompt = passTime(demand.prompt, rates.prompt, 1).total()};
    if (demand.laterTokens > 0)
        seconds.token = passTime(demand.token, rates.token, 1).total();
    return seconds;
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
    const bool isPossible = on.count >= 1 && rates.isKnown() && holding.isPossible;
    TrainingForecast f = isPossible
                             ? knownTraining(demand, on, peak, rates, holding.layout)
                             : unavailableTraining(on.count < 1         ? "no device"
                                                   : holding.isPossible ? lacking(on.device, peak)
                                                                        : unlaid(demand, on));
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
    return f;
}

ServingForecast servingForecast(const ServingDemand& demand, const Devices& on)
{
    const PeakRate peak = peakRate(on.device, demand.serving.precision);
    const bool isPossible =
        on.count >= 1 && requestRatesOf(on.device, demand, on.calibration).prompt.isKnown();
    const Devices each = devicesOfCopy(demand, on);
    ServingForecast f =
        isPossible ? knownServing(demand, each, servingTimes(demand, each))
                   : unavailableServing(on.count < 1 ? "no device" : lacking(on.device, peak));
    if (isPossible && each.count < on.count)
        setCopies(f, on.count / each.count);
    f.note = peak.note;
    f.memory = memoryShare(demand.memory, each.count);
    f.fits = fitsOn(f.memory, on);
    return f;
}

} // namespace outlay::core
