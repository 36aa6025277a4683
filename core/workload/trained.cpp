// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/trained.h"

#include "core/base/units.h"
#include "core/workload/parameters.h"
#include "core/workload/training_work.h"

#include <algorithm>
#include <array>

namespace outlay::core {
namespace {

struct Linears {
    std::vector<Linear> operator()(const Attention& l) const
    {
        std::vector<Linear> all;
        if (l.queryRank > 0)
            all = {{"query_down", l.width, l.queryRank}, {"query", l.queryRank, l.queryWidth()}};
        else
            all = {{"query", l.width, l.queryWidth()}};
        const auto ofMemory = [&](std::string_view part, std::int64_t outputs) {
            all.push_back(
                {.part = part, .inputs = l.memory, .outputs = outputs, .isOfMemory = l.isCross});
        };
        if (l.isLatent()) {
            ofMemory("latent", l.latentWidth());
            all.push_back({"key_value", l.latent, l.fromLatent()});
        } else {
            ofMemory("key", l.keyWidth());
            ofMemory("value", l.valueWidth());
        }
        all.push_back({"output", l.mixedWidth(), l.width});
        return all;
    }
    std::vector<Linear> operator()(const FeedForward& l) const
    {
        std::vector<Linear> all{{"up", l.width, l.inner}, {"down", l.inner, l.width}};
        if (l.gated)
            all.push_back({"gate", l.width, l.inner});
        return all;
    }
    std::vector<Linear> operator()(const Experts& l) const
    {
        std::vector<Linear> all = (*this)(l.expert);
        for (Linear& linear : all) {
            linear.count = l.count;
            linear.used = real(l.used);
        }
        all.push_back({"router", l.expert.width, l.count});
        return all;
    }
    std::vector<Linear> operator()(const GatedRecurrent& l) const
    {
        return {{"query", l.inputs, l.key},
                {"key", l.inputs, l.key},
                {"gate", l.inputs, l.key},
                {"value", l.inputs, l.value},
                {"output", l.value, l.output}};
    }
    std::vector<Linear> operator()(const Dense& l) const
    {
        if (l.use == DenseUse::Logits || l.tied)
            return {};
        return {{"dense", l.inputs, l.outputs}};
    }
    std::vector<Linear> operator()(const Embedding&) const { return {}; }
    std::vector<Linear> operator()(const RelativeBias&) const { return {}; }
    std::vector<Linear> operator()(const Recurrent&) const { return {}; }
    std::vector<Linear> operator()(const Norm&) const { return {}; }
    std::vector<Linear> operator()(const Dropout&) const { return {}; }
    std::vector<Linear> operator()(const Weights&) const { return {}; }
};

bool isTarget(const Linear& linear, const Training& training)
{
    const auto& targets = training.adapterTargets;
    return targets.empty() ||
           std::find(targets.begin(), targets.end(), linear.part) != targets.end();
}

/// Layers that are trained whole beside adapters. One table may be the first and the last: then both names are its.
class WholeLayers {
public:
    WholeLayers(const LayerKinds& layers, const Training& training) : m_training(&training)
    {
        for (const LayerCount& kind : layers.kinds()) {
            const auto* dense = std::get_if<Dense>(&kind.layer.spec);
            if (dense != nullptr && dense->tied && (names("embedding") || names("output")))
                m_tiedRows = dense->outputs;
        }
    }

    [[nodiscard]] bool holds(const LayerSpec& spec, bool isHead) const
    {
        if (std::holds_alternative<Norm>(spec))
            return names("norm");
        if (const auto* table = std::get_if<Embedding>(&spec))
            return names("embedding") || table->rows == m_tiedRows;
        const auto* dense = std::get_if<Dense>(&spec);
        return dense != nullptr && (dense->tied ? m_tiedRows > 0 : isHead && names("output"));
    }

    /// A bias beside a table is the output's own.
    [[nodiscard]] double parametersIn(const LayerSpec& spec) const
    {
        const auto* dense = std::get_if<Dense>(&spec);
        const bool isTables = dense != nullptr && dense->tied && !names("output");
        return isTables ? 0 : real(parametersOf(spec));
    }

private:
    [[nodiscard]] bool names(std::string_view layer) const
    {
        const auto& all = m_training->trainedWhole;
        return std::find(all.begin(), all.end(), layer) != all.end();
    }

    const Training* m_training;
    std::int64_t m_tiedRows = 0;
};

Trained withAdapters(const LayerSpec& spec, const Training& training)
{
    Trained trained{.isWhole = false};
    for (const Linear& linear : linearsOf(spec)) {
        if (!isTarget(linear, training))
            continue;
        trained.parameters += real(linear.count) * adapterElements(linear, training.adapterRank);
        trained.adapted.push_back(linear);
    }
    return trained;
}

/// Nothing before the first adapter asks for a gradient.
void stopBelowAdapters(const LayerKinds& layers, std::vector<Trained>& trained)
{
    for (Trained& kind : trained)
        kind.isReached = kind.carriesOn = false;
    bool isAbove = false;
    for (const LayerKinds::Place& place : layers.places()) {
        Trained& kind = trained[place.kind];
        isAbove = isAbove || kind.parameters > 0;
        kind.isReached = kind.carriesOn = kind.isReached || isAbove;
    }
}

/// The kind of the last product of the design; that of no layer where there is none, or where it is a table's.
std::size_t headOf(const LayerKinds& layers)
{
    const auto& places = layers.places();
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
        const auto* dense = std::get_if<Dense>(&layers.kinds()[place->kind].layer.spec);
        if (dense != nullptr && place->block == 0) // a gate of blocks is none
            return dense->tied ? layers.kinds().size() : place->kind;
    }
    return layers.kinds().size();
}

/// Nothing reads what a block adds last, unless it is dropped in part or normed, or an adapter follows.
double unreadOf(const LayerSpec& spec, const Trained& trained)
{
    const auto* last = std::get_if<FeedForward>(&spec);
    const bool isAdapted = std::any_of(trained.adapted.begin(), trained.adapted.end(),
                                       [](const Linear& l) { return l.part == "down"; });
    if (last == nullptr || last->dropout || last->normAfter || isAdapted)
        return 0;
    return 1.0 / (last->gated ? 3 : 2);
}

/// What waits isn't made again anyway.
bool waitsForBack(const LayerSpec& spec, const Training& training)
{
    const std::vector<Linear> kept = training.recomputed == Recomputed::BetweenProducts
                                         ? keptLinears(spec)
                                         : std::vector<Linear>();
    return std::any_of(kept.begin(), kept.end(),
                       [](const Linear& linear) { return linear.part == "down"; });
}

void findUnread(const LayerKinds& layers, const Training& training, std::vector<Trained>& trained)
{
    for (std::size_t i = 0; i < trained.size(); ++i) {
        const LayerSpec& spec = layers.kinds()[i].layer.spec;
        trained[i].unread = waitsForBack(spec, training) ? 0 : unreadOf(spec, trained[i]);
    }
    const auto& places = layers.places();
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::int64_t next = i + 1 < places.size() ? places[i + 1].block : 0;
        if (places[i].block == 0 || places[i].block == next)
            trained[places[i].kind].unread = 0;
    }
}

} // namespace

double Linear::elements() const
{
    return real(inputs) * real(outputs);
}

std::vector<Linear> linearsOf(const LayerSpec& spec)
{
    return std::visit(Linears{}, spec);
}

double Trained::productsBack() const
{
    return (isWhole ? 1 : 0) + (carriesOn ? 1 : 0);
}

std::vector<Linear> keptLinears(const LayerSpec& spec)
{
    // Attention's four, or an expert's router and three, leave the next layer's first to be kept again; of attention's
    // five, by a rank of queries, one fewer is kept than counting on would.
    constexpr std::array<std::string_view, 12> Order{"router", "gate",      "query_down", "query",
                                                     "latent", "key_value", "key",        "value",
                                                     "up",     "down",      "output",     "dense"};
    std::vector<Linear> all = linearsOf(spec);
    const auto place = [&](const Linear& linear) {
        return std::find(Order.begin(), Order.end(), linear.part) - Order.begin();
    };
    std::sort(all.begin(), all.end(),
              [&](const Linear& a, const Linear& b) { return place(a) < place(b); });
    std::vector<Linear> kept;
    const std::size_t most = std::holds_alternative<Attention>(spec) ? 2 : all.size();
    for (std::size_t i = 0; i < all.size() && kept.size() < most; i += 2)
        kept.push_back(all[i]);
    return kept;
}

std::vector<Trained> trainedOf(const LayerKinds& layers, const Training& training)
{
    std::vector<Trained> all;
    all.reserve(layers.kinds().size());
    const std::size_t head = headOf(layers);
    const WholeLayers whole(layers, training);
    for (const auto& [layer, count] : layers.kinds()) {
        const bool isHead = all.size() == head;
        switch (training.method) {
        case Method::Full: all.push_back({.parameters = real(parametersOf(layer.spec))}); break;
        case Method::Lora:
            all.push_back(
                whole.holds(layer.spec, isHead)
                    ? Trained{.parameters = whole.parametersIn(layer.spec), .isCopied = true}
                    : withAdapters(layer.spec, training));
            break;
        case Method::Head:
            all.push_back({.parameters = isHead ? real(parametersOf(layer.spec)) : 0,
                           .isWhole = isHead,
                           .isReached = isHead,
                           .carriesOn = false});
            break;
        }
    }
    if (training.method == Method::Lora)
        stopBelowAdapters(layers, all);
    findUnread(layers, training, all);
    return all;
}

bool mayBeNarrow(const Layer& layer, const Trained& trained, const Training& training)
{
    const bool isRemade = !trained.isWhole && training.frozenWeights != FrozenWeights::Same;
    const bool hasSteps = std::holds_alternative<Recurrent>(layer.spec) ||
                          std::holds_alternative<GatedRecurrent>(layer.spec);
    return training.precision == Precision::Fp8 && layer.block != 0 && !hasSteps && !isRemade &&
           !linearsOf(layer.spec).empty();
}

bool maySomeBeNarrow(const LayerKinds& layers, const Training& training)
{
    const std::vector<Trained> all = trainedOf(layers, training);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (mayBeNarrow(layers.kinds()[i].layer, all[i], training))
            return true;
    }
    return false;
}

bool leavesUnread(const LayerKinds& layers, const Training& training)
{
    const std::vector<Trained> all =
        recomputes(training) ? trainedOf(layers, training) : std::vector<Trained>();
    return std::any_of(all.begin(), all.end(), [](const Trained& t) { return t.unread > 0; });
}

double trainableOf(const LayerKinds& layers, const Training& training)
{
    const std::vector<Trained> trained = trainedOf(layers, training);
    double total = 0;
    for (std::size_t i = 0; i < trained.size(); ++i)
        total += layers.kinds()[i].count * trained[i].parameters;
    return total;
}

Result<void> checkTrained(const Model& model, const Training& training)
{
    if (training.method == Method::Full)
        return {};
    const std::vector<Trained> trained =
        trainedOf(expand(shallow(model, FewLayers, FewLayers)), training);
    // Layers that are trained whole stand beside adapters, not for them.
    if (std::any_of(trained.begin(), trained.end(), [&](const Trained& t) {
            return training.method == Method::Head ? t.parameters > 0 : !t.adapted.empty();
        }))
        return {};
    if (training.method == Method::Head)
        return inputError("this design has no last layer of its own to train",
                          "train all of it (full) or adapters (lora)", "/training/method");
    const bool isChosen = !training.adapterTargets.empty();
    return inputError(isChosen ? "this design has none of the matrices that should get adapters"
                               : "this design has no matrix that an adapter could lie beside",
                      isChosen ? "leave the list empty for all of its matrices"
                               : "train all of it: \"full\"",
                      isChosen ? "/training/adapter_targets" : "/training/method");
}

double adapterElements(const Linear& linear, std::int64_t rank)
{
    return real(rank) * (real(linear.inputs) + real(linear.outputs));
}

double adapterRows(const Linear& linear, Stream stream, const Pass& pass)
{
    return linear.used * rowsOf(linear.isOfMemory ? Stream::Memory : stream, pass);
}

double adapterFlops(const Linear& linear, std::int64_t rank, double rows)
{
    return 2 * rows * adapterElements(linear, rank);
}

FrozenBytes frozenBytes(const Training& training)
{
    // With the rows that stay in 16 bits, and with the scales of blocks of 64, in blocks of 256.
    constexpr double Int8 = 1.02;
    constexpr double Nf4 = 0.5 + 1.0 / 64 + 4.0 / (64 * 256);
    const double same = bytesPerValue(training.precision);
    switch (training.frozenWeights) {
    case FrozenWeights::Same: return {same, same};
    case FrozenWeights::Int8: return {Int8, same};
    case FrozenWeights::Nf4: return {Nf4, same};
    }
    return {same, same};
}

double frozenBytesOf(const LayerSpec& spec, const Trained& trained, const FrozenBytes& bytes)
{
    if (trained.isWhole && !trained.isCopied)
        return 0;
    double matrices = 0;
    for (const Linear& linear : linearsOf(spec))
        matrices += real(linear.count) * linear.elements();
    return matrices * bytes.ofMatrices + (real(parametersOf(spec)) - matrices) * bytes.ofOthers;
}

double dequantisedBytes(const LayerKinds& layers, const Training& t)
{
    if (!hasFewBits(t))
        return 0;
    double largest = 0;
    for (const LayerCount& kind : layers.kinds()) {
        for (const Linear& linear : linearsOf(kind.layer.spec))
            largest = std::max(largest, linear.elements());
    }
    return largest * bytesPerValue(t.precision);
}

} // namespace outlay::core
