// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/judge/batching.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/hardware/scaled_from.h"
#include "pricing/report/offers/training_machines.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula MeasuredFormula{"efficiency.batching.measured",
                                  "100 x {0} of the time a sample at batch {1} / {2} at batch {3}"};
constexpr Formula RooflineFormula{
    "efficiency.batching.roofline",
    "100 x {0} samples/s at batch {1} / {2} samples/s at batch {3}, the largest that fits"};

constexpr Formula BestBatchFormula{"efficiency.batching.with",
                                   "{0}: the best batch against itself"};

constexpr double FullBatching = 100;

/// Time a sample at one batch, over that at the batch that was measured plainly.
struct BatchTime {
    double batch = 0;
    double ratio = 1;
    double low = 1;
    double high = 1;
};

std::vector<BatchTime> batchTimes(const Measurement& m)
{
    std::vector<BatchTime> times;
    times.push_back({real(m.trainingSettings.batch)});
    for (const VariantMeasurement& v : m.variants) {
        const auto batch = readJson(v.value);
        if (v.variant == "batch" && v.isMeasured() && v.ratio > 0 && batch && batch->isNumber())
            times.push_back({batch->number(), v.ratio, v.lowRatio, v.highRatio});
    }
    return times;
}

std::string remedyFor(double best)
{
    return "a batch of " + plainNumber(best);
}

Quantity fullScore(Basis basis)
{
    return Quantity::within(FullBatching, FullBatching, FullBatching, Unit::Percent, basis,
                            how(BestBatchFormula, {FullBatching}));
}

std::optional<EfficiencyPart> measuredScore(const Subject& subject)
{
    const double chosen = real(subject.experiment.training.batch);
    const auto all = subject.measured.inAnyBatch(subject.asked());
    for (std::size_t i = all.size(); i > 0; --i) { // newest last
        const MeasurementPtr& m = all[i - 1];
        const auto times = batchTimes(*m);
        const auto at = std::find_if(times.begin(), times.end(),
                                     [&](const BatchTime& t) { return t.batch == chosen; });
        if (times.size() < 2 || at == times.end())
            continue;
        const auto best =
            std::min_element(times.begin(), times.end(),
                             [](const auto& a, const auto& b) { return a.ratio < b.ratio; });
        const auto bounded = [](double v) { return std::clamp(v, 0.0, FullBatching); };
        const Quantity score = Quantity::within(
            bounded(FullBatching * best->ratio / at->ratio),
            bounded(FullBatching * best->low / at->high),
            bounded(FullBatching * best->high / at->low), Unit::Percent, Basis::Measured,
            how(MeasuredFormula, {best->ratio, best->batch, at->ratio, at->batch},
                "measured in turns on " + m->machine.processor + ", " + m->created));
        return EfficiencyPart{
            .score = score, .remedy = remedyFor(best->batch), .with = fullScore(Basis::Measured)};
    }
    return std::nullopt;
}

/// A machine to fill, and what it is called.
struct Place {
    Attainable rates;
    double memoryBytes = 0;
    std::string name;
    std::optional<Devices> devices = {}; // here: none
};

std::optional<Place> placeOf(const Subject& subject, const Report& report)
{
    const Calibration& calibration = subject.catalogs.calibration();
    if (const MeasurementPtr m = subject.measured.withRates())
        return Place{attainableHere(m->machine, calibration), m->machine.memoryBytes,
                     m->machine.processor};
    const auto devices = chosenDevices(subject, report.training);
    if (!devices || !devices->device.memoryGb)
        return std::nullopt;
    const Attainable there =
        attainableOf(devices->device, subject.experiment.training, calibration);
    if (!there.isKnown())
        return std::nullopt;
    return Place{there, *devices->device.memoryGb * BytesPerGb, devices->device.name, devices};
}

/// Of several devices those share the training that it needs.
bool holds(const Subject& subject, const Place& place, const Training& training)
{
    const Calibration& calibration = subject.catalogs.calibration();
    if (!place.devices)
        return trainingMemory(subject.kinds, training).total.value() <=
               place.memoryBytes * calibration.usableMemory;
    const Devices& on = *place.devices;
    return fitsOn(trainingDemand(subject.kinds, training), on) == Fits::Yes;
}

/// A power of two, so that it doesn't depend on the chosen batch; no more than an epoch has samples, or a device's share
/// of a step.
std::int64_t largestBatch(const Subject& subject, const Place& place, Training training,
                          double share)
{
    const double samples =
        std::min(share, subject.training.run.trainSamples / real(training.accumulation));
    int low = 0;
    int high = 20;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        training.batch = std::int64_t{1} << middle;
        const bool isPossible = real(training.batch) <= samples && holds(subject, place, training);
        (isPossible ? low : high) = isPossible ? middle : middle - 1;
    }
    return std::int64_t{1} << low;
}

} // namespace

EfficiencyPart batchingScore(const Subject& subject, const Report& report)
{
    if (auto measured = measuredScore(subject))
        return std::move(*measured);
    const auto place = placeOf(subject, report);
    if (!place)
        return {.score = Quantity::unavailable(
                    Unit::Percent, "neither this machine's rates nor a chosen offer are known")};
    // A pass for itself: what a global batch makes of passes is another matter.
    const Training& asked = subject.experiment.training;
    const std::int64_t devices = place->devices ? place->devices->count : asked.devices;
    Training training = onDevices(asked, devices);
    const bool isDivided = subject.experiment.training.globalBatch.has_value();
    if (isDivided) {
        training.accumulation = 1;
        // As its layout runs them.
        if (const auto& chosen = report.training.recommended.chosen; place->devices && chosen)
            training.batch = report.training.forecasts[chosen->forecast].batch;
    }
    const double now = real(training.batch);
    const double chosen =
        now / (isDivided ? stepSecondsOn(trainingDemand(subject.kinds, training), place->rates)
                         : stepSecondsOn(subject.training, place->rates));
    const double share = isDivided ? real(*asked.globalBatch) / real(devices) : HUGE_VAL;
    training.batch = largestBatch(subject, *place, training, share);
    const double best =
        real(training.batch) / stepSecondsOn(trainingDemand(subject.kinds, training), place->rates);
    const double score = std::min(FullBatching, FullBatching * chosen / best);
    return {.score =
                Quantity::within(score, score, score, Unit::Percent, Basis::Forecast,
                                 how(RooflineFormula, {chosen, now, best, real(training.batch)},
                                     "on " + place->name)),
            .remedy = remedyFor(real(training.batch)),
            .with = fullScore(Basis::Forecast)};
}

} // namespace outlay::pricing
