// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/experiment/presets.h"
#include "core/hardware/scaled_from.h"
#include "core/workload/parameters.h"
#include "pricing/report/sections.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula ReachedFormula{"benchmark.reached", "{0} FLOP of a step / {1} s measured"};
constexpr Formula AttainableFormula{
    "benchmark.attainable",
    "{0} FLOP of a step / {1} s by the roofline of this shape at {2} FLOP/s and {3} B/s"};
constexpr Formula BenchmarkLimitFormula{"benchmark.limit", "{0} ms"};
constexpr Formula CountFormula{"benchmark.parameters", "{0} parameters"};
constexpr Formula WorkFormula{"benchmark.work", "{0} FLOP forward and backward for one sample"};

/// What a preset asks for, at its own settings.
struct PresetSize {
    std::string id;
    std::string family;
    std::string source;
    double parameters = 0;
    double flopsPerSample = 0; // forward and backward
    Quantity memory;           // of training
};

double flopsPerSample(const TrainingRun& run, const Training& training)
{
    return run.flopsPerStep /
           static_cast<double>(training.batch * training.accumulation * training.devices);
}

std::vector<PresetSize> sizesOfPresets()
{
    std::vector<PresetSize> sizes;
    if (!presets())
        return sizes;
    for (const Preset& preset : *presets()) {
        const Experiment& e = preset.experiment;
        const LayerKinds layers(expand(e.model));
        sizes.push_back({preset.id, std::string(familyOf(e.model)), preset.source,
                         static_cast<double>(parametersOf(layers)),
                         flopsPerSample(trainingRun(layers, e.training), e.training),
                         trainingMemory(layers, e.training).total});
    }
    return sizes;
}

/// Of the same family, the nearest in size; null if the family has no preset.
const PresetSize* nearestPreset(const ModelReport& model)
{
    static const std::vector<PresetSize> Sizes = sizesOfPresets(); // the presets never change
    const PresetSize* nearest = nullptr;
    double least = 0;
    for (const PresetSize& size : Sizes) {
        if (size.family != model.family || size.parameters <= 0 || model.parameters <= 0)
            continue;
        const double folds =
            std::abs(std::log(size.parameters / static_cast<double>(model.parameters)));
        if (nearest == nullptr || folds < least) {
            nearest = &size;
            least = folds;
        }
    }
    return nearest;
}

/// What this machine reaches, against what the roofline allows this shape on it.
void addReached(const Subject& subject, std::vector<Benchmark>& rows)
{
    const MeasurementPtr m = subject.measuredSteps();
    const Calibration& calibration = subject.catalogs.calibration();
    const Attainable on = m == nullptr ? Attainable{} : attainableHere(m->machine, calibration);
    if (!on.isKnown())
        return;
    const Timing& step = m->training.step;
    const double best = stepSecondsOn(subject.training, on, calibration);
    const double flops = subject.training.run.flopsPerStep;
    rows.push_back(
        {.metric = "training rate here",
         .value = Quantity::within(flops / step.meanS, flops / step.highS, flops / step.lowS,
                                   Unit::FlopsPerSecond, Basis::Measured,
                                   how(ReachedFormula, {flops, step.meanS}, m->created)),
         .reference = Quantity::within(
             flops / best, flops / best, flops / best, Unit::FlopsPerSecond, Basis::Forecast,
             how(AttainableFormula, {flops, best, on.flopsPerS, on.bytesPerS})),
         .isLowerBetter = false,
         .source = "what " + m->machine.processor +
                   " can reach for this shape on one thread, from its measured matrix rate and "
                   "bandwidth"});
}

void addPreset(const Subject& subject, const Report& report, std::vector<Benchmark>& rows)
{
    const PresetSize* preset = nearestPreset(report.model);
    if (preset == nullptr)
        return;
    const std::string source =
        "the preset nearest in size, " + preset->id + ", at its own settings; " + preset->source;
    const auto count = static_cast<double>(report.model.parameters);
    rows.push_back({.metric = "parameters",
                    .value = Quantity::exact(count, Unit::One, how(CountFormula, {count})),
                    .reference = Quantity::exact(preset->parameters, Unit::One,
                                                 how(CountFormula, {preset->parameters})),
                    .source = source});
    rows.push_back({.metric = "training memory",
                    .value = report.training.memory,
                    .reference = preset->memory,
                    .source = source});
    const double flops = flopsPerSample(subject.training.run, subject.experiment.training);
    rows.push_back({.metric = "training work a sample",
                    .value = Quantity::exact(flops, Unit::Flops, how(WorkFormula, {flops})),
                    .reference = Quantity::exact(preset->flopsPerSample, Unit::Flops,
                                                 how(WorkFormula, {preset->flopsPerSample})),
                    .source = source});
}

void addLatency(const Subject& subject, const Report& report, std::vector<Benchmark>& rows)
{
    if (!report.serving.p95Ms.isAvailable())
        return;
    const double limit = subject.experiment.serving.latencyP95Ms;
    rows.push_back({.metric = "latency that 95 % of the requests keep here",
                    .value = report.serving.p95Ms,
                    .reference = Quantity::exact(limit, Unit::Milliseconds,
                                                 how(BenchmarkLimitFormula, {limit})),
                    .source = "the limit of this experiment, /serving/latency_p95_ms"});
}

} // namespace

void addBenchmarks(const Subject& subject, Report& report)
{
    addReached(subject, report.benchmarks);
    addLatency(subject, report, report.benchmarks);
    addPreset(subject, report, report.benchmarks);
}

} // namespace outlay::pricing
