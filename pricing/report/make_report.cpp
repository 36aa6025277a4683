// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/make_report.h"

#include "core/base/version.h"
#include "core/work/parameters.h"
#include "core/work/serving_work.h"
#include "core/work/training_work.h"
#include "core/work/work.h"
#include "pricing/report/here.h"

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula WeightsFormula{"weights", "{0} parameters x {1} B"};

/// Thresholds in parameters; the documented size classes.
std::string_view sizeClassOf(double parameters)
{
    constexpr double Billion = 1e9;
    if (parameters < 1 * Billion)
        return "small";
    if (parameters < 7 * Billion)
        return "medium";
    if (parameters < 20 * Billion)
        return "large";
    return parameters < 70 * Billion ? "extra-large" : "ultra-large";
}

ModelReport modelReport(const Experiment& experiment, const std::vector<Layer>& layers)
{
    const Training& training = experiment.training;
    const Pass pass =
        trainingPass(static_cast<double>(training.batch), static_cast<double>(training.sequence),
                     bytesPerValue(training.precision));
    ModelReport model;
    model.family = familyOf(experiment.model);
    model.convention = ConventionNames.at(static_cast<std::size_t>(experiment.model.convention));
    model.layers.reserve(layers.size());
    for (const Layer& layer : layers) {
        const Work work = workOf(layer, pass);
        const bool isKnown = !std::holds_alternative<Weights>(layer.spec);
        model.layers.push_back({layer.name, std::string(kindOf(layer.spec)),
                                parametersOf(layer.spec), work.flops, work.bytes,
                                isKnown ? std::optional(work.kept) : std::nullopt});
        model.parameters += model.layers.back().parameters;
    }
    const auto count = static_cast<double>(model.parameters);
    model.sizeClass = sizeClassOf(count);
    for (std::size_t i = 0; i < ServingPrecisionNames.size(); ++i) {
        const double bytes = bytesPerWeight(static_cast<ServingPrecision>(i));
        model.weights.push_back(
            {std::string(ServingPrecisionNames.at(i)),
             Quantity::exact(count * bytes, Unit::Bytes, how(WeightsFormula, {count, bytes}))});
    }
    return model;
}

TrainingReport trainingReport(const Experiment& experiment, const std::vector<Layer>& layers)
{
    const TrainingRun run = trainingRun(layers, experiment.training);
    const TrainingMemory memory = trainingMemory(layers, experiment.training);
    return {.steps = run.steps,
            .samples = run.samples,
            .isSamplesAssumed = !experiment.training.samples && !experiment.training.tokens,
            .flops = run.flops,
            .flopsPerStep = run.flopsPerStep,
            .here = trainingHere(experiment, layers),
            .parameters = memory.parameters,
            .gradients = memory.gradients,
            .optimizer = memory.optimizer,
            .activations = memory.activations,
            .memory = memory.total};
}

ServingReport servingReport(const Experiment& experiment, const std::vector<Layer>& layers)
{
    const ServingWork work = servingWork(experiment.model, layers, experiment.serving);
    return {.promptFlops = work.prompt.flops, .tokenFlops = work.tokenFlops, .memory = work.memory};
}

} // namespace

Report makeReport(const Experiment& experiment, const Catalogs& catalogs)
{
    const std::vector<Layer> layers = expand(experiment.model);
    Report report;
    report.name = experiment.name;
    report.model = modelReport(experiment, layers);
    report.training = trainingReport(experiment, layers);
    report.serving = servingReport(experiment, layers);
    for (const UsedDefault& used : usedDefaults(experiment))
        report.assumptions.push_back({used.pointer, used.value, "default of Outlay"});
    report.provenance = {std::string(MethodVersion), std::string(ProgramVersion), catalogs.today};
    return report;
}

} // namespace outlay::pricing
