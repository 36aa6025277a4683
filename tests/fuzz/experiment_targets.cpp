// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments, what is made of them, and the files beside them: budgets, cost analyses, qualities, adapters.
#include "core/experiment/adapter.h"
#include "core/experiment/cost_analysis.h"
#include "core/experiment/presets.h"
#include "core/experiment/quality.h"
#include "core/workload/parameters.h"
#include "pricing/report/compare/budget.h"
#include "tests/fuzz/made_report.h"
#include "tests/fuzz/target.h"

#include <cmath>

namespace outlay::fuzz {
namespace {

using namespace outlay::core;

void checkExperiment(const ExperimentReading& reading)
{
    const auto again = readExperiment(toJson(reading.experiment));
    if (!again)
        fail("what was read can't be read again: " + again.error().sentence());
    Experiment back = again->experiment;
    back.document = reading.experiment.document;
    if (!(back == reading.experiment))
        fail("saving changed the experiment");
}

void feedExperiment(const std::string& input)
{
    withJson(input, [](const Json& json) {
        const auto again = readJson(writeJson(json));
        if (!again || !(*again == json))
            fail("writing changed the JSON");
        checkOutcome(readExperiment(json), checkExperiment);
    });
}

void feedReport(const std::string& input)
{
    withJson(input, [](const Json& json) {
        checkOutcome(readExperiment(json), [](const ExperimentReading& reading) {
            if (checkSize(reading.experiment.model))
                checkReport(reading.experiment);
        });
    });
}

void feedCostAnalysis(const std::string& input)
{
    withJson(input, [](const Json& json) {
        static_cast<void>(isCostAnalysis(json));
        checkOutcome(experimentIn(json), [](const CostAnalysisReading& reading) {
            checkOutcome(readExperiment(reading.experiment), checkExperiment);
        });
    });
}

void feedBudget(const std::string& input)
{
    static const Json Report = reportOf(preset("text-generator")->experiment);
    withJson(input, [](const Json& json) {
        checkOutcome(pricing::readBudget(json), [](const pricing::Budget& budget) {
            checkOutcome(pricing::checkLimits(budget, Report), [](const auto&) {});
        });
    });
}

void feedQuality(const std::string& input)
{
    checkOutcome(readQuality(input), [](const Quality& quality) {
        for (const LossPoint& point : quality.curve) {
            if (!std::isfinite(point.epoch) || !std::isfinite(point.loss))
                fail("a loss is not finite");
        }
        const Quality stored = qualityOf(withQuality(Json::object(), quality));
        if (stored.curve != quality.curve)
            fail("storing changed the curve");
    });
}

void feedAdapter(const std::string& input)
{
    withJson(input, [](const Json& json) {
        if (!looksLikeAdapter(json))
            return;
        Experiment tuned = preset("llama-3.1-8b")->experiment;
        checkOutcome(applyAdapter(json, tuned.training), [&](const auto&) {
            if (!readExperiment(toJson(tuned)))
                fail("what an adapter made can't be read");
        });
    });
}

std::vector<std::string> presetTexts()
{
    std::vector<std::string> texts;
    for (const Preset& row : *presets())
        texts.push_back(writeJson(toJson(row.experiment)));
    return texts;
}

const std::vector<std::string> ExperimentWords{"\"lstm\"", "\"transformer\"", "\"model\"",
                                               "\"lora\"", "\"int4\"",        "\"aws/us-east-1\""};

} // namespace

std::vector<Target> experimentTargets()
{
    return {
        {"experiment", feedExperiment, {"experiments"}, presetTexts(), ExperimentWords},
        {"report", feedReport, {"experiments"}, presetTexts(), ExperimentWords},
        {"cost-analysis",
         feedCostAnalysis,
         {},
         {costAnalysisOf(preset("mlp")->experiment)},
         {"\"parameters\"", "\"training\""}},
        {"budget", feedBudget, {}, {}, {"\"/training/cost\"", "\"least\"", "\"most\"", "~1"}},
        {"quality", feedQuality, {}, {}, {"loss", "val_loss", "epoch", ";", "\t"}},
        {"adapter", feedAdapter, {}, {}, {"\"r\"", "\"LORA\"", "\"q_proj\"", "\"all-linear\""}}};
}

} // namespace outlay::fuzz
