// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/engine/gated_kernels.h"

#include "core/probe/engine/simd.h"

#include <cmath>

namespace outlay::worker {
namespace {

template <typename Real>
constexpr Real Steepest = sizeof(Real) == 4 ? Real(80) : Real(700); // its exponential is a number

/// From the end that is nearer: 1 / (1 + e^-x) would round a gate that is almost 1 twice as coarsely,
/// and what it forgets in a thousand steps hangs on that.
struct Sigmoid {
    template <int Bytes, typename Real>
    static OUTLAY_INLINE void run(const Columns& columns, Real* values)
    {
        using S = Simd<Real, Bytes>;
        const auto least = S::all(-Steepest<Real>);
        for (std::int64_t row = 0; row < columns.rows; ++row) {
            Real* at = values + row * columns.stride;
            for (std::int64_t i = columns.first; i < columns.end; i += S::Lanes) {
                const auto x = S::load(at + i);
                const auto share = S::exp(S::larger(least, S::smaller(x, -x)));
                const auto nearer = share / (Real(1) + share);
                S::store(at + i, x < Real(0) ? nearer : Real(1) - nearer);
            }
        }
    }
};

struct SigmoidBackward {
    template <int Bytes, typename Real>
    static OUTLAY_INLINE void run(const Columns& columns, const Real* y, Real* gradients)
    {
        using S = Simd<Real, Bytes>;
        for (std::int64_t row = 0; row < columns.rows; ++row) {
            const Real* from = y + row * columns.stride;
            Real* to = gradients + row * columns.stride;
            for (std::int64_t i = columns.first; i < columns.end; i += S::Lanes) {
                const auto x = S::load(from + i);
                S::store(to + i, S::load(to + i) * (x * (Real(1) - x)));
            }
        }
    }
};

struct AddBias {
    template <int Bytes, typename Real>
    static OUTLAY_INLINE void run(std::int64_t rows, std::int64_t width, const Real* bias,
                                  Real* values)
    {
        using S = Simd<Real, Bytes>;
        for (std::int64_t row = 0; row < rows; ++row, values += width) {
            for (std::int64_t i = 0; i < width; i += S::Lanes)
                S::store(values + i, S::load(values + i) + S::load(bias + i));
        }
    }
};

/// Sums of sums of few rows each, so that small errors don't pile up.
struct SumRows {
    template <int Bytes, typename Real>
    static OUTLAY_INLINE void run(const RowBlock<Real>& block, Real* sums)
    {
        using S = Simd<Real, Bytes>;
        constexpr std::int64_t Wide = 4;
        std::int64_t i = 0;
        for (; i + Wide * S::Lanes <= block.width; i += Wide * S::Lanes)
            columns<Bytes, Wide>(block, i, sums);
        for (; i < block.width; i += S::Lanes)
            columns<Bytes, 1>(block, i, sums);
    }

    template <int Bytes, int Wide, typename Real>
    static OUTLAY_INLINE void columns(const RowBlock<Real>& block, std::int64_t first, Real* sums)
    {
        using S = Simd<Real, Bytes>;
        constexpr std::int64_t Few = 16;
        typename S::Vector total[Size<Wide>] = {};
        for (std::int64_t row = 0; row < block.rows; row += Few) {
            typename S::Vector some[Size<Wide>] = {};
            const std::int64_t end = row + Few < block.rows ? row + Few : block.rows;
            const Real* at = block.values + row * block.width + first;
            for (std::int64_t i = row; i < end; ++i, at += block.width) {
                for (int v = 0; v < Wide; ++v)
                    some[v] += S::load(at + v * S::Lanes);
            }
            for (int v = 0; v < Wide; ++v)
                total[v] += some[v];
        }
        for (int v = 0; v < Wide; ++v) {
            Real* to = sums + first + v * S::Lanes;
            S::store(to, S::load(to) + total[v]);
        }
    }
};

struct AddRow {
    template <int Bytes, typename Real>
    static OUTLAY_INLINE void run(std::int64_t width, const Real* values, double* sums)
    {
#pragma omp simd
        for (std::int64_t i = 0; i < width; ++i)
            sums[i] += static_cast<double>(values[i]);
    }
};

struct CrossEntropy {
    template <int Bytes, typename Real>
    static OUTLAY_INLINE double run(const SoftmaxRows<Real>& rows,
                                    const std::span<const std::int64_t>& targets, Real* logits)
    {
        double loss = 0;
        for (const std::int64_t target : targets) {
            loss += row<Bytes>(rows, target, logits);
            logits += rows.width;
        }
        return loss;
    }

    template <int Bytes, typename Real>
    static OUTLAY_INLINE double row(const SoftmaxRows<Real>& rows, std::int64_t target, Real* x)
    {
        using S = Simd<Real, Bytes>;
        auto most = S::all(x[0] + rows.bias[0]);
        for (std::int64_t i = 0; i < rows.width; i += S::Lanes) {
            const auto logit = S::load(x + i) + S::load(rows.bias + i);
            S::store(x + i, logit);
            most = S::larger(most, logit);
        }
        const Real largest = S::largest(most);
        const double ofTarget = static_cast<double>(largest - x[target]);
        const auto least = S::all(-Steepest<Real>);
        typename S::Vector sums[2] = {};
        for (std::int64_t i = 0; i < rows.width; i += S::Lanes) {
            const auto share = S::exp(S::larger(least, S::load(x + i) - largest));
            S::store(x + i, share);
            sums[i / S::Lanes % 2] += share;
        }
        const Real sum = S::sum(sums[0] + sums[1]);
        const Real scale = rows.scale / sum;
        x[target] -= sum;
        for (std::int64_t i = 0; i < rows.width; i += S::Lanes) {
            S::store(x + i, S::load(x + i) * scale);
        }
        return ofTarget + std::log(static_cast<double>(sum));
    }
};

struct Project {
    template <int Bytes, typename Real>
    static OUTLAY_INLINE void run(const ProjectionSize& size, const Real* x, const Real* matrix,
                                  const Real* bias, Real* to)
    {
        using S = Simd<Real, Bytes>;
        constexpr std::int64_t Wide = 4;
        std::int64_t i = 0;
        for (; i + Wide * S::Lanes <= size.width; i += Wide * S::Lanes)
            columns<Bytes, Wide>(size, x, matrix + i, bias + i, to + i);
        for (; i < size.width; i += S::Lanes)
            columns<Bytes, 1>(size, x, matrix + i, bias + i, to + i);
    }

    template <int Bytes, int Wide, typename Real>
    static OUTLAY_INLINE void columns(const ProjectionSize& size, const Real* x, const Real* matrix,
                                      const Real* bias, Real* to)
    {
        using S = Simd<Real, Bytes>;
        typename S::Vector sums[Size<Wide>];
        for (int v = 0; v < Wide; ++v)
            sums[v] = S::load(bias + v * S::Lanes);
        for (std::int64_t k = 0; k < size.inner; ++k, matrix += size.width) {
            for (int v = 0; v < Wide; ++v)
                sums[v] += x[k] * S::load(matrix + v * S::Lanes);
        }
        for (int v = 0; v < Wide; ++v)
            S::store(to + v * S::Lanes, sums[v]);
    }
};

struct Likeliest {
    template <int Bytes, typename Real>
    static OUTLAY_INLINE std::int64_t run(std::int64_t width, const Real* logits)
    {
        using S = Simd<Real, Bytes>;
        auto most = S::load(logits);
        for (std::int64_t i = S::Lanes; i < width; i += S::Lanes)
            most = S::larger(most, S::load(logits + i));
        const Real largest = S::largest(most);
        std::int64_t place = 0;
        while (place + 1 < width && logits[place] < largest)
            ++place;
        return place;
    }
};

} // namespace

template <typename Real>
void sigmoid(const Columns& columns, Real* values)
{
    runWidest<Sigmoid>(columns, values);
}

template <typename Real>
void sigmoidBackward(const Columns& columns, const Real* y, Real* gradients)
{
    runWidest<SigmoidBackward>(columns, y, gradients);
}

template <typename Real>
void addBias(std::int64_t rows, std::int64_t width, const Real* bias, Real* values)
{
    runWidest<AddBias>(rows, width, bias, values);
}

template <typename Real>
void sumRows(const RowBlock<Real>& block, Real* sums)
{
    runWidest<SumRows>(block, sums);
}

template <typename Real>
void addRow(std::int64_t width, const Real* values, double* sums)
{
    runWidest<AddRow>(width, values, sums);
}

template <typename Real>
double crossEntropy(const SoftmaxRows<Real>& rows, std::span<const std::int64_t> targets,
                    Real* logits)
{
    return runWidest<CrossEntropy>(rows, targets, logits);
}

template <typename Real>
void project(const ProjectionSize& size, const Real* x, const Real* matrix, const Real* bias,
             Real* to)
{
    runWidest<Project>(size, x, matrix, bias, to);
}

template <typename Real>
std::int64_t likeliest(std::int64_t width, const Real* logits)
{
    return runWidest<Likeliest>(width, logits);
}

template void sigmoid(const Columns& columns, float* values);
template void sigmoid(const Columns& columns, double* values);
template void sigmoidBackward(const Columns& columns, const float* y, float* gradients);
template void sigmoidBackward(const Columns& columns, const double* y, double* gradients);
template void addBias(std::int64_t rows, std::int64_t width, const float* bias, float* values);
template void addBias(std::int64_t rows, std::int64_t width, const double* bias, double* values);
template void sumRows(const RowBlock<float>& block, float* sums);
template void sumRows(const RowBlock<double>& block, double* sums);
template void addRow(std::int64_t width, const float* values, double* sums);
template void addRow(std::int64_t width, const double* values, double* sums);
template double crossEntropy(const SoftmaxRows<float>& rows, std::span<const std::int64_t> targets,
                             float* logits);
template double crossEntropy(const SoftmaxRows<double>& rows, std::span<const std::int64_t> targets,
                             double* logits);
template void project(const ProjectionSize& size, const float* x, const float* matrix,
                      const float* bias, float* to);
template void project(const ProjectionSize& size, const double* x, const double* matrix,
                      const double* bias, double* to);
template std::int64_t likeliest(std::int64_t width, const float* logits);
template std::int64_t likeliest(std::int64_t width, const double* logits);

} // namespace outlay::worker
