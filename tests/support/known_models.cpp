// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/known_models.h"

#include "core/model/import/huggingface.h"

#include <algorithm>
#include <array>

namespace outlay::tests {
namespace {

using namespace outlay::core;

struct KnownModel {
    std::string_view name;
    std::int64_t hidden, layers, heads, kvHeads, inner, words, experts, used;
    bool isPlain = false; // two matrices in each feed-forward, not three
    std::int64_t headSize = 0;
    std::int64_t window = 0; // of every other layer
};

/// Sizes that the makers publish in their configs.
constexpr std::array KnownModels{
    KnownModel{"Llama-3.1-8B", 4096, 32, 32, 8, 14336, 128256, 0, 2},
    KnownModel{"llama-1.8b", 2048, 24, 16, 16, 8192, 128256, 0, 2},
    KnownModel{"llama3-8B", 4096, 32, 32, 8, 14336, 128256, 0, 2},
    KnownModel{"Llama-3.1-70B", 8192, 80, 64, 8, 28672, 128256, 0, 2},
    KnownModel{"Llama-3.3-70B", 8192, 80, 64, 8, 28672, 128256, 0, 2},
    KnownModel{"llama3-70B", 8192, 80, 64, 8, 28672, 128256, 0, 2},
    KnownModel{"Llama-3.1-405B", 16384, 126, 128, 8, 53248, 128256, 0, 2},
    KnownModel{"Phi-4", 5120, 40, 40, 10, 17920, 100352, 0, 2},
    KnownModel{"Qwen3-0.6B", 1024, 28, 16, 8, 3072, 151936, 0, 2},
    KnownModel{"Qwen3-1.7B", 2048, 28, 16, 8, 6144, 151936, 0, 2},
    KnownModel{"Qwen3-4B", 2560, 36, 32, 8, 9728, 151936, 0, 2},
    KnownModel{"Qwen3-8B", 4096, 36, 32, 8, 12288, 151936, 0, 2},
    KnownModel{"Qwen3-14B", 5120, 40, 40, 8, 17408, 151936, 0, 2},
    KnownModel{"Qwen3-32B", 5120, 64, 64, 8, 25600, 151936, 0, 2},
    KnownModel{"Qwen3-30B-A3B", 2048, 48, 32, 4, 768, 151936, 128, 8},
    KnownModel{"Qwen3-235B-A22B", 4096, 94, 64, 4, 1536, 151936, 128, 8},
    KnownModel{"Qwen-1.8B", 2048, 24, 16, 16, 5504, 151936, 0, 2},
    KnownModel{"Qwen-7B", 4096, 32, 32, 32, 11008, 151936, 0, 2},
    KnownModel{"Qwen2.5-14B", 5120, 48, 40, 8, 13824, 152064, 0, 2},
    KnownModel{"Qwen-14B", 5120, 40, 40, 40, 13696, 152064, 0, 2},
    KnownModel{"Qwen-72B", 8192, 80, 64, 64, 24576, 152064, 0, 2},
    KnownModel{"Llama-2-7b", 4096, 32, 32, 32, 11008, 32000, 0, 2},
    KnownModel{"Llama-2-13b", 5120, 40, 40, 40, 13824, 32000, 0, 2},
    KnownModel{"llama-7b", 4096, 32, 32, 32, 11008, 32000, 0, 2},
    KnownModel{"Llama-2-70b", 8192, 80, 64, 8, 28672, 32000, 0, 2},
    KnownModel{"Mistral-7B", 4096, 32, 32, 8, 14336, 32000, 0, 2},
    KnownModel{"Mixtral-8x7B", 4096, 32, 32, 8, 14336, 32000, 8, 2},
    KnownModel{"Mixtral-8x22B", 6144, 56, 48, 8, 16384, 32768, 8, 2},
    KnownModel{"granite-3b-a800m", 1536, 32, 24, 8, 512, 49155, 40, 8, false, 64},
    KnownModel{"gpt-oss-20b", 2880, 24, 64, 8, 2880, 201088, 32, 4, false, 64, 128},
    KnownModel{"gpt-oss-120b", 2880, 36, 64, 8, 2880, 201088, 128, 4, false, 64, 128},
    KnownModel{"bloom-7b1", 4096, 30, 32, 32, 16384, 250880, 0, 2, true},
    KnownModel{"gpt-j-6b", 4096, 28, 16, 16, 16384, 50400, 0, 2, true}};

} // namespace

std::optional<Model> knownModel(std::string_view name)
{
    const auto names = [&](std::string_view part) {
        return name.find(part) != std::string_view::npos;
    };
    if ((names("DeepSeek-R1") && !names("Distill")) || names("DeepSeek-V3"))
        return importHuggingFace(*readJson(R"({"model_type":"deepseek_v3"})"))->model;
    const auto* known =
        std::find_if(KnownModels.begin(), KnownModels.end(), [&](const KnownModel& one) {
            return name.find(one.name) != std::string_view::npos;
        });
    if (known == KnownModels.end())
        return std::nullopt;
    TransformerDesign d;
    d.vocabulary = known->words;
    d.hidden = known->hidden;
    d.layers = known->layers;
    d.heads = known->heads;
    d.kvHeads = known->kvHeads;
    d.headSize = known->headSize > 0 ? known->headSize
                                     : std::max<std::int64_t>(128, known->hidden / known->heads);
    d.window = known->window;
    d.windowLayers = known->window > 0 ? WindowLayers::Odd : WindowLayers::All;
    d.feedForward = known->inner;
    d.gatedFeedForward = !known->isPlain;
    d.experts = known->experts;
    d.expertsUsed = known->used;
    d.norm = NormKind::Rms;
    d.positions = Positions::Rotary;
    d.tiedEmbeddings = false;
    Model model;
    model.design = std::move(d);
    return model;
}

} // namespace outlay::tests
