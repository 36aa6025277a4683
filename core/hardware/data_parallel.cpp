// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/data_parallel.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {
namespace {

constexpr Formula ComputeFormula{"parallel.compute", "{0} s alone x (1 + {1} for each of {2} "
                                                     "doublings, waiting for the slowest)"};
constexpr Formula ExchangeFormula{"parallel.exchange",
                                  "{2} s to start + 2 x ({0} - 1) / {0} x {1} B / {3} B/s"};
constexpr Formula ParallelStepFormula{"parallel.step", "{0} s of work + {1} of {2} s of exchange"};
constexpr Formula ParallelRunFormula{
    "parallel.run",
    "({0} steps x {1} s + {2} s beside the steps) / {3}, the part of a run that they are"};
constexpr Formula SpeedUpFormula{"parallel.speed_up", "{0} devices x {1} s alone / {2} s"};
constexpr Formula NothingFormula{"parallel.alone", "one device exchanges nothing"};

DataParallel unavailableFor(const Note& why)
{
    const Quantity seconds = Quantity::unavailable(Unit::Seconds, why);
    return {seconds, seconds, seconds, seconds, Quantity::unavailable(Unit::One, why)};
}

DataParallel onOne(const Alone& alone)
{
    return {alone.stepSeconds, Quantity::exact(0, Unit::Seconds, how(NothingFormula)),
            alone.stepSeconds, alone.runSeconds,
            Quantity::exact(1, Unit::One, how(NothingFormula))};
}

/// Samples of an optimizer step on each of so many devices.
double samplesOn(const Training& t, double devices)
{
    return t.globalBatch ? std::max(1.0, real(*t.globalBatch) / devices)
                         : real(t.batch * t.accumulation);
}

/// Optimizer steps, when each takes so many devices' batches.
double stepsOn(const TrainingDemand& demand, double devices)
{
    const Training& t = demand.training;
    const double samples = samplesOn(t, devices) * devices;
    return std::ceil(std::ceil(demand.run.trainSamples / samples) * t.epochs);
}

/// The run follows its steps; what is beside them, validation mostly, is shared, too.
Quantity runOf(const TrainingDemand& demand, const Alone& alone, double devices,
               const Quantity& step)
{
    const double one = alone.stepSeconds.value();
    const double beside = std::max(0.0, alone.runSeconds.value() * alone.runShare -
                                            stepsOn(demand, alone.devices) * one) /
                          devices;
    const double steps = stepsOn(demand, alone.devices * devices);
    const double value = (steps * step.value() + beside) / alone.runShare;
    // The interval of a run is wider than that of a step by as much as on one device.
    const double low = alone.runSeconds.low() / alone.runSeconds.value() * one /
                       std::max(alone.stepSeconds.low(), 1e-300);
    const double high = alone.runSeconds.high() / alone.runSeconds.value() * one /
                        std::max(alone.stepSeconds.high(), 1e-300);
    return Quantity::within(
        value, value * low * step.low() / step.value(), value * high * step.high() / step.value(),
        Unit::Seconds, step.basis(),
        how(ParallelRunFormula, {steps, step.value(), beside, alone.runShare}, step.how().note));
}

} // namespace

namespace {

LinkSpeed slowed(LinkSpeed link, double moving, double starting)
{
    link.bytesPerS /= moving;
    for (double* seconds : {&link.latencyS, &link.callS, &link.deviceS, &link.settleS})
        *seconds *= starting;
    return link;
}

} // namespace

std::optional<Link> linkInside(const Device& device, const Calibration& calibration)
{
    if (!device.linkGbPerS)
        return std::nullopt;
    const double listed = *device.linkGbPerS * Giga;
    const LinkSpeed usual = speedOf(calibration.ratesOfLink(*device.linkGbPerS), listed);
    // At best the listed rate; at worst half of what others reach, with slower starts.
    constexpr double Slower = 2;
    return Link{.usual = usual,
                .best = slowed(usual, usual.bytesPerS / listed, 1 / Slower),
                .worst = slowed(usual, Slower, Slower),
                .source = "the link of " + device.name + ": " + device.source};
}

Link assumedNetwork(double gbPerS, std::string source)
{
    // A message through a network card and back, and what clouds differ by.
    constexpr double LatencyS = 100 * Micro;
    constexpr double Around = 10;
    constexpr double LatencyAround = 3;
    const double usual = gbPerS * Giga;
    return {.usual = {usual, LatencyS},
            .best = slowed({usual, LatencyS}, 1 / Around, 1 / LatencyAround),
            .worst = slowed({usual, LatencyS}, Around, LatencyAround),
            .basis = Basis::Assumed,
            .source = std::move(source)};
}

Link linkMeasured(const ProcessesMeasurement& measured)
{
    const double miss = std::max(1.0, measured.miss);
    return {.usual = {measured.bytesPerS, measured.latencyS},
            .best = {measured.bytesPerS * miss, measured.latencyS / miss},
            .worst = {measured.bytesPerS / miss, measured.latencyS * miss},
            .basis = Basis::Measured,
            .source = "measured between " + std::to_string(measured.processes) +
                      (measured.hosts.empty() ? " processes of this machine" : " hosts") +
                      ", with Gloo"};
}

Calibration calibrationFrom(const ProcessesMeasurement& measured, const Calibration& calibration)
{
    Calibration here = calibration;
    here.exposedExchange = 1;
    if (measured.processes < 2 || measured.aloneStepS <= 0)
        return here;
    const double work = (measured.stepS - measured.exchangeS) / measured.aloneStepS;
    here.lossPerDoubling =
        std::max(calibration.lossPerDoubling, (work - 1) / std::log2(real(measured.processes)));
    return here;
}

DataParallel dataParallel(const TrainingDemand& demand, const Alone& alone, std::int64_t devices,
                          const Link& link, const Calibration& calibration)
{
    if (!alone.stepSeconds.isAvailable() || !alone.runSeconds.isAvailable())
        return unavailableFor(alone.stepSeconds.isAvailable() ? alone.runSeconds.how().note
                                                              : alone.stepSeconds.how().note);
    if (devices < 2)
        return onOne(alone);
    if (link.worst.bytesPerS <= 0)
        return unavailableFor("the devices have no link");
    const double count = real(devices);
    const double doublings = std::log2(count);
    const double bytes = demand.memory.gradients.value();
    const double slower = 1 + calibration.lossPerDoubling * doublings;
    const double grow = std::pow(calibration.spreads.perDoubling, doublings);
    // A global batch leaves each device a part of what one alone has.
    const Training& t = demand.training;
    // What asks for lengths in each block starts nothing early.
    const bool waits = demand.hasUnevenSamples() && t.attention != AttentionKernel::Plain;
    const double exposed = waits ? 1 : calibration.exposedExchange;
    const double part = samplesOn(t, alone.devices * count) / samplesOn(t, alone.devices);
    const Quantity one = part < 1 ? alone.stepSeconds * part : alone.stepSeconds;
    const ExchangeShape sum{.devices = count, .bytes = bytes};
    const double usual = exchangeSeconds(sum, link.usual);
    const double best = exchangeSeconds(sum, link.best);
    const double worst = exchangeSeconds(sum, link.worst);

    DataParallel p;
    p.computeSeconds = Quantity::within(
        one.value() * slower, one.low(), one.high() * slower * grow, Unit::Seconds,
        std::max(one.basis(), Basis::Forecast),
        how(ComputeFormula, {one.value(), calibration.lossPerDoubling, doublings}, one.how().note));
    p.exchangeSeconds = Quantity::within(
        usual, best, worst, Unit::Seconds, std::max(link.basis, Basis::Forecast), // by a fit
        how(ExchangeFormula, {count, bytes, startSeconds(sum, link.usual), link.usual.bytesPerS},
            link.source));
    // At worst no computation hides the exchange.
    const Quantity& work = p.computeSeconds;
    p.stepSeconds =
        Quantity::within(work.value() + exposed * usual, work.low() + exposed * best,
                         work.high() + worst, Unit::Seconds, std::max(work.basis(), link.basis),
                         how(ParallelStepFormula, {work.value(), exposed, usual}, link.source));
    p.runSeconds = runOf(demand, alone, count, p.stepSeconds);
    // The error of the work on one device is in both and drops out.
    const double ideal = count * one.value();
    p.speedUp = Quantity::within(
        ideal / p.stepSeconds.value(), ideal / (one.value() * slower * grow + worst),
        ideal / (one.value() * slower + exposed * best), Unit::One, p.stepSeconds.basis(),
        how(SpeedUpFormula, {count, one.value(), p.stepSeconds.value()}));
    return p;
}

} // namespace outlay::core
