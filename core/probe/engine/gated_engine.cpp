// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/engine/gated_engine.h"

#include "core/probe/engine/gated_arena.h"
#include "core/probe/engine/gated_generation.h"
#include "core/probe/engine/gated_kernels.h"
#include "core/probe/engine/gemm.h"

#include <algorithm>
#include <cassert>
#include <thread>

namespace outlay::worker {
namespace {

/// The keys and gates of all tokens.
Columns sigmoidsOfTable(const GatedSizes& sizes)
{
    return {sizes.design.vocabulary, sizes.projections, sizes.key, 3 * sizes.key};
}

/// The weights as the passes read them: keys and gates of the table behind their sigmoid.
template <typename Real>
void composeAll(const GatedSizes& sizes, const std::vector<std::span<const Real>>& parameters,
                GatedComposition<Real>& to)
{
    compose(sizes, parameters, to);
    sigmoid(sigmoidsOfTable(sizes), to.table.data());
}

/// The gradients of what is before the sigmoid.
template <typename Real>
void throughSigmoid(const GatedSizes& sizes, const Lines<Real>& table, Lines<double>& gradients)
{
    const Columns columns = sigmoidsOfTable(sizes);
    for (std::int64_t row = 0; row < columns.rows; ++row) {
        for (std::int64_t i = columns.first; i < columns.end; ++i) {
            const auto at = static_cast<std::size_t>(row * columns.stride + i);
            const auto y = static_cast<double>(table[at]);
            gradients[at] *= y * (1 - y);
        }
    }
}

} // namespace

template <typename Real>
GatedEngine<Real>::GatedEngine(const core::GatedRnnDesign& design,
                               const std::vector<std::span<const Real>>& parameters)
    : m_sizes(GatedSizes::of<Real>(design)), m_parameters(parameters), m_composed(m_sizes)
{
    [[maybe_unused]] const auto isSize = [](std::int64_t size, const auto& parameter) {
        return size == std::ssize(parameter);
    };
    [[maybe_unused]] const std::vector<std::int64_t> expected = parameterSizes(design);
    assert(
        std::equal(expected.begin(), expected.end(), parameters.begin(), parameters.end(), isSize));
    composeAll(m_sizes, m_parameters, m_composed);
}

template <typename Real>
GatedEngine<Real>::~GatedEngine() = default;
template <typename Real>
GatedEngine<Real>::GatedEngine(GatedEngine&&) noexcept = default;
template <typename Real>
GatedEngine<Real>& GatedEngine<Real>::operator=(GatedEngine&&) noexcept = default;

template <typename Real>
GatedPass<Real> GatedEngine<Real>::trainingPass(const TokenRows& rows, int threads)
{
    const LoneBlas lone;
    composeAll(m_sizes, m_parameters, m_composed);
    const auto parts = static_cast<std::size_t>(
        std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(1, rows.sequences)));
    m_arenas.resize(parts);
    for (auto& arena : m_arenas) {
        if (arena == nullptr || arena->steps() != rows.steps)
            arena = std::make_unique<GatedArena<Real>>(m_sizes, rows.steps);
    }
    const double scale = 1.0 / static_cast<double>(rows.sequences * rows.steps);
    std::vector<double> losses(parts);
    const auto work = [&](std::size_t part) {
        const LoneThread alone;
        const auto edge = [&](std::size_t at) {
            return static_cast<std::int64_t>(at) * rows.sequences /
                   static_cast<std::int64_t>(parts);
        };
        losses[part] = m_arenas[part]->train(m_composed, rows, edge(part), edge(part + 1), scale);
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t part = 1; part < parts; ++part)
            others.emplace_back(work, part);
        work(0);
    }
    double loss = losses.front();
    for (std::size_t part = 1; part < parts; ++part) {
        m_arenas.front()->gradients().add(m_arenas[part]->gradients());
        loss += losses[part];
    }
    GatedComposition<double>& sum = m_arenas.front()->gradients();
    throughSigmoid(m_sizes, m_composed.table, sum.table);
    return {loss * scale, decompose(m_sizes, m_parameters, sum)};
}

template <typename Real>
std::vector<std::int64_t> GatedEngine<Real>::generate(std::span<const std::int64_t> prefix,
                                                      std::int64_t count)
{
    const LoneBlas lone;
    const LoneThread alone;
    GatedGeneration<Real> generation(m_sizes, m_composed);
    std::vector<std::int64_t> made;
    while (std::ssize(made) < count)
        made.push_back(generation.next(made.empty() ? prefix : std::span(&made.back(), 1)));
    return made;
}

template class GatedEngine<float>;
template class GatedEngine<double>;

} // namespace outlay::worker
