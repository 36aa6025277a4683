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

Quantity corrected(const Quantity& plain, double ratio, const Note& note)
{
    if (!plain.isAvailable())
        return plain;
    const double low = std::min(plain.low(), plain.low() * ratio);
    const double high = std::max(plain.high(), plain.high() * ratio);
    return Quantity::within(plain.value() * ratio, low, high, plain.unit(), Basis::Forecast,
                            how(CorrectedFormula, {plain.value(), ratio}, note));
}

bool applies(const Correction& correction, const Device& device)
{
    const bool isProcessor = device.kind == DeviceKind::Cpu;
    return correction.isKnown && isProcessor == correction.isForProcessors;
}

} // namespace

Correction correctionFrom(const Subject& subject)
{
    MeasurementPtr m = subject.measuredSteps();
    if (m == nullptr || m->part) // what it tells of the code holds wherever it was measured
        m = subject.experiment.measurements.all().ofSteps(subject.asked());
    if (m == nullptr || m->part)
        return {};
    const Calibration& calibration = subject.catalogs.calibration();
    const Attainable on = attainableHere(m->machine, calibration);
    if (!on.isKnown())
        return {};
    const double attainableS = stepSecondsOn(subject.training, on, calibration);
    const double measuredS = m->training.step.meanS;
    if (attainableS <= 0 || measuredS <= 0)
        return {};
    return correctionOver({measuredS, attainableS}, *m, "a step");
}

Correction correctionOver(const MeasuredBesideForecast& times, const Measurement& measured,
                          std::string_view of)
{
    const double ratio = times.measuredS / times.attainableS;
    const std::string& device = measured.machine.device;
    return {.ratio = ratio,
            .isKnown = true,
            .isForProcessors = device.empty() || device == "cpu",
            .note =
                how(CorrectionFormula, {times.measuredS, times.attainableS, ratio},
                    std::string(of) + " on " + measured.machine.processor + ", " + measured.created)
                    .sentence()};
}

void correct(TrainingForecast& forecast, const Device& device, const Correction& correction)
{
    if (!applies(correction, device))
        return;
    for (Quantity* time :
         {&forecast.stepSeconds, &forecast.runSeconds, &forecast.deviceHours, &forecast.kwh})
        *time = corrected(*time, correction.ratio, correction.note);
    for (Quantity* rate : {&forecast.tokensPerS, &forecast.samplesPerS, &forecast.utilisation})
        *rate = corrected(*rate, 1 / correction.ratio, correction.note);
}

void correct(ServingForecast& forecast, const Device& device, const Correction& correction)
{
    if (!applies(correction, device))
        return;
    for (Quantity* time :
         {&forecast.firstTokenMs, &forecast.tokenMs, &forecast.latencyMs, &forecast.kwhPerRequest})
        *time = corrected(*time, correction.ratio, correction.note);
    for (Quantity* rate : {&forecast.requestsPerS, &forecast.tokensPerS})
        *rate = corrected(*rate, 1 / correction.ratio, correction.note);
}

} // namespace outlay::pricing
