// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The whole gated RNN language model by hand, without LibTorch: loss, gradients and greedy tokens of the
// design as docs/gated_rnn.md defines it, from its own parameters.
#pragma once

#include "core/model/gated_rnn_design.h"
#include "core/probe/engine/gated_composition.h"

#include <memory>

namespace outlay::worker {

/// Token numbers of `sequences` of `steps`, row after row (one at least), each below the vocabulary;
/// `targets` are those to be predicted.
struct TokenRows {
    std::int64_t sequences = 0;
    std::int64_t steps = 0;
    std::span<const std::int64_t> tokens;
    std::span<const std::int64_t> targets;
};

template <typename Real>
struct GatedPass {
    double loss = 0;                          // the mean cross entropy
    std::vector<std::vector<Real>> gradients; // one for each parameter, in their order
};

template <typename Real>
class GatedArena;

template <typename Real>
class GatedEngine {
public:
    /// Reads the parameters where they are, which must outlive it. Their order is that of the modules:
    /// embedding; query, key, gate, value and output of each layer, weight and bias; the head's.
    GatedEngine(const core::GatedRnnDesign& design,
                const std::vector<std::span<const Real>>& parameters);
    ~GatedEngine();
    GatedEngine(GatedEngine&&) noexcept;
    GatedEngine& operator=(GatedEngine&&) noexcept;

    /// Forward and backward over all rows, by so many threads of its own.
    [[nodiscard]] GatedPass<Real> trainingPass(const TokenRows& rows, int threads = 1);

    /// `count` greedy tokens after `prefix` (one token at least), with the weights as they were at
    /// the last training pass or construction.
    [[nodiscard]] std::vector<std::int64_t> generate(std::span<const std::int64_t> prefix,
                                                     std::int64_t count);

private:
    GatedSizes m_sizes;
    std::vector<std::span<const Real>> m_parameters;
    GatedComposition<Real> m_composed;
    std::vector<std::unique_ptr<GatedArena<Real>>> m_arenas; // one for each thread
};

/// The parameters as an engine takes them, of contiguous LibTorch tensors of its number type.
template <typename Real, typename Tensors>
std::vector<std::span<const Real>> spansOf(const Tensors& tensors)
{
    std::vector<std::span<const Real>> spans;
    for (const auto& tensor : tensors)
        spans.emplace_back(tensor.template data_ptr<Real>(),
                           static_cast<std::size_t>(tensor.numel()));
    return spans;
}

} // namespace outlay::worker
