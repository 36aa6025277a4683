// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Products of matrices without LibTorch's tensors, by whichever library is loaded with it.
#pragma once

#include <cstdint>

namespace outlay::worker {

/// Rows one after another, `stride` elements apart; read by columns when transposed.
template <typename Real>
struct Matrix {
    const Real* data = nullptr;
    std::int64_t stride = 0;
    bool isTransposed = false;
};

struct ProductSize {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t inner = 0;
};

/// result = a b, or result + a b. Run by the calling thread alone where it holds a LoneThread.
enum class Result { Set, Add };
template <typename Real>
void multiply(const ProductSize& size, const Matrix<Real>& a, const Matrix<Real>& b, Result result,
              Real* to, std::int64_t stride);

/// In the order in which they are tried; oneDNN multiplies floats only.
enum class GemmLibrary { OneDnn, Blas, None };
/// Whether oneDNN is loaded.
[[nodiscard]] bool hasDnnl();
/// For tests and benchmarks; not while products run.
void limitLibraries(GemmLibrary best);

/// While it lives, products that the constructing thread starts use no other threads.
class LoneThread {
public:
    LoneThread();
    ~LoneThread();
    LoneThread(const LoneThread&) = delete;
    LoneThread& operator=(const LoneThread&) = delete;

private:
    int m_before = 1;
};

/// While it lives, OpenBLAS starts no threads for anyone; without OpenBLAS, nothing.
class LoneBlas {
public:
    LoneBlas();
    ~LoneBlas();
    LoneBlas(const LoneBlas&) = delete;
    LoneBlas& operator=(const LoneBlas&) = delete;

private:
    int m_before = 1;
};

} // namespace outlay::worker
