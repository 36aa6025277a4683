// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/parameters.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/model/limits.h"

namespace outlay::core {
namespace {

// Each formula is written once for both number types N.

template <typename N>
N matrix(std::int64_t inputs, std::int64_t outputs, bool bias)
{
    return (static_cast<N>(inputs) + (bias ? 1 : 0)) * static_cast<N>(outputs);
}

template <typename N>
N count(const Embedding& l)
{
    return static_cast<N>(l.rows) * static_cast<N>(l.width);
}

template <typename N>
N count(const RelativeBias& l)
{
    return static_cast<N>(l.buckets) * static_cast<N>(l.heads);
}

template <typename N>
N count(const Recurrent& l)
{
    const N fed =
        static_cast<N>(l.inputs) + static_cast<N>(l.output()) + static_cast<N>(l.biasSets);
    const N gates = static_cast<N>(gatesOf(l.cell)) * static_cast<N>(l.hidden) * fed;
    return static_cast<N>(l.directions()) * (gates + matrix<N>(l.hidden, l.projection, false));
}

template <typename N>
N count(const GatedRecurrent& l)
{
    return 3 * matrix<N>(l.inputs, l.key, true) + matrix<N>(l.inputs, l.value, true) +
           matrix<N>(l.value, l.output, true);
}

// What reads the stream has biases; a norm's scale lies between two products.

template <typename N>
N queries(const Attention& l, bool biases)
{
    if (l.queryRank == 0)
        return matrix<N>(l.width, l.queryWidth(), biases);
    return matrix<N>(l.width, l.queryRank, biases) + static_cast<N>(l.queryRank) +
           matrix<N>(l.queryRank, l.queryWidth(), false);
}

template <typename N>
N keysAndValues(const Attention& l, bool biases)
{
    if (!l.isLatent())
        return matrix<N>(l.memory, l.keyWidth(), biases) +
               matrix<N>(l.memory, l.valueWidth(), biases);
    return matrix<N>(l.memory, l.latentWidth(), biases) + static_cast<N>(l.latent) +
           matrix<N>(l.latent, l.fromLatent(), false);
}

template <typename N>
N scales(const Attention& l)
{
    switch (l.qkNorm) {
    case QkNorm::None: break;
    case QkNorm::Rms: return 2 * static_cast<N>(l.headSize);
    case QkNorm::Layer: return 4 * static_cast<N>(l.headSize);
    case QkNorm::RmsOfAll: return static_cast<N>(l.queryWidth()) + static_cast<N>(l.keyWidth());
    }
    return 0;
}

template <typename N>
N count(const Attention& l)
{
    const bool hasInnerBiases =
        l.biases == AttentionBiases::Qkv || l.biases == AttentionBiases::All;
    const bool hasOuterBiases =
        l.biases == AttentionBiases::Output || l.biases == AttentionBiases::All;
    return queries<N>(l, hasInnerBiases) + keysAndValues<N>(l, hasInnerBiases) +
           matrix<N>(l.mixedWidth(), l.width, hasOuterBiases) + scales<N>(l) +
           static_cast<N>(l.sinks ? l.heads : 0);
}

template <typename N>
N count(const FeedForward& l)
{
    return (l.gated ? 2 : 1) * matrix<N>(l.width, l.inner, l.biases) +
           matrix<N>(l.inner, l.width, l.biases);
}

template <typename N>
N count(const Experts& l)
{
    return matrix<N>(l.expert.width, l.count, l.expert.biases) +
           static_cast<N>(l.count) * count<N>(l.expert);
}

template <typename N>
N count(const Norm& l)
{
    return static_cast<N>(l.width) *
           static_cast<N>((l.scale ? 1 : 0) + (l.bias ? 1 : 0) + l.statistics);
}

template <typename N>
N count(const Dense& l)
{
    return l.tied ? static_cast<N>(l.bias ? l.outputs : 0) : matrix<N>(l.inputs, l.outputs, l.bias);
}

template <typename N>
N count(const Dropout&)
{
    return 0;
}

template <typename N>
N count(const Weights& l)
{
    return static_cast<N>(l.elements);
}

} // namespace

std::int64_t parametersOf(const LayerSpec& spec)
{
    return std::visit([](const auto& layer) { return count<std::int64_t>(layer); }, spec);
}

std::int64_t parametersOf(const LayerKinds& layers)
{
    std::int64_t total = 0;
    for (const auto& [layer, count] : layers.kinds())
        total += static_cast<std::int64_t>(count) * parametersOf(layer.spec);
    return total;
}

Model shallow(Model model, std::int64_t depth, std::int64_t decoderDepth)
{
    struct Visitor {
        std::int64_t depth;
        std::int64_t decoderDepth;

        void operator()(TransformerDesign& d) const
        {
            // So that few layers are of all kinds.
            d.denseLayers = std::min(d.denseLayers, depth / 2);
            d.expertStep = std::min(d.expertStep, std::max<std::int64_t>(1, depth / 2));
            if (d.hasEncoder())
                d.decoderLayers = std::min(d.decoderLayerCount(), decoderDepth);
            d.layers = std::min(d.layers, depth);
        }
        void operator()(RecurrentDesign& d) const
        {
            if (d.hidden.size() <= 1) // else there is one for each
                d.layers = std::min(d.layers, depth);
        }
        void operator()(GatedRnnDesign& d) const { d.layers = std::min(d.layers, depth); }
        void operator()(MlpDesign& /*d*/) const {}
        void operator()(LayerListDesign& /*d*/) const {}
    };
    std::visit(Visitor{depth, decoderDepth}, model.design);
    return model;
}

namespace {

double sizeOfKinds(const Model& model)
{
    double sum = 0;
    for (const Layer& layer : expand(model))
        sum += std::visit([](const auto& l) { return count<double>(l); }, layer.spec);
    return sum;
}

struct Depths {
    double layers = 0;
    double decoderLayers = 0;
};

Depths depthsOf(const Model& model)
{
    struct Visitor {
        Depths operator()(const TransformerDesign& d) const
        {
            return {real(d.layers), d.hasEncoder() ? real(d.decoderLayerCount()) : 0};
        }
        Depths operator()(const RecurrentDesign& d) const
        {
            return {d.hidden.size() <= 1 ? real(d.layers) : 0, 0};
        }
        Depths operator()(const GatedRnnDesign& d) const { return {real(d.layers), 0}; }
        Depths operator()(const MlpDesign& /*d*/) const { return {}; }
        Depths operator()(const LayerListDesign& /*d*/) const { return {}; }
    };
    return std::visit(Visitor(), model.design);
}

/// Of a design whose layers are all alike.
double sizeOfAlike(const Model& model)
{
    const auto total = [&](std::int64_t layers, std::int64_t decoderLayers) {
        return sizeOfKinds(shallow(model, layers, decoderLayers));
    };
    const Depths depths = depthsOf(model);
    const double few = total(FewLayers, FewLayers);
    double size = few;
    if (const double more = depths.layers - real(FewLayers); more > 0)
        size += more * (few - total(FewLayers - 1, FewLayers));
    if (const double more = depths.decoderLayers - real(FewLayers); more > 0)
        size += more * (few - total(FewLayers, FewLayers - 1));
    return size;
}

/// What layers of a stack save that have no experts where others have.
double savedByDense(const TransformerDesign& d, std::int64_t layers)
{
    std::int64_t dense = 0;
    for (std::int64_t number = 1; number <= layers; ++number)
        dense += d.hasExperts(number) ? 0 : 1;
    TransformerDesign routed = d;
    routed.denseLayers = 0;
    routed.expertStep = 1;
    TransformerDesign plain = d;
    plain.feedForward = d.denseInnerSize();
    plain.experts = 0;
    for (TransformerDesign* design : {&routed, &plain}) {
        design->layers = 1;
        design->decoderLayers = 0;
    }
    return real(dense) * (sizeOfKinds({.design = routed}) - sizeOfKinds({.design = plain}));
}

} // namespace

double sizeOf(const Model& model)
{
    const auto* transformer = std::get_if<TransformerDesign>(&model.design);
    const bool isMixed = transformer != nullptr && transformer->experts > 0 &&
                         (transformer->denseLayers > 0 || transformer->expertStep > 1);
    if (!isMixed)
        return sizeOfAlike(model);
    Model routed = model;
    auto& design = std::get<TransformerDesign>(routed.design);
    design.denseLayers = 0;
    design.expertStep = 1;
    double size = sizeOfAlike(routed) - savedByDense(*transformer, transformer->layers);
    if (transformer->hasEncoder())
        size -= savedByDense(*transformer, transformer->decoderLayerCount());
    return size;
}

Result<void> checkSize(const Model& model)
{
    const double total = sizeOf(model);
    if (total > MostParameters)
        return inputError("the design has about " + plainNumber(total) + " parameters",
                          "choose sizes that give at most 10^15");
    return {};
}

Result<ModelReading> readCheckedModel(const Json& json, const std::string& pointer)
{
    auto read = readModel(json, pointer);
    if (!read)
        return read;
    if (const auto size = checkSize(read->model); !size) {
        Error error = size.error();
        error.place = pointer;
        return tl::unexpected<Error>(error);
    }
    return read;
}

} // namespace outlay::core
