// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/import/safetensors.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/model/limits.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace outlay::core {
namespace {

constexpr std::uint64_t LengthBytes = 8;
constexpr std::uint64_t LargestHeader = 64U << 20U;

struct ElementType {
    std::string_view name;
    std::int64_t bits;
};
constexpr std::array<ElementType, 20> ElementTypes{
    {{"F64", 64},    {"F32", 32},    {"F16", 16},    {"BF16", 16},   {"F8_E4M3", 8},
     {"F8_E5M2", 8}, {"F8_E8M0", 8}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F4", 4},
     {"C64", 64},    {"I64", 64},    {"I32", 32},    {"I16", 16},    {"I8", 8},
     {"U64", 64},    {"U32", 32},    {"U16", 16},    {"U8", 8},      {"BOOL", 8}}};

std::uint64_t headerLength(std::string_view start)
{
    std::uint64_t length = 0; // little-endian
    for (std::size_t i = LengthBytes; i-- > 0;)
        length = length << 8U | static_cast<unsigned char>(start[i]);
    return length;
}

struct Tensor {
    std::string name;
    std::string type;
    std::int64_t elements = 0;
    std::size_t axes = 0;
    std::int64_t begin = 0; // of its data
    std::int64_t end = 0;
};

Result<Tensor> readTensor(const JsonMember& member, std::uint64_t dataBytes)
{
    const std::string place = "tensor '" + printable(member.key, 80) + "'";
    const auto broken = [&](std::string what) {
        return inputError(std::move(what), "save the file again", place);
    };
    const Json* type = member.value.find("dtype");
    const Json* shape = member.value.find("shape");
    const Json* offsets = member.value.find("data_offsets");
    if (type == nullptr || type->asString() == nullptr || shape == nullptr ||
        shape->asArray() == nullptr || offsets == nullptr || offsets->asArray() == nullptr ||
        offsets->asArray()->size() != 2)
        return broken("its type, shape or data_offsets are missing");
    const auto known =
        std::find_if(ElementTypes.begin(), ElementTypes.end(),
                     [&](const ElementType& t) { return t.name == *type->asString(); });
    if (known == ElementTypes.end())
        return inputError("its type '" + printable(*type->asString(), 20) + "' is unknown",
                          "save it in a type that this Outlay knows, such as BF16", place);
    Tensor tensor{member.key, *type->asString(), 1, shape->asArray()->size()};
    for (const Json& size : *shape->asArray()) {
        const std::int64_t* count = size.asInteger();
        if (count == nullptr || *count < 0 ||
            __builtin_mul_overflow(tensor.elements, *count, &tensor.elements) ||
            static_cast<double>(tensor.elements) > MostParameters)
            return broken("its shape holds a size that can't be");
    }
    const std::int64_t* begin = offsets->asArray()->front().asInteger();
    const std::int64_t* end = offsets->asArray()->back().asInteger();
    const bool isInside = begin != nullptr && end != nullptr && *begin >= 0 && *end >= *begin &&
                          static_cast<std::uint64_t>(*end) <= dataBytes;
    if (!isInside)
        return broken("its data lie outside of the file");
    if ((tensor.elements * known->bits + 7) / 8 != *end - *begin)
        return broken("its data have " + std::to_string(*end - *begin) +
                      " bytes, which is not what its shape needs");
    tensor.begin = *begin;
    tensor.end = *end;
    return tensor;
}

/// Data that belong to two tensors would be counted twice.
Result<void> checkApart(std::vector<Tensor> tensors)
{
    std::sort(tensors.begin(), tensors.end(),
              [](const Tensor& a, const Tensor& b) { return a.begin < b.begin; });
    for (std::size_t i = 1; i < tensors.size(); ++i) {
        if (tensors[i].begin < tensors[i - 1].end && tensors[i].end > tensors[i].begin)
            return inputError(
                "it shares its data with '" + printable(tensors[i - 1].name, 80) + "'",
                "save the file again", "tensor '" + printable(tensors[i].name, 80) + "'");
    }
    return {};
}

/// "model.layers.0.mlp.up_proj.weight" -> "model.layers.0.mlp.up_proj" with `cut` 1.
std::string modulePath(std::string_view name, int cut)
{
    for (int i = 0; i < cut; ++i) {
        const std::size_t dot = name.rfind('.');
        if (dot == std::string_view::npos)
            break;
        name = name.substr(0, dot);
    }
    return printable(name, 120);
}

std::string_view lastPart(std::string_view path)
{
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

/// Tables are looked up, not multiplied; only the names that models give them tell them apart.
bool isTable(std::string_view name)
{
    constexpr std::array<std::string_view, 14> Tables{"wte",
                                                      "wpe",
                                                      "embed_tokens",
                                                      "embed_positions",
                                                      "embed_in",
                                                      "word_embeddings",
                                                      "position_embeddings",
                                                      "token_type_embeddings",
                                                      "tok_embeddings",
                                                      "embedding",
                                                      "embeddings",
                                                      "shared",
                                                      "relative_attention_bias",
                                                      "word_embeddings_layernorm"};
    const std::string module = modulePath(name, 1);
    return std::find(Tables.begin(), Tables.end(), lastPart(module)) != Tables.end();
}

/// What is stored beside the weights: numbers of positions, masks.
bool isBuffer(const Tensor& tensor)
{
    return tensor.type == "I64" || tensor.type == "BOOL" || tensor.name.ends_with("position_ids") ||
           tensor.name.ends_with("masked_bias") || tensor.name.ends_with("inv_freq") ||
           (tensor.name.ends_with("attn.bias") && tensor.axes == 4) ||
           (tensor.name.ends_with("attention.bias") && tensor.axes == 4);
}

bool isPacked(const Tensor& tensor)
{
    return tensor.name.ends_with(".qweight") || tensor.name.ends_with(".qzeros") ||
           tensor.type == "U8";
}

/// The first number in the path, which is the layer's: "model.layers.12.mlp" -> 13.
std::int64_t blockOf(const std::string& path)
{
    constexpr std::size_t MostDigits = 5;
    for (const std::string& part : split(path, '.')) {
        const bool isNumber =
            !part.empty() && part.size() <= MostDigits &&
            std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (isNumber)
            return std::stoll(part) + 1;
    }
    return 0;
}

std::vector<Layer> grouped(const std::vector<Tensor>& tensors, int cut)
{
    std::vector<Layer> layers;
    std::map<std::string, std::size_t> rows;
    for (const Tensor& tensor : tensors) {
        const std::string path = modulePath(tensor.name, cut);
        const auto [row, isNew] = rows.emplace(path, layers.size());
        if (isNew)
            layers.push_back({path, Weights{}, Stream::Tokens, blockOf(path)});
        auto& weights = std::get<Weights>(layers[row->second].spec);
        weights.elements += tensor.elements;
        if (tensor.axes >= 2 && !isTable(tensor.name) && !isBuffer(tensor))
            weights.matrixElements += tensor.elements;
    }
    return layers;
}

std::vector<Layer> layersOf(const std::vector<Tensor>& tensors)
{
    constexpr std::size_t MostRows = 4096;
    constexpr int DeepestCut = 8;
    std::vector<Layer> layers = grouped(tensors, 1);
    for (int cut = 2; layers.size() > MostRows && cut <= DeepestCut; ++cut)
        layers = grouped(tensors, cut);
    if (layers.size() <= MostRows)
        return layers;
    // Names without a structure: the rest is one row.
    Weights rest;
    for (std::size_t i = MostRows - 1; i < layers.size(); ++i) {
        rest.elements += std::get<Weights>(layers[i].spec).elements;
        rest.matrixElements += std::get<Weights>(layers[i].spec).matrixElements;
    }
    layers.resize(MostRows - 1);
    layers.push_back({"all others", rest});
    return layers;
}

struct TypeCount {
    std::string type;
    std::int64_t elements = 0;
};

/// Elements by type, the most first.
std::vector<TypeCount> typesOf(const std::vector<Tensor>& tensors)
{
    std::map<std::string, std::int64_t> counts;
    for (const Tensor& tensor : tensors)
        counts[tensor.type] += tensor.elements;
    std::vector<TypeCount> rows;
    for (const auto& [type, elements] : counts)
        rows.push_back({type, elements});
    std::stable_sort(rows.begin(), rows.end(), [](const TypeCount& a, const TypeCount& b) {
        return a.elements > b.elements;
    });
    return rows;
}

Result<std::vector<Tensor>> readHeader(const std::string& path)
{
    auto start = loadFileStart(path, LengthBytes);
    if (!start)
        return failureOf(start);
    if (start->bytes.size() < LengthBytes)
        return inputError("the file is too short to be safetensors",
                          "check that it was copied whole");
    const std::uint64_t length = headerLength(start->bytes);
    if (length > start->fileSize - LengthBytes || length > LargestHeader)
        return inputError("the header claims " + std::to_string(length) + " bytes of a file of " +
                              std::to_string(start->fileSize),
                          "check that it was copied whole");
    start = loadFileStart(path, LengthBytes + length);
    if (!start)
        return failureOf(start);
    const auto json = readJson(std::string_view(start->bytes).substr(LengthBytes));
    if (!json)
        return failureOf(json);
    if (json->asObject() == nullptr)
        return inputError("the header is " + std::string(json->typeName()), "save the file again");
    std::vector<Tensor> tensors;
    double total = 0;
    for (const JsonMember& member : *json->asObject()) {
        if (member.key == "__metadata__")
            continue;
        auto tensor = readTensor(member, start->fileSize - LengthBytes - length);
        if (!tensor)
            return failureOf(tensor);
        total += static_cast<double>(tensor->elements);
        tensors.push_back(std::move(*tensor));
    }
    if (tensors.empty() || total > MostParameters)
        return inputError(tensors.empty() ? "the file holds no tensors"
                                          : "the tensors are too large",
                          "give the file of a model");
    if (const auto apart = checkApart(tensors); !apart)
        return failureOf(apart);
    return tensors;
}

} // namespace

bool looksLikeSafetensors(std::string_view start)
{
    // No header fills its length to the last byte, and no text holds a zero byte.
    return start.size() > LengthBytes && start[LengthBytes] == '{' &&
           start.substr(0, LengthBytes).find('\0') != std::string_view::npos;
}

Result<Imported> importSafetensors(const std::string& path)
{
    const auto tensors = readHeader(path);
    if (!tensors)
        return tl::unexpected<Error>(tensors.error().in(path));
    Imported imported;
    imported.name = std::filesystem::path(path).stem().string();
    imported.model.design = LayerListDesign{layersOf(*tensors)};
    std::string types;
    for (const TypeCount& row : typesOf(*tensors)) {
        types +=
            (types.empty() ? "" : ", ") + outlay::core::grouped(row.elements) + " of " + row.type;
        if (imported.weightType.empty())
            imported.weightType = row.type;
    }
    imported.notes.push_back("elements as stored: " + types + ".");
    std::int64_t buffers = 0;
    for (const Tensor& tensor : *tensors)
        buffers += isBuffer(tensor) ? tensor.elements : 0;
    if (buffers > 0)
        imported.notes.push_back(outlay::core::grouped(buffers) +
                                 " of the elements are masks or position numbers, not weights.");
    if (std::any_of(tensors->begin(), tensors->end(), isPacked))
        imported.notes.emplace_back("some tensors look packed (several weights in one element); "
                                    "they are counted as stored.");
    imported.notes.emplace_back(
        "a safetensors header says how many weights there are, not how they are used: matrices are "
        "taken to multiply each token, and activations are not counted; the config.json beside it "
        "gives more.");
    return imported;
}

} // namespace outlay::core
