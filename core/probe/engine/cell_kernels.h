// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What an LSTM, GRU or RNN does in a step between its products of matrices, in one binary for SSE2, AVX2
// and AVX-512. Gates stand in the order of LibTorch's weights.
#pragma once

#include "core/model/layer.h"

#include <cstdint>

namespace outlay::worker {

/// Rows that are `stride` elements apart.
template <typename Real>
struct RowsAt {
    Real* first = nullptr;
    std::int64_t stride = 0;
};

struct CellSize {
    std::int64_t rows = 0;
    std::int64_t hidden = 0;
};

/// A step's values. Of `before` (the last step's) each cell reads what it needs.
template <typename Real>
struct CellStep {
    RowsAt<Real> gates;   // LSTM 4, GRU 3, RNN 1 times `hidden`
    RowsAt<Real> ofState; // GRU: the state's part of the gates; of them the fresh one is kept
    RowsAt<Real> kept;    // LSTM: the cell; GRU: the state's part of the fresh gate, with its bias
    RowsAt<Real> hidden;
    RowsAt<const Real> hiddenBefore;
    RowsAt<const Real> keptBefore;   // LSTM: the cell
    const Real* bias = nullptr;      // of the gates; none if null
    const Real* stateBias = nullptr; // GRU: of the state's part
};

/// Sums before the gates become the gates, and from them the state.
template <typename Real>
void cellForward(core::Cell cell, const CellSize& size, const CellStep<Real>& step);

/// The way back: from the gradient of what the step handed on, to those of the sums before its gates.
template <typename Real>
struct CellGradients {
    RowsAt<const Real> hidden; // from the layer above
    Real* later =
        nullptr; // of the state, from the next step; GRU: becomes what goes past the gates
    Real* laterCell = nullptr; // LSTM: of the cell, from the next step; becomes this one's
    RowsAt<Real> sums;
    RowsAt<Real> ofState; // GRU: of the state's part
};

template <typename Real>
void cellBackward(core::Cell cell, const CellSize& size, const CellStep<Real>& step,
                  const CellGradients<Real>& gradients);

} // namespace outlay::worker
