// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The gated RNN's steps for sizes that are whole vectors: a block of keys x values stays in registers over
// a stretch of steps, so that the state is read and written once a stretch.
#pragma once

#include "core/probe/engine/gated_scan.h"
#include "core/probe/engine/simd.h"

#include <algorithm>
#include <array>

namespace outlay::worker {

constexpr std::int64_t KeysInBlock = 4;

/// Values of a block, in vectors: as many as the registers hold.
template <int Bytes>
constexpr int MostVectors = Bytes == 64 ? 4 : 2;

/// One block at steps `first` to `first + count`.
template <typename Real>
struct BlockPlace {
    std::int64_t key = 0;
    std::int64_t value = 0;
    std::int64_t first = 0;
    std::int64_t count = 0;
};

template <typename Real, int Bytes, int Wide>
OUTLAY_INLINE void forwardBlock(const ScanSize& size, const ScanInput<Real>& in,
                                const BlockPlace<Real>& at, Real* state, Real* output)
{
    using S = Simd<Real, Bytes>;
    typename S::Vector s[KeysInBlock][Size<Wide>];
    Real* corner = state + at.key * size.value + at.value;
#pragma GCC unroll 4
    for (int k = 0; k < KeysInBlock; ++k) {
#pragma GCC unroll 4
        for (int v = 0; v < Wide; ++v)
            s[k][v] = S::load(corner + k * size.value + v * S::Lanes);
    }
    for (std::int64_t t = at.first; t < at.first + at.count; ++t) {
        const Real* query = in.query + t * size.keyStride + at.key;
        const Real* keys = in.keys + t * size.keyStride + at.key;
        const Real* gate = in.gate + t * size.keyStride + at.key;
        const Real* value = in.value + t * size.valueStride + at.value;
        Real* out = output + t * size.outputStride + at.value;
        typename S::Vector x[Size<Wide>];
        typename S::Vector sum[Size<Wide>];
#pragma GCC unroll 4
        for (int v = 0; v < Wide; ++v) {
            x[v] = S::load(value + v * S::Lanes);
            sum[v] = at.key == 0 ? typename S::Vector{} : S::load(out + v * S::Lanes);
        }
#pragma GCC unroll 4
        for (int k = 0; k < KeysInBlock; ++k) {
            const Real g = gate[k];
            const Real key = keys[k];
            const Real q = query[k];
#pragma GCC unroll 4
            for (int v = 0; v < Wide; ++v) {
                s[k][v] = g * s[k][v] + key * x[v];
                sum[v] += q * s[k][v];
            }
        }
#pragma GCC unroll 4
        for (int v = 0; v < Wide; ++v)
            S::store(out + v * S::Lanes, sum[v]);
    }
#pragma GCC unroll 4
    for (int k = 0; k < KeysInBlock; ++k) {
#pragma GCC unroll 4
        for (int v = 0; v < Wide; ++v)
            S::store(corner + k * size.value + v * S::Lanes, s[k][v]);
    }
}

/// Sums of the halves of both, one beside the other; `Group` lanes are one vector's.
template <typename Real, int Bytes, int Group, std::size_t... I>
OUTLAY_INLINE auto halved(const typename Simd<Real, Bytes>::Vector& a,
                          const typename Simd<Real, Bytes>::Vector& b, std::index_sequence<I...>) ->
    typename Simd<Real, Bytes>::Vector
{
    // Even halves of a and odd ones of b stay where they are, so that this is a blend.
    constexpr std::size_t Lanes = sizeof...(I);
    constexpr std::size_t Half = Group / 2;
    return __builtin_shufflevector(a, b, (I / Half % 2 == 0 ? I : I + Lanes)...) +
           __builtin_shufflevector(a, b, (I / Half % 2 == 0 ? I + Half : I - Half + Lanes)...);
}

template <typename Real, int Bytes, int Group, std::size_t... I>
OUTLAY_INLINE auto folded(const typename Simd<Real, Bytes>::Vector& a, std::index_sequence<I...>) ->
    typename Simd<Real, Bytes>::Vector
{
    constexpr std::size_t Half = Group / 2;
    return a + __builtin_shufflevector(a, a, (I / Half % 2 == 0 ? I + Half : I - Half)...);
}

/// The sums of four vectors of four lanes at least, added to `to` or put there.
template <typename Real, int Bytes>
OUTLAY_INLINE void sumFour(const typename Simd<Real, Bytes>::Vector* four, bool isFirst, Real* to)
{
    using S = Simd<Real, Bytes>;
    using Indices = std::make_index_sequence<static_cast<std::size_t>(S::Lanes)>;
    if constexpr (S::Lanes < 4) {
        for (int i = 0; i < 4; ++i)
            to[i] = (isFirst ? Real(0) : to[i]) + S::sum(four[i]);
    } else {
        const auto ab = halved<Real, Bytes, S::Lanes>(four[0], four[1], Indices());
        const auto cd = halved<Real, Bytes, S::Lanes>(four[2], four[3], Indices());
        auto all = halved<Real, Bytes, S::Lanes / 2>(ab, cd, Indices()); // in the order a c b d
        if constexpr (S::Lanes >= 8)
            all = folded<Real, Bytes, S::Lanes / 4>(all, Indices());
        if constexpr (S::Lanes >= 16)
            all = folded<Real, Bytes, S::Lanes / 8>(all, Indices());
        constexpr int Apart = S::Lanes / 4;
        using Four = Simd<Real, 4 * sizeof(Real)>;
        typename Four::Vector sums =
            __builtin_shufflevector(all, all, 0, 2 * Apart, Apart, 3 * Apart);
        if (!isFirst)
            sums += Four::load(to);
        Four::store(to, sums);
    }
}

/// The states of a stretch after each of its steps; `states` begins with the kept one.
template <typename Real, int Bytes, int Wide>
OUTLAY_INLINE void statesAgain(
    const ScanSize& size, const ScanInput<Real>& in, const BlockPlace<Real>& at, const Real* kept,
    typename Simd<Real, Bytes>::Vector (*states)[KeysInBlock][Size<Wide>])
{
    using S = Simd<Real, Bytes>;
    const Real* corner = kept + at.key * size.value + at.value;
    typename S::Vector s[KeysInBlock][Size<Wide>];
#pragma GCC unroll 4
    for (int k = 0; k < KeysInBlock; ++k) {
#pragma GCC unroll 4
        for (int v = 0; v < Wide; ++v)
            states[0][k][v] = s[k][v] = S::load(corner + k * size.value + v * S::Lanes);
    }
    for (std::int64_t i = 0; i < at.count; ++i) {
        const std::int64_t t = at.first + i;
        const Real* keys = in.keys + t * size.keyStride + at.key;
        const Real* gate = in.gate + t * size.keyStride + at.key;
        const Real* value = in.value + t * size.valueStride + at.value;
        typename S::Vector x[Size<Wide>];
#pragma GCC unroll 4
        for (int v = 0; v < Wide; ++v)
            x[v] = S::load(value + v * S::Lanes);
#pragma GCC unroll 4
        for (int k = 0; k < KeysInBlock; ++k) {
            const Real g = gate[k];
            const Real key = keys[k];
#pragma GCC unroll 4
            for (int v = 0; v < Wide; ++v)
                states[i + 1][k][v] = s[k][v] = g * s[k][v] + key * x[v];
        }
    }
}

template <typename Real>
struct BackwardRows {
    const Real* outputGradient;
    Real* stateGradient;
    ScanGradients<Real> out;
};

template <typename Real, int Bytes, int Wide>
OUTLAY_INLINE void backwardBlock(const ScanSize& size, const ScanInput<Real>& in,
                                 const BlockPlace<Real>& at, const Real* kept,
                                 const BackwardRows<Real>& rows)
{
    using S = Simd<Real, Bytes>;
    using Vector = typename S::Vector;
    Vector states[StatesApart + 1][KeysInBlock][Size<Wide>];
    statesAgain<Real, Bytes, Wide>(size, in, at, kept, states);
    Vector d[KeysInBlock][Size<Wide>];
    Real* corner = rows.stateGradient + at.key * size.value + at.value;
#pragma GCC unroll 4
    for (int k = 0; k < KeysInBlock; ++k) {
#pragma GCC unroll 4
        for (int v = 0; v < Wide; ++v)
            d[k][v] = S::load(corner + k * size.value + v * S::Lanes);
    }
    for (std::int64_t i = at.count - 1; i >= 0; --i) {
        const std::int64_t t = at.first + i;
        const std::int64_t row = t * size.keyStride + at.key;
        const Real* value = in.value + t * size.valueStride + at.value;
        const Real* output = rows.outputGradient + t * size.outputStride + at.value;
        Real* valueGradient = rows.out.value + t * size.valueStride + at.value;
        Vector ofValue[Size<Wide>] = {};
        Vector ofQuery[KeysInBlock] = {};
        Vector ofKey[KeysInBlock] = {};
        Vector ofGate[KeysInBlock] = {};
#pragma GCC unroll 4
        for (int k = 0; k < KeysInBlock; ++k) {
            const Real q = in.query[row + k];
            const Real key = in.keys[row + k];
            const Real g = in.gate[row + k];
#pragma GCC unroll 4
            for (int v = 0; v < Wide; ++v) {
                const Vector o = S::load(output + v * S::Lanes);
                d[k][v] += q * o;
                ofQuery[k] += o * states[i + 1][k][v];
                ofKey[k] += d[k][v] * S::load(value + v * S::Lanes);
                ofGate[k] += d[k][v] * states[i][k][v];
                ofValue[v] += d[k][v] * key;
                d[k][v] *= g;
            }
        }
#pragma GCC unroll 4
        for (int v = 0; v < Wide; ++v) {
            if (at.key > 0)
                ofValue[v] += S::load(valueGradient + v * S::Lanes);
            S::store(valueGradient + v * S::Lanes, ofValue[v]);
        }
        sumFour<Real, Bytes>(ofQuery, at.value == 0, rows.out.query + row);
        sumFour<Real, Bytes>(ofKey, at.value == 0, rows.out.keys + row);
        sumFour<Real, Bytes>(ofGate, at.value == 0, rows.out.gate + row);
    }
#pragma GCC unroll 4
    for (int k = 0; k < KeysInBlock; ++k) {
#pragma GCC unroll 4
        for (int v = 0; v < Wide; ++v)
            S::store(corner + k * size.value + v * S::Lanes, d[k][v]);
    }
}

/// Whether the sizes are whole blocks at this width of vectors.
template <typename Real, int Bytes>
OUTLAY_INLINE bool isWhole(const ScanSize& size)
{
    constexpr std::int64_t Apart =
        Simd<Real, Bytes>::Lanes * (Bytes == 64 ? 1 : MostVectors<Bytes>);
    return size.key % KeysInBlock == 0 && size.value % Apart == 0;
}

template <typename Real, int Bytes>
OUTLAY_INLINE void forwardStretch(const ScanSize& size, const ScanInput<Real>& in,
                                  BlockPlace<Real> at, Real* state, Real* output)
{
    constexpr std::int64_t Lanes = Simd<Real, Bytes>::Lanes;
    constexpr int Most = MostVectors<Bytes>;
    for (at.value = 0; at.value + Most * Lanes <= size.value; at.value += Most * Lanes) {
        for (at.key = 0; at.key < size.key; at.key += KeysInBlock)
            forwardBlock<Real, Bytes, Most>(size, in, at, state, output);
    }
    for (; at.value < size.value; at.value += Lanes) {
        for (at.key = 0; at.key < size.key; at.key += KeysInBlock)
            forwardBlock<Real, Bytes, 1>(size, in, at, state, output);
    }
}

template <typename Real, int Bytes>
OUTLAY_INLINE void backwardStretch(const ScanSize& size, const ScanInput<Real>& in,
                                   BlockPlace<Real> at, const Real* kept,
                                   const BackwardRows<Real>& rows)
{
    constexpr std::int64_t Lanes = Simd<Real, Bytes>::Lanes;
    constexpr int Most = MostVectors<Bytes>;
    for (at.value = 0; at.value + Most * Lanes <= size.value; at.value += Most * Lanes) {
        for (at.key = 0; at.key < size.key; at.key += KeysInBlock)
            backwardBlock<Real, Bytes, Most>(size, in, at, kept, rows);
    }
    for (; at.value < size.value; at.value += Lanes) {
        for (at.key = 0; at.key < size.key; at.key += KeysInBlock)
            backwardBlock<Real, Bytes, 1>(size, in, at, kept, rows);
    }
}

} // namespace outlay::worker
