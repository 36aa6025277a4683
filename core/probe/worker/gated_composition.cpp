// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/gated_composition.h"

#include "core/probe/worker/gemm.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace outlay::worker {
namespace {

constexpr std::size_t PerLayer = 10; // five maps with weight and bias
constexpr std::size_t Parts = 4;     // query, key, gate, value

/// Where the rows of a map lie in the columns of a composed one.
struct Part {
    std::size_t weight; // number of the parameter; its bias is the next
    std::int64_t rows;
    std::int64_t offset;
};

std::size_t layerStart(std::size_t layer)
{
    return 1 + PerLayer * layer;
}

std::size_t headStart(const core::GatedRnnDesign& design)
{
    return layerStart(static_cast<std::size_t>(design.layers));
}

std::array<Part, Parts> partsOf(const GatedSizes& sizes, std::size_t layer)
{
    const std::size_t first = layerStart(layer);
    const core::GatedRnnDesign& d = sizes.design;
    return {{{first, d.key, 0},
             {first + 2, d.key, sizes.key},
             {first + 4, d.key, 2 * sizes.key},
             {first + 6, d.value, 3 * sizes.key}}};
}

/// The map under another one: [outputs, inputs], and its bias.
template <typename Real>
struct Inner {
    std::span<const Real> weight;
    std::span<const Real> bias;
    std::int64_t outputs;
    std::int64_t inputs;
};

template <typename Real>
Inner<Real> outputOf(const core::GatedRnnDesign& d,
                     const std::vector<std::span<const Real>>& parameters, std::size_t layer)
{
    const std::size_t at = layerStart(layer) + 2 * Parts;
    return {parameters[at], parameters[at + 1], d.output, d.value};
}

template <typename Real>
Real dot(const Real* a, const Real* b, std::int64_t count)
{
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i)
        sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return static_cast<Real>(sum);
}

/// to[:, part] = (part's weight x inner's weight)^T, and the biases.
template <typename Real>
void composePart(const Part& part, const std::vector<std::span<const Real>>& parameters,
                 const Inner<Real>& inner, Lines<Real>& to, Lines<Real>& bias)
{
    const Real* weight = parameters[part.weight].data();
    multiply<Real>({inner.inputs, part.rows, inner.outputs},
                   {inner.weight.data(), inner.inputs, true}, {weight, inner.outputs, true},
                   Result::Set, to.data() + part.offset, std::ssize(bias));
    for (std::int64_t i = 0; i < part.rows; ++i)
        bias[static_cast<std::size_t>(part.offset + i)] =
            parameters[part.weight + 1][static_cast<std::size_t>(i)] +
            dot(weight + i * inner.outputs, inner.bias.data(), inner.outputs);
}

template <typename Real>
struct PartGradients {
    const Lines<Real>& map;
    const Lines<Real>& bias;
    Real* innerWeight;
    Real* innerBias;
};

template <typename Real>
void decomposePart(const Part& part, const std::vector<std::span<const Real>>& parameters,
                   const Inner<Real>& inner, const PartGradients<Real>& from,
                   std::vector<std::vector<Real>>& to)
{
    const std::int64_t stride = std::ssize(from.bias);
    const Real* weight = parameters[part.weight].data();
    const Real* map = from.map.data() + part.offset;
    const Real* bias = from.bias.data() + part.offset;
    Real* weightGradient = to[part.weight].data();
    multiply<Real>({part.rows, inner.outputs, inner.inputs}, {map, stride, true},
                   {inner.weight.data(), inner.inputs, true}, Result::Set, weightGradient,
                   inner.outputs);
    multiply<Real>({inner.outputs, inner.inputs, part.rows}, {weight, inner.outputs, true},
                   {map, stride, true}, Result::Add, from.innerWeight, inner.inputs);
    for (std::int64_t i = 0; i < part.rows; ++i) {
        to[part.weight + 1][static_cast<std::size_t>(i)] = bias[i];
        for (std::int64_t j = 0; j < inner.outputs; ++j) {
            weightGradient[i * inner.outputs + j] +=
                bias[i] * inner.bias[static_cast<std::size_t>(j)];
            from.innerBias[j] += bias[i] * weight[i * inner.outputs + j];
        }
    }
}

template <typename Real>
void composeTable(const GatedSizes& sizes, const std::vector<std::span<const Real>>& parameters,
                  Lines<Real>& table)
{
    const core::GatedRnnDesign& d = sizes.design;
    for (const Part& part : partsOf(sizes, 0)) {
        multiply<Real>({d.vocabulary, part.rows, d.hidden}, {parameters[0].data(), d.hidden, false},
                       {parameters[part.weight].data(), d.hidden, true}, Result::Set,
                       table.data() + part.offset, sizes.projections);
        for (std::int64_t row = 0; row < d.vocabulary; ++row) {
            Real* to = table.data() + row * sizes.projections + part.offset;
            for (std::int64_t i = 0; i < part.rows; ++i)
                to[i] += parameters[part.weight + 1][static_cast<std::size_t>(i)];
        }
    }
}

template <typename Real>
void decomposeTable(const GatedSizes& sizes, const std::vector<std::span<const Real>>& parameters,
                    const Lines<Real>& table, std::vector<std::vector<Real>>& to)
{
    const core::GatedRnnDesign& d = sizes.design;
    for (const Part& part : partsOf(sizes, 0)) {
        const Matrix<Real> gradient{table.data() + part.offset, sizes.projections, false};
        multiply<Real>({d.vocabulary, d.hidden, part.rows}, gradient,
                       {parameters[part.weight].data(), d.hidden, false}, Result::Add, to[0].data(),
                       d.hidden);
        multiply<Real>({part.rows, d.hidden, d.vocabulary}, {gradient.data, gradient.stride, true},
                       {parameters[0].data(), d.hidden, false}, Result::Set, to[part.weight].data(),
                       d.hidden);
        std::vector<double> sums(static_cast<std::size_t>(part.rows));
        for (std::int64_t row = 0; row < d.vocabulary; ++row) {
            for (std::size_t i = 0; i < sums.size(); ++i)
                sums[i] += static_cast<double>(
                    gradient.data[row * gradient.stride + static_cast<std::int64_t>(i)]);
        }
        std::transform(sums.begin(), sums.end(), to[part.weight + 1].begin(),
                       [](double sum) { return static_cast<Real>(sum); });
    }
}

template <typename Real>
void addTo(Lines<Real>& sum, const Lines<Real>& other)
{
    for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] += other[i];
}

std::size_t product(std::int64_t a, std::int64_t b)
{
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

} // namespace

template <typename Real>
GatedSizes GatedSizes::of(const core::GatedRnnDesign& design)
{
    constexpr std::int64_t Lanes = 64 / sizeof(Real);
    const auto rounded = [](std::int64_t width) { return (width + Lanes - 1) / Lanes * Lanes; };
    GatedSizes sizes{design, rounded(design.key), rounded(design.value), 0,
                     rounded(design.vocabulary)};
    sizes.projections = 3 * sizes.key + sizes.value;
    return sizes;
}

template <typename Real>
GatedComposition<Real>::GatedComposition(const GatedSizes& sizes)
    : table(product(sizes.design.vocabulary, sizes.projections)),
      head(product(sizes.value, sizes.vocabulary)),
      headBias(static_cast<std::size_t>(sizes.vocabulary))
{
    for (std::int64_t i = 1; i < sizes.design.layers; ++i) {
        between.emplace_back(product(sizes.value, sizes.projections));
        betweenBias.emplace_back(static_cast<std::size_t>(sizes.projections));
    }
}

template <typename Real>
void GatedComposition<Real>::clear()
{
    const auto zero = [](Lines<Real>& all) { std::fill(all.begin(), all.end(), Real(0)); };
    zero(table);
    std::for_each(between.begin(), between.end(), zero);
    std::for_each(betweenBias.begin(), betweenBias.end(), zero);
    zero(head);
    zero(headBias);
}

template <typename Real>
void GatedComposition<Real>::add(const GatedComposition& other)
{
    addTo(table, other.table);
    for (std::size_t i = 0; i < between.size(); ++i) {
        addTo(between[i], other.between[i]);
        addTo(betweenBias[i], other.betweenBias[i]);
    }
    addTo(head, other.head);
    addTo(headBias, other.headBias);
}

std::vector<std::int64_t> parameterSizes(const core::GatedRnnDesign& d)
{
    std::vector<std::int64_t> sizes{d.vocabulary * d.hidden};
    const auto add = [&](std::int64_t outputs, std::int64_t inputs) {
        sizes.push_back(outputs * inputs);
        sizes.push_back(outputs);
    };
    std::int64_t width = d.hidden;
    for (std::int64_t layer = 0; layer < d.layers; ++layer) {
        for (const std::int64_t outputs : {d.key, d.key, d.key, d.value})
            add(outputs, width);
        add(d.output, d.value);
        width = d.output;
    }
    add(d.vocabulary, width);
    return sizes;
}

template <typename Real>
void compose(const GatedSizes& sizes, const std::vector<std::span<const Real>>& parameters,
             GatedComposition<Real>& to)
{
    const core::GatedRnnDesign& d = sizes.design;
    composeTable(sizes, parameters, to.table);
    for (std::size_t layer = 1; layer <= to.between.size(); ++layer) {
        const Inner<Real> inner = outputOf(d, parameters, layer - 1);
        for (const Part& part : partsOf(sizes, layer))
            composePart(part, parameters, inner, to.between[layer - 1], to.betweenBias[layer - 1]);
    }
    constexpr Real Never = -1e30F;
    std::fill(to.headBias.begin() + d.vocabulary, to.headBias.end(), Never);
    composePart({headStart(d), d.vocabulary, 0}, parameters,
                outputOf(d, parameters, to.between.size()), to.head, to.headBias);
}

template <typename Real>
std::vector<std::vector<Real>> decompose(const GatedSizes& sizes,
                                         const std::vector<std::span<const Real>>& parameters,
                                         const GatedComposition<Real>& gradients)
{
    const core::GatedRnnDesign& d = sizes.design;
    std::vector<std::vector<Real>> to;
    for (const auto& parameter : parameters)
        to.emplace_back(parameter.size());
    const auto decomposeInto = [&](const Part& part, std::size_t layer, const Lines<Real>& map,
                                   const Lines<Real>& bias) {
        const std::size_t inner = layerStart(layer) + 2 * Parts;
        decomposePart(part, parameters, outputOf(d, parameters, layer),
                      PartGradients<Real>{map, bias, to[inner].data(), to[inner + 1].data()}, to);
    };
    decomposeTable(sizes, parameters, gradients.table, to);
    for (std::size_t layer = 1; layer <= gradients.between.size(); ++layer) {
        for (const Part& part : partsOf(sizes, layer))
            decomposeInto(part, layer - 1, gradients.between[layer - 1],
                          gradients.betweenBias[layer - 1]);
    }
    decomposeInto({headStart(d), d.vocabulary, 0}, gradients.between.size(), gradients.head,
                  gradients.headBias);
    return to;
}

template GatedSizes GatedSizes::of<float>(const core::GatedRnnDesign& design);
template GatedSizes GatedSizes::of<double>(const core::GatedRnnDesign& design);
template struct GatedComposition<float>;
template struct GatedComposition<double>;
template void compose(const GatedSizes& sizes, const std::vector<std::span<const float>>& from,
                      GatedComposition<float>& to);
template void compose(const GatedSizes& sizes, const std::vector<std::span<const double>>& from,
                      GatedComposition<double>& to);
template std::vector<std::vector<float>> decompose(
    const GatedSizes& sizes, const std::vector<std::span<const float>>& parameters,
    const GatedComposition<float>& gradients);
template std::vector<std::vector<double>> decompose(
    const GatedSizes& sizes, const std::vector<std::span<const double>>& parameters,
    const GatedComposition<double>& gradients);

} // namespace outlay::worker
