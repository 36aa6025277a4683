// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/here/correction.h"

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

bool applies(const Correction& correction, const Device& device)
{
    const bool isProcessor = device.kind == DeviceKind::Cpu;
    return correction.isKnown && isProcessor == correction.isForProcessors;
}

/// Steps that ran whole; just these, or else those of the design that is nearest.
MeasurementPtr seenSteps(const Subject& subject)
{
    const Measured all = subject.experiment.measurements.all().ofWholeSteps();
    for (const Measured& measured : {subject.measured.ofWholeSteps(), all}) {
        if (const MeasurementPtr exact = measured.ofSteps(subject.asked()))
            return exact;
    }
    Training alone = subject.experiment.training;
    alone.devices = 1; // each takes the same steps
    return nearestMeasurement(all, subject.kinds, alone, subject.catalogs.calibration());
}

} // namespace

Correction correctionFrom(const Subject& subject)
{
    const MeasurementPtr m = seenSteps(subject);
    if (m == nullptr)
        return {};
    const Calibration& calibration = subject.catalogs.calibration();
    const Attainable on = attainableHere(m->machine, calibration);
    if (!on.isKnown())
        return {};
    const TrainingDemand then = demandOf(*m);
    return correctionOver(subject,
                          {.measuredS = m->training.step.meanS,
                           .attainableS = stepSecondsOn(then, on, calibration),
                           .folds = foldsBetween(then, subject.training, on, calibration)},
                          *m, "a step");
}

Correction correctionOver(const Subject& subject, const MeasuredBesideForecast& times,
                          const Measurement& measured, std::string_view of)
{
    if (times.measuredS <= 0 || times.attainableS <= 0)
        return {};
    const double ratio = times.measuredS / times.attainableS;
    const std::string& device = measured.machine.device;
    const std::string where = std::string(of) + " on " + measured.machine.processor + ", " +
                              measured.created +
                              (times.folds > 0 ? ", of a design that differs" : "");
    return {
        .ratio = ratio,
        .spread = scaledSpread(times.folds, subject.catalogs.calibration().spreads),
        .isKnown = true,
        .isForProcessors = device.empty() || device == "cpu",
        .note =
            how(CorrectionFormula, {times.measuredS, times.attainableS, ratio}, where).sentence()};
}

void correct(TrainingForecast& forecast, const Device& device, const Correction& correction)
{
    if (!applies(correction, device))
        return;
    for (Quantity* time :
         {&forecast.stepSeconds, &forecast.runSeconds, &forecast.deviceHours, &forecast.kwh})
        *time = corrected(*time, correction.ratio, correction);
    for (Quantity* rate : {&forecast.tokensPerS, &forecast.samplesPerS, &forecast.utilisation})
        *rate = corrected(*rate, 1 / correction.ratio, correction);
}

void correct(ServingForecast& forecast, const Device& device, const Correction& correction)
{
    if (!applies(correction, device))
        return;
    for (Quantity* time :
         {&forecast.firstTokenMs, &forecast.tokenMs, &forecast.latencyMs, &forecast.kwhPerRequest})
        *time = corrected(*time, correction.ratio, correction);
    for (Quantity* rate : {&forecast.requestsPerS, &forecast.tokensPerS})
        *rate = corrected(*rate, 1 / correction.ratio, correction);
}

} // namespace outlay::pricing
