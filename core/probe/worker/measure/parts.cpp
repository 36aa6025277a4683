// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure/parts.h"

#include "core/probe/worker/measure/memory_watch.h"
#include "core/probe/worker/measure/step_meter.h"
#include "core/workload/serving_work.h"
#include "core/workload/training_work.h"

#include <algorithm>

namespace outlay::worker {
namespace {

using namespace outlay::core;

/// The number of layers of a design; null where they aren't repeated.
std::int64_t* layerCount(Model& model)
{
    struct Count {
        std::int64_t* operator()(RecurrentDesign& d) const { return &d.layers; }
        std::int64_t* operator()(GatedRnnDesign& d) const { return &d.layers; }
        std::int64_t* operator()(TransformerDesign& d) const { return &d.layers; }
        std::int64_t* operator()(MlpDesign&) const { return nullptr; }
        std::int64_t* operator()(LayerListDesign&) const { return nullptr; }
    };
    return std::visit(Count{}, model.design);
}

Job withLayers(Job job, std::int64_t layers)
{
    *layerCount(job.model) = layers;
    // One size for each layer: the first ones.
    if (auto* recurrent = std::get_if<RecurrentDesign>(&job.model.design);
        recurrent != nullptr && recurrent->hidden.size() > 1)
        recurrent->hidden.resize(static_cast<std::size_t>(layers));
    return job;
}

double bytesOf(const Job& job)
{
    return mostBytesHere(expand(job.model), job.training);
}

/// A further layer takes no less than nothing, whatever a disturbed pair of times says.
double combined(double fewer, double more, const PartMeasurement& counts)
{
    const auto apart = static_cast<double>(counts.moreLayers - counts.fewerLayers);
    const auto missing = static_cast<double>(counts.layers - counts.fewerLayers);
    return fewer + missing * std::max(0.0, more - fewer) / apart;
}

} // namespace

bool fitsHere(const Job& job, double share)
{
    return bytesOf(job) <= share * freeBytes(job.device);
}

double servingBytes(const Job& job, std::int64_t batch)
{
    Serving serving = job.serving;
    serving.batch = batch;
    return servingWork(job.model, LayerKinds(expand(job.model)), serving).memory.value();
}

StepTime wholeStep(const StepTime& fewer, const StepTime& more, const PartMeasurement& counts)
{
    return {.wallS = combined(fewer.wallS, more.wallS, counts),
            .processorS = combined(fewer.processorS, more.processorS, counts),
            .forwardS = combined(fewer.forwardS, more.forwardS, counts),
            .backwardS = combined(fewer.backwardS, more.backwardS, counts),
            .optimizerS = combined(fewer.optimizerS, more.optimizerS, counts)};
}

std::optional<Parts> partsOf(const Job& job)
{
    Job copy = job;
    const std::int64_t* layers = layerCount(copy.model);
    // The first recurrent layer reads another width than those above it.
    const bool isRecurrent = std::holds_alternative<RecurrentDesign>(copy.model.design);
    const std::int64_t fewer = isRecurrent ? 2 : 1;
    if (layers == nullptr || *layers <= fewer + 1)
        return std::nullopt;
    Parts parts{withLayers(job, fewer),
                withLayers(job, fewer + 1),
                {.fewerLayers = fewer, .moreLayers = fewer + 1, .layers = *layers}};
    constexpr double Share = 0.9;
    if (bytesOf(parts.fewer) + bytesOf(parts.more) > Share * freeBytes(job.device))
        return std::nullopt;
    return parts;
}

TrainingMeasurement measureParts(const Bench& bench, Parts& parts, double seconds)
{
    const double building = wallClock();
    Trainer fewer(*Network::create(parts.fewer.model), parts.fewer.training, bench.device);
    const double between = wallClock();
    Trainer more(*Network::create(parts.more.model), parts.more.training, bench.device);
    const double built = wallClock();
    StepRecord steps;
    const double end = wallClock() + seconds;
    const StepTime firstOfFewer = fewer.step();
    const StepTime first = wholeStep(firstOfFewer, more.step(), parts.counts);
    constexpr std::size_t LeastRounds = 3;
    std::vector<double> layerS;
    while (steps.steps.size() < LeastRounds || wallClock() < end) {
        const StepTime a = fewer.step();
        bench.tick(TrainingPhase, static_cast<std::int64_t>(steps.steps.size()));
        const StepTime b = more.step();
        steps.steps.push_back(wholeStep(a, b, parts.counts));
        layerS.push_back((b.wallS - a.wallS) /
                         static_cast<double>(parts.counts.moreLayers - parts.counts.fewerLayers));
    }
    parts.counts.layerS = median(layerS);
    TrainingMeasurement m = steps.summary(bench.job);
    m.buildS = combined(between - building, built - between, parts.counts);
    m.warmUpS = std::max(0.0, first.wallS - m.step.medianS);
    return m;
}

} // namespace outlay::worker
