// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The recurrence of the gated RNN over a whole sequence, without LibTorch: forward, and backward by
// computing the states again from few that were kept. In one binary for SSE2, AVX2 and AVX-512.
#pragma once

#include <cstdint>
#include <vector>

namespace outlay::worker {

struct ScanSize {
    std::int64_t steps = 0;
    std::int64_t key = 0;
    std::int64_t value = 0;
    std::int64_t keyStride = 0; // elements from one step's query, key and gate to the next's
    std::int64_t valueStride = 0;
    std::int64_t outputStride = 0;
};

/// Of one sample. Rows are steps; the state is key x value, row after row. Gradients lie as what they are of.
template <typename Real>
struct ScanInput {
    const Real* query = nullptr; // [steps, key]
    const Real* keys = nullptr;  // [steps, key]
    const Real* gate = nullptr;  // [steps, key]
    const Real* value = nullptr; // [steps, value]
};

/// state = gate state + key value^T, output = state^T query in every step. `state` holds the first state
/// and then the last; `kept` (null: none) gets the state before every `StatesApart`th step.
constexpr std::int64_t StatesApart = 16;
template <typename Real>
void scanForward(const ScanSize& size, const ScanInput<Real>& in, Real* state, Real* output,
                 Real* kept);

template <typename Real>
struct ScanGradients {
    Real* query = nullptr;
    Real* keys = nullptr;
    Real* gate = nullptr;
    Real* value = nullptr;
};

/// `outputGradient` [steps, value]; `kept` as scanForward filled it; `stateGradient` [key, value] holds
/// that of the last state and then that of the first.
template <typename Real>
void scanBackward(const ScanSize& size, const ScanInput<Real>& in, const Real* kept,
                  const Real* outputGradient, Real* stateGradient, const ScanGradients<Real>& out);

/// How many states `kept` holds.
[[nodiscard]] constexpr std::int64_t keptStates(std::int64_t steps)
{
    return (steps + StatesApart - 1) / StatesApart;
}

} // namespace outlay::worker
