// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/engine/gated_scan.h"

#include "core/probe/engine/gated_scan_blocks.h"

#include <algorithm>

namespace outlay::worker {
namespace {

template <typename Real>
OUTLAY_INLINE void step(const ScanSize& size, const Real* keys, const Real* gate, const Real* value,
                        const Real* before, Real* after)
{
    for (std::int64_t k = 0; k < size.key; ++k) {
        const Real g = gate[k];
        const Real key = keys[k];
        const Real* from = before + k * size.value;
        Real* to = after + k * size.value;
#pragma omp simd
        for (std::int64_t v = 0; v < size.value; ++v)
            to[v] = g * from[v] + key * value[v];
    }
}

template <typename Real>
OUTLAY_INLINE void forward(const ScanSize& size, const ScanInput<Real>& in, Real* state,
                           Real* output, Real* kept)
{
    const std::int64_t elements = size.key * size.value;
    for (std::int64_t t = 0; t < size.steps; ++t) {
        if (kept != nullptr && t % StatesApart == 0)
            std::copy_n(state, elements, kept + t / StatesApart * elements);
        step(size, in.keys + t * size.keyStride, in.gate + t * size.keyStride,
             in.value + t * size.valueStride, state, state);
        const Real* query = in.query + t * size.keyStride;
        Real* out = output + t * size.outputStride;
        std::fill_n(out, size.value, Real(0));
        for (std::int64_t k = 0; k < size.key; ++k) {
            const Real q = query[k];
            const Real* row = state + k * size.value;
#pragma omp simd
            for (std::int64_t v = 0; v < size.value; ++v)
                out[v] += q * row[v];
        }
    }
}

template <typename Real>
struct Step {
    const Real* query;
    const Real* keys;
    const Real* gate;
    const Real* value;
    const Real* outputGradient;
    const Real* before; // the state
    const Real* after;
};

/// One step back: the gradients of its inputs, and that of the state before it in place.
template <typename Real>
OUTLAY_INLINE void stepBack(const ScanSize& size, const Step<Real>& s, Real* stateGradient,
                            const ScanGradients<Real>& out, std::int64_t t)
{
    Real* valueGradient = out.value + t * size.valueStride;
    std::fill_n(valueGradient, size.value, Real(0));
    for (std::int64_t k = 0; k < size.key; ++k) {
        const Real q = s.query[k];
        const Real key = s.keys[k];
        const Real g = s.gate[k];
        const Real* before = s.before + k * size.value;
        const Real* after = s.after + k * size.value;
        Real* gradient = stateGradient + k * size.value;
        Real ofQuery = 0;
        Real ofKey = 0;
        Real ofGate = 0;
        // Sums may be taken in any order: that is what the vectors are for.
#pragma omp simd reduction(+ : ofQuery, ofKey, ofGate)
        for (std::int64_t v = 0; v < size.value; ++v) {
            const Real d = gradient[v] + q * s.outputGradient[v];
            ofQuery += s.outputGradient[v] * after[v];
            ofKey += d * s.value[v];
            ofGate += d * before[v];
            valueGradient[v] += d * key;
            gradient[v] = d * g;
        }
        out.query[t * size.keyStride + k] = ofQuery;
        out.keys[t * size.keyStride + k] = ofKey;
        out.gate[t * size.keyStride + k] = ofGate;
    }
}

template <typename Real>
OUTLAY_INLINE void backward(const ScanSize& size, const ScanInput<Real>& in, const Real* kept,
                            const Real* outputGradient, Real* stateGradient,
                            const ScanGradients<Real>& out)
{
    const std::int64_t elements = size.key * size.value;
    // The states of one stretch, computed again: small enough for the cache.
    std::vector<Real> states(static_cast<std::size_t>((StatesApart + 1) * elements));
    for (std::int64_t stretch = keptStates(size.steps) - 1; stretch >= 0; --stretch) {
        const std::int64_t first = stretch * StatesApart;
        const std::int64_t count = std::min(StatesApart, size.steps - first);
        std::copy_n(kept + stretch * elements, elements, states.data());
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t t = first + i;
            step(size, in.keys + t * size.keyStride, in.gate + t * size.keyStride,
                 in.value + t * size.valueStride, states.data() + i * elements,
                 states.data() + (i + 1) * elements);
        }
        for (std::int64_t i = count - 1; i >= 0; --i) {
            const std::int64_t t = first + i;
            stepBack(size,
                     Step<Real>{in.query + t * size.keyStride, in.keys + t * size.keyStride,
                                in.gate + t * size.keyStride, in.value + t * size.valueStride,
                                outputGradient + t * size.outputStride,
                                states.data() + i * elements, states.data() + (i + 1) * elements},
                     stateGradient, out, t);
        }
    }
}

struct Forward {
    template <int Bytes, typename Real>
    static OUTLAY_INLINE void run(const ScanSize& size, const ScanInput<Real>& in, Real* state,
                                  Real* output, Real* kept)
    {
        if (!isWhole<Real, Bytes>(size))
            return forward(size, in, state, output, kept);
        const std::int64_t elements = size.key * size.value;
        for (std::int64_t first = 0; first < size.steps; first += StatesApart) {
            if (kept != nullptr)
                std::copy_n(state, elements, kept + first / StatesApart * elements);
            forwardStretch<Real, Bytes>(
                size, in, {0, 0, first, std::min(StatesApart, size.steps - first)}, state, output);
        }
    }
};

struct Backward {
    template <int Bytes, typename Real>
    static OUTLAY_INLINE void run(const ScanSize& size, const ScanInput<Real>& in, const Real* kept,
                                  const BackwardRows<Real>& rows)
    {
        if (!isWhole<Real, Bytes>(size))
            return backward(size, in, kept, rows.outputGradient, rows.stateGradient, rows.out);
        const std::int64_t elements = size.key * size.value;
        for (std::int64_t stretch = keptStates(size.steps) - 1; stretch >= 0; --stretch) {
            const std::int64_t first = stretch * StatesApart;
            backwardStretch<Real, Bytes>(size, in,
                                         {0, 0, first, std::min(StatesApart, size.steps - first)},
                                         kept + stretch * elements, rows);
        }
    }
};

} // namespace

template <typename Real>
void scanForward(const ScanSize& size, const ScanInput<Real>& in, Real* state, Real* output,
                 Real* kept)
{
    runWidest<Forward>(size, in, state, output, kept);
}

template <typename Real>
void scanBackward(const ScanSize& size, const ScanInput<Real>& in, const Real* kept,
                  const Real* outputGradient, Real* stateGradient, const ScanGradients<Real>& out)
{
    runWidest<Backward>(size, in, kept, BackwardRows<Real>{outputGradient, stateGradient, out});
}

template void scanForward(const ScanSize& size, const ScanInput<float>& in, float* state,
                          float* output, float* kept);
template void scanForward(const ScanSize& size, const ScanInput<double>& in, double* state,
                          double* output, double* kept);
template void scanBackward(const ScanSize& size, const ScanInput<float>& in, const float* kept,
                           const float* outputGradient, float* stateGradient,
                           const ScanGradients<float>& out);
template void scanBackward(const ScanSize& size, const ScanInput<double>& in, const double* kept,
                           const double* outputGradient, double* stateGradient,
                           const ScanGradients<double>& out);

} // namespace outlay::worker
