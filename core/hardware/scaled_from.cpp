// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/scaled_from.h"

#include "core/base/units.h"
#include "core/hardware/hardware_catalog.h"
#include "core/model/model.h"
#include "core/probe/margins.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace outlay::core {
namespace {

constexpr Formula ScaledFormula{"training.here.scaled",
                                "{0} steps x {1} s measured x {2} by the ratio of roofline times + "
                                "{3} s for validation + {4} s "
                                "to start; {5} e-folds from what was measured"};

Quantity noTime(Note reason)
{
    return Quantity::unavailable(Unit::Seconds, std::move(reason));
}

double ratioInFolds(double a, double b)
{
    return a > 0 && b > 0 ? std::abs(std::log(a / b)) : 0;
}

double rowsPerStep(const TrainingDemand& demand)
{
    const Training& t = demand.training;
    return static_cast<double>(t.batch) *
           (demand.hasTokens ? static_cast<double>(t.sequence) : 1.0);
}

double recurrenceShare(const TrainingDemand& demand, const Attainable& on)
{
    const PassTime time = forwardTime(demand.forward, on);
    return time.total() > 0 ? time.recurrenceS / time.total() : 0;
}

Arithmetic arithmeticOf(Precision precision)
{
    switch (precision) {
    case Precision::Fp32: return Arithmetic::Fp32;
    case Precision::Tf32: return Arithmetic::Tf32;
    case Precision::Fp16:
    case Precision::Bf16: return Arithmetic::Half;
    case Precision::Fp8: return Arithmetic::Fp8;
    }
    return Arithmetic::Fp32;
}

ReachedRates reachedBy(const HostMachine& machine)
{
    const Device* listed = isProcessor(machine) ? nullptr : hardwareCatalog()->find(machine.device);
    const double flopsPerS = machine.matrixFlopsPerSecond.value_or(0);
    return {.flopsPerS = std::max(flopsPerS, machine.wholeFlopsPerSecond.value_or(0)),
            .bytesPerS = machine.memoryBytesPerSecond.value_or(0),
            .arithmetic = arithmeticOf(machine.matrixPrecision.value_or(Precision::Fp32)),
            .isProcessor = isProcessor(machine),
            .latencies = listed != nullptr ? latenciesOf(*listed) : 1};
}

/// Why `measured` can't be scaled to `training`; nothing if it can.
std::optional<std::string> obstacle(const Measurement& measured, const Training& training,
                                    const Attainable& on)
{
    if (measured.training.step.meanS <= 0)
        return "the stored measurement timed no steps; `outlay probe` measures again";
    if (!on.isKnown())
        return "the rates of the machine were not measured; `outlay probe` does it";
    const Precision before = measured.trainingSettings.precision;
    if (before != training.precision)
        return std::string("measured in ") +
               std::string(PrecisionNames.at(static_cast<std::size_t>(before))) +
               ", and another precision can't be scaled from it";
    if (!training.packed && !isProcessor(measured.machine))
        return "samples of one length were measured, and those of several wait for their lengths";
    if (training.devices > 1)
        return "one device was measured, and the training uses several";
    return std::nullopt;
}

} // namespace

TrainingDemand demandOf(const Measurement& measured)
{
    return trainingDemand(expand(measured.model), measured.trainingSettings);
}

const ScaledSpread& trainingSpread(const Measurement& m, const Spreads& spreads)
{
    const bool isWhole = m.threads <= 1 || m.machine.wholeFlopsPerSecond.has_value();
    return isProcessor(m.machine) && isWhole ? spreads.scaledOnProcessors : spreads.scaled;
}

double scaledSpread(double folds, const ScaledSpread& scaled)
{
    constexpr double HalfOfBase = 0.25;
    return std::pow(scaled.base, folds / (folds + HalfOfBase)) * std::pow(scaled.perFold, folds);
}

double foldsBetween(const TrainingDemand& a, const TrainingDemand& b, const Attainable& on)
{
    const std::array folds{ratioInFolds(stepSecondsOn(a, on), stepSecondsOn(b, on)),
                           ratioInFolds(a.flopsPerBatch, b.flopsPerBatch),
                           ratioInFolds(rowsPerStep(a), rowsPerStep(b)),
                           ratioInFolds(a.parameters, b.parameters)};
    return *std::max_element(folds.begin(), folds.end()) +
           std::abs(recurrenceShare(a, on) - recurrenceShare(b, on));
}

Attainable attainableHere(const HostMachine& machine, const Calibration& calibration)
{
    return attainableAt(reachedBy(machine), calibration);
}

RequestRates requestRatesHere(const HostMachine& machine, const ServingDemand& demand,
                              const Calibration& calibration)
{
    return requestRatesAt(reachedBy(machine), demand, calibration);
}

Quantity scaledTraining(const Measurement& measured, const LayerKinds& layers,
                        const Training& training, const Calibration& calibration)
{
    const Attainable on = attainableHere(measured.machine, calibration);
    if (const auto why = obstacle(measured, training, on))
        return noTime(*why);
    const TrainingDemand before = demandOf(measured);
    const TrainingDemand now = trainingDemand(layers, training);
    const double ratio = stepSecondsOn(now, on) / stepSecondsOn(before, on);
    const TrainingMeasurement& m = measured.training;
    const double forwardBefore = forwardTime(before.forward, on).total() *
                                 static_cast<double>(onDevices(before.training, 1).accumulation);
    const double perSample = m.step.meanS * m.forwardShare * forwardTime(now.forward, on).total() /
                             forwardBefore / static_cast<double>(training.batch);
    const double validation =
        training.epochs * (now.run.samples - now.run.trainSamples) * perSample;
    const double start = m.buildS + m.warmUpS * ratio;
    const double value = now.run.steps * m.step.meanS * ratio + validation + start;
    const double folds = foldsBetween(before, now, on);
    const double factor = scaledSpread(folds, trainingSpread(measured, calibration.spreads));
    const Interval margins = runMargins(measured);
    return Quantity::within(
        value, value * std::min(1.0, margins.low) / factor,
        value * std::max(1.0, margins.high) * factor, Unit::Seconds, Basis::Forecast,
        how(ScaledFormula, {now.run.steps, m.step.meanS, ratio, validation, start, folds},
            "measured on " + measured.machine.processor + ", " + measured.created));
}

MeasurementPtr nearestMeasurement(const Measured& all, const LayerKinds& layers,
                                  const Training& training, const Calibration& calibration)
{
    const TrainingDemand now = trainingDemand(layers, training);
    MeasurementPtr nearest;
    double fewest = 0;
    for (const MeasurementPtr& measured : all.rows()) {
        const Attainable on = attainableHere(measured->machine, calibration);
        if (obstacle(*measured, training, on))
            continue;
        const double folds = foldsBetween(demandOf(*measured), now, on);
        if (nearest == nullptr || folds <= fewest) {
            nearest = measured;
            fewest = folds;
        }
    }
    return nearest;
}

} // namespace outlay::core
