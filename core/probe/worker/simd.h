// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels written once and compiled for each width of vectors; which one runs is decided at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#define OUTLAY_INLINE inline __attribute__((always_inline))
#if defined(__x86_64__)
#define OUTLAY_AVX2 __attribute__((target("avx2,fma")))
#define OUTLAY_AVX512 __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")))
#endif

namespace outlay::worker {

enum class Vectors { Bytes16, Bytes32, Bytes64 }; // SSE2 on x86, AVX2, AVX-512

/// The widest that this processor runs, or less after `limitVectors`.
[[nodiscard]] Vectors widestVectors();
/// For tests and benchmarks; not while kernels run.
void limitVectors(Vectors most);

/// Of an array.
template <int Count>
constexpr std::size_t Size = Count;

template <typename Real, int Bytes>
struct Simd {
    static constexpr std::int64_t Lanes = Bytes / static_cast<int>(sizeof(Real));
    using Vector [[gnu::vector_size(Bytes), gnu::aligned(alignof(Real)), gnu::may_alias]] = Real;
    using Integer = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
    using Integers [[gnu::vector_size(Bytes), gnu::may_alias]] = Integer;

    static OUTLAY_INLINE Vector load(const Real* from)
    {
        return *reinterpret_cast<const Vector*>(from);
    }
    static OUTLAY_INLINE void store(Real* to, const Vector& value)
    {
        *reinterpret_cast<Vector*>(to) = value;
    }
    static OUTLAY_INLINE Vector all(Real value) { return Vector{} + value; }
    static OUTLAY_INLINE Vector larger(const Vector& a, const Vector& b) { return a > b ? a : b; }
    static OUTLAY_INLINE Vector smaller(const Vector& a, const Vector& b) { return a < b ? a : b; }

    static OUTLAY_INLINE Real sum(const Vector& v)
    {
        Real total = 0;
        for (int i = 0; i < Lanes; ++i)
            total += v[i];
        return total;
    }
    static OUTLAY_INLINE Real largest(const Vector& v)
    {
        Real most = v[0];
        for (int i = 1; i < Lanes; ++i)
            most = v[i] > most ? v[i] : most;
        return most;
    }

    /// To the last bits, for arguments whose result is a normal number.
    static OUTLAY_INLINE Vector exp(const Vector& x);
};

/// 2^n e^r with |r| <= ln 2 / 2, e^r by its series.
template <typename Real, int Bytes>
OUTLAY_INLINE auto Simd<Real, Bytes>::exp(const Vector& x) -> Vector
{
    constexpr bool IsFloat = sizeof(Real) == 4;
    constexpr int MantissaBits = IsFloat ? 23 : 52;
    constexpr Real PerLog2 = static_cast<Real>(1.44269504088896340736);
    // ln 2 in two parts, so that the first times n is exact.
    constexpr Real Log2High = static_cast<Real>(IsFloat ? 0.693359375 : 0.693147180369123816490);
    constexpr Real Log2Low =
        static_cast<Real>(IsFloat ? -2.12194440e-4 : 1.90821492927058770002e-10);
    // Added, it leaves the nearest whole number in the last bits.
    constexpr Real Magic = static_cast<Real>(Integer(3) << (MantissaBits - 1));
    constexpr int Terms = IsFloat ? 7 : 13;
    const Vector shifted = x * PerLog2 + Magic;
    const Vector n = shifted - Magic;
    const Vector r = (x - n * Log2High) - n * Log2Low;
    Real factorial = 1;
    Real inverses[Size<Terms + 1>];
    for (int i = 0; i <= Terms; ++i) {
        inverses[i] = Real(1) / factorial;
        factorial *= static_cast<Real>(i + 1);
    }
    Vector series = all(inverses[Terms]);
#pragma GCC unroll 16
    for (int i = Terms - 1; i >= 0; --i)
        series = series * r + inverses[i];
    const Integers power = (reinterpret_cast<const Integers&>(shifted) << MantissaBits);
    const Integers bits = reinterpret_cast<const Integers&>(series) + power;
    return reinterpret_cast<const Vector&>(bits);
}

#if defined(__x86_64__)
template <typename Kernel, typename... Arguments>
OUTLAY_AVX2 auto runIn32(const Arguments&... arguments)
{
    return Kernel::template run<32>(arguments...);
}

template <typename Kernel, typename... Arguments>
OUTLAY_AVX512 auto runIn64(const Arguments&... arguments)
{
    return Kernel::template run<64>(arguments...);
}
#endif

/// Kernel::run<Bytes>(arguments...), which must be OUTLAY_INLINE, for this processor's vectors.
template <typename Kernel, typename... Arguments>
auto runWidest(const Arguments&... arguments)
{
#if defined(__x86_64__)
    const Vectors vectors = widestVectors();
    if (vectors == Vectors::Bytes64)
        return runIn64<Kernel>(arguments...);
    if (vectors == Vectors::Bytes32)
        return runIn32<Kernel>(arguments...);
#endif
    return Kernel::template run<16>(arguments...);
}

} // namespace outlay::worker
