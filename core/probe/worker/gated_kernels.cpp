// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/gated_kernels.h"

#include <algorithm>
#include <cmath>

namespace outlay::worker {

template <typename Real>
void sigmoid(const Columns& columns, Real* values)
{
    for (std::int64_t row = 0; row < columns.rows; ++row) {
        Real* at = values + row * columns.stride;
        for (std::int64_t i = columns.first; i < columns.end; ++i)
            at[i] = Real(1) / (Real(1) + std::exp(-std::clamp(at[i], Real(-80), Real(80))));
    }
}

template <typename Real>
void sigmoidBackward(const Columns& columns, const Real* y, Real* gradients)
{
    for (std::int64_t row = 0; row < columns.rows; ++row) {
        const Real* from = y + row * columns.stride;
        Real* to = gradients + row * columns.stride;
        for (std::int64_t i = columns.first; i < columns.end; ++i)
            to[i] *= from[i] * (Real(1) - from[i]);
    }
}

template <typename Real>
void addBias(std::int64_t rows, std::int64_t width, const Real* bias, Real* values)
{
    for (std::int64_t row = 0; row < rows; ++row, values += width) {
        for (std::int64_t i = 0; i < width; ++i)
            values[i] += bias[i];
    }
}

template <typename Real>
void sumRows(std::int64_t rows, std::int64_t width, const Real* values, Real* sums)
{
    for (std::int64_t row = 0; row < rows; ++row, values += width) {
        for (std::int64_t i = 0; i < width; ++i)
            sums[i] += values[i];
    }
}

template <typename Real>
double crossEntropy(const SoftmaxRows<Real>& rows, std::span<const std::int64_t> targets,
                    Real* logits)
{
    double loss = 0;
    for (const std::int64_t target : targets) {
        for (std::int64_t i = 0; i < rows.width; ++i)
            logits[i] += rows.bias[i];
        const Real largest = *std::max_element(logits, logits + rows.width);
        loss += static_cast<double>(largest - logits[target]);
        Real sum = 0;
        for (std::int64_t i = 0; i < rows.width; ++i) {
            logits[i] = std::exp(logits[i] - largest);
            sum += logits[i];
        }
        loss += std::log(static_cast<double>(sum));
        for (std::int64_t i = 0; i < rows.width; ++i)
            logits[i] *= rows.scale / sum;
        logits[target] -= rows.scale;
        for (std::int64_t i = 0; i < rows.width; ++i)
            rows.biasGradient[i] += logits[i];
        logits += rows.width;
    }
    return loss;
}

template <typename Real>
void project(std::int64_t inner, std::int64_t width, const Real* x, const Real* matrix,
             const Real* bias, Real* to)
{
    std::copy_n(bias, width, to);
    for (std::int64_t k = 0; k < inner; ++k, matrix += width) {
        for (std::int64_t i = 0; i < width; ++i)
            to[i] += x[k] * matrix[i];
    }
}

template void sigmoid(const Columns& columns, float* values);
template void sigmoid(const Columns& columns, double* values);
template void sigmoidBackward(const Columns& columns, const float* y, float* gradients);
template void sigmoidBackward(const Columns& columns, const double* y, double* gradients);
template void addBias(std::int64_t rows, std::int64_t width, const float* bias, float* values);
template void addBias(std::int64_t rows, std::int64_t width, const double* bias, double* values);
template void sumRows(std::int64_t rows, std::int64_t width, const float* values, float* sums);
template void sumRows(std::int64_t rows, std::int64_t width, const double* values, double* sums);
template double crossEntropy(const SoftmaxRows<float>& rows, std::span<const std::int64_t> targets,
                             float* logits);
template double crossEntropy(const SoftmaxRows<double>& rows, std::span<const std::int64_t> targets,
                             double* logits);
template void project(std::int64_t inner, std::int64_t width, const float* x, const float* matrix,
                      const float* bias, float* to);
template void project(std::int64_t inner, std::int64_t width, const double* x, const double* matrix,
                      const double* bias, double* to);

} // namespace outlay::worker
