// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/serving_work.h"

#include "core/base/units.h"
#include "core/workload/parameters.h"
#include "core/workload/weight_file.h"

#include <algorithm>
#include <limits>

namespace outlay::core {
namespace {

constexpr Formula TokenFormula{"serving.token_flops",
                               "a forward pass of one token after {0} tokens of context"};
constexpr Formula MemoryFormula{
    "serving.memory",
    "{0} parameters x {1} B + {2} B of caches or states for a batch of {3} + {4} B working space"};

// As for training, though nothing was measured for serving yet.
constexpr double LeastOfWorkspace = 0.9;
constexpr double MostOfWorkspace = 1.6;

bool hasEncoder(const Model& model)
{
    const auto* transformer = std::get_if<TransformerDesign>(&model.design);
    return transformer != nullptr && transformer->hasEncoder();
}

} // namespace

bool generates(const Model& model)
{
    struct Visitor {
        bool operator()(const RecurrentDesign& d) const
        {
            return d.vocabulary && d.outputCount() == *d.vocabulary && !d.bidirectional;
        }
        bool operator()(const GatedRnnDesign&) const { return true; }
        bool operator()(const TransformerDesign& d) const
        {
            return d.hasLanguageHead() && !d.isEncoder();
        }
        bool operator()(const MlpDesign&) const { return false; }
        bool operator()(const LayerListDesign&) const { return false; }
    };
    return std::visit(Visitor{}, model.design);
}

Engine engineOf(const Model& model, const Serving& serving)
{
    if (serving.engine)
        return *serving.engine;
    const auto* transformer = std::get_if<TransformerDesign>(&model.design);
    if (transformer == nullptr || !generates(model))
        return Engine::LibTorch;
    // vLLM answers with decoders alone.
    return hasEncoder(model) ? Engine::OnnxRuntime : Engine::Vllm;
}

Engine engineOnProcessors(const Model& model, const LayerKinds& layers, const Serving& serving)
{
    constexpr std::int64_t Large = 1'000'000'000;
    const Engine usual = engineOf(model, serving);
    if (serving.engine || serving.tensorParallel || worksInTurn(usual))
        return usual;
    const auto format = weightFormatOf(model, serving);
    const bool hasGguf = format && *format != WeightFormat::Awq && *format != WeightFormat::Gptq;
    const bool isNarrow = serving.precision == ServingPrecision::Int4 || hasGguf;
    return isNarrow || parametersOf(layers) >= Large ? Engine::LlamaCpp : Engine::LibTorch;
}

bool worksInTurn(Engine engine)
{
    switch (engine) {
    case Engine::LibTorch:
    case Engine::TensorFlow:
    case Engine::Transformers:
    case Engine::LlamaCpp:
    case Engine::TorchCompile:
    case Engine::OnnxRuntime: return true;
    case Engine::FasterTransformer:
    case Engine::Vllm:
    case Engine::TensorRtLlm:
    case Engine::SgLang:
    case Engine::DeepSpeed: break;
    }
    return false;
}

Latents latentsOf(Engine engine)
{
    switch (engine) {
    case Engine::Vllm:
    case Engine::TensorRtLlm:
    case Engine::SgLang:
    case Engine::LlamaCpp: return Latents::Met;
    case Engine::LibTorch: return Latents::Remade;
    case Engine::TensorFlow:
    case Engine::FasterTransformer:
    case Engine::Transformers:
    case Engine::DeepSpeed:
    case Engine::TorchCompile:
    case Engine::OnnxRuntime: break;
    }
    return Latents::Unpacked;
}

bool takesInAsTheyCome(Engine engine)
{
    switch (engine) {
    case Engine::Vllm:
    case Engine::TensorRtLlm:
    case Engine::SgLang:
    case Engine::LlamaCpp:
    case Engine::DeepSpeed: return true;
    case Engine::LibTorch:
    case Engine::TensorFlow:
    case Engine::FasterTransformer:
    case Engine::Transformers:
    case Engine::TorchCompile:
    case Engine::OnnxRuntime: break;
    }
    return false;
}

std::int64_t slotsOf(Engine engine, const Serving& serving)
{
    return serving.slotCount.value_or(engine == Engine::LlamaCpp ? SlotsOfLlamaCpp : MostSlots);
}

bool maySpeculate(const Model& model, const Serving& serving)
{
    if (hasEncoder(model) || !std::holds_alternative<TransformerDesign>(model.design) ||
        !generates(model) || serving.outputTokens < 2)
        return false;
    switch (engineOf(model, serving)) {
    case Engine::Transformers: return batchOf(serving) == 1; // it assists one at a time
    case Engine::Vllm:
    case Engine::TensorRtLlm:
    case Engine::SgLang:
    case Engine::LlamaCpp: return true;
    case Engine::LibTorch:
    case Engine::TensorFlow:
    case Engine::FasterTransformer:
    case Engine::DeepSpeed:
    case Engine::TorchCompile:
    case Engine::OnnxRuntime: break;
    }
    return false;
}

std::int64_t guessesOf(const Model& model, const Serving& serving)
{
    return maySpeculate(model, serving) ? serving.speculatedTokens.value_or(0) : 0;
}

double madeByPass(std::int64_t guesses, double acceptance)
{
    double made = 0;
    double held = 1;
    for (std::int64_t i = 0; i <= guesses; ++i) {
        made += held;
        held *= acceptance;
    }
    return made;
}

bool keepsPrefixes(const Model& model, const Serving& serving)
{
    if (hasEncoder(model) || !generates(model) || serving.outputTokens < 1)
        return false;
    switch (engineOf(model, serving)) {
    case Engine::Vllm:
    case Engine::TensorRtLlm:
    case Engine::SgLang: return true;
    case Engine::LibTorch:
    case Engine::TensorFlow:
    case Engine::FasterTransformer:
    case Engine::Transformers:
    case Engine::LlamaCpp:
    case Engine::DeepSpeed:
    case Engine::TorchCompile:
    case Engine::OnnxRuntime: break;
    }
    return false;
}

double ownTokens(const Model& model, const Serving& serving)
{
    if (!keepsPrefixes(model, serving))
        return static_cast<double>(serving.inputTokens);
    // Its last token is always read: what follows is made from it.
    return static_cast<double>(serving.inputTokens -
                               std::min(serving.sharedTokens, serving.inputTokens - 1));
}

namespace {

/// How an engine reads prompts.
struct Reading {
    double atOnce = std::numeric_limits<double>::infinity(); // positions of all requests
    bool holdsScores = true;                                 // of attention, all that are read
    bool makesAllLogits = true;                              // else of the last position alone
};

Reading readingOf(Engine engine, const Serving& serving)
{
    // As their defaults are: batched tokens of vLLM, SGLang, TensorRT-LLM and DeepSpeed (2,048 to 8,192), llama.cpp's pass.
    constexpr double Step = 8192;
    constexpr double StepOfLlamaCpp = 512;
    const bool isPlain = serving.attention ? *serving.attention == AttentionKernel::Plain
                                           : serving.precision == ServingPrecision::Fp32;
    switch (engine) {
    case Engine::Vllm:
    case Engine::TensorRtLlm:
    case Engine::SgLang:
    case Engine::DeepSpeed: return {Step, false, false};
    case Engine::LlamaCpp: return {StepOfLlamaCpp, false, false};
    case Engine::Transformers: return {.holdsScores = false, .makesAllLogits = false};
    case Engine::LibTorch:
    case Engine::TorchCompile:
    case Engine::OnnxRuntime: return {.holdsScores = isPlain};
    case Engine::FasterTransformer: return {.makesAllLogits = false};
    case Engine::TensorFlow: break;
    }
    return {};
}

/// Numbers read off as results: a prompt's activations live until the next layer has read them.
double workspace(const LayerKinds& layers, const Pass& pass, const Reading& reading)
{
    const double positions = std::max(pass.tokens, pass.memoryTokens);
    const double part = std::min(1.0, reading.atOnce / (pass.batch * positions));
    double largest = 0;
    for (const LayerCount& kind : layers.kinds()) {
        const Work work = workOf(kind.layer, pass);
        const auto* dense = std::get_if<Dense>(&kind.layer.spec);
        const bool isLogits = dense != nullptr && dense->use == DenseUse::Logits;
        const double held = work.kept - (reading.holdsScores ? 0 : work.keptScores);
        largest = std::max(largest,
                           isLogits && !reading.makesAllLogits ? held / pass.tokens : part * held);
    }
    return largest;
}

/// Of weights and caches, with those of what guesses.
double draftFactor(const Model& model, const Serving& serving)
{
    return 1 + (guessesOf(model, serving) > 0 ? serving.draftShare : 0);
}

Quantity memoryOf(const ServingWork& work, const Model& model, const LayerKinds& layers,
                  const Serving& serving)
{
    const double batch = real(batchOf(serving));
    const double state = work.sharedBytes + batch * work.stateBytes;
    const double withDraft = draftFactor(model, serving);
    const auto count = static_cast<double>(parametersOf(layers));
    const double weights = work.weightBytes;
    std::string weightsNote = weightNote(model, serving).text();
    if (withDraft > 1)
        weightsNote += weightsNote.empty() ? "with its draft" : ", with its draft";
    const double fixed = weights + state;
    Reading reading = readingOf(engineOf(model, serving), serving);
    reading.makesAllLogits = reading.makesAllLogits || !generates(model);
    const double space = workspace(layers, work.promptShape, reading);
    return Quantity::within(fixed + space, fixed + LeastOfWorkspace * space,
                            fixed + MostOfWorkspace * space, Unit::Bytes, Basis::Forecast,
                            how(MemoryFormula,
                                {count, count > 0 ? weights / count : 0, state, batch, space},
                                weightsNote));
}

} // namespace

ServingWork servingWork(const Model& model, const LayerKinds& layers, const Serving& serving)
{
    const auto batch = static_cast<double>(batchOf(serving));
    const auto input = static_cast<double>(serving.inputTokens);
    const auto output = static_cast<double>(serving.outputTokens);
    const bool isMixed = hasWeightFormat(model, serving);
    const ReadBytes read = isMixed ? readBytes(model, layers, serving) : ReadBytes();
    const double bytes = read.matrices > 0 ? read.matrices : bytesPerWeight(serving.precision);
    const auto reads = [&](Pass pass) {
        pass.expertBytes = read.experts;
        pass.outputBytes = read.output;
        return pass;
    };
    const double memoryTokens = hasEncoder(model) ? input : 0;
    const double prompt = hasEncoder(model) ? 1 : input; // a decoder beside an encoder starts empty
    const double own = hasEncoder(model) ? prompt : ownTokens(model, serving);
    const double shared = prompt - own;
    Pass promptOf = reads(promptPass(batch, own, memoryTokens, bytes));
    promptOf.context = prompt;
    const Latents latents = latentsOf(engineOf(model, serving));
    if (latents == Latents::Unpacked)
        promptOf.latents = latents;
    const bool isGenerator = generates(model) && output > 0;
    const std::int64_t guesses = guessesOf(model, serving);
    const double withDraft = draftFactor(model, serving);

    ServingWork work;
    work.weightBytes = withDraft * weightBytes(model, layers, serving);
    work.latentWeightBytes = withDraft * latentWeightBytes(model, layers, serving);
    work.promptShape = promptOf;
    work.prompt = workOf(layers, promptOf);
    if (isGenerator) {
        const auto after = [&](double tokens) {
            return withDraft *
                   stateBytes(layers, tokens, memoryTokens, promptOf.valueBytes, latents);
        };
        work.fixedStateBytes = after(0);
        work.sharedBytes = after(shared) - after(0);
        // Where a window forgets what is shared, an own one takes its place.
        work.stateBytes = std::max(after(prompt + output) - work.sharedBytes, after(own + output));
    }
    work.tokenFlops = Quantity::unavailable(Unit::Flops, "this design generates no tokens");
    if (isGenerator) {
        const double middle = prompt + output * metLength(serving.outputSpread) / 2;
        work.tokenShape = reads(tokenPass(batch, middle, memoryTokens, bytes));
        work.tokenShape.latents = latents;
        work.token = workOf(layers, work.tokenShape);
        if (guesses > 0) {
            work.checkShape = work.tokenShape;
            work.checkShape->tokens = real(guesses + 1);
            work.checkShape->context += real(guesses);
        }
        work.tokenFlops =
            Quantity::exact(work.token.flops / batch, Unit::Flops, how(TokenFormula, {middle}));
    }
    if (layers.has<Weights>()) {
        work.memory =
            Quantity::unavailable(Unit::Bytes, "the file says how many weights there are, not "
                                               "how they are used; import the model's config");
        return work;
    }
    work.memory = memoryOf(work, model, layers, serving);
    return work;
}

} // namespace outlay::core
