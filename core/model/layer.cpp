// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer.h"

#include "core/model/limits.h"

namespace outlay::core {
namespace {

void describe(FieldVisitor& v, Embedding& l)
{
    v.integer(required("rows", "number of rows", Vocabularies), l.rows);
    v.integer(required("width", "width", Widths), l.width);
}

void describe(FieldVisitor& v, RelativeBias& l)
{
    v.integer(required("buckets", "number of distance buckets", Widths), l.buckets);
    v.integer(required("heads", "number of heads", Heads), l.heads);
}

void describe(FieldVisitor& v, Recurrent& l)
{
    v.integer(required("inputs", "number of inputs", Widths), l.inputs);
    v.integer(required("hidden", "state size", Widths), l.hidden);
    v.integer(optional("projection", "projected size (0: none)", OptionalWidths), l.projection);
    v.integer({"bias_sets", "number of bias vectors per gate", 0, 2}, l.biasSets);
    v.flag({"bidirectional", "runs in both directions"}, l.bidirectional);
    v.flag({"returns_sequence", "hands on every step"}, l.returnsSequence);
}

void describe(FieldVisitor& v, GatedRecurrent& l)
{
    v.integer(required("inputs", "number of inputs", Widths), l.inputs);
    v.integer(required("key", "key size", Widths), l.key);
    v.integer(required("value", "value size", Widths), l.value);
    v.integer(required("output", "output size", Widths), l.output);
}

void describe(FieldVisitor& v, Attention& l)
{
    v.integer(required("width", "width of the stream", Widths), l.width);
    v.integer(required("memory", "width that keys and values are made from", Widths), l.memory);
    v.integer(required("heads", "number of heads", Heads), l.heads);
    v.integer(required("kv_heads", "number of key-value heads", Heads), l.kvHeads);
    v.integer(required("head_size", "size of a head", Widths), l.headSize);
    v.choice(optional("biases", "attention biases", {}), l.biases, AttentionBiasNames);
    v.flag({"cross", "attends to the encoder"}, l.isCross);
    v.flag({"causal", "no position sees those after it"}, l.isCausal);
    v.choice(optional("qk_norm", "norm over a head's queries and keys, or all heads'", {}),
             l.qkNorm, QkNormNames);
    v.flag({"dropout", "dropout while training"}, l.dropout);
    v.integer(optional("window", "window of visible positions (0: all)", OptionalWidths), l.window);
    v.flag({"sinks", "each head has a score for attending to nothing"}, l.sinks);
    v.integer(
        optional("query_rank", "numbers that queries are made of (0: the width)", OptionalWidths),
        l.queryRank);
    v.integer(optional("latent", "numbers that keys and values are made of (0: the memory's width)",
                       OptionalWidths),
              l.latent);
    v.integer(optional("shared_head_size", "size of a key's part that all heads share (latent)",
                       OptionalWidths),
              l.sharedSize);
    v.integer(optional("value_size", "size of a head's values (0: `head_size`)", OptionalWidths),
              l.valueSize);
}

void describe(FieldVisitor& v, FeedForward& l)
{
    v.integer(required("width", "width of the stream", Widths), l.width);
    v.integer(required("inner", "inner size", Widths), l.inner);
    v.flag({"gated", "gated with a third matrix"}, l.gated);
    v.flag({"biases", "has biases"}, l.biases);
    v.flag({"dropout", "dropout while training"}, l.dropout);
    v.flag({"norm_after", "a norm reads what it made"}, l.normAfter);
}

void describe(FieldVisitor& v, Experts& l)
{
    describe(v, l.expert);
    v.integer(required("count", "number of experts", Heads), l.count);
    v.integer(required("used", "experts used per token", Heads), l.used);
}

void describe(FieldVisitor& v, Norm& l)
{
    v.choice(optional("norm", "kind of norm", {}), l.kind, NormNames);
    v.integer(required("width", "width", Widths), l.width);
    v.flag({"scale", "has a scale"}, l.scale);
    v.flag({"bias", "has a bias"}, l.bias);
    v.integer({"statistics", "number of statistics vectors that are counted", 0, 2}, l.statistics);
}

void describe(FieldVisitor& v, Dense& l)
{
    v.integer(required("inputs", "number of inputs", Widths), l.inputs);
    v.integer(required("outputs", "number of outputs", Vocabularies), l.outputs);
    v.flag({"bias", "has a bias"}, l.bias);
    v.flag({"tied", "shares the embedding's matrix"}, l.tied);
    v.flag({"activation", "is followed by an activation"}, l.activation);
    v.choice(optional("use", "use of the outputs", {}), l.use, DenseUseNames);
}

void describe(FieldVisitor& v, Dropout& l)
{
    v.integer(required("width", "width", Widths), l.width);
    v.number({"share", "share dropped while training", 0, LargestDropout}, l.share);
}

void describe(FieldVisitor& v, Weights& l)
{
    v.integer(required("elements", "number of elements", {0, MostParameters}), l.elements);
    v.integer(optional("matrix_elements", "elements that multiply each token", {0, MostParameters}),
              l.matrixElements);
}

Result<void> check(const Attention& l)
{
    if (l.heads % l.kvHeads != 0)
        return inputError("the number of heads " + std::to_string(l.heads) +
                              " is not a multiple of " + std::to_string(l.kvHeads) +
                              " key-value heads",
                          "change one of them", "/kv_heads");
    if (l.sharedSize > 0 && !l.isLatent())
        return inputError("heads share a part of their keys only where those are made of a latent",
                          "give `latent`, or leave `shared_head_size` out", "/shared_head_size");
    if (!l.isLatent())
        return {};
    if (l.sharedSize >= l.headSize)
        return inputError("heads share all of their keys",
                          "give a size below " + std::to_string(l.headSize), "/shared_head_size");
    if (l.kvHeads != l.heads)
        return inputError("a latent makes keys and values of every head, not of " +
                              std::to_string(l.kvHeads) + " of " + std::to_string(l.heads),
                          "leave `kv_heads` out, or give as many as `heads`", "/kv_heads");
    if (l.isCross || l.qkNorm != QkNorm::None)
        return inputError("keys and values are made of a latent",
                          l.isCross ? "let this attention see its own tokens alone"
                                    : "leave out the norm over each head's keys",
                          l.isCross ? "/cross" : "/qk_norm");
    return {};
}

} // namespace

OUTLAY_VALUE_DEFAULTED(LayerSpec);

bool LayerSpec::operator==(const LayerSpec& other) const
{
    return static_cast<const AnyLayer&>(*this) == static_cast<const AnyLayer&>(other);
}

std::int64_t gatesOf(Cell cell)
{
    switch (cell) {
    case Cell::Lstm: return 4;
    case Cell::Gru: return 3;
    case Cell::Rnn: return 1;
    }
    return 0;
}

std::string_view kindOf(const LayerSpec& spec)
{
    constexpr std::array<std::string_view, std::variant_size_v<AnyLayer>> Names{
        "embedding", "relative-bias", "recurrent", "gated-rnn", "attention", "feed-forward",
        "experts",   "norm",          "dense",     "dropout",   "weights"};
    if (const auto* recurrent = std::get_if<Recurrent>(&spec))
        return CellNames.at(static_cast<std::size_t>(recurrent->cell));
    return Names.at(spec.index());
}

std::int64_t inputWidth(const LayerSpec& spec)
{
    struct Width {
        std::int64_t operator()(const Recurrent& l) const { return l.inputs; }
        std::int64_t operator()(const GatedRecurrent& l) const { return l.inputs; }
        std::int64_t operator()(const Dense& l) const { return l.inputs; }
        std::int64_t operator()(const Norm& l) const { return l.width; }
        std::int64_t operator()(const Attention& l) const { return l.width; }
        std::int64_t operator()(const FeedForward& l) const { return l.width; }
        std::int64_t operator()(const Experts& l) const { return l.expert.width; }
        std::int64_t operator()(const Dropout& l) const { return l.width; }
        std::int64_t operator()(const Embedding&) const { return 0; }
        std::int64_t operator()(const RelativeBias&) const { return 0; }
        std::int64_t operator()(const Weights&) const { return 0; }
    };
    return std::visit(Width{}, spec);
}

std::vector<LayerSpec> layerPrototypes()
{
    return {Embedding{},
            RelativeBias{},
            Recurrent{.cell = Cell::Lstm},
            Recurrent{.cell = Cell::Gru},
            Recurrent{.cell = Cell::Rnn},
            GatedRecurrent{},
            Attention{},
            FeedForward{},
            Experts{},
            Norm{},
            Dense{},
            Dropout{},
            Weights{}};
}

void describe(FieldVisitor& v, LayerSpec& spec)
{
    std::visit([&](auto& layer) { describe(v, layer); }, spec);
}

Result<void> check(const LayerSpec& spec)
{
    if (const auto* l = std::get_if<Recurrent>(&spec); l != nullptr && l->projection > 0) {
        if (l->cell != Cell::Lstm)
            return inputError("only an LSTM has a projected output", "leave `projection` out",
                              "/projection");
        if (l->projection >= l->hidden)
            return inputError("the projected size is not smaller than the state size",
                              "give a size below " + std::to_string(l->hidden), "/projection");
    }
    if (const auto* l = std::get_if<Attention>(&spec))
        return check(*l);
    if (const auto* l = std::get_if<Experts>(&spec); l != nullptr && l->used > l->count)
        return inputError("each token uses " + std::to_string(l->used) + " of " +
                              std::to_string(l->count) + " experts",
                          "use at most as many as there are", "/used");
    if (const auto* l = std::get_if<Weights>(&spec);
        l != nullptr && l->matrixElements > l->elements)
        return inputError("more elements multiply than there are", "give at most `elements`",
                          "/matrix_elements");
    return {};
}

} // namespace outlay::core
