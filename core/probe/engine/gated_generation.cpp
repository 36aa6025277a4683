// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/engine/gated_generation.h"

#include "core/probe/engine/gated_arena.h"
#include "core/probe/engine/gated_kernels.h"

#include <algorithm>

namespace outlay::worker {
namespace {

constexpr std::size_t TokensAtOnce = 256;

} // namespace

template <typename Real>
GatedGeneration<Real>::GatedGeneration(const GatedSizes& sizes,
                                       const GatedComposition<Real>& weights)
    : m_sizes(sizes), m_weights(weights),
      m_states(static_cast<std::size_t>(sizes.design.layers),
               Lines<Real>(static_cast<std::size_t>(sizes.key * sizes.value))),
      m_logits(static_cast<std::size_t>(sizes.vocabulary))
{
}

template <typename Real>
std::int64_t GatedGeneration<Real>::next(std::span<const std::int64_t> tokens)
{
    const std::size_t rows = std::min(tokens.size(), TokensAtOnce);
    m_projections.resize(
        std::max(m_projections.size(), rows * static_cast<std::size_t>(m_sizes.projections)));
    m_output.resize(std::max(m_output.size(), rows * static_cast<std::size_t>(m_sizes.value)));
    for (; tokens.size() > 1; tokens = tokens.subspan(std::min(tokens.size(), TokensAtOnce)))
        readSome(tokens.first(std::min(tokens.size(), TokensAtOnce)));
    if (tokens.size() == 1)
        readOne(tokens.front());
    project<Real>({m_sizes.value, m_sizes.vocabulary}, m_last, m_weights.head.data(),
                  m_weights.headBias.data(), m_logits.data());
    return likeliest(m_sizes.vocabulary, m_logits.data());
}

template <typename Real>
void GatedGeneration<Real>::readSome(std::span<const std::int64_t> tokens)
{
    for (std::size_t layer = 0; layer < m_states.size(); ++layer) {
        projectRows(m_sizes, m_weights, layer, {tokens, m_output.data()}, m_projections.data());
        scanForward<Real>(scanSize(m_sizes, std::ssize(tokens)),
                          scanInput<Real>(m_sizes, m_projections.data()), m_states[layer].data(),
                          m_output.data(), nullptr);
    }
    m_last = m_output.data() + (std::ssize(tokens) - 1) * m_sizes.value;
}

template <typename Real>
void GatedGeneration<Real>::readOne(std::int64_t token)
{
    const Real* row = m_weights.table.data() + token * m_sizes.projections;
    for (std::size_t layer = 0; layer < m_states.size(); ++layer) {
        if (layer > 0) {
            project<Real>({m_sizes.value, m_sizes.projections}, m_output.data(),
                          m_weights.between[layer - 1].data(),
                          m_weights.betweenBias[layer - 1].data(), m_projections.data());
            sigmoid({1, 0, m_sizes.key, 3 * m_sizes.key}, m_projections.data());
            row = m_projections.data();
        }
        scanForward<Real>(scanSize(m_sizes, 1), scanInput(m_sizes, row), m_states[layer].data(),
                          m_output.data(), nullptr);
    }
    m_last = m_output.data();
}

template class GatedGeneration<float>;
template class GatedGeneration<double>;

} // namespace outlay::worker
