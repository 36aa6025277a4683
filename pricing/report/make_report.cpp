// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/make_report.h"

#include "core/base/text.h"
#include "core/base/together.h"
#include "core/base/version.h"
#include "core/experiment/field_meaning.h"
#include "core/workload/parameters.h"
#include "core/workload/serving_work.h"
#include "core/workload/training_work.h"
#include "core/workload/weight_file.h"
#include "core/workload/work.h"
#include "pricing/report/assumption.h"
#include "pricing/report/own_factor.h"
#include "pricing/report/sections.h"
#include "pricing/report/subject.h"

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

/// In each precision, and as GGUF files have them where the design is of those that come as such.
void addWeights(const Subject& subject, ModelReport& model)
{
    const auto count = static_cast<double>(model.parameters);
    const auto add = [&](std::string_view name, double bytes, Note note) {
        const double each = count > 0 ? bytes / count : 0;
        model.weights.push_back(
            {std::string(name),
             Quantity::exact(bytes, Unit::Bytes,
                             how(WeightsFormula, {count, each}, std::move(note)))});
    };
    Serving serving{.engine = engineOf(subject.experiment.model, subject.experiment.serving)};
    for (std::size_t i = 0; i < ServingPrecisionNames.size(); ++i) {
        serving.precision = static_cast<ServingPrecision>(i);
        add(ServingPrecisionNames.at(i),
            weightBytes(subject.experiment.model, subject.kinds, serving),
            weightNote(subject.experiment.model, serving));
    }
    if (!hasWeightFormat(subject.experiment.model, serving))
        return;
    for (const WeightFormat format : {WeightFormat::Q80, WeightFormat::Q4KM})
        add(WeightFormatNames.at(static_cast<std::size_t>(format)),
            weightBytes(subject.kinds, format), {});
}

ModelReport modelReport(const Subject& subject)
{
    const Experiment& experiment = subject.experiment;
    const Training& training = experiment.training;
    const Pass pass =
        trainingPass(static_cast<double>(training.batch), static_cast<double>(training.sequence),
                     bytesPerValue(training.precision));
    ModelReport model;
    model.family = familyOf(experiment.model);
    model.convention = ConventionNames.at(static_cast<std::size_t>(experiment.model.convention));
    model.layers.reserve(subject.layers.size());
    for (const Layer& layer : subject.layers) {
        const Work work = workOf(layer, pass);
        const bool isKnown = !std::holds_alternative<Weights>(layer.spec);
        model.layers.push_back({layer.name, std::string(kindOf(layer.spec)),
                                parametersOf(layer.spec), work.flops, work.bytes,
                                isKnown ? std::optional(work.kept) : std::nullopt});
        model.parameters += model.layers.back().parameters;
    }
    const auto count = static_cast<double>(model.parameters);
    model.trainable = subject.training.trained.all;
    model.sizeClass = sizeClassOf(count);
    addWeights(subject, model);
    return model;
}

TrainingReport trainingReport(const Subject& subject)
{
    const Training& training = subject.experiment.training;
    const TrainingRun& run = subject.training.run;
    const TrainingMemory& memory = subject.training.memory;
    TrainingReport report;
    report.method = training.method;
    report.isQuantised = hasFewBits(training);
    if (training.method == Method::Lora)
        report.trainedWhole = training.trainedWhole;
    report.steps = run.steps;
    report.samples = run.samples;
    report.hasTokens = subject.training.hasTokens;
    report.isSamplesAssumed = !training.samples && !training.tokens;
    report.flops = run.flops;
    report.flopsPerStep = run.flopsPerStep;
    report.parameters = memory.parameters;
    report.trained = memory.trained;
    report.gradients = memory.gradients;
    report.optimizer = memory.optimizer;
    report.activations = memory.activations;
    report.memory = memory.total;
    return report;
}

ServingReport servingReport(const Subject& subject)
{
    const ServingWork work =
        servingWork(subject.experiment.model, subject.kinds, subject.experiment.serving);
    ServingReport report;
    report.promptFlops = work.prompt.flops;
    report.tokenFlops = work.tokenFlops;
    report.memory = work.memory;
    return report;
}

std::vector<AssumptionRow> assumptionRows(const Subject& subject)
{
    std::vector<AssumptionRow> rows;
    for (const UsedDefault& used : usedDefaults(subject.experiment)) {
        if (!hasMeaning(used.pointer, subject.experiment))
            continue;
        rows.push_back({used.pointer, used.value, "default of Outlay"});
        if (used.pointer == "/serving/engine" && subject.onProcessors)
            rows.back().source += "; on processors " + titleOf(subject.onProcessors->engine);
        if (used.pointer == "/serving/slots" && subject.onProcessors &&
            takesInAsTheyCome(subject.onProcessors->engine))
            rows.back().source +=
                "; on processors " +
                std::to_string(slotsOf(subject.onProcessors->engine, subject.experiment.serving));
    }
    for (const Assumption& assumption : AllAssumptions) {
        const std::string pointer = childPointer("/assumptions", assumption.name);
        const Json* given = subject.experiment.assumptions.find(assumption.name);
        const double value = valueOf(subject, assumption);
        rows.push_back(
            {pointer, value,
             given == nullptr ? std::string(assumption.source)
             : isTaken(*given, assumption)
                 ? "given in the experiment"
                 : "the default, for the experiment gives no number " + rangeOf(assumption)});
    }
    for (const RunPlace place : {RunPlace::Planned, RunPlace::Here}) {
        if (const auto own = ownFactorOf(subject.experiment, place))
            rows.push_back(
                {childPointer("/assumptions", OwnFactorNames.at(static_cast<std::size_t>(place))),
                 own->value, sourceOf(*own, place)});
    }
    return rows;
}

void addGrowth(const Subject& subject, Report& report)
{
    report.scaling = {};
    // Each writes a part of its own, and reads none of the others'.
    together(
        [&] {
            addMixing(subject, report);
            addLengths(subject, report);
        },
        [&] {
            addDevices(subject, report);
            addLayouts(subject, report);
            addLadder(subject, report);
        });
    report.isGrowthOld = false;
}

/// What writes of `report` the part on training; it reads nothing of what serving writes.
void addTrainingSections(const Subject& subject, Report& report)
{
    addTrainingHere(subject, report);
    addTrainingOptions(subject, report);
    addTrainingElsewhere(subject, report);
}

/// And the part on serving alone, which reads nothing of what training writes.
void addServingSections(const Subject& subject, Report& report)
{
    addServing(subject, report);
    addScaling(subject, report);
}

Provenance provenanceOf(const Subject& subject)
{
    const Catalogs& catalogs = subject.catalogs;
    Provenance p{.method = std::string(MethodVersion),
                 .program = std::string(ProgramVersion),
                 .date = catalogs.today(),
                 .data = catalogs.data()};
    if (const MeasurementPtr m = subject.measuredSteps())
        p.measurement = m->created + ", " + m->machine.processor;
    else if (const auto other = subject.experiment.measurements.all().ofSteps(subject.asked()))
        p.measurement = other->created + ", " + other->machine.processor + ", another machine";
    return p;
}

Report figuresOf(const Subject& subject, Growth growth)
{
    Report report;
    report.name = subject.experiment.name;
    report.plan = subject.experiment.plan;
    report.gridBasis = subject.gridBasis;
    report.model = modelReport(subject);
    report.training = trainingReport(subject);
    report.serving = servingReport(subject);
    report.assumptions = assumptionRows(subject);
    report.provenance = provenanceOf(subject);
    // Serving takes longer than training, and what grows asks of training alone.
    together([&] { addServingSections(subject, report); },
             [&] {
                 addTrainingSections(subject, report);
                 if (growth == Growth::Told)
                     addGrowth(subject, report);
             });
    addMonth(subject, report);
    addCarbon(subject, report);
    addVariants(subject, report);
    addEfficiency(subject, report);
    addBenchmarks(subject, report);
    addProbe(subject, report);
    addHosts(subject, report);
    addAlerts(subject, report);
    return report;
}

void addAdvice(const Subject& subject, Report& report)
{
    report.advice = adviceFor(subject, report);
    report.isAdviceOld = false;
}

} // namespace

Report figuresOf(const Experiment& experiment, const Catalogs& catalogs, Growth growth)
{
    return figuresOf(subjectOf(experiment, catalogs), growth);
}

Report costsOf(const Experiment& experiment, const Catalogs& catalogs)
{
    return costsOf(experiment, catalogs, {});
}

Report costsOf(const Experiment& experiment, const Catalogs& catalogs, ReusedSections reused)
{
    const Subject subject = subjectOf(experiment, catalogs);
    Report report;
    report.plan = experiment.plan;
    report.gridBasis = subject.gridBasis;
    if (reused.training.whole) {
        report.training = std::move(*reused.training.whole);
    } else {
        report.training = trainingReport(subject);
        report.training.forecasts = std::move(reused.training.forecasts);
        addTrainingHere(subject, report);
        addTrainingOptions(subject, report, reused.asked);
    }
    if (reused.serving.whole) {
        report.serving = std::move(*reused.serving.whole);
    } else {
        report.serving = servingReport(subject);
        report.serving.forecasts = std::move(reused.serving.forecasts);
        report.serving.capacities = std::move(reused.capacities);
        addServing(subject, report);
    }
    addMonth(subject, report);
    addEmissions(subject, report);
    return report;
}

void addGrowth(const Experiment& experiment, const Catalogs& catalogs, Report& figures)
{
    addGrowth(subjectOf(experiment, catalogs), figures);
}

void addAdvice(const Experiment& experiment, const Catalogs& catalogs, Report& figures)
{
    addAdvice(subjectOf(experiment, catalogs), figures);
}

Report makeReport(const Experiment& experiment, const Catalogs& catalogs)
{
    const Subject subject = subjectOf(experiment, catalogs);
    Report report = figuresOf(subject, Growth::Told);
    addAdvice(subject, report);
    return report;
}

} // namespace outlay::pricing
