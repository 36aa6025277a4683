// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/import/huggingface_mixtures.h"

#include "core/model/import/huggingface_parts.h"

#include <algorithm>
#include <utility>

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

/// Layers without experts are the first ones, or those between steps. `routed` has a flag for each layer.
void takePattern(ConfigReader& c, TransformerDesign& d, std::string_view key,
                 const std::vector<bool>& routed)
{
    const auto isSo = [&] {
        for (std::size_t i = 0; i < routed.size(); ++i) {
            if (routed[i] != d.hasExperts(static_cast<std::int64_t>(i) + 1))
                return false;
        }
        return true;
    };
    const auto first = std::find(routed.begin(), routed.end(), true) - routed.begin();
    d.denseLayers = first;
    for (d.expertStep = 1; d.expertStep <= first + 1; ++d.expertStep) {
        if (isSo())
            return;
    }
    c.fail(key, "these layers with experts follow no pattern that can be imported",
           "use a model that has them after its first layers, or in steps");
    d.denseLayers = 0;
    d.expertStep = 1;
}

/// Numbers of layers, from 0 on.
std::optional<std::vector<bool>> listedLayers(ConfigReader& c, std::string_view key,
                                              std::int64_t layers)
{
    const Json* listed = c.find({key});
    if (listed == nullptr || listed->asArray() == nullptr)
        return std::nullopt;
    std::vector<bool> isListed(static_cast<std::size_t>(layers));
    for (const Json& layer : *listed->asArray()) {
        const std::int64_t* number = layer.asInteger();
        if (number == nullptr || *number < 0)
            c.fail(key, "an entry of this list is no number of a layer", "count them from 0 on");
        else if (*number < layers)
            isListed[static_cast<std::size_t>(*number)] = true;
    }
    return isListed;
}

/// In steps, but for those that are listed.
void mixedWithDense(ConfigReader& c, TransformerDesign& d)
{
    d.expertStep = c.size({"decoder_sparse_step"}, LayerCounts, 1);
    auto listed = listedLayers(c, "mlp_only_layers", d.layers);
    if (!listed)
        return;
    for (std::size_t i = 0; i < listed->size(); ++i)
        (*listed)[i] = !(*listed)[i] && d.hasExperts(static_cast<std::int64_t>(i) + 1);
    takePattern(c, d, "mlp_only_layers", *listed);
}

/// Each layer named.
void namedDense(ConfigReader& c, TransformerDesign& d)
{
    constexpr std::string_view Key = "mlp_layer_types";
    const Json* listed = c.find({Key});
    if (listed == nullptr || listed->asArray() == nullptr)
        return;
    std::vector<bool> routed;
    for (const Json& type : *listed->asArray()) {
        const std::string* name = type.asString();
        if (name == nullptr || (*name != "dense" && *name != "sparse"))
            return c.fail(Key, "a layer is neither dense nor sparse", "give one of the two");
        routed.push_back(*name == "sparse");
    }
    routed.resize(static_cast<std::size_t>(d.layers), true);
    takePattern(c, d, Key, routed);
}

/// Where no layer is left that has experts, all have what others have without them.
void finishExperts(TransformerDesign& d)
{
    if (d.experts > 0 && d.firstWithExperts() <= d.layers)
        return;
    d.experts = d.sharedExpert = d.denseLayers = 0;
    d.sharedExpertGate = false;
    d.expertStep = 1;
    if (d.denseFeedForward)
        d.feedForward = std::exchange(d.denseFeedForward, std::nullopt);
}

} // namespace

void mixtral(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    d.window = c.size({"sliding_window"}, OptionalWidths, 0);
    d.experts = c.size({"num_local_experts", "num_experts"}, Heads, 8);
    d.expertsUsed = c.size({"num_experts_per_tok"}, Heads, 2);
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

void asQwenMoe(ConfigReader& c, TransformerDesign& d, const Mixture& usual)
{
    d.experts = c.size({"num_experts", "num_local_experts"}, Heads, usual.experts);
    d.expertsUsed = c.size({"num_experts_per_tok"}, Heads, usual.used);
    ofOwnSize(c, d, usual.inner);
    mixedWithDense(c, d);
    if (c.flag({"use_sliding_window"}, false))
        d.window = windowOf(c, 4096);
}

} // namespace

void qwen3Moe(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    attentionBiasSwitch(c, d);
    d.qkNorm = QkNorm::Rms;
    asQwenMoe(c, d, {.experts = 128, .used = 8, .inner = 768});
    finishExperts(d);
}

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
    asQwenMoe(c, d, {.experts = 60, .used = 4, .inner = 1408});
    d.sharedExpert = c.size({"shared_expert_intermediate_size"}, OptionalWidths, 5632);
    d.sharedExpertGate = true;
    finishExperts(d);
    const std::int64_t most = c.size({"max_window_layers"}, {0, LayerCounts.high}, 28);
    if (d.window > 0 && most < d.layers)
        seesAll(c, d, "max_window_layers");
    else
        windowed(c, d, WindowLayers::Odd);
}

namespace {

/// What a config class puts in for absent keys.
struct LatentSizes {
    std::int64_t queryRank = 1536;
    std::int64_t own = 128; // of a head's key, beside what all share
    std::int64_t value = 128;
};

/// Keys and values of a latent, queries mostly, too.
void withLatent(ConfigReader& c, TransformerDesign& d, const LatentSizes& usual = {})
{
    asLlama(c, d);
    attentionBiasSwitch(c, d);
    if (c.flag({"mlp_bias"}, false))
        d.feedForwardBiases = true;
    d.queryRank = sizeOrNone(c, "q_lora_rank", usual.queryRank);
    if (d.queryRank == 0 && d.attentionBiases)
        c.fail("attention_bias", "biases of attention without a rank of queries can't be imported",
               "use a model that has both, or neither");
    d.latent = c.size({"kv_lora_rank"}, Widths, 512);
    d.sharedHeadSize = c.size({"qk_rope_head_dim"}, Widths, 64);
    d.headSize = c.size({"qk_nope_head_dim"}, Widths, usual.own) + d.sharedHeadSize;
    d.valueSize = c.size({"v_head_dim"}, Widths, usual.value);
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
    finishExperts(d);
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
    attentionBiasSwitch(c, d, AttentionBiases::Qkv);
    if (c.flag({"use_qk_norm"}, false))
        d.qkNorm = QkNorm::Rms;
    asDeepSeek(c, d, {.experts = 128, .used = 8, .inner = 1408, .shared = 1, .denseLayers = 1});
}

void glm4MoeLite(ConfigReader& c, TransformerDesign& d)
{
    withLatent(c, d, {.queryRank = 768, .own = 192, .value = 256});
    asDeepSeek(c, d, {.experts = 64, .used = 4, .inner = 1536, .shared = 1, .denseLayers = 1});
}

void ernieMoe(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    d.biases = c.flag({"use_bias"}, false);
    d.headBiases = *d.biases;
    d.normBiases = false;
    d.experts = c.size({"moe_num_experts"}, Heads, 64);
    d.expertsUsed = c.size({"moe_k"}, Heads, 6);
    ofOwnSize(c, d, 1536);
    besideExperts(c, d, "moe_num_shared_experts", 2);
    d.denseLayers = c.size({"moe_layer_start_index"}, {0, LayerCounts.high}, 1);
    d.expertStep = c.size({"moe_layer_interval"}, LayerCounts, 1);
    const Json* last = c.find({"moe_layer_end_index"});
    const std::int64_t* number = last != nullptr ? last->asInteger() : nullptr;
    if (number != nullptr && *number >= 0) { // -1: the last one
        std::vector<bool> routed;
        for (std::int64_t i = 0; i < d.layers; ++i)
            routed.push_back(i <= *number && d.hasExperts(i + 1));
        takePattern(c, d, "moe_layer_end_index", routed);
    }
    finishExperts(d);
}

void llama4(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    attentionBiasSwitch(c, d);
    d.experts = sizeOrNone(c, "num_local_experts", 16);
    d.expertsUsed = c.size({"num_experts_per_tok"}, Heads, 1);
    d.denseFeedForward = c.size({"intermediate_size_mlp"}, Widths, 16384);
    d.sharedExpert = d.innerSize();
    const std::int64_t step = c.size({"interleave_moe_layer_step"}, {0, LayerCounts.high}, 1);
    d.expertStep = std::max<std::int64_t>(1, step);
    if (const auto listed = listedLayers(c, "moe_layers", d.layers))
        takePattern(c, d, "moe_layers", *listed);
    else if (step == 0)
        d.experts = 0;
    finishExperts(d);
    d.window = sizeOrNone(c, "attention_chunk_size", 8192);
    windowed(c, d, WindowLayers::ThreeOfFour);
    if (d.window > 0)
        c.note("attention within chunks (`attention_chunk_size`) is counted as a window.");
}

} // namespace outlay::core
