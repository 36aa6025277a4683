// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/engine/cell_kernels.h"

#include "core/probe/engine/simd.h"

namespace outlay::worker {
namespace {

/// As many elements at a time as a vector has; a row's last ones may be fewer.
template <typename Real, int Bytes>
struct Part : Simd<Real, Bytes> {
    using S = Simd<Real, Bytes>;
    using Vector = typename S::Vector;

    std::int64_t count = S::Lanes;

    [[nodiscard]] OUTLAY_INLINE Vector get(const Real* from) const
    {
        if (count == S::Lanes)
            return S::load(from);
        Vector value = {};
        for (std::int64_t i = 0; i < count; ++i)
            value[i] = from[i];
        return value;
    }
    OUTLAY_INLINE void put(Real* to, const Vector& value) const
    {
        if (count == S::Lanes)
            return S::store(to, value);
        for (std::int64_t i = 0; i < count; ++i)
            to[i] = value[i];
    }
    /// Zeros where there is no bias.
    [[nodiscard]] OUTLAY_INLINE Vector biasAt(const Real* bias, std::int64_t i) const
    {
        return bias == nullptr ? Vector{} : get(bias + i);
    }

    static OUTLAY_INLINE Vector sigmoid(const Vector& x)
    {
        return Real(1) / (Real(1) + S::exp(bounded(-x)));
    }
    static OUTLAY_INLINE Vector tanh(const Vector& x)
    {
        const Vector e = S::expm1(bounded(x + x));
        return e / (e + Real(2));
    }

private:
    /// To where the exponential is a number, and the functions above have long reached their ends.
    static OUTLAY_INLINE Vector bounded(const Vector& x)
    {
        constexpr Real Steepest = sizeof(Real) == 4 ? Real(80) : Real(700);
        return S::larger(S::all(-Steepest), S::smaller(S::all(Steepest), x));
    }
};

/// Where the elements are: gates of one kind stand `hidden` apart.
struct Place {
    std::int64_t row = 0;
    std::int64_t i = 0;
    std::int64_t hidden = 0;
};

/// `Kernel::at` for all elements of all rows.
template <typename Kernel>
struct OverParts {
    template <int Bytes, typename Real, typename... Rest>
    static OUTLAY_INLINE void run(const CellSize& size, const CellStep<Real>& step,
                                  const Rest&... rest)
    {
        Part<Real, Bytes> part;
        for (std::int64_t row = 0; row < size.rows; ++row) {
            for (std::int64_t i = 0; i < size.hidden; i += part.Lanes) {
                const std::int64_t left = size.hidden - i;
                part.count = left < part.Lanes ? left : part.Lanes;
                Kernel::at(part, Place{row, i, size.hidden}, step, rest...);
            }
        }
    }
};

template <typename Real>
OUTLAY_INLINE Real* in(const RowsAt<Real>& rows, const Place& place)
{
    return rows.first + place.row * rows.stride + place.i;
}

struct LstmForward {
    template <typename P, typename Real>
    static OUTLAY_INLINE void at(const P& p, const Place& place, const CellStep<Real>& s)
    {
        const std::int64_t h = place.hidden;
        Real* gates = in(s.gates, place);
        const auto input = p.sigmoid(p.get(gates) + p.biasAt(s.bias, place.i));
        const auto forget = p.sigmoid(p.get(gates + h) + p.biasAt(s.bias, place.i + h));
        const auto fresh = p.tanh(p.get(gates + 2 * h) + p.biasAt(s.bias, place.i + 2 * h));
        const auto out = p.sigmoid(p.get(gates + 3 * h) + p.biasAt(s.bias, place.i + 3 * h));
        const auto cell = forget * p.get(in(s.keptBefore, place)) + input * fresh;
        p.put(gates, input);
        p.put(gates + h, forget);
        p.put(gates + 2 * h, fresh);
        p.put(gates + 3 * h, out);
        p.put(in(s.kept, place), cell);
        p.put(in(s.hidden, place), out * p.tanh(cell));
    }
};

struct LstmBackward {
    template <typename P, typename Real>
    static OUTLAY_INLINE void at(const P& p, const Place& place, const CellStep<Real>& s,
                                 const CellGradients<Real>& g)
    {
        const std::int64_t h = place.hidden;
        const Real* gates = in(s.gates, place);
        const auto input = p.get(gates);
        const auto forget = p.get(gates + h);
        const auto fresh = p.get(gates + 2 * h);
        const auto out = p.get(gates + 3 * h);
        const auto squashed = p.tanh(p.get(in(s.kept, place)));
        Real* laterCell = g.laterCell + place.row * h + place.i;
        const auto hidden = p.get(in(g.hidden, place)) + p.get(g.later + place.row * h + place.i);
        const auto cell = p.get(laterCell) + hidden * out * (Real(1) - squashed * squashed);
        Real* sums = in(g.sums, place);
        p.put(sums, cell * fresh * input * (Real(1) - input));
        p.put(sums + h, cell * p.get(in(s.keptBefore, place)) * forget * (Real(1) - forget));
        p.put(sums + 2 * h, cell * input * (Real(1) - fresh * fresh));
        p.put(sums + 3 * h, hidden * squashed * out * (Real(1) - out));
        p.put(laterCell, cell * forget);
    }
};

struct GruForward {
    template <typename P, typename Real>
    static OUTLAY_INLINE auto sum(const P& p, const Place& place, const CellStep<Real>& s,
                                  std::int64_t gate)
    {
        return p.get(in(s.gates, place) + gate) + p.biasAt(s.bias, place.i + gate) +
               p.get(in(s.ofState, place) + gate) + p.biasAt(s.stateBias, place.i + gate);
    }

    template <typename P, typename Real>
    static OUTLAY_INLINE void at(const P& p, const Place& place, const CellStep<Real>& s)
    {
        const std::int64_t h = place.hidden;
        Real* gates = in(s.gates, place);
        const Real* state = in(s.ofState, place);
        const auto reset = p.sigmoid(sum(p, place, s, 0));
        const auto update = p.sigmoid(sum(p, place, s, h));
        const auto ofState = p.get(state + 2 * h) + p.biasAt(s.stateBias, place.i + 2 * h);
        const auto fresh =
            p.tanh(p.get(gates + 2 * h) + p.biasAt(s.bias, place.i + 2 * h) + reset * ofState);
        p.put(gates, reset);
        p.put(gates + h, update);
        p.put(gates + 2 * h, fresh);
        p.put(in(s.kept, place), ofState);
        p.put(in(s.hidden, place), fresh + update * (p.get(in(s.hiddenBefore, place)) - fresh));
    }
};

struct GruBackward {
    template <typename P, typename Real>
    static OUTLAY_INLINE void at(const P& p, const Place& place, const CellStep<Real>& s,
                                 const CellGradients<Real>& g)
    {
        const std::int64_t h = place.hidden;
        const Real* gates = in(s.gates, place);
        const auto reset = p.get(gates);
        const auto update = p.get(gates + h);
        const auto fresh = p.get(gates + 2 * h);
        Real* later = g.later + place.row * h + place.i;
        const auto hidden = p.get(in(g.hidden, place)) + p.get(later);
        const auto ofFresh = hidden * (Real(1) - update) * (Real(1) - fresh * fresh);
        const auto ofUpdate =
            hidden * (p.get(in(s.hiddenBefore, place)) - fresh) * update * (Real(1) - update);
        const auto ofReset = ofFresh * p.get(in(s.kept, place)) * reset * (Real(1) - reset);
        for (Real* sums : {in(g.sums, place), in(g.ofState, place)}) {
            p.put(sums, ofReset);
            p.put(sums + h, ofUpdate);
        }
        p.put(in(g.sums, place) + 2 * h, ofFresh);
        p.put(in(g.ofState, place) + 2 * h, ofFresh * reset);
        p.put(later, hidden * update);
    }
};

struct RnnForward {
    template <typename P, typename Real>
    static OUTLAY_INLINE void at(const P& p, const Place& place, const CellStep<Real>& s)
    {
        p.put(in(s.hidden, place), p.tanh(p.get(in(s.gates, place)) + p.biasAt(s.bias, place.i)));
    }
};

struct RnnBackward {
    template <typename P, typename Real>
    static OUTLAY_INLINE void at(const P& p, const Place& place, const CellStep<Real>& s,
                                 const CellGradients<Real>& g)
    {
        const auto hidden = p.get(in(s.hidden, place));
        const auto gradient =
            p.get(in(g.hidden, place)) + p.get(g.later + place.row * place.hidden + place.i);
        p.put(in(g.sums, place), gradient * (Real(1) - hidden * hidden));
    }
};

} // namespace

template <typename Real>
void cellForward(core::Cell cell, const CellSize& size, const CellStep<Real>& step)
{
    switch (cell) {
    case core::Cell::Lstm: return runWidest<OverParts<LstmForward>>(size, step);
    case core::Cell::Gru: return runWidest<OverParts<GruForward>>(size, step);
    case core::Cell::Rnn: return runWidest<OverParts<RnnForward>>(size, step);
    }
}

template <typename Real>
void cellBackward(core::Cell cell, const CellSize& size, const CellStep<Real>& step,
                  const CellGradients<Real>& gradients)
{
    switch (cell) {
    case core::Cell::Lstm: return runWidest<OverParts<LstmBackward>>(size, step, gradients);
    case core::Cell::Gru: return runWidest<OverParts<GruBackward>>(size, step, gradients);
    case core::Cell::Rnn: return runWidest<OverParts<RnnBackward>>(size, step, gradients);
    }
}

template void cellForward(core::Cell, const CellSize&, const CellStep<float>&);
template void cellForward(core::Cell, const CellSize&, const CellStep<double>&);
template void cellBackward(core::Cell, const CellSize&, const CellStep<float>&,
                           const CellGradients<float>&);
template void cellBackward(core::Cell, const CellSize&, const CellStep<double>&,
                           const CellGradients<double>&);

} // namespace outlay::worker
