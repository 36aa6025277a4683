// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Adjacent linear maps of the gated RNN as one, which is exact: the embedding and the first projections are
// a table, an output projection and what reads it are one matrix. Gradients go back by the chain rule.
#pragma once

#include "core/model/gated_rnn_design.h"

#include <cstdint>
#include <new>
#include <span>
#include <vector>

namespace outlay::worker {

/// Whole cache lines, so that vectors never straddle two.
template <typename T>
struct LineAllocator {
    using value_type = T;
    static constexpr std::align_val_t Line{64};

    LineAllocator() = default;
    template <typename Other>
    explicit LineAllocator(const LineAllocator<Other>&)
    {
    }
    T* allocate(std::size_t count)
    {
        return static_cast<T*>(::operator new(count * sizeof(T), Line));
    }
    void deallocate(T* block, std::size_t) { ::operator delete(block, Line); }
    bool operator==(const LineAllocator&) const = default;
};

template <typename Real>
using Lines = std::vector<Real, LineAllocator<Real>>;

/// Widths rounded up to whole cache lines; a row of projections is query, key, gate and value.
struct GatedSizes {
    core::GatedRnnDesign design;
    std::int64_t key = 0;
    std::int64_t value = 0;
    std::int64_t projections = 0;
    std::int64_t vocabulary = 0;

    template <typename Real>
    [[nodiscard]] static GatedSizes of(const core::GatedRnnDesign& design);
};

/// The composed maps, or the gradients of them. What is only there to fill lines is 0, but the bias of
/// tokens that don't exist is so low that they have no share in a softmax.
template <typename Real>
struct GatedComposition {
    explicit GatedComposition(const GatedSizes& sizes);

    Lines<Real> table;                // [design.vocabulary, projections], bias included
    std::vector<Lines<Real>> between; // [value, projections] for each layer but the first
    std::vector<Lines<Real>> betweenBias;
    Lines<Real> head; // [value, vocabulary]
    Lines<Real> headBias;

    void clear();
    template <typename Other>
    void add(const GatedComposition<Other>& other);
};

/// How many parameters there are, in the order that the engine takes them in.
[[nodiscard]] std::vector<std::int64_t> parameterSizes(const core::GatedRnnDesign& design);

template <typename Real>
void compose(const GatedSizes& sizes, const std::vector<std::span<const Real>>& parameters,
             GatedComposition<Real>& to);

/// The gradients of the design's own parameters from those of the composed maps.
template <typename Real>
[[nodiscard]] std::vector<std::vector<Real>> decompose(
    const GatedSizes& sizes, const std::vector<std::span<const Real>>& parameters,
    const GatedComposition<double>& gradients);

} // namespace outlay::worker
