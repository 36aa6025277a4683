// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What one thread of the gated RNN's engine works in: a micro-batch that stays in its cache, and the
// gradients that it has summed up.
#pragma once

#include "core/probe/engine/gated_composition.h"
#include "core/probe/engine/gated_engine.h"
#include "core/probe/engine/gated_scan.h"

namespace outlay::worker {

/// The projections of a layer for some rows: of tokens from the table, of the layer before's output else.
template <typename Real>
struct GatedInput {
    std::span<const std::int64_t> tokens;
    const Real* output = nullptr;
};
template <typename Real>
void projectRows(const GatedSizes& sizes, const GatedComposition<Real>& weights, std::size_t layer,
                 const GatedInput<Real>& in, Real* to);

/// Rows of projections, as the scan reads them.
[[nodiscard]] ScanSize scanSize(const GatedSizes& sizes, std::int64_t steps);
template <typename Real>
[[nodiscard]] ScanInput<Real> scanInput(const GatedSizes& sizes, const Real* projections)
{
    return {projections, projections + sizes.key, projections + 2 * sizes.key,
            projections + 3 * sizes.key};
}

template <typename Real>
class GatedArena {
public:
    /// For sequences of so many steps.
    GatedArena(const GatedSizes& sizes, std::int64_t steps);

    [[nodiscard]] std::int64_t steps() const { return m_steps; }

    /// Forward and backward over rows `first` to `end`; sums up the gradients of `scale` times their
    /// summed losses, which it returns.
    [[nodiscard]] double train(const GatedComposition<Real>& weights, const TokenRows& rows,
                               std::int64_t first, std::int64_t end, double scale);

    [[nodiscard]] GatedComposition<double>& gradients() { return m_sums; }

private:
    struct Layer {
        Lines<Real> projections; // [rows, projections]; keys and gates behind their sigmoid
        Lines<Real> output;      // [rows, value]
        Lines<Real> kept;        // states, of each sequence
    };

    double trainSome(const GatedComposition<Real>& weights, std::span<const std::int64_t> tokens,
                     std::span<const std::int64_t> targets, double scale);
    void scan(std::size_t layer);
    double head(const GatedComposition<Real>& weights, std::span<const std::int64_t> targets,
                double scale);
    void scanBack(std::size_t layer);
    void projectBack(const GatedComposition<Real>& weights, std::span<const std::int64_t> tokens,
                     std::size_t layer);

    GatedSizes m_sizes;
    std::int64_t m_steps;
    std::int64_t m_most;     // sequences in a micro-batch
    std::int64_t m_rows = 0; // of the micro-batch at work
    std::vector<Layer> m_layers;
    Lines<Real> m_state;
    Lines<Real> m_logits; // of a block of rows
    Lines<Real> m_outputGradient;
    Lines<Real> m_projectionGradient;
    GatedComposition<Real> m_gradients; // of some micro-batches, without those of the table
    GatedComposition<double> m_sums;
};

} // namespace outlay::worker
