// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/correction.h"

#include "core/hardware/scaled_from.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula CorrectionFormula{"correction", "{0} s measured / {1} s by roofline = {2} times"};
constexpr Formula CorrectedFormula{"forecast.corrected", "{0} forecast x {1} as measured"};

Quantity corrected(const Quantity& plain, double ratio, const Correction& correction)
{
    if (!plain.isAvailable())
        return plain;
    const double low = std::min(plain.low(), plain.low() * ratio) / correction.spread;
    const double high = std::max(plain.high(), plain.high() * ratio) * correction.spread;
    return Quantity::within(plain.value() * ratio, low, high, plain.unit(), Basis::Forecast,
                            how(CorrectedFormula, {plain.value(), ratio}, correction.note));
}

/// Whole steps on machines of one kind whose rates are known.
Measured stepsOn(const Subject& subject, const Measured& measured, bool isOnProcessors)
{
    std::vector<MeasurementPtr> rows;
    const Measured whole = measured.ofWholeSteps();
    for (const MeasurementPtr& m : whole.rows()) {
        if (isProcessor(m->machine) == isOnProcessors &&
            attainableHere(m->machine, subject.catalogs.calibration()).isKnown())
            rows.push_back(m);
    }
    return Measured(std::move(rows));
}

Correction correctionOn(const Subject& subject, bool isOnProcessors)
{
    const Measured all = stepsOn(subject, subject.experiment.measurements.all(), isOnProcessors);
    if (all.isEmpty())
        return {};
    MeasurementPtr m = stepsOn(subject, subject.measured, isOnProcessors).ofSteps(subject.asked());
    if (m == nullptr)
        m = all.ofSteps(subject.asked());
    const Calibration& calibration = subject.catalogs.calibration();
    if (m == nullptr) {
        Training alone = subject.experiment.training;
        alone.devices = 1; // each takes the same steps
        m = nearestMeasurement(all, subject.kinds, alone, calibration);
    }
    if (m == nullptr)
        return {};
    const Attainable on = attainableHere(m->machine, calibration);
    const TrainingDemand then = demandOf(*m);
    return correctionOver(trainingSpread(*m, calibration.spreads),
                          {.measuredS = m->training.step.meanS,
                           .attainableS = stepSecondsOn(then, on),
                           .folds = foldsBetween(then, subject.training, on)},
                          *m, "a step");
}

} // namespace

const Correction& Corrections::of(const Device& device) const
{
    return device.kind == DeviceKind::Cpu ? processors : accelerators;
}

Corrections correctionsFrom(const Subject& subject)
{
    return {correctionOn(subject, true), correctionOn(subject, false),
            ownFactorOf(subject.experiment, RunPlace::Planned)};
}

Correction correctionOver(const ScaledSpread& scaled, const MeasuredBesideForecast& times,
                          const Measurement& measured, std::string_view of)
{
    if (times.measuredS <= 0 || times.attainableS <= 0)
        return {};
    const double ratio = times.measuredS / times.attainableS;
    const std::string where = std::string(of) + " on " + measured.machine.processor + ", " +
                              measured.created +
                              (times.folds > 0 ? ", of a design that differs" : "");
    return {
        .ratio = ratio,
        .spread = scaledSpread(times.folds, scaled),
        .isKnown = true,
        .note =
            how(CorrectionFormula, {times.measuredS, times.attainableS, ratio}, where).sentence()};
}

void correct(TrainingForecast& forecast, const Correction& correction)
{
    if (!correction.isKnown)
        return;
    for (Quantity* time : {&forecast.stepSeconds, &forecast.waitingSeconds})
        *time = corrected(*time, correction.ratio, correction);
    // What software adds to the steps of others is in the steps that were measured.
    for (Quantity* time : {&forecast.runSeconds, &forecast.deviceHours, &forecast.kwh})
        *time = corrected(*time, correction.ratio * forecast.runShare, correction);
    forecast.runShare = 1;
    for (Quantity* rate : {&forecast.tokensPerS, &forecast.samplesPerS, &forecast.utilisation})
        *rate = corrected(*rate, 1 / correction.ratio, correction);
}

void correct(TrainingForecast& forecast, const Corrections& corrections, const Device& device)
{
    correct(forecast, corrections.of(device));
    if (!corrections.own)
        return;
    for (Quantity* whole : {&forecast.runSeconds, &forecast.deviceHours, &forecast.kwh})
        *whole = times(*whole, *corrections.own);
}

void correct(ServingForecast& forecast, const Correction& correction)
{
    if (!correction.isKnown)
        return;
    for (Quantity* time :
         {&forecast.firstTokenMs, &forecast.tokenMs, &forecast.latencyMs, &forecast.kwhPerRequest})
        *time = corrected(*time, correction.ratio, correction);
    for (Quantity* rate : {&forecast.requestsPerS, &forecast.tokensPerS})
        *rate = corrected(*rate, 1 / correction.ratio, correction);
}

} // namespace outlay::pricing
