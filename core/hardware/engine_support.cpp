// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/engine_support.h"

#include "core/base/text.h"
#include "core/workload/serving_work.h"

#include <algorithm>
#include <array>

namespace outlay::core {
namespace {

struct Capability {
    std::string_view generation;
    double capability = 0;
};
/// NVIDIA's compute capability of each generation, of its first devices.
constexpr std::array Capabilities{
    Capability{"kepler", 3.5}, Capability{"maxwell", 5.0},    Capability{"pascal", 6.0},
    Capability{"volta", 7.0},  Capability{"turing", 7.5},     Capability{"ampere", 8.0},
    Capability{"ga10x", 8.6},  Capability{"ada", 8.9},        Capability{"ada_geforce", 8.9},
    Capability{"hopper", 9.0}, Capability{"blackwell", 10.0}, Capability{"blackwell_rtx", 12.0},
};

/// Weights as an engine tells kinds of them apart.
enum class Kind : std::uint8_t { Any, Fp8, Int8, Awq, Gptq, Mxfp4 };

struct Least {
    Engine engine = Engine::Vllm;
    Kind kind = Kind::Any;
    double capability = 0;
};
/// As the engines' makers list them: vLLM 0.6 to 0.32 (installation, quantization's supported hardware, issue 23203 of
/// MXFP4), TensorRT-LLM 0.18 (support matrix), SGLang (installation, with FlashInfer), DeepSpeed-MII (requirements).
constexpr std::array LeastOf{
    Least{Engine::Vllm, Kind::Any, 7.0},        Least{Engine::Vllm, Kind::Fp8, 7.5},
    Least{Engine::Vllm, Kind::Int8, 7.5},       Least{Engine::Vllm, Kind::Awq, 7.5},
    Least{Engine::Vllm, Kind::Mxfp4, 8.0},      Least{Engine::SgLang, Kind::Any, 7.5},
    Least{Engine::SgLang, Kind::Fp8, 8.0},      Least{Engine::SgLang, Kind::Mxfp4, 8.0},
    Least{Engine::TensorRtLlm, Kind::Any, 8.0}, Least{Engine::TensorRtLlm, Kind::Fp8, 8.9},
    Least{Engine::DeepSpeed, Kind::Any, 8.0},
};

Kind kindOf(const ServingDemand& demand)
{
    if (demand.format == WeightFormat::Awq)
        return Kind::Awq;
    if (demand.format == WeightFormat::Gptq)
        return Kind::Gptq;
    if (demand.format == WeightFormat::Mxfp4)
        return Kind::Mxfp4;
    if (demand.format)
        return Kind::Any;
    switch (demand.serving.precision) {
    case ServingPrecision::Fp8: return Kind::Fp8;
    case ServingPrecision::Int8: return Kind::Int8;
    case ServingPrecision::Fp32:
    case ServingPrecision::Fp16:
    case ServingPrecision::Bf16:
    case ServingPrecision::Int4: break;
    }
    return Kind::Any;
}

/// "fp8", "AWQ".
std::string weightsOf(const ServingDemand& demand)
{
    return std::string(
        demand.format
            ? WeightFormatTitles.at(static_cast<std::size_t>(*demand.format))
            : ServingPrecisionNames.at(static_cast<std::size_t>(demand.serving.precision)));
}

/// It has files of its own kind.
std::optional<Note> notAsGguf(const ServingDemand& demand)
{
    if (demand.engine != Engine::LlamaCpp)
        return std::nullopt;
    const bool isOther = demand.format == WeightFormat::Awq || demand.format == WeightFormat::Gptq;
    if (!isOther && demand.serving.precision != ServingPrecision::Fp8)
        return std::nullopt;
    return Note(titleOf(demand.engine) + " has no weights in " + weightsOf(demand) +
                "; in 8 bits it has GGUF Q8_0 (int8), in 4 GGUF Q4_K_M");
}

/// Of all that is asked of the device, the part that asks most.
std::optional<Least> mostAsked(const ServingDemand& demand)
{
    const Kind kind = kindOf(demand);
    std::optional<Least> most;
    for (const Least& least : LeastOf) {
        const bool applies =
            least.engine == demand.engine && (least.kind == Kind::Any || least.kind == kind);
        if (applies && (!most || least.capability > most->capability))
            most = least;
    }
    return most;
}

std::optional<Note> tooOld(const ServingDemand& demand, const Device& device)
{
    const auto* const has =
        std::find_if(Capabilities.begin(), Capabilities.end(),
                     [&](const Capability& c) { return c.generation == device.generation; });
    const std::optional<Least> asked = mostAsked(demand);
    if (has == Capabilities.end() || !asked || has->capability >= asked->capability)
        return std::nullopt;
    return Note(
        titleOf(demand.engine) + " doesn't serve " +
        (asked->kind == Kind::Any ? std::string() : "weights in " + weightsOf(demand) + " ") +
        "on " + device.name + ": that takes compute capability " + plainNumber(asked->capability));
}

} // namespace

std::optional<Note> whyNotServed(const ServingDemand& demand, const Device& device)
{
    if (device.kind == DeviceKind::Cpu && !worksInTurn(demand.engine))
        return Note(titleOf(demand.engine) +
                    " is forecast on accelerators alone: no published run of it on processors was "
                    "seen, where llama.cpp and PyTorch are forecast");
    const bool isNarrow = demand.serving.precision == ServingPrecision::Fp8 ||
                          demand.serving.precision == ServingPrecision::Int4;
    if (device.kind == DeviceKind::Cpu && demand.engine != Engine::LlamaCpp && isNarrow)
        return Note(titleOf(demand.engine) + " has no kernels for weights in " + weightsOf(demand) +
                    " on processors" +
                    (demand.serving.precision == ServingPrecision::Fp8
                         ? "; int8 and 16 bits are served there"
                         : "; llama.cpp has them for transformers that go on by themselves"));
    if (needsNvidia(demand.engine) && device.vendor != "NVIDIA")
        return Note(titleOf(demand.engine) + " doesn't run on " + device.name);
    if (auto why = notAsGguf(demand))
        return why;
    return tooOld(demand, device);
}

} // namespace outlay::core
