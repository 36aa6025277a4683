// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Greedy tokens of the gated RNN by its composed maps: many tokens are read by products of matrices, one
// by kernels of its own, and the states are kept.
#pragma once

#include "core/probe/engine/gated_composition.h"

namespace outlay::worker {

template <typename Real>
class GatedGeneration {
public:
    GatedGeneration(const GatedSizes& sizes, const GatedComposition<Real>& weights);

    /// The likeliest token after all that were read, and after these (one at least).
    [[nodiscard]] std::int64_t next(std::span<const std::int64_t> tokens);

private:
    void readSome(std::span<const std::int64_t> tokens);
    void readOne(std::int64_t token);

    const GatedSizes& m_sizes;
    const GatedComposition<Real>& m_weights;
    std::vector<Lines<Real>> m_states; // of each layer
    Lines<Real> m_projections;
    Lines<Real> m_output;
    Lines<Real> m_logits;
    const Real* m_last = nullptr; // the last layer's output of the last token
};

} // namespace outlay::worker
