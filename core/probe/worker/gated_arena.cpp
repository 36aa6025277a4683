// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/gated_arena.h"

#include "core/probe/worker/gated_kernels.h"
#include "core/probe/worker/gemm.h"

#include <algorithm>

namespace outlay::worker {
namespace {

// Found by measuring: enough rows for the products, few enough for a core's own cache.
constexpr std::int64_t RowsAtOnce = 512;
constexpr std::int64_t LogitRows = 128;

template <typename Real>
Lines<Real> lines(std::int64_t rows, std::int64_t width)
{
    return Lines<Real>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(width));
}

} // namespace

template <typename Real>
GatedArena<Real>::GatedArena(const GatedSizes& sizes, std::int64_t steps)
    : m_sizes(sizes), m_steps(steps), m_most(std::max<std::int64_t>(1, RowsAtOnce / steps)),
      m_gradients(sizes)
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
    double loss = 0;
    for (; first < end; first += m_most) {
        const auto begin = static_cast<std::size_t>(first * m_steps);
        const auto count = static_cast<std::size_t>(std::min(m_most, end - first) * m_steps);
        loss += trainSome(weights, rows.tokens.subspan(begin, count),
                          rows.targets.subspan(begin, count), scale);
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
        project(weights, tokens, layer);
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
void GatedArena<Real>::project(const GatedComposition<Real>& weights,
                               std::span<const std::int64_t> tokens, std::size_t layer)
{
    const std::int64_t width = m_sizes.projections;
    Real* to = m_layers[layer].projections.data();
    if (layer == 0) { // the table is behind the sigmoid already
        for (const std::int64_t token : tokens) {
            std::copy_n(weights.table.data() + token * width, width, to);
            to += width;
        }
        return;
    }
    multiply<Real>({m_rows, width, m_sizes.value},
                   {m_layers[layer - 1].output.data(), m_sizes.value, false},
                   {weights.between[layer - 1].data(), width, false}, Result::Set, to, width);
    addBias(m_rows, width, weights.betweenBias[layer - 1].data(), to);
    sigmoid({m_rows, width, m_sizes.key, 3 * m_sizes.key}, to);
}

template <typename Real>
ScanSize GatedArena<Real>::scanSize() const
{
    return {m_steps,      m_sizes.key, m_sizes.value, m_sizes.projections, m_sizes.projections,
            m_sizes.value};
}

template <typename Real>
ScanInput<Real> GatedArena<Real>::scanInput(const Layer& layer, std::int64_t sequence) const
{
    const Real* row = layer.projections.data() + sequence * m_steps * m_sizes.projections;
    return {row, row + m_sizes.key, row + 2 * m_sizes.key, row + 3 * m_sizes.key};
}

template <typename Real>
void GatedArena<Real>::scan(std::size_t layer)
{
    Layer& at = m_layers[layer];
    for (std::int64_t i = 0; i < m_rows / m_steps; ++i) {
        std::fill(m_state.begin(), m_state.end(), Real(0));
        scanForward(scanSize(), scanInput(at, i), m_state.data(),
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
    const SoftmaxRows<Real> softmax{width, weights.headBias.data(), static_cast<Real>(scale),
                                    m_gradients.headBias.data()};
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
        Real* row = m_projectionGradient.data() + i * m_steps * m_sizes.projections;
        scanBackward(scanSize(), scanInput(at, i),
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
            sumRows(1, width, gradient, m_gradients.table.data() + token * width);
            gradient += width;
        }
        return;
    }
    sigmoidBackward({m_rows, width, m_sizes.key, 3 * m_sizes.key},
                    m_layers[layer].projections.data(), gradient);
    sumRows(m_rows, width, gradient, m_gradients.betweenBias[layer - 1].data());
    multiply<Real>({value, width, m_rows}, {m_layers[layer - 1].output.data(), value, true},
                   {gradient, width, false}, Result::Add, m_gradients.between[layer - 1].data(),
                   width);
    multiply<Real>({m_rows, value, width}, {gradient, width, false},
                   {weights.between[layer - 1].data(), width, true}, Result::Set,
                   m_outputGradient.data(), value);
}

template class GatedArena<float>;
template class GatedArena<double>;

} // namespace outlay::worker
