// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What an experiment says beside its model: how it is trained, served, where, and with what plan.
#pragma once

#include "core/base/fields.h"

#include <array>

namespace outlay::core {

/// Fp8: products of blocks, and all else as in bf16.
enum class Precision { Fp32, Tf32, Fp16, Bf16, Fp8 };
inline constexpr std::array<std::string_view, 5> PrecisionNames{"fp32", "tf32", "fp16", "bf16",
                                                                "fp8"};

/// What an experiment trains on that names neither samples nor tokens.
inline constexpr double UsualSamples = 10'000;

enum class ServingPrecision { Fp32, Fp16, Bf16, Fp8, Int8, Int4 };
inline constexpr std::array<std::string_view, 6> ServingPrecisionNames{"fp32", "fp16", "bf16",
                                                                       "fp8",  "int8", "int4"};

[[nodiscard]] double bytesPerWeight(ServingPrecision precision);

enum class Optimizer { Sgd, Momentum, Adam, AdamW, AdamW8bit };
inline constexpr std::array<std::string_view, 5> OptimizerNames{"sgd", "momentum", "adam", "adamw",
                                                                "adamw8bit"};

/// What devices that train together divide among them; each stage also what the one before it does.
/// The last divides among the devices of a machine all that there is, and each machine holds a copy.
enum class Sharding : std::uint8_t { None, Optimizer, Gradients, Full, Hybrid };
inline constexpr std::array<std::string_view, 5> ShardingNames{"none", "optimizer", "gradients",
                                                               "full", "hybrid"};

/// What waits in the memory of the machine that holds the devices, until it is at work: nothing; gradients and the
/// optimizer's state, and the machine's processors make the update; or weights, too.
enum class Offload : std::uint8_t { None, Optimizer, Weights };
inline constexpr std::array<std::string_view, 3> OffloadNames{"none", "optimizer", "weights"};

/// Plain: scores are written to memory and read again. Fused: one kernel, which runs on any GPU, keeps them. Native: so does
/// one that is written for the device; training alone tells it apart.
enum class AttentionKernel : std::uint8_t { Plain, Fused, Native };
inline constexpr std::array<std::string_view, 3> AttentionKernelNames{"plain", "fused", "native"};
inline constexpr std::array<std::string_view, 2> ServedAttentionNames{"plain", "fused"};

/// What is trained: all weights, low-rank adapters beside matrices that stay as they are, or the last layer.
enum class Method : std::uint8_t { Full, Lora, Head };
inline constexpr std::array<std::string_view, 3> MethodNames{"full", "lora", "head"};

/// The matrices that an adapter may lie beside.
inline constexpr std::array<std::string_view, 12> AdapterTargetNames{
    "query", "key",    "value", "output",     "gate",   "up",
    "down",  "router", "dense", "query_down", "latent", "key_value"};
/// Layers that may be trained whole beside adapters.
inline constexpr std::array<std::string_view, 3> WholeLayerNames{"embedding", "norm", "output"};

/// How the weights are kept that aren't trained: as trained ones would be, or quantised (4 bits in blocks of 64, whose
/// scales have 8 bits).
enum class FrozenWeights : std::uint8_t { Same, Int8, Nf4 };
inline constexpr std::array<std::string_view, 3> FrozenWeightsNames{"same", "int8", "nf4"};

/// How much of a whole training its steps are, as they would be timed: the rest is evaluation, checkpoints,
/// restarts, waiting for data and for the network, and code that isn't as fast as what is published.
enum class Software : std::uint8_t { Tuned, Ordinary, Naive };
inline constexpr std::array<std::string_view, 3> SoftwareNames{"tuned", "ordinary", "naive"};

/// The program that answers requests.
enum class Engine : std::uint8_t {
    LibTorch, // operation by operation, as a model is written
    TensorFlow,
    FasterTransformer,
    Transformers, // its own loop over tokens
    Vllm,
    TensorRtLlm,
    SgLang,
    LlamaCpp,
    DeepSpeed,
    TorchCompile, // what isn't a product runs in kernels that were made for the model
    OnnxRuntime
};
inline constexpr std::array<std::string_view, 11> EngineNames{
    "libtorch", "tensorflow", "fastertransformer", "transformers",  "vllm",       "tensorrt_llm",
    "sglang",   "llama_cpp",  "deepspeed",         "torch_compile", "onnxruntime"};
/// As their makers write them.
inline constexpr std::array<std::string_view, 11> EngineTitles{
    "PyTorch", "TensorFlow", "FasterTransformer", "Transformers",     "vLLM",        "TensorRT-LLM",
    "SGLang",  "llama.cpp",  "DeepSpeed",         "compiled PyTorch", "ONNX Runtime"};

[[nodiscard]] inline std::string titleOf(Engine engine)
{
    return std::string(EngineTitles.at(static_cast<std::size_t>(engine)));
}

/// Which the worker runs, too.
[[nodiscard]] constexpr bool isPyTorch(Engine engine)
{
    return engine == Engine::LibTorch || engine == Engine::TorchCompile;
}

/// Which is made of its maker's kernels, and runs on NVIDIA's devices alone.
[[nodiscard]] constexpr bool needsNvidia(Engine engine)
{
    return engine == Engine::FasterTransformer || engine == Engine::TensorRtLlm;
}

/// Whose attention runs in one kernel or in several, by device and by choice; the others have their own.
[[nodiscard]] constexpr bool choosesAttention(Engine engine)
{
    return isPyTorch(engine) || engine == Engine::OnnxRuntime;
}

/// How files keep weights in few bits.
enum class WeightFormat { Awq, Gptq, Q40, Q4KS, Q4KM, Q5KM, Q6K, Q80, Mxfp4 };
inline constexpr std::array<std::string_view, 9> WeightFormatNames{
    "awq", "gptq", "q4_0", "q4_k_s", "q4_k_m", "q5_k_m", "q6_k", "q8_0", "mxfp4"};
/// As their makers write them.
inline constexpr std::array<std::string_view, 9> WeightFormatTitles{
    "AWQ",         "GPTQ",      "GGUF Q4_0", "GGUF Q4_K_S", "GGUF Q4_K_M",
    "GGUF Q5_K_M", "GGUF Q6_K", "GGUF Q8_0", "MXFP4"};

/// What of a block runs again on the way back: all of it, or all but attention and every second product with weights,
/// whose results wait.
enum class Recomputed { Blocks, BetweenProducts };
inline constexpr std::array<std::string_view, 2> RecomputedNames{"blocks", "between_products"};

/// A pass runs `batch` samples on each device; an optimizer step follows every `accumulation` passes, or once all devices
/// together have had the global batch.
struct Training {
    std::optional<double> samples; // of `sequence` tokens each
    std::optional<double> tokens;  // instead of samples
    std::int64_t sequence = 128;
    std::int64_t batch = 32;
    double epochs = 1;
    std::int64_t accumulation = 1;
    std::optional<std::int64_t> globalBatch; // samples of a step; a pass then has `batch` at most
    Precision precision = Precision::Fp32;
    bool masterWeights = true; // an fp32 copy beside weights of 16 bits
    Optimizer optimizer = Optimizer::Adam;
    bool checkpointing = false;
    std::int64_t recomputeEvery = 1;            // of so many blocks the last is computed again
    Recomputed recomputed = Recomputed::Blocks; // what of it
    bool reentrant = false; // checkpointing runs each such block again to its end, read or not
    std::optional<Sharding> sharding;           // not given: the least that fits
    std::optional<std::int64_t> tensorParallel; // devices that share each layer; not given: chosen
    std::optional<std::int64_t> pipelineStages; // parts of the depth; not given: chosen
    std::optional<std::int64_t>
        pipelineChunks; // of each stage; not given: chosen with its stages, else one
    std::optional<std::int64_t>
        contextParallel; // devices that share each sample's positions; not given: chosen
    std::optional<std::int64_t>
        expertParallel; // devices that divide the experts of a layer; not given: chosen
    Offload offload = Offload::None;
    std::optional<AttentionKernel> attention; // not given: native where the device fuses it
    bool compiled = false;    // what isn't a product runs in kernels made for the model
    bool packed = true;       // samples fill rows of one length; else each is as long as it is
    bool chunkedLoss = false; // logits are made and used in parts: never all of them are there
    bool keepMemory = false;  // on processors: freed memory stays for the next step
    Software software = Software::Ordinary;
    Method method = Method::Full;
    std::int64_t adapterRank = 16;
    std::vector<std::string> adapterTargets; // empty: all matrices
    std::vector<std::string> trainedWhole;   // layers beside the adapters
    FrozenWeights frozenWeights = FrozenWeights::Same;
    double validationShare = 0;
    std::int64_t devices = 1;
    double runsPerMonth = 1;
    double datasetGb = 1;
    std::int64_t checkpointsKept = 5;

    bool operator==(const Training&) const = default;
};

/// Whether activations are computed again on the way back, which comes to no block where the last layer alone is trained.
[[nodiscard]] bool recomputes(const Training& training);

/// Whether the block in this place, counted from one, is.
[[nodiscard]] bool isComputedAgain(const Training& training, std::int64_t block);
/// Whether all of every block is.
[[nodiscard]] bool recomputesAll(const Training& training);
/// Whether two trainings compute the same again.
[[nodiscard]] bool recomputeAlike(const Training& a, const Training& b);

/// Somebody asks devices to share layers, the depth, positions or experts.
[[nodiscard]] bool isSplit(const Training& training);

/// Samples that each of so many copies runs at once, and passes that it takes for its part of a global batch.
[[nodiscard]] std::int64_t batchOn(const Training& training, std::int64_t copies);
[[nodiscard]] std::int64_t passesOf(std::int64_t globalBatch, std::int64_t batch,
                                    std::int64_t copies);

/// As each of so many devices trains: what a global batch asks for has become passes.
[[nodiscard]] Training onDevices(Training training, std::int64_t devices);

/// With the samples that are assumed where neither they nor tokens are given.
[[nodiscard]] Training resolved(Training training);

/// Weights that aren't trained are kept in fewer bits than they compute in.
[[nodiscard]] inline bool hasFewBits(const Training& training)
{
    return training.method != Method::Full && training.frozenWeights != FrozenWeights::Same;
}

struct Serving {
    double requestsPerDay = 1000;
    double peakFactor = 3;
    std::int64_t inputTokens = 128;
    std::int64_t outputTokens = 128;
    std::int64_t sharedTokens = 0; // at the beginning of the input, the same in every request
    double inputSpread = 0;        // standard deviation over the mean, of what isn't shared
    double outputSpread = 0;
    std::optional<std::int64_t> batch;     // not given: one, or what a continuous engine takes in
    std::optional<std::int64_t> slotCount; // that such an engine answers at once; not given: by it
    ServingPrecision precision = ServingPrecision::Fp32;
    std::optional<WeightFormat> weightFormat; // of weights in 4 or 8 bits; not given: by the engine
    std::optional<Engine> engine; // not given: one that such a model is usually served with
    std::optional<AttentionKernel>
        attention; // of PyTorch; not given: fused where the device has that
    std::optional<std::int64_t>
        tensorParallel; // devices that share each layer; not given: as many as answer most
    std::optional<std::int64_t>
        speculatedTokens;       // that a draft guesses for each pass; not given: none
    double acceptance = 0.7;    // share of guesses that hold, of those whose predecessors do
    double draftShare = 0.05;   // of the model's weights; 0: guessed from the text alone
    double latencyP95Ms = 1000; // of a whole answer
    std::optional<double> firstTokenP95Ms; // not given: no promise
    std::optional<double> tokenP95Ms;      // of an answer's later tokens on average; the same
    double requestKb = 2;
    double responseKb = 10;

    bool operator==(const Serving&) const = default;
};

/// Requests that an engine answers at once at most, which takes them in as they come.
inline constexpr std::int64_t MostSlots = 256;
inline constexpr std::int64_t SlotsOfLlamaCpp = 4; // its server's since November 2025; one before

/// Requests that are answered as one batch.
[[nodiscard]] inline std::int64_t batchOf(const Serving& serving)
{
    return serving.batch.value_or(1);
}

/// What isn't given follows from the region or the country.
struct Site {
    std::optional<std::string> region; // "aws/us-east-1"; not given: here
    std::optional<std::string> country;
    std::optional<double> electricityUsdPerKwh;
    std::optional<double> gridGramsPerKwh;
    std::optional<double> pue;
    std::optional<double> powerWatts;

    bool operator==(const Site&) const = default;
};

enum class Purchase { OnDemand, Spot, Reserved1y, Reserved3y };
inline constexpr std::array<std::string_view, 4> PurchaseNames{"on_demand", "spot", "reserved_1y",
                                                               "reserved_3y"};

/// What a choice goes by: what is expected, or the ends of the intervals that it fears.
enum class Risk { Expected, Cautious };
inline constexpr std::array<std::string_view, 2> RiskNames{"expected", "cautious"};

/// When machines that serve run: all the time, as many as requests ask for, or until those of a day are answered.
enum class Running : std::uint8_t { Always, WithTraffic, AtOnce };
inline constexpr std::array<std::string_view, 3> RunningNames{"always", "with_traffic", "at_once"};

struct OfferChoice {
    std::string provider;
    std::string instance;
    std::string region;
    Purchase purchase = Purchase::OnDemand;

    bool operator==(const OfferChoice&) const = default;
};

struct Environment {
    std::string name;
    std::string offer;
    std::int64_t count = 1;
    double hoursPerDay = 24;
    double daysPerMonth = 30;

    bool operator==(const Environment&) const = default;
};

struct AcceleratorCount {
    std::string accelerator;
    std::int64_t count = 1;

    bool operator==(const AcceleratorCount&) const = default;
};

struct ProviderSplit {
    double awsPercent = 0;
    double gcpPercent = 0;
    double azurePercent = 0;

    bool operator==(const ProviderSplit&) const = default;
};

struct Plan {
    Purchase purchase = Purchase::OnDemand;
    Risk risk = Risk::Expected;
    Running running = Running::Always;
    std::vector<std::string> providers; // empty: all
    std::vector<std::string> regions;   // empty: all
    std::vector<std::string> stacks;    // empty: what most code is built for
    std::optional<double> deadlineHours;
    std::optional<double> budgetUsd;
    std::int64_t maxMachines = 8; // that one training may take
    double hoursPerDay = 24;
    std::optional<double> daysPerMonth; // not given: a month is 730 h
    std::vector<Environment> environments;
    std::optional<ProviderSplit> split;
    std::vector<AcceleratorCount> forecastOn;
    std::optional<OfferChoice> trainingOffer; // not given: the recommended one
    std::optional<OfferChoice> servingOffer;

    bool operator==(const Plan&) const = default;
};

/// The software that is assumed where a plan names none: CUDA and plain processors, both on x86.
inline constexpr std::array<std::string_view, 2> UsualStacks{"cuda", "cpu"};
[[nodiscard]] Plan resolved(Plan plan);

/// What the fields say of each other.
[[nodiscard]] Result<void> check(const Training& training);

void describe(FieldVisitor& v, Training& t);
void describe(FieldVisitor& v, Serving& s);
void describe(FieldVisitor& v, Site& s);
void describe(FieldVisitor& v, Plan& p);
void describe(FieldVisitor& v, OfferChoice& o);
void describe(FieldVisitor& v, Environment& e);
void describe(FieldVisitor& v, AcceleratorCount& a);
void describe(FieldVisitor& v, ProviderSplit& s);

} // namespace outlay::core
