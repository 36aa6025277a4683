// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/weight_file.h"

#include "core/base/units.h"
#include "core/workload/parameters.h"
#include "core/workload/serving_work.h"
#include "core/workload/trained.h"

#include <algorithm>

namespace outlay::core {
namespace {

/// Which blocks keep their values and the way down of their feed-forward in more bits.
enum class Raised { None, First, Most };

/// Bits of a weight, with the scales of its group.
struct Mix {
    double matrices = 0;
    double raised = 0;
    Raised blocks = Raised::None;
    double embedding = 16;
    double output = 16;
    double rest = 16;        // norms, biases, positions, routers
    double bytesOfInput = 0; // for each input of a matrix
    double experts = 0;      // of their matrices; 0: as of others
    double valuesOfSharedKeys =
        0; // of the values that aren't raised, where eight queries share a key in 80 blocks
};

constexpr double Q4 = 4.5;
constexpr double Q5 = 5.5;
constexpr double Q6 = 6.5625;
constexpr double Q8 = 8.5;

constexpr Mix gguf(double matrices, double raised, Raised blocks, double output, double shared = 0)
{
    return {.matrices = matrices,
            .raised = raised,
            .blocks = blocks,
            .embedding = matrices,
            .output = output,
            .rest = 32,
            .valuesOfSharedKeys = shared};
}

Mix mixOf(WeightFormat format, const LayerKinds& layers)
{
    constexpr double InGroup = 128;
    constexpr double Grouped = 4 + 20 / InGroup; // a scale of 16 bits and a zero of 4
    constexpr double Blocked = 4 + 8.0 / 32;     // a scale of 8 bits
    switch (format) {
    case WeightFormat::Awq: return {.matrices = Grouped};
    case WeightFormat::Gptq: return {.matrices = Grouped, .bytesOfInput = 4};
    case WeightFormat::Q40: return gguf(Q4, Q4, Raised::None, Q6);
    case WeightFormat::Q4KS: return gguf(Q4, Q5, Raised::First, Q6, Q5);
    case WeightFormat::Q4KM: return gguf(Q4, Q6, Raised::Most, Q6, Q5);
    case WeightFormat::Q5KM: return gguf(Q5, Q6, Raised::Most, Q6);
    case WeightFormat::Q6K: return gguf(Q6, Q6, Raised::None, Q6);
    case WeightFormat::Q80: return gguf(Q8, Q8, Raised::None, Q8);
    case WeightFormat::Mxfp4: {
        // Where there are experts, of those alone.
        const double others = layers.has<Experts>() ? 16 : Blocked;
        return {.matrices = others, .raised = others, .experts = Blocked};
    }
    }
    return {};
}

/// Of all blocks, how many are raised.
struct RaisedBlocks {
    std::int64_t values = 0;
    std::int64_t down = 0;
};

RaisedBlocks raisedOf(Raised kind, std::int64_t blocks)
{
    constexpr std::int64_t FirstValues = 4;
    const std::int64_t eighth = blocks / 8;
    if (kind == Raised::None)
        return {};
    if (kind == Raised::First)
        return {std::min(FirstValues, blocks), eighth};
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < blocks; ++i)
        count += i < eighth || i >= 7 * blocks / 8 || (i - eighth) % 3 == 2 ? 1 : 0;
    return {count, count};
}

/// One layer's weights by how they are kept.
struct Parts {
    double matrices = 0;
    double values = 0; // of these
    double down = 0;   // of these
    double embedding = 0;
    double output = 0;
    double rest = 0;
    double inputs = 0; // of all matrices
};

Parts partsOf(const FeedForward& l, double copies)
{
    const double matrix = copies * real(l.width) * real(l.inner);
    const double ways = l.gated ? 2 : 1;
    return {.matrices = (ways + 1) * matrix,
            .down = matrix,
            .inputs = copies * (ways * real(l.width) + real(l.inner))};
}

Parts partsOf(const LayerSpec& spec, bool isTied)
{
    const double all = real(parametersOf(spec));
    Parts parts;
    if (std::holds_alternative<Attention>(spec)) {
        for (const Linear& linear : linearsOf(spec)) {
            parts.matrices += linear.elements();
            parts.values += linear.part == "value" ? linear.elements() : 0;
            parts.inputs += real(linear.inputs);
        }
    } else if (const auto* plain = std::get_if<FeedForward>(&spec)) {
        parts = partsOf(*plain, 1);
    } else if (const auto* experts = std::get_if<Experts>(&spec)) {
        parts = partsOf(experts->expert, real(experts->count));
    } else if (const auto* dense = std::get_if<Dense>(&spec); dense != nullptr && !dense->tied) {
        parts.output = real(dense->inputs) * real(dense->outputs);
    } else if (const auto* table = std::get_if<Embedding>(&spec)) {
        (isTied ? parts.output : parts.embedding) = real(table->rows) * real(table->width);
    }
    parts.rest = all - parts.matrices - parts.output - parts.embedding;
    return parts;
}

/// The table of words comes first; positions and segments have others behind it.
const LayerCount* wordsOf(const LayerKinds& layers)
{
    const auto& kinds = layers.kinds();
    const auto words = std::find_if(kinds.begin(), kinds.end(), [](const LayerCount& kind) {
        return std::holds_alternative<Embedding>(kind.layer.spec);
    });
    return words == kinds.end() ? nullptr : &*words;
}

/// Whether weights of that precision come so: its time follows from its bytes.
bool isOf(WeightFormat format, ServingPrecision precision)
{
    const bool isEight = format == WeightFormat::Q6K || format == WeightFormat::Q80;
    return precision == (isEight ? ServingPrecision::Int8 : ServingPrecision::Int4);
}

bool isTied(const LayerKinds& layers)
{
    const auto& kinds = layers.kinds();
    return std::any_of(kinds.begin(), kinds.end(), [](const LayerCount& kind) {
        const auto* dense = std::get_if<Dense>(&kind.layer.spec);
        return dense != nullptr && dense->tied;
    });
}

/// Of one kind of layer after the other, what its weights take.
class KeptBits {
public:
    KeptBits(const LayerKinds& layers, const Mix& mix)
        : m_mix(mix), m_words(wordsOf(layers)), m_areTied(isTied(layers))
    {
        for (const LayerKinds::Place& place : layers.places())
            m_blocks = std::max(m_blocks, place.block);
        m_raised = raisedOf(mix.blocks, m_blocks);
    }

    /// Of one layer of that kind.
    [[nodiscard]] double of(const LayerCount& kind) const
    {
        constexpr double BitsOfByte = 8;
        const LayerSpec& spec = kind.layer.spec;
        Parts parts = partsOf(spec, m_areTied);
        const bool isApart = m_mix.experts > 0 && std::holds_alternative<Experts>(spec);
        const double matrices = isApart ? m_mix.experts : m_mix.matrices;
        if (&kind != m_words && std::holds_alternative<Embedding>(spec))
            parts = {.rest = real(parametersOf(spec))};
        const double blocks = real(std::max<std::int64_t>(1, m_blocks));
        const double down = real(m_raised.down) / blocks * (m_mix.raised - m_mix.matrices);
        return parts.matrices * matrices + parts.values * raisedValues(spec) + parts.down * down +
               parts.embedding * m_mix.embedding + parts.output * m_mix.output +
               parts.rest * m_mix.rest + BitsOfByte * m_mix.bytesOfInput * parts.inputs;
    }

private:
    [[nodiscard]] double raisedValues(const LayerSpec& spec) const
    {
        constexpr std::int64_t Deep = 80;
        constexpr std::int64_t Shared = 8;
        const double share = real(m_raised.values) / real(std::max<std::int64_t>(1, m_blocks));
        double values = share * (m_mix.raised - m_mix.matrices);
        const auto* attention = std::get_if<Attention>(&spec);
        if (attention != nullptr && m_mix.valuesOfSharedKeys > 0 && m_blocks == Deep &&
            attention->heads == Shared * attention->kvHeads)
            values += (1 - share) * (m_mix.valuesOfSharedKeys - m_mix.matrices);
        return values;
    }

    const Mix& m_mix;
    const LayerCount* m_words;
    bool m_areTied;
    std::int64_t m_blocks = 0;
    RaisedBlocks m_raised;
};

double bytesIn(const LayerKinds& layers, const Mix& mix)
{
    constexpr double BitsOfByte = 8;
    const KeptBits kept(layers, mix);
    double bits = 0;
    for (const LayerCount& kind : layers.kinds())
        bits += kind.count * kept.of(kind);
    return bits / BitsOfByte;
}

} // namespace

bool hasWeightFormat(const Model& model, const Serving& serving)
{
    return bytesPerWeight(serving.precision) < 2 &&
           std::holds_alternative<TransformerDesign>(model.design) && generates(model);
}

std::optional<WeightFormat> weightFormatOf(const Model& model, const Serving& serving)
{
    if (!hasWeightFormat(model, serving) || serving.precision == ServingPrecision::Fp8)
        return std::nullopt;
    if (serving.weightFormat && isOf(*serving.weightFormat, serving.precision))
        return serving.weightFormat;
    const bool isLlamaCpp = engineOf(model, serving) == Engine::LlamaCpp;
    if (serving.precision == ServingPrecision::Int4)
        return isLlamaCpp ? WeightFormat::Q4KM : WeightFormat::Awq;
    return isLlamaCpp ? std::optional(WeightFormat::Q80) : std::nullopt;
}

namespace {

Mix mixOf(const Model& model, const LayerKinds& layers, const Serving& serving)
{
    constexpr double Bits = 8;
    if (const auto format = weightFormatOf(model, serving))
        return mixOf(*format, layers);
    if (hasWeightFormat(model, serving))
        return {.matrices = Bits};
    const double each = Bits * bytesPerWeight(serving.precision);
    return {.matrices = each, .embedding = each, .output = each, .rest = each};
}

} // namespace

ReadBytes readBytes(const Model& model, const LayerKinds& layers, const Serving& serving)
{
    constexpr double BitsOfByte = 8;
    const Mix mix = mixOf(model, layers, serving);
    const KeptBits kept(layers, mix);
    struct Sum {
        double bits = 0;
        double numbers = 0;
        [[nodiscard]] double bytes() const { return numbers > 0 ? bits / numbers / BitsOfByte : 0; }
    };
    Sum matrices;
    Sum experts;
    for (const LayerCount& kind : layers.kinds()) {
        const LayerSpec& spec = kind.layer.spec;
        if (std::holds_alternative<Embedding>(spec) || std::holds_alternative<Dense>(spec))
            continue;
        Sum& sum = std::holds_alternative<Experts>(spec) ? experts : matrices;
        sum.bits += kind.count * kept.of(kind);
        sum.numbers += kind.count * real(parametersOf(spec));
    }
    return {matrices.bytes(), experts.bytes(), mix.output / BitsOfByte};
}

double weightBytes(const LayerKinds& layers, WeightFormat format)
{
    return bytesIn(layers, mixOf(format, layers));
}

double latentWeightBytes(const Model& model, const LayerKinds& layers, const Serving& serving)
{
    constexpr double BitsOfByte = 8;
    const Mix mix = mixOf(model, layers, serving);
    double bits = 0;
    for (const auto& [layer, count] : layers.kinds()) {
        const auto* attention = std::get_if<Attention>(&layer.spec);
        if (attention == nullptr || !attention->isLatent())
            continue;
        const Parts parts = partsOf(layer.spec, false);
        bits += count * (parts.matrices * mix.matrices + parts.rest * mix.rest +
                         BitsOfByte * mix.bytesOfInput * parts.inputs);
    }
    return bits / BitsOfByte;
}

double weightBytes(const Model& model, const LayerKinds& layers, const Serving& serving)
{
    return bytesIn(layers, mixOf(model, layers, serving));
}

Note weightNote(const Model& model, const Serving& serving)
{
    if (const auto format = weightFormatOf(model, serving)) {
        const auto* transformer = std::get_if<TransformerDesign>(&model.design);
        const bool isOfExperts = *format == WeightFormat::Mxfp4 && transformer->experts > 0;
        return (isOfExperts ? "experts as " : "weights as ") +
               std::string(WeightFormatTitles.at(static_cast<std::size_t>(*format))) +
               " keeps them" + (isOfExperts ? ", the rest in 16 bits" : "");
    }
    return hasWeightFormat(model, serving) ? Note("embeddings and output in 16 bits") : Note();
}

} // namespace outlay::core
