// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/predicted_cases.h"
#include "core/base/units.h"
#include "tests/support/known_models.h"
#include "tests/support/table.h"

#include <algorithm>
#include <cmath>

namespace outlay::tests {

using namespace outlay::core;

namespace {

struct PassModel {
    std::string_view name;
    std::int64_t hidden;
    std::int64_t layers;
    std::int64_t heads;
    std::int64_t words;
};
constexpr std::array PassModels{
    PassModel{"bert_large", 1024, 24, 16, 30522}, PassModel{"gpt2_large", 1280, 36, 20, 50257},
    PassModel{"gpt3_xl", 3072, 24, 24, 50257}, PassModel{"opt_13", 2048, 24, 32, 50272},
    PassModel{"gpt3_27", 2560, 32, 32, 50257}};

/// Passes of decoders make all logits, as an encoder with a head does; those of BERT classify.
Model modelOf(const PassModel& known, bool isTrained)
{
    const bool isBert = known.name == "bert_large";
    TransformerDesign d;
    d.kind = isBert || !isTrained ? TransformerKind::Encoder : TransformerKind::Decoder;
    d.vocabulary = known.words;
    d.hidden = known.hidden;
    d.layers = known.layers;
    d.heads = known.heads;
    d.positionCount = isBert ? 512 : 2048;
    d.languageHead = !isBert || isTrained;
    Model model;
    model.design = std::move(d);
    return model;
}

/// The part of a request that a column names.
PredictedCase partOf(const TruthCase& request, TruthKind kind, const std::string& part,
                     const Table& table, std::size_t row)
{
    PredictedCase one{.truth = request};
    one.truth.kind = kind;
    const double ms = table.number(row, part + "_ms");
    one.truth.seconds = ms / MillisPerS;
    for (const char* predictor : {"pipeweave", "neusight", "roofline"}) {
        const double predicted = table.number(row, std::string(predictor) + "_" + part + "_ms");
        if (predicted > 0)
            one.percents[predictor] = 100 * std::abs(predicted / ms - 1);
    }
    return one;
}

std::vector<PredictedCase> requestOf(const Table& table, std::size_t row)
{
    const auto model = knownModel(table.text(row, "model"));
    if (!model)
        return {};
    const double sequences = table.number(row, "sequences");
    TruthCase truth;
    truth.group = "sglang";
    truth.device = table.text(row, "device");
    truth.id = truth.device + " " + table.text(row, "model") + " " + table.text(row, "prompts");
    truth.count = std::llround(table.number(row, "devices"));
    truth.layers = expand(*model);
    truth.model = model;
    truth.serving = {.inputTokens = std::llround(table.number(row, "prompt_tokens") / sequences),
                     .outputTokens = std::llround(table.number(row, "output_tokens")),
                     .precision = ServingPrecision::Bf16,
                     .engine = Engine::SgLang};
    truth.serving.batch = std::llround(sequences);
    return {partOf(truth, TruthKind::Request, "all", table, row),
            partOf(truth, TruthKind::Prompt, "prompt", table, row),
            partOf(truth, TruthKind::Decode, "token", table, row)};
}

std::vector<PredictedCase> passOf(const Table& table, std::size_t row)
{
    const auto* known = std::find_if(PassModels.begin(), PassModels.end(), [&](const auto& one) {
        return one.name == table.text(row, "model");
    });
    if (known == PassModels.end())
        return {};
    const bool isTrained = table.text(row, "kind") == "gradients";
    const auto tokens = std::llround(table.number(row, "tokens"));
    const auto batch = std::llround(table.number(row, "batch"));
    PredictedCase one;
    for (const char* predictor : {"neusight", "habitat", "roofline"})
        one.percents[predictor] = table.number(row, std::string(predictor) + "_percent");
    TruthCase& truth = one.truth;
    truth.group = "neusight";
    truth.device = table.text(row, "device");
    truth.id = truth.device + " " + std::string(known->name) + " " + table.text(row, "batch");
    truth.kind = isTrained ? TruthKind::Training : TruthKind::Latency;
    truth.model = modelOf(*known, isTrained);
    truth.layers = expand(*truth.model);
    truth.training.batch = batch;
    truth.serving.batch = batch;
    truth.training.sequence = tokens;
    truth.serving.inputTokens = tokens;
    truth.training.precision = Precision::Fp32;
    truth.training.attention = truth.serving.attention = AttentionKernel::Plain;
    truth.serving.outputTokens = 0;
    truth.serving.precision = ServingPrecision::Fp32;
    truth.serving.engine = Engine::LibTorch;
    truth.isOfKernels = isTrained; // no optimizer
    truth.seconds = table.number(row, "ms") / MillisPerS;
    // Elsewhere half of what gradients take.
    const double forwardS = table.number(row, "forward_ms") / MillisPerS;
    if (isTrained && truth.device == "A100-80GB-PCIe" &&
        forwardS > 0.7 * (truth.seconds - forwardS))
        truth.doubt = "its forward passes ran at half of their speed";
    return {one};
}

Result<std::vector<PredictedCase>> casesIn(const std::string& path,
                                           std::vector<PredictedCase> (*casesOf)(const Table&,
                                                                                 std::size_t))
{
    const auto table = Table::read(path);
    if (!table)
        return failureOf(table);
    std::vector<PredictedCase> cases;
    for (std::size_t row = 0; row < table->size(); ++row) {
        for (PredictedCase& one : casesOf(*table, row))
            cases.push_back(std::move(one));
    }
    return cases;
}

} // namespace

Result<std::vector<PredictedCase>> predictedRequestsIn(const std::string& path)
{
    return casesIn(path, requestOf);
}

Result<std::vector<PredictedCase>> predictedPassesIn(const std::string& path)
{
    return casesIn(path, passOf);
}

Result<std::vector<TruthCase>> predictedCasesIn(const std::string& folder)
{
    std::vector<TruthCase> cases;
    for (const auto& read : {predictedRequestsIn(folder + "/predicted_requests.csv"),
                             predictedPassesIn(folder + "/predicted_passes.csv")}) {
        if (!read)
            return failureOf(read);
        for (const PredictedCase& one : *read) {
            if (one.truth.kind != TruthKind::Request) // has both in it
                cases.push_back(one.truth);
        }
    }
    return cases;
}

} // namespace outlay::tests
