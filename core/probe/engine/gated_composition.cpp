// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/engine/gated_composition.h"

#include "core/probe/engine/gemm.h"

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

/// Where a product goes.
template <typename Real>
struct Target {
    Real* data;
    std::int64_t stride;
    Result result;
};

/// A block of a matrix as double, row after row.
template <typename Number>
std::vector<double> blockOf(const Matrix<Number>& m, std::int64_t row, std::int64_t column,
                            const ProductSize& size)
{
    std::vector<double> block(static_cast<std::size_t>(size.rows * size.columns));
    const std::int64_t down = m.isTransposed ? 1 : m.stride;
    const std::int64_t across = m.isTransposed ? m.stride : 1;
    const Number* corner = m.data + row * down + column * across;
    auto to = block.begin();
    for (std::int64_t i = 0; i < size.rows; ++i) {
        for (std::int64_t j = 0; j < size.columns; ++j, ++to)
            *to = static_cast<double>(corner[i * down + j * across]);
    }
    return block;
}

/// `multiply` in double, block by block to take little memory. What is wrong with a composed weight is
/// wrong for all tokens alike, and wouldn't average out.
template <typename First, typename Second, typename Real>
void multiplyInDouble(const ProductSize& size, const Matrix<First>& a, const Matrix<Second>& b,
                      const Target<Real>& to)
{
    constexpr std::int64_t Block = 128;
    for (std::int64_t row = 0; row < size.rows; row += Block) {
        for (std::int64_t column = 0; column < size.columns; column += Block) {
            ProductSize part{std::min(Block, size.rows - row),
                             std::min(Block, size.columns - column), 0};
            std::vector<double> product(static_cast<std::size_t>(part.rows * part.columns));
            for (std::int64_t inner = 0; inner < size.inner; inner += Block) {
                part.inner = std::min(Block, size.inner - inner);
                const auto left = blockOf(a, row, inner, {part.rows, part.inner});
                const auto right = blockOf(b, inner, column, {part.inner, part.columns});
                multiply<double>(part, {left.data(), part.inner, false},
                                 {right.data(), part.columns, false}, Result::Add, product.data(),
                                 part.columns);
            }
            for (std::int64_t i = 0; i < part.rows * part.columns; ++i) {
                Real& element =
                    to.data[(row + i / part.columns) * to.stride + column + i % part.columns];
                const double before = to.result == Result::Add ? static_cast<double>(element) : 0;
                element = static_cast<Real>(before + product[static_cast<std::size_t>(i)]);
            }
        }
    }
}

/// to[:, part] = (part's weight x inner's weight)^T, and the biases.
template <typename Real>
void composePart(const Part& part, const std::vector<std::span<const Real>>& parameters,
                 const Inner<Real>& inner, Lines<Real>& to, Lines<Real>& bias)
{
    const Real* weight = parameters[part.weight].data();
    multiplyInDouble({inner.inputs, part.rows, inner.outputs},
                     Matrix<Real>{inner.weight.data(), inner.inputs, true},
                     Matrix<Real>{weight, inner.outputs, true},
                     Target<Real>{to.data() + part.offset, std::ssize(bias), Result::Set});
    const auto partBias = bias.begin() + part.offset;
    std::copy_n(parameters[part.weight + 1].begin(), part.rows, partBias);
    multiplyInDouble({part.rows, 1, inner.outputs}, Matrix<Real>{weight, inner.outputs, false},
                     Matrix<Real>{inner.bias.data(), 1, false},
                     Target<Real>{&*partBias, 1, Result::Add});
}

template <typename Real>
struct PartGradients {
    const Lines<double>& map;
    const Lines<double>& bias;
    Real* innerWeight;
    Real* innerBias;
};

template <typename Real>
void decomposePart(const Part& part, const std::vector<std::span<const Real>>& parameters,
                   const Inner<Real>& inner, const PartGradients<Real>& from,
                   std::vector<std::vector<Real>>& to)
{
    const std::int64_t stride = std::ssize(from.bias);
    const Matrix<Real> weight{parameters[part.weight].data(), inner.outputs, true};
    const Matrix<double> map{from.map.data() + part.offset, stride, true};
    const Matrix<double> bias{from.bias.data() + part.offset, 1, false};
    const Target<Real> weightGradient{to[part.weight].data(), inner.outputs, Result::Set};
    multiplyInDouble({part.rows, inner.outputs, inner.inputs}, map,
                     Matrix<Real>{inner.weight.data(), inner.inputs, true}, weightGradient);
    multiplyInDouble({part.rows, inner.outputs, 1}, bias,
                     Matrix<Real>{inner.bias.data(), inner.outputs, false},
                     Target<Real>{weightGradient.data, inner.outputs, Result::Add});
    multiplyInDouble({inner.outputs, inner.inputs, part.rows}, weight, map,
                     Target<Real>{from.innerWeight, inner.inputs, Result::Add});
    multiplyInDouble({inner.outputs, 1, part.rows}, weight, bias,
                     Target<Real>{from.innerBias, 1, Result::Add});
    std::transform(bias.data, bias.data + part.rows, to[part.weight + 1].begin(),
                   [](double gradient) { return static_cast<Real>(gradient); });
}

template <typename Real>
void composeTable(const GatedSizes& sizes, const std::vector<std::span<const Real>>& parameters,
                  Lines<Real>& table)
{
    const core::GatedRnnDesign& d = sizes.design;
    for (const Part& part : partsOf(sizes, 0)) {
        Real* to = table.data() + part.offset;
        for (std::int64_t row = 0; row < d.vocabulary; ++row)
            std::copy_n(parameters[part.weight + 1].begin(), part.rows,
                        to + row * sizes.projections);
        multiplyInDouble({d.vocabulary, part.rows, d.hidden},
                         Matrix<Real>{parameters[0].data(), d.hidden, false},
                         Matrix<Real>{parameters[part.weight].data(), d.hidden, true},
                         Target<Real>{to, sizes.projections, Result::Add});
    }
}

template <typename Real>
void decomposeTable(const GatedSizes& sizes, const std::vector<std::span<const Real>>& parameters,
                    const Lines<double>& table, std::vector<std::vector<Real>>& to)
{
    const core::GatedRnnDesign& d = sizes.design;
    for (const Part& part : partsOf(sizes, 0)) {
        const double* gradient = table.data() + part.offset;
        multiplyInDouble({d.vocabulary, d.hidden, part.rows},
                         Matrix<double>{gradient, sizes.projections, false},
                         Matrix<Real>{parameters[part.weight].data(), d.hidden, false},
                         Target<Real>{to[0].data(), d.hidden, Result::Add});
        multiplyInDouble({part.rows, d.hidden, d.vocabulary},
                         Matrix<double>{gradient, sizes.projections, true},
                         Matrix<Real>{parameters[0].data(), d.hidden, false},
                         Target<Real>{to[part.weight].data(), d.hidden, Result::Set});
        for (std::int64_t i = 0; i < part.rows; ++i) {
            double sum = 0;
            for (std::int64_t row = 0; row < d.vocabulary; ++row)
                sum += gradient[row * sizes.projections + i];
            to[part.weight + 1][static_cast<std::size_t>(i)] = static_cast<Real>(sum);
        }
    }
}

template <typename Real, typename Other>
void addTo(Lines<Real>& sum, const Lines<Other>& other)
{
    for (std::size_t i = 0; i < other.size(); ++i)
        sum[i] += static_cast<Real>(other[i]);
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
template <typename Other>
void GatedComposition<Real>::add(const GatedComposition<Other>& other)
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
    constexpr auto Never = static_cast<Real>(-1e30);
    std::fill(to.headBias.begin() + d.vocabulary, to.headBias.end(), Never);
    composePart({headStart(d), d.vocabulary, 0}, parameters,
                outputOf(d, parameters, to.between.size()), to.head, to.headBias);
}

template <typename Real>
std::vector<std::vector<Real>> decompose(const GatedSizes& sizes,
                                         const std::vector<std::span<const Real>>& parameters,
                                         const GatedComposition<double>& gradients)
{
    const core::GatedRnnDesign& d = sizes.design;
    std::vector<std::vector<Real>> to;
    for (const auto& parameter : parameters)
        to.emplace_back(parameter.size());
    const auto decomposeInto = [&](const Part& part, std::size_t layer, const Lines<double>& map,
                                   const Lines<double>& bias) {
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
template void GatedComposition<double>::add(const GatedComposition<float>& other);
template void GatedComposition<double>::add(const GatedComposition<double>& other);
template void compose(const GatedSizes& sizes, const std::vector<std::span<const float>>& from,
                      GatedComposition<float>& to);
template void compose(const GatedSizes& sizes, const std::vector<std::span<const double>>& from,
                      GatedComposition<double>& to);
template std::vector<std::vector<float>> decompose(
    const GatedSizes& sizes, const std::vector<std::span<const float>>& parameters,
    const GatedComposition<double>& gradients);
template std::vector<std::vector<double>> decompose(
    const GatedSizes& sizes, const std::vector<std::span<const double>>& parameters,
    const GatedComposition<double>& gradients);

} // namespace outlay::worker
