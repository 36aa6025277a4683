// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/import/huggingface.h"

#include "core/base/text.h"
#include "core/model/import/config_reader.h"

#include <algorithm>
#include <cctype>

namespace outlay::core {
namespace {

/// What an architecture's config class puts in for absent keys; 0: follows from the rest.
struct Usual {
    std::int64_t vocabulary;
    std::int64_t hidden;
    std::int64_t layers;
    std::int64_t heads;
    std::int64_t kvHeads;
    std::int64_t headSize;
    std::int64_t inner;
    std::int64_t positions;
    bool tied;
};

using Adapt = void (*)(ConfigReader&, TransformerDesign&);

struct Architecture {
    std::string_view name;
    Usual usual;
    Adapt adapt; // what sets the architecture apart, after the sizes have been read
};

void addDropout(ConfigReader& c, TransformerDesign& d, double usual)
{
    d.dropout = c.share({"resid_pdrop", "hidden_dropout_prob", "hidden_dropout", "resid_dropout",
                         "dropout_rate", "dropout"},
                        usual);
}

void learned(TransformerDesign& d, std::int64_t rows)
{
    d.positions = Positions::Learned;
    d.positionCount = rows;
}

/// Layer norms before each part, biases everywhere: GPT-2 and those that start from it.
void asGpt(ConfigReader& c, TransformerDesign& d, double dropout)
{
    d.kind = TransformerKind::Decoder;
    d.norm = NormKind::Layer;
    d.biases = true;
    addDropout(c, d, dropout);
    if (c.flag({"add_cross_attention"}, false))
        c.fail("add_cross_attention", "a decoder with cross-attention can't be imported",
               "import an encoder-decoder, such as T5");
}

/// RMS norms, rotary positions, a gated feed-forward, no biases: Llama and those that start from it.
void asLlama(ConfigReader& c, TransformerDesign& d)
{
    d.kind = TransformerKind::Decoder;
    d.norm = NormKind::Rms;
    d.positions = Positions::Rotary;
    d.positionCount.reset();
    d.biases = false;
    d.gatedFeedForward = true;
    addDropout(c, d, 0);
}

void attentionBiasSwitch(ConfigReader& c, TransformerDesign& d)
{
    if (c.flag({"attention_bias"}, false))
        d.attentionBiases = AttentionBiases::All;
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
    // Global and local in turns, in every model published.
    (void)c.find({"attention_types", "attention_layers"});
    d.window = c.size({"window_size"}, OptionalWidths, 256);
    d.windowLayers = WindowLayers::Alternate;
}

void gptNeoX(ConfigReader& c, TransformerDesign& d)
{
    asGpt(c, d, 0);
    d.positions = Positions::Rotary;
    d.positionCount.reset();
    d.parallelBlocks = c.flag({"use_parallel_residual"}, true);
    if (!c.flag({"attention_bias"}, true))
        d.attentionBiases = AttentionBiases::None;
}

void gptJ(ConfigReader& c, TransformerDesign& d)
{
    asGpt(c, d, 0);
    d.positions = Positions::Rotary;
    d.positionCount.reset();
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
    if (attention.error())
        c.fail("attn_config", attention.error()->what, attention.error()->remedy);
}

void falcon(ConfigReader& c, TransformerDesign& d)
{
    asGpt(c, d, 0);
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
    constexpr std::int64_t UsualWindow = 4096; // where the key is absent; null means no window
    const bool isNamed = c.names("sliding_window");
    d.window = c.size({"sliding_window"}, OptionalWidths, isNamed ? 0 : UsualWindow);
}

void mixtral(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    d.window = c.size({"sliding_window"}, OptionalWidths, 0);
    d.experts = c.size({"num_local_experts", "num_experts"}, Heads, 8);
    d.expertsUsed = c.size({"num_experts_per_tok"}, Heads, 2);
}

void qwen2(ConfigReader& c, TransformerDesign& d)
{
    asLlama(c, d);
    d.attentionBiases = AttentionBiases::Qkv;
    const std::int64_t window = c.size({"sliding_window"}, OptionalWidths, 4096);
    const std::int64_t full = c.size({"max_window_layers"}, {0, LayerCounts.high}, 28);
    // Layers from max_window_layers on have the window: all or none in every model published.
    if (c.flag({"use_sliding_window"}, false) && full == 0)
        d.window = window;
}

void qwen3(ConfigReader& c, TransformerDesign& d)
{
    qwen2(c, d);
    d.attentionBiases.reset();
    attentionBiasSwitch(c, d);
    d.qkNorm = QkNorm::Rms;
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
    d.window = c.size({"sliding_window"}, OptionalWidths, 4096);
    d.windowLayers = WindowLayers::Alternate;
}

void phi(ConfigReader& c, TransformerDesign& d)
{
    asGpt(c, d, 0);
    d.positions = Positions::Rotary;
    d.positionCount.reset();
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

void asBert(ConfigReader& c, TransformerDesign& d)
{
    d.kind = TransformerKind::Encoder;
    d.norm = NormKind::Layer;
    d.biases = true;
    d.positions = Positions::Learned;
    d.tiedEmbeddings.reset();
    addDropout(c, d, 0.1);
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
    d.gatedFeedForward = c.text({"feed_forward_proj"}, "relu").starts_with("gated");
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
    Architecture{"gemma", {256000, 3072, 28, 16, 16, 256, 24576, 8192, true}, gemma},
    Architecture{"gemma2", {256000, 2304, 26, 8, 4, 256, 9216, 8192, true}, gemma2},
    Architecture{"phi", {51200, 2048, 24, 32, 0, 0, 8192, 2048, false}, phi},
    Architecture{"phi3", {32064, 3072, 32, 32, 0, 0, 8192, 4096, false}, phi3},
    Architecture{"bert", {30522, 768, 12, 12, 0, 0, 3072, 512, true}, bert},
    Architecture{"distilbert", {30522, 768, 6, 12, 0, 0, 3072, 512, true}, distilbert},
    Architecture{"roberta", {50265, 768, 12, 12, 0, 0, 3072, 512, true}, bert},
    Architecture{"electra", {30522, 256, 12, 4, 0, 0, 1024, 512, true}, electra},
    Architecture{"t5", {32128, 512, 6, 8, 0, 64, 2048, 512, true}, t5},
};

std::string lettersOf(std::string_view text)
{
    std::string letters;
    for (const char c : text) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return letters;
}

/// The class that was saved, such as "BertForMaskedLM"; empty if the file doesn't say.
std::string classOf(const Json& json)
{
    const Json* classes = json.find("architectures");
    const Json::Array* list = classes == nullptr ? nullptr : classes->asArray();
    if (list == nullptr || list->empty() || list->front().asString() == nullptr)
        return {};
    return *list->front().asString();
}

/// By `model_type`, or in files that are older than that key by the longest name that the saved
/// class starts with.
const Architecture* architectureOf(const Json& json)
{
    const Json* type = json.find("model_type");
    if (type != nullptr && type->asString() != nullptr) {
        std::string name = *type->asString();
        if (name.starts_with("RefinedWeb"))
            name = "falcon"; // its first name
        const auto row = std::find_if(Architectures.begin(), Architectures.end(),
                                      [&](const Architecture& a) { return a.name == name; });
        return row == Architectures.end() ? nullptr : &*row;
    }
    const std::string saved = lettersOf(classOf(json));
    const Architecture* best = nullptr;
    for (const Architecture& row : Architectures) {
        const bool isLonger = best == nullptr || row.name.size() > best->name.size();
        if (saved.starts_with(lettersOf(row.name)) && isLonger)
            best = &row;
    }
    return best;
}

void readSizes(ConfigReader& c, const Usual& usual, TransformerDesign& d)
{
    d.vocabulary = c.size({"vocab_size"}, Vocabularies, usual.vocabulary);
    d.hidden = c.size({"hidden_size", "n_embd", "n_embed", "d_model", "dim"}, Widths, usual.hidden);
    d.layers = c.size({"num_hidden_layers", "n_layer", "num_layers", "n_layers"}, LayerCounts,
                      usual.layers);
    d.heads = c.size({"num_attention_heads", "n_head", "num_heads", "n_heads"}, Heads, usual.heads);
    const std::initializer_list<std::string_view> kvNames{"num_key_value_heads", "num_kv_heads",
                                                          "n_head_kv"};
    bool isKvNamed = false;
    for (const std::string_view name : kvNames)
        isKvNamed = c.names(name) || isKvNamed;
    d.kvHeads = c.size(kvNames, Heads);
    // A default that can't belong to these heads is no default of this model.
    if (!d.kvHeads && !isKvNamed && usual.kvHeads > 0 && d.heads % usual.kvHeads == 0)
        d.kvHeads = usual.kvHeads;
    d.headSize = c.size({"head_dim", "d_kv"}, Widths);
    if (!d.headSize && usual.headSize > 0)
        d.headSize = usual.headSize;
    d.feedForward =
        c.size({"intermediate_size", "n_inner", "ffn_dim", "d_ff", "hidden_dim", "ffn_hidden_size"},
               Widths);
    if (!d.feedForward && usual.inner > 0)
        d.feedForward = usual.inner;
    d.positionCount = c.size({"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len"},
                             Vocabularies, usual.positions);
    d.tiedEmbeddings = c.flag({"tie_word_embeddings"}, usual.tied);
}

std::vector<std::string> notesOf(const ConfigReader& c, const std::string& saved,
                                 const TransformerDesign& d)
{
    std::vector<std::string> notes;
    if (d.isEncoder() && !saved.empty() && !saved.ends_with("Model"))
        notes.push_back("the bare encoder was taken" +
                        std::string(d.hasPooler() ? " with its pooler" : "") + "; the head of " +
                        printable(saved, 60) + " is not counted.");
    const std::vector<std::string> ignored = c.ignored();
    if (!ignored.empty()) {
        const std::vector<std::string_view> words(ignored.begin(), ignored.end());
        notes.push_back("keys without effect on the design were ignored: " + joined(words, ", ") +
                        ".");
    }
    return notes;
}

} // namespace

std::vector<std::string_view> huggingFaceArchitectures()
{
    std::vector<std::string_view> names;
    for (const Architecture& row : Architectures)
        names.push_back(row.name);
    return names;
}

bool looksLikeHuggingFace(const Json& json)
{
    return json.find("model_type") != nullptr || json.find("architectures") != nullptr;
}

Result<Imported> importHuggingFace(const Json& json)
{
    const Architecture* architecture = architectureOf(json);
    if (architecture == nullptr) {
        const Json* type = json.find("model_type");
        const bool isNamed = type != nullptr && type->asString() != nullptr;
        const std::string given = isNamed ? *type->asString() : classOf(json);
        return inputError("the architecture '" + printable(given, 60) + "' can't be imported",
                          "these can: " + joined(huggingFaceArchitectures(), ", "), "/model_type");
    }
    ConfigReader c(json);
    TransformerDesign d;
    readSizes(c, architecture->usual, d);
    const std::int64_t positions = d.positionRows();
    architecture->adapt(c, d);
    Imported imported;
    imported.name = c.text({"_name_or_path", "name_or_path"});
    imported.weightType = c.text({"torch_dtype", "dtype"});
    (void)c.find({"model_type", "architectures"});
    if (imported.name.empty())
        imported.name = architecture->name;
    imported.sequence = positions;
    imported.notes = notesOf(c, classOf(json), d);
    if (c.error())
        return tl::unexpected<Error>(*c.error());
    if (const auto sound = check(d); !sound) {
        Error error = sound.error();
        error.place = "the sizes of this config";
        return tl::unexpected<Error>(error);
    }
    imported.model.design = d;
    return imported;
}

} // namespace outlay::core
