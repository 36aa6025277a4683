// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Encoders and single tokens of decoders, as ONNX Runtime and TorchScript ran them.
#include "core/base/units.h"
#include "core/experiment/presets.h"
#include "tests/support/table.h"
#include "tests/support/truth_cases.h"

namespace outlay::tests {
namespace {

using namespace outlay::core;

TruthCase passCase(const Table& table, std::size_t row, Model model)
{
    const bool isOnnx = table.text(row, "engine") == "onnxruntime";
    auto& design = std::get<TransformerDesign>(model.design);
    const auto integer = [&](const char* column) {
        return static_cast<std::int64_t>(table.number(row, column));
    };
    TruthCase truth;
    truth.device = table.text(row, "device");
    truth.group = isOnnx ? "onnxruntime" : "torchscript";
    truth.serving.engine = isOnnx ? Engine::OnnxRuntime : Engine::LibTorch;
    truth.id = truth.group + " " + table.text(row, "model") + " " + table.text(row, "precision");
    truth.serving.precision =
        table.text(row, "precision") == "fp32" ? ServingPrecision::Fp32 : ServingPrecision::Fp16;
    truth.serving.batch = integer("batch");
    truth.seconds = table.number(row, "ms") / MillisPerS;
    if (design.kind == TransformerKind::Encoder) {
        truth.kind = TruthKind::Latency;
        design.languageHead = false;
        truth.serving.inputTokens = integer("tokens");
        truth.serving.outputTokens = 0;
    } else {
        truth.kind = TruthKind::Decode;
        truth.serving.inputTokens = integer("past");
        truth.serving.outputTokens = 2; // the second of them was timed
        if (isOnnx)
            truth.doubt = "each token copies all caches, as later versions don't";
    }
    truth.serving.attention = AttentionKernel::Plain; // older than its kernel
    if (!isOnnx)
        truth.doubt = "they wait for a processor of 2016, 40 us for each kernel";
    truth.layers = expand(model);
    truth.model = std::move(model);
    return truth;
}

} // namespace

Result<std::vector<TruthCase>> passCasesIn(const std::string& path)
{
    const auto table = Table::read(path);
    if (!table)
        return failureOf(table);
    std::vector<TruthCase> cases;
    for (std::size_t row = 0; row < table->size(); ++row) {
        const auto listed = preset(table->text(row, "model"));
        if (!listed)
            return failureOf(listed);
        cases.push_back(passCase(*table, row, listed->experiment.model));
    }
    return cases;
}

} // namespace outlay::tests
