// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/import/huggingface_mixtures.h"

#include "core/model/import/huggingface_parts.h"

namespace outlay::core {
namespace {

/// Null means none.
std::int64_t sizeOrNone(ConfigReader& c, std::string_view key, std::int64_t usual)
{
    const bool isNamed = c.names(key);
    return c.size({key}, OptionalWidths, isNamed ? 0 : usual);
}

/// Experts have a size of their own, and layers without them the usual one.
void ofOwnSize(ConfigReader& c, TransformerDesign& d, std::int64_t usual)
{
    d.denseFeedForward = d.feedForward;
    d.feedForward = c.size({"moe_intermediate_size"}, Widths, usual);
}

/// So many of an expert's size, which each token sees, are one feed-forward.
void besideExperts(ConfigReader& c, TransformerDesign& d, std::string_view key, std::int64_t usual)
{
    d.sharedExpert = sizeOrNone(c, key, usual) * d.innerSize();
}

void leaveGuessesOut(ConfigReader& c)
{
    if (c.size({"num_nextn_predict_layers"}, OptionalWidths, 0) > 0)
        c.note("the layers that guess further tokens (`num_nextn_predict_layers`) are left out.");
}

/// The first layers may be listed as those without experts, and others have them in steps.
void mixedWithDense(ConfigReader& c, TransformerDesign& d)
{
    d.expertStep = c.size({"decoder_sparse_step"}, LayerCounts, 1);
    const Json* listed = c.find({"mlp_only_layers"});
    if (listed == nullptr || listed->asArray() == nullptr)
        return;
    for (const Json& layer : *listed->asArray()) {
        if (!layer.isNumber() || layer.number() != static_cast<double>(d.denseLayers))
            c.fail("mlp_only_layers",
                   "layers without experts that aren't the first ones can't be imported",
                   "use a model whose first layers are those");
        ++d.denseLayers;
    }
}

/// Each layer named, the dense ones first.
void namedDense(ConfigReader& c, TransformerDesign& d)
{
    const Json* listed = c.find({"mlp_layer_types"});
    if (listed == nullptr || listed->asArray() == nullptr)
        return;
    d.denseLayers = 0;
    bool isRouted = false;
    for (const Json& type : *listed->asArray()) {
        const std::string* name = type.asString();
        const bool isDense = name != nullptr && *name == "dense";
        if (!isDense && (name == nullptr || *name != "sparse"))
            c.fail("mlp_layer_types", "a layer is neither dense nor sparse", "give one of the two");
        if (isDense && isRouted)
            c.fail("mlp_layer_types",
                   "layers without experts that aren't the first ones can't be imported",
                   "use a model whose first layers are those");
        isRouted = isRouted || !isDense;
        d.denseLayers += isDense ? 1 : 0;
    }
}

} // namespace

void mixtral(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    d.window = c.size({"sliding_window"}, OptionalWidths, 0);
    d.experts = c.size({"num_local_experts", "num_experts"}, Heads, 8);
    d.expertsUsed = c.size({"num_experts_per_tok"}, Heads, 2);
}

void qwen3Moe(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    attentionBiasSwitch(c, d);
    d.qkNorm = QkNorm::Rms;
    if (c.flag({"use_sliding_window"}, false))
        d.window = windowOf(c, 4096);
    d.experts = c.size({"num_experts", "num_local_experts"}, Heads, 128);
    d.expertsUsed = c.size({"num_experts_per_tok"}, Heads, 8);
    ofOwnSize(c, d, 768);
    mixedWithDense(c, d);
}

/// Experts with biases, and a score of each head for attending to nothing.
void gptOss(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    d.experts = c.size({"num_local_experts", "num_experts"}, Heads, 128);
    d.expertsUsed = c.size({"num_experts_per_tok", "experts_per_token"}, Heads, 4);
    d.feedForwardBiases = true;
    if (c.flag({"attention_bias"}, true))
        d.attentionBiases = AttentionBiases::All;
    d.attentionSinks = true;
    d.window = windowOf(c, 128);
    windowed(c, d, WindowLayers::Odd);
}

void qwen2Moe(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    d.attentionBiases = c.flag({"qkv_bias"}, true) ? AttentionBiases::Qkv : AttentionBiases::None;
    if (c.flag({"use_sliding_window"}, false))
        d.window = windowOf(c, 4096);
    d.experts = c.size({"num_experts"}, Heads, 60);
    d.expertsUsed = c.size({"num_experts_per_tok"}, Heads, 4);
    ofOwnSize(c, d, 1408);
    d.sharedExpert = c.size({"shared_expert_intermediate_size"}, OptionalWidths, 5632);
    d.sharedExpertGate = true;
    mixedWithDense(c, d);
}

namespace {

/// What a config class puts in for absent keys.
struct Mixture {
    std::int64_t experts = 0;
    std::int64_t used = 0;
    std::int64_t inner = 0;
    std::int64_t shared = 0;
    std::int64_t denseLayers = 0;
};

/// Keys and values of a latent, queries mostly, too.
void withLatent(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    attentionBiasSwitch(c, d);
    d.queryRank = sizeOrNone(c, "q_lora_rank", 1536);
    d.latent = c.size({"kv_lora_rank"}, Widths, 512);
    d.sharedHeadSize = c.size({"qk_rope_head_dim"}, Widths, 64);
    d.headSize = c.size({"qk_nope_head_dim"}, Widths, 128) + d.sharedHeadSize;
    d.valueSize = c.size({"v_head_dim"}, Widths, 128);
    d.kvHeads.reset();             // each head has its own
    (void)c.find({"qk_head_dim"}); // the sum
}

/// Experts after the first layers, beside some that each token sees.
void asDeepSeek(ConfigReader& c, TransformerDesign& d, const Mixture& usual)
{
    leaveGuessesOut(c);
    d.experts = sizeOrNone(c, "n_routed_experts", usual.experts);
    if (d.experts == 0)
        return;
    d.expertsUsed = c.size({"num_experts_per_tok"}, Heads, usual.used);
    ofOwnSize(c, d, usual.inner);
    besideExperts(c, d, "n_shared_experts", usual.shared);
    d.denseLayers = c.size({"first_k_dense_replace"}, {0, LayerCounts.high}, usual.denseLayers);
    namedDense(c, d);
    if (c.size({"moe_layer_freq"}, LayerCounts, 1) != 1)
        c.fail("moe_layer_freq", "experts in some of the later layers can't be imported",
               "use a model that has them in all layers after the first ones");
}

} // namespace

void deepSeekV2(ConfigReader& c, TransformerDesign& d)
{
    withLatent(c, d);
    asDeepSeek(c, d, {.experts = 64, .used = 6, .inner = 1407, .shared = 2, .denseLayers = 0});
}

void deepSeekV3(ConfigReader& c, TransformerDesign& d)
{
    withLatent(c, d);
    asDeepSeek(c, d, {.experts = 256, .used = 8, .inner = 2048, .shared = 1, .denseLayers = 3});
}

void glm4Moe(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    if (c.flag({"attention_bias"}, false))
        d.attentionBiases = AttentionBiases::Qkv;
    if (c.flag({"use_qk_norm"}, false))
        d.qkNorm = QkNorm::Rms;
    asDeepSeek(c, d, {.experts = 128, .used = 8, .inner = 1408, .shared = 1, .denseLayers = 1});
}

void glm4MoeLite(ConfigReader& c, TransformerDesign& d)
{
    withLatent(c, d);
    asDeepSeek(c, d, {.experts = 64, .used = 4, .inner = 1536, .shared = 1, .denseLayers = 1});
}

void ernieMoe(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    d.biases = c.flag({"use_bias"}, false);
    d.normBiases = false;
    d.experts = c.size({"moe_num_experts"}, Heads, 64);
    d.expertsUsed = c.size({"moe_k"}, Heads, 6);
    ofOwnSize(c, d, 1536);
    besideExperts(c, d, "moe_num_shared_experts", 2);
    d.denseLayers = c.size({"moe_layer_start_index"}, {0, LayerCounts.high}, 1);
    d.expertStep = c.size({"moe_layer_interval"}, LayerCounts, 1);
}

/// One expert and one that each token sees; attention within chunks, but for each fourth layer.
void llama4(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    attentionBiasSwitch(c, d);
    d.experts = c.size({"num_local_experts"}, Heads, 16);
    d.expertsUsed = c.size({"num_experts_per_tok"}, Heads, 1);
    d.denseFeedForward = c.size({"intermediate_size_mlp"}, Widths, 16384);
    d.sharedExpert = d.innerSize();
    d.expertStep = c.size({"interleave_moe_layer_step"}, LayerCounts, 1);
    d.window = c.size({"attention_chunk_size"}, OptionalWidths, 8192);
    windowed(c, d, WindowLayers::ThreeOfFour);
    if (d.window > 0)
        c.note("attention within chunks (`attention_chunk_size`) is counted as a window.");
}

} // namespace outlay::core
