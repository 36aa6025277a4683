// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/import/huggingface_architectures.h"

#include "core/base/text.h"
#include "core/model/import/huggingface_mixtures.h"
#include "core/model/import/huggingface_parts.h"

#include <algorithm>

namespace outlay::core {
namespace {

void learned(TransformerDesign& d, std::int64_t rows)
{
    d.positions = Positions::Learned;
    d.positionCount = rows;
}

void refuseCrossAttention(ConfigReader& c)
{
    if (c.flag({"add_cross_attention"}, false))
        c.fail("add_cross_attention", "a model with added cross-attention can't be imported",
               "import an encoder-decoder, such as T5");
}

/// Layer norms before each part, biases everywhere: GPT-2 and those that start from it.
void asGpt(ConfigReader& c, TransformerDesign& d, double dropout)
{
    d.kind = TransformerKind::Decoder;
    d.norm = NormKind::Layer;
    d.biases = true;
    addDropout(c, d, dropout);
    refuseCrossAttention(c);
}

void gpt2(ConfigReader& c, TransformerDesign& d)
{
    asGpt(c, d, 0.1);
    d.positions = Positions::Learned;
}

void gptNeo(ConfigReader& c, TransformerDesign& d)
{
    asGpt(c, d, 0);
    d.positions = Positions::Learned;
    d.attentionBiases = AttentionBiases::Output;
    const std::int64_t window = c.size({"window_size"}, OptionalWidths, 256);
    const Json* types = c.find({"attention_types"});
    const std::string pattern = types == nullptr ? "global local" : writeJson(*types);
    const bool hasGlobal = pattern.find("global") != std::string::npos;
    if (pattern.find("local") != std::string::npos)
        d.window = window;
    // Global and local in turns, starting with a global one, in every model published.
    d.windowLayers = hasGlobal ? WindowLayers::Even : WindowLayers::All;
}

void asRotaryGpt(ConfigReader& c, TransformerDesign& d)
{
    asGpt(c, d, 0);
    d.positions = Positions::Rotary;
    d.positionCount.reset();
}

void gptNeoX(ConfigReader& c, TransformerDesign& d)
{
    asRotaryGpt(c, d);
    d.parallelBlocks = c.flag({"use_parallel_residual"}, true);
    if (!c.flag({"attention_bias"}, true))
        d.attentionBiases = AttentionBiases::None;
}

void gptJ(ConfigReader& c, TransformerDesign& d)
{
    asRotaryGpt(c, d);
    d.parallelBlocks = true;
    d.normsPerBlock = 1;
    d.attentionBiases = AttentionBiases::None;
    d.headBiases = true;
}

void gptBigCode(ConfigReader& c, TransformerDesign& d)
{
    asGpt(c, d, 0.1);
    d.positions = Positions::Learned;
    d.kvHeads = c.flag({"multi_query"}, true) ? 1 : d.heads;
}

void opt(ConfigReader& c, TransformerDesign& d)
{
    asGpt(c, d, 0.1);
    constexpr std::int64_t OffsetRows = 2;
    learned(d, d.positionRows() + OffsetRows);
    d.biases = c.flag({"enable_bias"}, true);
    d.normBiases = true;
    if (!c.flag({"layer_norm_elementwise_affine"}, true))
        c.fail("layer_norm_elementwise_affine", "norms without weights can't be imported",
               "use a model whose norms have them");
    const bool isBefore = c.flag({"do_layer_norm_before"}, true);
    d.normPosition = isBefore ? NormPosition::Before : NormPosition::After;
    d.finalNorm = isBefore && !c.flag({"_remove_final_layer_norm"}, false);
    const auto width = c.size({"word_embed_proj_dim"}, Widths);
    if (width && *width != d.hidden) {
        d.embeddingSize = width;
        d.narrowEmbeddings = NarrowEmbeddings::Tokens;
    }
}

void bloom(ConfigReader& c, TransformerDesign& d)
{
    asGpt(c, d, 0);
    d.positions = Positions::Alibi;
    d.positionCount.reset();
    d.embeddingNorm = true;
    d.feedForward.reset(); // always four times the hidden size, whatever n_inner says
}

void mpt(ConfigReader& c, TransformerDesign& d)
{
    asGpt(c, d, 0);
    const Json empty = Json::object();
    const Json* given = c.find({"attn_config"});
    ConfigReader attention(given == nullptr || given->asObject() == nullptr ? empty : *given,
                           "/attn_config");
    d.biases = !c.flag({"no_bias"}, true);
    d.normBiases = d.biases;
    const bool isAlibi = attention.flag({"alibi"}, true);
    const bool isRotary = attention.flag({"rope"}, false);
    if (!isAlibi && !isRotary && c.flag({"learned_pos_emb"}, true)) {
        d.positions = Positions::Learned;
    } else {
        d.positions = isAlibi ? Positions::Alibi : isRotary ? Positions::Rotary : Positions::None;
        d.positionCount.reset();
    }
    const bool isMultiQuery = attention.text({"attn_type"}) == "multiquery_attention";
    d.kvHeads = isMultiQuery ? 1 : attention.size({"kv_n_heads"}, Heads, d.heads);
    const auto ratio = c.size({"expansion_ratio"}, {1, 1024}, 4);
    if (!d.feedForward)
        d.feedForward = ratio * d.hidden;
    if (attention.flag({"qk_ln"}, false))
        c.fail("attn_config", "norms over all queries and keys (`qk_ln`) can't be imported",
               "use a model without them");
    for (const std::string& key : attention.ignored())
        c.note("`attn_config." + key + "` has no effect on the design and was ignored.");
    if (attention.error())
        c.fail("attn_config", attention.error()->what, attention.error()->remedy);
}

void falcon(ConfigReader& c, TransformerDesign& d)
{
    asGpt(c, d, 0);
    if (const auto factor = c.size({"ff_factor"}, {1, 1024}); factor && !d.feedForward)
        d.feedForward = *factor * d.hidden;
    const bool isNew = c.flag({"new_decoder_architecture"}, false);
    const bool isParallel = c.flag({"parallel_attn"}, true);
    const bool isMultiQuery = c.flag({"multi_query"}, true);
    d.positions = c.flag({"alibi"}, false) ? Positions::Alibi : Positions::Rotary;
    d.positionCount.reset();
    d.biases = c.flag({"bias"}, false);
    d.normBiases = true;
    d.parallelBlocks = isParallel || isNew;
    const auto norms = c.size({"num_ln_in_parallel_attn"}, {1, 2}, isNew ? 2 : 1);
    d.normsPerBlock = isParallel ? norms : 2;
    if (!isNew)
        d.kvHeads = isMultiQuery ? 1 : d.heads;
}

void llama(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    attentionBiasSwitch(c, d);
    if (c.flag({"mlp_bias"}, false))
        d.feedForwardBiases = true;
}

void mistral(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    d.window = windowOf(c, 4096);
}

void qwen2(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    d.attentionBiases = AttentionBiases::Qkv;
    const std::int64_t window = c.size({"sliding_window"}, OptionalWidths, 4096);
    const std::int64_t full = c.size({"max_window_layers"}, {0, LayerCounts.high}, 28);
    if (!c.flag({"use_sliding_window"}, false) || full >= d.layers)
        return;
    if (full == 0)
        d.window = window;
    else
        c.note("the window of the layers from number " + std::to_string(full + 1) +
               " on was left out: attention is counted in full there.");
}

void qwen3(ConfigReader& c, TransformerDesign& d)
{
    qwen2(c, d);
    d.attentionBiases.reset();
    attentionBiasSwitch(c, d);
    d.qkNorm = QkNorm::Rms;
}

/// As Llama, without positions in some layers; those have a window where one is used.
void smolLm3(ConfigReader& c, TransformerDesign& d)
{
    llama(c, d);
    if (c.flag({"use_sliding_window"}, false))
        seesAll(c, d, "layer_types");
}

/// Layer norms and biases in Llama's order of things.
void starcoder2(ConfigReader& c, TransformerDesign& d)
{
    asRotaryGpt(c, d);
    d.biases = c.flag({"use_bias"}, true);
    d.normBiases = true;
    d.window = c.size({"sliding_window"}, OptionalWidths, 0);
}

void gemma(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    attentionBiasSwitch(c, d);
}

void gemma2(ConfigReader& c, TransformerDesign& d)
{
    gemma(c, d);
    d.normsPerBlock = 4;
    d.window = windowOf(c, 4096);
    windowed(c, d, WindowLayers::Odd);
}

void gemma3(ConfigReader& c, TransformerDesign& d)
{
    gemma(c, d);
    d.normsPerBlock = 4;
    d.qkNorm = QkNorm::Rms;
    d.window = windowOf(c, 4096);
    windowedBut(c, d, 6);
    if (c.flag({"use_bidirectional_attention"}, false))
        c.fail("use_bidirectional_attention",
               "a decoder whose positions all see each other can't be imported",
               "use a model that generates, or an encoder such as BERT");
}

void phi(ConfigReader& c, TransformerDesign& d)
{
    asRotaryGpt(c, d);
    d.parallelBlocks = true;
    d.normsPerBlock = 1;
    d.headBiases = true;
    if (c.flag({"qk_layernorm"}, false))
        d.qkNorm = QkNorm::Layer;
}

void phi3(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    d.window = c.size({"sliding_window"}, OptionalWidths, 0);
}

/// Norms of what each part made, and of all heads' queries and keys.
void olmo2(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    attentionBiasSwitch(c, d);
    d.normPosition = NormPosition::Inside;
    d.qkNorm = QkNorm::RmsOfAll;
}

void olmo3(ConfigReader& c, TransformerDesign& d)
{
    olmo2(c, d);
    d.window = windowOf(c, 4096);
    windowed(c, d, WindowLayers::ThreeOfFour);
}

/// As Llama, with biases of queries, keys and values, and norms before and after each part.
void glm4(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    d.normsPerBlock = 4;
    attentionBiasSwitch(c, d, AttentionBiases::Qkv);
}

void asBert(ConfigReader& c, TransformerDesign& d)
{
    d.kind = TransformerKind::Encoder;
    d.norm = NormKind::Layer;
    d.biases = true;
    d.positions = Positions::Learned;
    d.tiedEmbeddings.reset();
    addDropout(c, d, 0.1);
    refuseCrossAttention(c);
    const std::string positions = c.text({"position_embedding_type"}, "absolute");
    if (positions != "absolute")
        c.fail("position_embedding_type",
               "positions of type '" + printable(positions, 40) + "' can't be imported",
               "use a model with absolute positions");
}

void bert(ConfigReader& c, TransformerDesign& d)
{
    asBert(c, d);
    d.tokenTypes = c.size({"type_vocab_size"}, OptionalWidths, 2);
    d.pooler = true;
}

void distilbert(ConfigReader& c, TransformerDesign& d)
{
    asBert(c, d);
    d.tokenTypes = 0;
    d.pooler = false;
}

void electra(ConfigReader& c, TransformerDesign& d)
{
    bert(c, d);
    d.pooler = false;
    d.embeddingSize = c.size({"embedding_size"}, Widths, 128);
}

void t5(ConfigReader& c, TransformerDesign& d)
{
    d.kind = TransformerKind::EncoderDecoder;
    d.norm = NormKind::Rms;
    d.biases = false;
    d.positions = Positions::Relative;
    d.positionCount.reset();
    d.relativeBuckets = c.size({"relative_attention_num_buckets"}, Widths, 32);
    d.decoderLayers = c.size({"num_decoder_layers"}, LayerCounts, d.layers);
    const bool isGatedByName = c.text({"feed_forward_proj"}, "relu").starts_with("gated");
    d.gatedFeedForward = c.flag({"is_gated_act"}, isGatedByName);
    addDropout(c, d, 0.1);
}

constexpr std::array Architectures{
    Architecture{"gpt2", {50257, 768, 12, 12, 0, 0, 0, 1024, true}, gpt2},
    Architecture{"gpt_neo", {50257, 2048, 24, 16, 0, 0, 0, 2048, true}, gptNeo},
    Architecture{"gpt_neox", {50432, 6144, 44, 64, 0, 0, 24576, 2048, false}, gptNeoX},
    Architecture{"gptj", {50400, 4096, 28, 16, 0, 0, 0, 2048, false}, gptJ},
    Architecture{"gpt_bigcode", {50257, 768, 12, 12, 0, 0, 0, 1024, true}, gptBigCode},
    Architecture{"opt", {50272, 768, 12, 12, 0, 0, 3072, 2048, true}, opt},
    Architecture{"bloom", {250880, 64, 2, 8, 0, 0, 0, 2048, true}, bloom},
    Architecture{"mpt", {50368, 2048, 24, 16, 0, 0, 0, 2048, true}, mpt},
    Architecture{"falcon", {65024, 4544, 32, 71, 0, 0, 0, 2048, true}, falcon},
    Architecture{"llama", {32000, 4096, 32, 32, 0, 0, 11008, 2048, false}, llama},
    Architecture{"mistral", {32000, 4096, 32, 32, 8, 0, 14336, 131072, false}, mistral},
    Architecture{"mixtral", {32000, 4096, 32, 32, 8, 0, 14336, 131072, false}, mixtral},
    Architecture{"qwen2", {151936, 4096, 32, 32, 32, 0, 22016, 32768, false}, qwen2},
    Architecture{"qwen3", {151936, 4096, 32, 32, 32, 128, 22016, 32768, false}, qwen3},
    Architecture{"qwen2_moe", {151936, 2048, 24, 16, 16, 0, 5632, 32768, false}, qwen2Moe},
    Architecture{"qwen3_moe", {151936, 2048, 24, 32, 4, 0, 6144, 32768, false}, qwen3Moe},
    Architecture{"gpt_oss", {201088, 2880, 36, 64, 8, 64, 2880, 131072, false}, gptOss},
    Architecture{"deepseek_v2", {32000, 4096, 32, 32, 0, 0, 11008, 2048, false}, deepSeekV2},
    Architecture{"deepseek_v3", {129280, 7168, 61, 128, 0, 0, 18432, 4096, false}, deepSeekV3},
    Architecture{"kimi_k2", {163840, 7168, 61, 64, 0, 0, 18432, 131072, false}, deepSeekV3},
    Architecture{"glm4", {151552, 4096, 40, 32, 2, 128, 13696, 131072, false}, glm4},
    Architecture{"glm4_moe", {151552, 4096, 46, 96, 8, 128, 10944, 131072, false}, glm4Moe},
    Architecture{"glm4_moe_lite", {154880, 2048, 47, 20, 0, 0, 10240, 202752, false}, glm4MoeLite},
    Architecture{"ernie4_5_moe", {103424, 2560, 28, 20, 4, 0, 12288, 131072, true}, ernieMoe},
    Architecture{"llama4_text", {202048, 5120, 48, 40, 8, 128, 8192, 131072, false}, llama4},
    // Its factors have no weights.
    Architecture{"granite", {32000, 4096, 32, 32, 0, 0, 11008, 2048, false}, llama},
    Architecture{"smollm3", {128256, 2048, 36, 16, 4, 0, 11008, 32768, true}, smolLm3},
    Architecture{"olmo2", {50304, 4096, 32, 32, 0, 0, 11008, 2048, false}, olmo2},
    Architecture{"olmo3", {50304, 4096, 32, 32, 0, 0, 11008, 2048, false}, olmo3},
    Architecture{"starcoder2", {49152, 3072, 30, 24, 2, 0, 12288, 4096, true}, starcoder2},
    Architecture{"gemma", {256000, 3072, 28, 16, 16, 256, 24576, 8192, true}, gemma},
    Architecture{"gemma2", {256000, 2304, 26, 8, 4, 256, 9216, 8192, true}, gemma2},
    Architecture{"gemma3_text", {262208, 2304, 26, 8, 4, 256, 9216, 131072, true}, gemma3},
    Architecture{"phi", {51200, 2048, 24, 32, 0, 0, 8192, 2048, false}, phi},
    Architecture{"phi3", {32064, 3072, 32, 32, 0, 0, 8192, 4096, false}, phi3},
    Architecture{"bert", {30522, 768, 12, 12, 0, 0, 3072, 512, true}, bert},
    Architecture{"distilbert", {30522, 768, 6, 12, 0, 0, 3072, 512, true}, distilbert},
    Architecture{"roberta", {50265, 768, 12, 12, 0, 0, 3072, 512, true}, bert},
    Architecture{"xlm-roberta", {30522, 768, 12, 12, 0, 0, 3072, 512, true}, bert},
    Architecture{"camembert", {30522, 768, 12, 12, 0, 0, 3072, 512, true}, bert},
    Architecture{"electra", {30522, 256, 12, 4, 0, 0, 1024, 512, true}, electra},
    Architecture{"t5", {32128, 512, 6, 8, 0, 64, 2048, 512, true}, t5},
};

} // namespace

std::span<const Architecture> architectures()
{
    return Architectures;
}

} // namespace outlay::core
