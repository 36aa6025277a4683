// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "tests/support/known_models.h"
#include "tests/support/truth_cases.h"

#include <algorithm>
#include <cstdlib>

namespace outlay::tests {
namespace {

using namespace outlay::core;

// Columns of the table.
enum Column : std::size_t {
    Hardware,
    DeviceCount,
    EngineName,
    ModelName,
    InputTokens,
    OutputTokens,
    ReportedBatch,
    Sequences,
    PromptChunk,
    Latency,
    Columns
};

struct NameRow {
    std::string_view published;
    std::string_view ours;
};
constexpr std::array Devices{NameRow{"NVIDIA A100", "A100-40GB-SXM4"},
                             NameRow{"NVIDIA H100", "H100-80GB-SXM5"},
                             NameRow{"NVIDIA GH200", "GH200"}, NameRow{"AMD MI300X", "MI300X"}};

struct EngineRow {
    std::string_view published;
    Engine engine;
};
constexpr std::array Engines{
    EngineRow{"vLLM", Engine::Vllm}, EngineRow{"TensorRT-LLM", Engine::TensorRtLlm},
    EngineRow{"llama.cpp", Engine::LlamaCpp}, EngineRow{"Deepspeed-MII", Engine::DeepSpeed}};

std::int64_t wholeNumber(const std::string& text)
{
    return std::strtoll(text.c_str(), nullptr, 10);
}

/// DeepSpeed's script asks the same of all requests (Deepspeed-MII/A100/pipeline.py at 085e43808004), TensorRT-LLM's picks
/// the likeliest tokens: answers stay alike, and so do the experts that they need. On A100 that is up to 1.35 times as fast
/// as memory reads the experts of requests that differ; vLLM's answers are drawn, and take as long as that.
bool wakesFewExperts(Engine engine, const Serving& serving, const LayerKinds& layers)
{
    const bool isAlike = engine == Engine::TensorRtLlm || engine == Engine::DeepSpeed;
    return isAlike && batchOf(serving) > 1 && layers.has<Experts>();
}

std::optional<TruthCase> requestOf(const std::vector<std::string>& cells)
{
    constexpr std::int64_t LeastChunk =
        16; // smaller ones read the weights for each of the prompt's tokens
    if (cells.size() < Columns)
        return std::nullopt;
    const auto* device = std::find_if(Devices.begin(), Devices.end(), [&](const NameRow& row) {
        return row.published == cells[Hardware];
    });
    const auto* engine = std::find_if(Engines.begin(), Engines.end(), [&](const EngineRow& row) {
        return row.published == cells[EngineName];
    });
    const auto model = knownModel(cells[ModelName]);
    const std::int64_t chunk = wholeNumber(cells[PromptChunk]);
    if (device == Devices.end() || engine == Engines.end() || !model ||
        (chunk > 0 && chunk < LeastChunk))
        return std::nullopt;
    TruthCase truth;
    truth.group = "requests " + cells[EngineName];
    truth.id = truth.group + " " + cells[Hardware] + " " + cells[ModelName] + " " +
               cells[InputTokens] + " " + cells[Sequences];
    truth.device = std::string(device->ours);
    truth.kind = TruthKind::Request;
    truth.count = wholeNumber(cells[DeviceCount]);
    truth.layers = expand(*model);
    truth.model = model;
    truth.serving.batch = wholeNumber(cells[Sequences]);
    truth.serving.inputTokens = wholeNumber(cells[InputTokens]);
    truth.serving.outputTokens = wholeNumber(cells[OutputTokens]);
    truth.serving.precision = ServingPrecision::Fp16;
    truth.serving.engine = engine->engine;
    truth.seconds = std::strtod(cells[Latency].c_str(), nullptr);
    if (wakesFewExperts(engine->engine, truth.serving, LayerKinds(truth.layers)))
        truth.doubt = "the same is asked of all, which wakes few experts";
    if (truth.seconds <= 0 || truth.count < 1 || truth.serving.batch < 1)
        return std::nullopt;
    return truth;
}

} // namespace

std::vector<TruthCase> requestCases(std::string_view csv)
{
    std::vector<TruthCase> cases;
    for (const std::string& line : split(std::string(csv), '\n')) {
        if (auto truth = requestOf(split(line, ',')))
            cases.push_back(std::move(*truth));
    }
    return cases;
}

} // namespace outlay::tests
