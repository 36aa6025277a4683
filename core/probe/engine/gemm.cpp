// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/engine/gemm.h"

#include <atomic>
#include <dlfcn.h>
#include <limits>
#include <type_traits>

namespace outlay::worker {
namespace {

// oneDNN's takes rows, Fortran's takes columns.
using DnnlProduct = int (*)(char, char, std::int64_t, std::int64_t, std::int64_t, float,
                            const float*, std::int64_t, const float*, std::int64_t, float, float*,
                            std::int64_t);
template <typename Real>
using BlasProduct = void (*)(const char*, const char*, const int*, const int*, const int*,
                             const Real*, const Real*, const int*, const Real*, const int*,
                             const Real*, Real*, const int*);

/// A function of a library that is loaded already; null if none has it.
template <typename Function>
Function find(const char* name)
{
    return reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
}

template <typename Real>
bool multiplyByBlas(const ProductSize& size, const Matrix<Real>& a, const Matrix<Real>& b,
                    Real beta, Real* to, std::int64_t stride)
{
    static const auto Product =
        find<BlasProduct<Real>>(std::is_same_v<Real, float> ? "sgemm_" : "dgemm_");
    constexpr std::int64_t Most = std::numeric_limits<int>::max();
    if (Product == nullptr || a.stride > Most || b.stride > Most || size.rows > Most)
        return false;
    // What is rows here is columns there: the transposed result from the transposed factors, swapped.
    const char first = b.isTransposed ? 'T' : 'N';
    const char second = a.isTransposed ? 'T' : 'N';
    const auto number = [](std::int64_t n) { return static_cast<int>(n); };
    const int rows = number(size.columns);
    const int columns = number(size.rows);
    const int inner = number(size.inner);
    const int strides[] = {number(b.stride), number(a.stride), number(stride)};
    const Real one = 1;
    Product(&first, &second, &rows, &columns, &inner, &one, b.data, &strides[0], a.data,
            &strides[1], &beta, to, &strides[2]);
    return true;
}

DnnlProduct dnnlProduct()
{
    static const auto Product = find<DnnlProduct>("dnnl_sgemm");
    return Product;
}

bool multiplyByDnnl(const ProductSize& size, const Matrix<float>& a, const Matrix<float>& b,
                    float beta, float* to, std::int64_t stride)
{
    const DnnlProduct product = dnnlProduct();
    return product != nullptr &&
           product(a.isTransposed ? 'T' : 'N', b.isTransposed ? 'T' : 'N', size.rows, size.columns,
                   size.inner, 1.0F, a.data, a.stride, b.data, b.stride, beta, to, stride) == 0;
}

template <typename Real>
void multiplyPlainly(const ProductSize& size, const Matrix<Real>& a, const Matrix<Real>& b,
                     Real beta, Real* to, std::int64_t stride)
{
    const auto at = [](const Matrix<Real>& m, std::int64_t row, std::int64_t column) {
        return m.isTransposed ? m.data[column * m.stride + row] : m.data[row * m.stride + column];
    };
    for (std::int64_t i = 0; i < size.rows; ++i) {
        for (std::int64_t j = 0; j < size.columns; ++j) {
            Real sum = 0;
            for (std::int64_t k = 0; k < size.inner; ++k)
                sum += at(a, i, k) * at(b, k, j);
            Real& element = to[i * stride + j];
            element = beta == Real(0) ? sum : element + sum;
        }
    }
}

std::atomic<GemmLibrary>& bestLibrary()
{
    static std::atomic<GemmLibrary> best = GemmLibrary::OneDnn;
    return best;
}

} // namespace

bool hasDnnl()
{
    return dnnlProduct() != nullptr;
}

void limitLibraries(GemmLibrary best)
{
    bestLibrary() = best;
}

template <typename Real>
void multiply(const ProductSize& size, const Matrix<Real>& a, const Matrix<Real>& b, Result result,
              Real* to, std::int64_t stride)
{
    const Real beta = result == Result::Add ? Real(1) : Real(0);
    const GemmLibrary best = bestLibrary().load(std::memory_order_relaxed);
    if constexpr (std::is_same_v<Real, float>) {
        if (best == GemmLibrary::OneDnn && multiplyByDnnl(size, a, b, beta, to, stride))
            return;
    }
    if (best == GemmLibrary::None || !multiplyByBlas(size, a, b, beta, to, stride))
        multiplyPlainly(size, a, b, beta, to, stride);
}

template void multiply(const ProductSize& size, const Matrix<float>& a, const Matrix<float>& b,
                       Result result, float* to, std::int64_t stride);
template void multiply(const ProductSize& size, const Matrix<double>& a, const Matrix<double>& b,
                       Result result, double* to, std::int64_t stride);

LoneThread::LoneThread()
{
    // oneDNN asks OpenMP, which keeps this number for each thread.
    if (const auto most = find<int (*)()>("omp_get_max_threads"))
        m_before = most();
    if (const auto set = find<void (*)(int)>("omp_set_num_threads"))
        set(1);
}

LoneThread::~LoneThread()
{
    if (const auto set = find<void (*)(int)>("omp_set_num_threads"))
        set(m_before);
}

LoneBlas::LoneBlas()
{
    if (const auto threads = find<int (*)()>("openblas_get_num_threads"))
        m_before = threads();
    if (const auto set = find<void (*)(int)>("openblas_set_num_threads"))
        set(1);
}

LoneBlas::~LoneBlas()
{
    if (const auto set = find<void (*)(int)>("openblas_set_num_threads"))
        set(m_before);
}

} // namespace outlay::worker
