// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/engine/gated_arena.h"

#include "core/probe/engine/gated_kernels.h"
#include "core/probe/engine/gemm.h"

#include <algorithm>

namespace outlay::worker {
namespace {

// Found by measuring: enough rows for the products, few enough for a core's own cache.
constexpr std::int64_t RowsAtOnce = 512;
constexpr std::int64_t LogitRows = 128;
constexpr std::int64_t BatchesInSum = 8;

/// The table's gradients are a few rows of a micro-batch, which are added to the sums at once.
GatedSizes withoutTable(GatedSizes sizes)
{
    sizes.design.vocabulary = 0;
    return sizes;
}

template <typename Real>
Lines<Real> lines(std::int64_t rows, std::int64_t width)
{
    return Lines<Real>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(width));
}

} // namespace

template <typename Real>
void projectRows(const GatedSizes& sizes, const GatedComposition<Real>& weights, std::size_t layer,
                 const GatedInput<Real>& in, Real* to)
{
    const std::int64_t width = sizes.projections;
    const auto rows = std::ssize(in.tokens);
    if (layer == 0) { // the table is behind the sigmoid already
        for (const std::int64_t token : in.tokens) {
            std::copy_n(weights.table.data() + token * width, width, to);
            to += width;
        }
        return;
    }
    multiply<Real>({rows, width, sizes.value}, {in.output, sizes.value, false},
                   {weights.between[layer - 1].data(), width, false}, Result::Set, to, width);
    addBias(rows, width, weights.betweenBias[layer - 1].data(), to);
    sigmoid({rows, width, sizes.key, 3 * sizes.key}, to);
}

ScanSize scanSize(const GatedSizes& sizes, std::int64_t steps)
{
    return {steps, sizes.key, sizes.value, sizes.projections, sizes.projections, sizes.value};
}

template <typename Real>
GatedArena<Real>::GatedArena(const GatedSizes& sizes, std::int64_t steps)
    : m_sizes(sizes), m_steps(steps), m_most(std::max<std::int64_t>(1, RowsAtOnce / steps)),
      m_gradients(withoutTable(sizes)), m_sums(sizes)
{
    const std::int64_t rows = m_most * steps;
    const std::int64_t elements = sizes.key * sizes.value;
    for (std::int64_t i = 0; i < sizes.design.layers; ++i)
        m_layers.push_back({lines<Real>(rows, sizes.projections), lines<Real>(rows, sizes.value),
                            lines<Real>(m_most * keptStates(steps), elements)});
    m_state = lines<Real>(1, elements);
    m_logits = lines<Real>(std::min(rows, LogitRows), sizes.vocabulary);
    m_outputGradient = lines<Real>(rows, sizes.value);
    m_projectionGradient = lines<Real>(rows, sizes.projections);
}

template <typename Real>
double GatedArena<Real>::train(const GatedComposition<Real>& weights, const TokenRows& rows,
                               std::int64_t first, std::int64_t end, double scale)
{
    m_gradients.clear();
    m_sums.clear();
    double loss = 0;
    std::int64_t batches = 0;
    for (; first < end; first += m_most) {
        const auto begin = static_cast<std::size_t>(first * m_steps);
        const auto count = static_cast<std::size_t>(std::min(m_most, end - first) * m_steps);
        loss += trainSome(weights, rows.tokens.subspan(begin, count),
                          rows.targets.subspan(begin, count), scale);
        // Long sums of small numbers lose their last digits.
        if (++batches % BatchesInSum == 0 || first + m_most >= end) {
            m_sums.add(m_gradients);
            m_gradients.clear();
        }
    }
    return loss;
}

template <typename Real>
double GatedArena<Real>::trainSome(const GatedComposition<Real>& weights,
                                   std::span<const std::int64_t> tokens,
                                   std::span<const std::int64_t> targets, double scale)
{
    m_rows = std::ssize(tokens);
    for (std::size_t layer = 0; layer < m_layers.size(); ++layer) {
        projectRows(m_sizes, weights, layer,
                    {tokens, layer == 0 ? nullptr : m_layers[layer - 1].output.data()},
                    m_layers[layer].projections.data());
        scan(layer);
    }
    const double loss = head(weights, targets, scale);
    for (std::size_t layer = m_layers.size(); layer-- > 0;) {
        scanBack(layer);
        projectBack(weights, tokens, layer);
    }
    return loss;
}

template <typename Real>
void GatedArena<Real>::scan(std::size_t layer)
{
    Layer& at = m_layers[layer];
    for (std::int64_t i = 0; i < m_rows / m_steps; ++i) {
        std::fill(m_state.begin(), m_state.end(), Real(0));
        const Real* row = at.projections.data() + i * m_steps * m_sizes.projections;
        scanForward(scanSize(m_sizes, m_steps), scanInput(m_sizes, row), m_state.data(),
                    at.output.data() + i * m_steps * m_sizes.value,
                    at.kept.data() + i * keptStates(m_steps) * std::ssize(m_state));
    }
}

template <typename Real>
double GatedArena<Real>::head(const GatedComposition<Real>& weights,
                              std::span<const std::int64_t> targets, double scale)
{
    const std::int64_t width = m_sizes.vocabulary;
    const std::int64_t value = m_sizes.value;
    const SoftmaxRows<Real> softmax{width, weights.headBias.data(), static_cast<Real>(scale)};
    const Matrix<Real> matrix{weights.head.data(), width, false};
    const Matrix<Real> transposed{weights.head.data(), width, true};
    double loss = 0;
    for (std::int64_t first = 0; first < m_rows; first += LogitRows) {
        const std::int64_t rows = std::min(LogitRows, m_rows - first);
        const Real* output = m_layers.back().output.data() + first * value;
        multiply<Real>({rows, width, value}, {output, value, false}, matrix, Result::Set,
                       m_logits.data(), width);
        loss += crossEntropy(
            softmax,
            targets.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(rows)),
            m_logits.data());
        sumRows<Real>({rows, width, m_logits.data()}, m_gradients.headBias.data());
        multiply<Real>({rows, value, width}, {m_logits.data(), width, false}, transposed,
                       Result::Set, m_outputGradient.data() + first * value, value);
        multiply<Real>({value, width, rows}, {output, value, true}, {m_logits.data(), width, false},
                       Result::Add, m_gradients.head.data(), width);
    }
    return loss;
}

template <typename Real>
void GatedArena<Real>::scanBack(std::size_t layer)
{
    const Layer& at = m_layers[layer];
    for (std::int64_t i = 0; i < m_rows / m_steps; ++i) {
        std::fill(m_state.begin(), m_state.end(), Real(0));
        const std::int64_t first = i * m_steps * m_sizes.projections;
        Real* row = m_projectionGradient.data() + first;
        scanBackward(scanSize(m_sizes, m_steps), scanInput(m_sizes, at.projections.data() + first),
                     at.kept.data() + i * keptStates(m_steps) * std::ssize(m_state),
                     m_outputGradient.data() + i * m_steps * m_sizes.value, m_state.data(),
                     ScanGradients<Real>{row, row + m_sizes.key, row + 2 * m_sizes.key,
                                         row + 3 * m_sizes.key});
    }
}

template <typename Real>
void GatedArena<Real>::projectBack(const GatedComposition<Real>& weights,
                                   std::span<const std::int64_t> tokens, std::size_t layer)
{
    const std::int64_t width = m_sizes.projections;
    const std::int64_t value = m_sizes.value;
    Real* gradient = m_projectionGradient.data();
    if (layer == 0) { // through the sigmoid once all rows are summed up
        for (const std::int64_t token : tokens) {
            addRow(width, gradient, m_sums.table.data() + token * width);
            gradient += width;
        }
        return;
    }
    sigmoidBackward({m_rows, width, m_sizes.key, 3 * m_sizes.key},
                    m_layers[layer].projections.data(), gradient);
    sumRows<Real>({m_rows, width, gradient}, m_gradients.betweenBias[layer - 1].data());
    multiply<Real>({value, width, m_rows}, {m_layers[layer - 1].output.data(), value, true},
                   {gradient, width, false}, Result::Add, m_gradients.between[layer - 1].data(),
                   width);
    multiply<Real>({m_rows, value, width}, {gradient, width, false},
                   {weights.between[layer - 1].data(), width, true}, Result::Set,
                   m_outputGradient.data(), value);
}

template void projectRows(const GatedSizes& sizes, const GatedComposition<float>& weights,
                          std::size_t layer, const GatedInput<float>& in, float* to);
template void projectRows(const GatedSizes& sizes, const GatedComposition<double>& weights,
                          std::size_t layer, const GatedInput<double>& in, double* to);
template class GatedArena<float>;
template class GatedArena<double>;

} // namespace outlay::worker
