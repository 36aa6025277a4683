// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the gated RNN's engine does between its products of matrices, in one binary for SSE2, AVX2 and
// AVX-512. Widths and columns are whole cache lines.
#pragma once

#include <cstdint>
#include <span>

namespace outlay::worker {

/// Columns `first` to `end` of rows that are `stride` apart.
struct Columns {
    std::int64_t rows = 0;
    std::int64_t stride = 0;
    std::int64_t first = 0;
    std::int64_t end = 0;
};

/// The sigmoid in place; never NaN, however large the argument.
template <typename Real>
void sigmoid(const Columns& columns, Real* values);

/// gradients *= y (1 - y), where y is what the sigmoid gave.
template <typename Real>
void sigmoidBackward(const Columns& columns, const Real* y, Real* gradients);

/// Whole rows: += bias.
template <typename Real>
void addBias(std::int64_t rows, std::int64_t width, const Real* bias, Real* values);

template <typename Real>
struct RowBlock {
    std::int64_t rows = 0;
    std::int64_t width = 0;
    const Real* values = nullptr;
};
/// Their sum is added to `sums`.
template <typename Real>
void sumRows(const RowBlock<Real>& block, Real* sums);

/// One row: sums += values.
template <typename Real>
void addRow(std::int64_t width, const Real* values, double* sums);

/// The cross entropy of rows of logits, still without `bias`, summed. They become the gradients of
/// `scale` times that sum.
template <typename Real>
struct SoftmaxRows {
    std::int64_t width = 0;
    const Real* bias = nullptr;
    Real scale = 1;
};
template <typename Real>
[[nodiscard]] double crossEntropy(const SoftmaxRows<Real>& rows,
                                  std::span<const std::int64_t> targets, Real* logits);

/// to = bias + x matrix, [inner] times [inner, width].
struct ProjectionSize {
    std::int64_t inner = 0;
    std::int64_t width = 0;
};
template <typename Real>
void project(const ProjectionSize& size, const Real* x, const Real* matrix, const Real* bias,
             Real* to);

/// The first place of the largest.
template <typename Real>
[[nodiscard]] std::int64_t likeliest(std::int64_t width, const Real* logits);

} // namespace outlay::worker
