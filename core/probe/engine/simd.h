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
    using Vector [[gnu::vector_size(Bytes), gnu::may_alias]] = Real;
    using Integer = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
    using Integers [[gnu::vector_size(Bytes), gnu::may_alias]] = Integer;

    static OUTLAY_INLINE Vector load(const Real* from)
    {
        return reinterpret_cast<const Anywhere*>(from)->vector;
    }
    static OUTLAY_INLINE void store(Real* to, const Vector& value)
    {
        reinterpret_cast<Anywhere*>(to)->vector = value;
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
    /// e^x - 1, to the last bits near 0, too.
    static OUTLAY_INLINE Vector expm1(const Vector& x);

private:
    /// In an array, where a vector's own alignment isn't kept.
    struct [[gnu::packed, gnu::may_alias]] Anywhere { Vector vector; };
    struct Reduced {
        Vector r;       // |r| <= ln 2 / 2
        Integers power; // n, shifted to the exponent's place
    };
    /// x = n ln 2 + r
    static OUTLAY_INLINE Reduced reduce(const Vector& x);
    /// (e^r - 1) / r by its series.
    static OUTLAY_INLINE Vector series(const Vector& r);
};

template <typename Real, int Bytes>
OUTLAY_INLINE auto Simd<Real, Bytes>::reduce(const Vector& x) -> Reduced
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
    const Vector shifted = x * PerLog2 + Magic;
    const Vector n = shifted - Magic;
    return {(x - n * Log2High) - n * Log2Low, reinterpret_cast<const Integers&>(shifted)
                                                  << MantissaBits};
}

template <typename Real, int Bytes>
OUTLAY_INLINE auto Simd<Real, Bytes>::series(const Vector& r) -> Vector
{
    constexpr int Terms = sizeof(Real) == 4 ? 7 : 13;
    Real factorial = 1;
    Real inverses[Size<Terms>];
    for (int i = 0; i < Terms; ++i) {
        factorial *= static_cast<Real>(i + 1);
        inverses[i] = Real(1) / factorial;
    }
    Vector sum = all(inverses[Terms - 1]);
#pragma GCC unroll 16
    for (int i = Terms - 2; i >= 0; --i)
        sum = sum * r + inverses[i];
    return sum;
}

template <typename Real, int Bytes>
OUTLAY_INLINE auto Simd<Real, Bytes>::exp(const Vector& x) -> Vector
{
    const Reduced reduced = reduce(x);
    const Vector ofRest = series(reduced.r) * reduced.r + Real(1);
    const Integers bits = reinterpret_cast<const Integers&>(ofRest) + reduced.power;
    return reinterpret_cast<const Vector&>(bits);
}

template <typename Real, int Bytes>
OUTLAY_INLINE auto Simd<Real, Bytes>::expm1(const Vector& x) -> Vector
{
    const Reduced reduced = reduce(x);
    const Vector one = all(Real(1));
    const Integers bits = reinterpret_cast<const Integers&>(one) + reduced.power;
    const Vector power = reinterpret_cast<const Vector&>(bits);
    return power * (series(reduced.r) * reduced.r) + (power - one);
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
