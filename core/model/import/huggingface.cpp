// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/import/huggingface.h"

#include "core/base/person.h"
#include "core/base/text.h"
#include "core/model/import/huggingface_architectures.h"

#include <algorithm>
#include <cctype>

namespace outlay::core {
namespace {

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

/// By `model_type`, or in files that are older than that key by the name that the saved class starts with.
const Architecture* architectureOf(const Json& json)
{
    const Json* type = json.find("model_type");
    if (type != nullptr && type->asString() != nullptr) {
        std::string name = *type->asString();
        if (name.starts_with("RefinedWeb"))
            name = "falcon"; // its first name
        const auto rows = architectures();
        const auto row = std::find_if(rows.begin(), rows.end(),
                                      [&](const Architecture& a) { return a.name == name; });
        return row == rows.end() ? nullptr : &*row;
    }
    // "GemmaForCausalLM", "BertModel": others go on before these, as "Gemma3ForCausalLM" does.
    constexpr std::array<std::string_view, 6> Ends{"for",          "model",       "lmhead",
                                                   "encodermodel", "doubleheads", "pretrained"};
    const std::string saved = lettersOf(classOf(json));
    for (const Architecture& row : architectures()) {
        const std::string name = lettersOf(row.name);
        const bool isOf = saved.starts_with(name) &&
                          std::any_of(Ends.begin(), Ends.end(), [&](std::string_view end) {
                              return std::string_view(saved).substr(name.size()).starts_with(end);
                          });
        if (isOf)
            return &row;
    }
    return nullptr;
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

/// T5's encoder alone.
void keepEncoderOnly(TransformerDesign& d)
{
    d.kind = TransformerKind::Encoder;
    d.decoderLayers.reset();
    d.normPosition = NormPosition::Before;
    d.tokenTypes = 0;
    d.embeddingNorm = false;
    d.pooler = false;
    d.tiedEmbeddings.reset();
}

/// What the class that was saved has beside the bare model.
void adaptToClass(ConfigReader& c, const std::string& saved, TransformerDesign& d)
{
    if (saved.empty())
        return;
    const bool isBare =
        saved.ends_with("Model") && !saved.ends_with("HeadsModel") && !saved.ends_with("HeadModel");
    const bool isGenerator = saved.ends_with("LMHeadModel") || saved.ends_with("ForCausalLM") ||
                             saved.ends_with("ForConditionalGeneration") ||
                             saved.ends_with("HeadsModel");
    if (saved.ends_with("EncoderModel") && d.hasEncoder())
        keepEncoderOnly(d);
    else if (d.isEncoder() && !isBare)
        c.note("the bare encoder was taken" + std::string(d.hasPooler() ? " with its pooler" : "") +
               "; the head of " + printable(saved, 60) + " is not counted.");
    else if (!d.isEncoder() && !isGenerator) {
        d.languageHead = false;
        if (!isBare)
            c.note("the head of " + printable(saved, 60) + " is not counted.");
    }
}

/// Weights that are stored in fewer bits than the config's type says.
std::string quantizedType(ConfigReader& c)
{
    const Json* given = c.find({"quantization_config"});
    if (given == nullptr || given->asObject() == nullptr)
        return {};
    ConfigReader q(*given, "/quantization_config");
    const std::string method = q.text({"quant_method"});
    if (method == "fp8" || method == "mxfp4")
        return method;
    const bool isFour = q.flag({"load_in_4bit"}, false);
    const bool isEight = q.flag({"load_in_8bit"}, false);
    const std::int64_t bits = q.size({"bits", "w_bit"}, {1, 64}, isFour ? 4 : isEight ? 8 : 0);
    if (bits != 4 && bits != 8) {
        c.note(
            "`quantization_config` was ignored; set /serving/precision to what the weights have.");
        return {};
    }
    return bits == 4 ? "int4" : "int8";
}

std::vector<std::string> notesOf(const ConfigReader& c)
{
    std::vector<std::string> notes = c.notes();
    const std::vector<std::string> ignored = c.ignored();
    if (ignored.empty())
        return notes;
    constexpr std::size_t MostNamed = 40;
    const std::size_t count = std::min(ignored.size(), MostNamed);
    const std::vector<std::string_view> words(ignored.begin(),
                                              ignored.begin() + static_cast<std::ptrdiff_t>(count));
    const std::string rest =
        ignored.size() > count ? " and " + std::to_string(ignored.size() - count) + " more" : "";
    notes.push_back("keys without effect on the design were ignored: " + joined(words, ", ") +
                    rest + ".");
    return notes;
}

} // namespace

std::vector<std::string_view> huggingFaceArchitectures()
{
    std::vector<std::string_view> names;
    for (const Architecture& row : architectures())
        names.push_back(row.name);
    return names;
}

bool looksLikeHuggingFace(const Json& json)
{
    return json.find("model_type") != nullptr || json.find("architectures") != nullptr;
}

namespace {

tl::unexpected<Error> unknownArchitecture(const Json& json)
{
    const Json* type = json.find("model_type");
    const bool isNamed = type != nullptr && type->asString() != nullptr;
    const std::string given = isNamed ? *type->asString() : classOf(json);
    if (given.empty())
        return inputError("the config names no architecture", "add its `model_type`",
                          "/model_type");
    return inputError("the architecture " + inQuotes(given) + " can't be imported",
                      "these can: " + joined(huggingFaceArchitectures(), ", "), "/model_type");
}

/// With what is said around the part for text of the whole model, its name first of all.
Json withSurroundings(Json part, const Json& whole)
{
    for (const char* name : {"_name_or_path", "name_or_path"})
        part.erase(name);
    for (const char* key : {"_name_or_path", "name_or_path", "architectures", "torch_dtype",
                            "dtype", "quantization_config", "tie_word_embeddings", "vocab_size"}) {
        const Json* value = whole.find(key);
        if (value != nullptr && part.find(key) == nullptr)
            part.set(key, *value);
    }
    return part;
}

/// `pointer` is where `json` stands in the file.
Result<Imported> imported(const Json& json, const Architecture& architecture,
                          const std::string& pointer)
{
    ConfigReader c(json, pointer);
    TransformerDesign d;
    readSizes(c, architecture.usual, d);
    const std::int64_t positions = d.positionRows();
    architecture.adapt(c, d);
    Imported result;
    result.name = withoutPerson(c.text({"_name_or_path", "name_or_path"}));
    result.weightType = c.text({"torch_dtype", "dtype"});
    if (std::string type = quantizedType(c); !type.empty())
        result.weightType = std::move(type);
    (void)c.find({"model_type", "architectures"});
    adaptToClass(c, classOf(json), d);
    if (result.name.empty())
        result.name = architecture.name;
    result.sequence = positions;
    result.notes = notesOf(c);
    if (c.error())
        return tl::unexpected<Error>(*c.error());
    if (const auto sound = check(d); !sound) {
        Error error = sound.error();
        error.place = "the sizes of this config";
        return tl::unexpected<Error>(error);
    }
    result.model.design = d;
    // A size that follows from others, such as four times the hidden one, may be beyond its limits.
    if (const auto read = readModel(fieldsOf(result.model), ""); !read)
        return failureOf(read);
    return result;
}

} // namespace

Result<Imported> importHuggingFace(const Json& json)
{
    // Of a model that sees or hears, too.
    const Json* text = json.find("text_config");
    const bool hasPart = text != nullptr && text->asObject() != nullptr;
    const Architecture* ofText = hasPart ? architectureOf(*text) : nullptr;
    if (ofText != nullptr) {
        auto part = imported(withSurroundings(*text, json), *ofText, "/text_config");
        if (part)
            part->notes.insert(part->notes.begin(), "the text model (`text_config`) was taken; "
                                                    "what sees or hears is not counted.");
        return part;
    }
    const Architecture* architecture = architectureOf(json);
    return architecture == nullptr ? unknownArchitecture(json) : imported(json, *architecture, {});
}

} // namespace outlay::core
