// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/engine/simd.h"

#include <algorithm>
#include <atomic>

namespace outlay::worker {
namespace {

Vectors ofProcessor()
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool hasWide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    if (hasWide)
        return Vectors::Bytes64;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return Vectors::Bytes32;
#endif
    return Vectors::Bytes16;
}

std::atomic<Vectors>& chosen()
{
    static std::atomic<Vectors> vectors = ofProcessor();
    return vectors;
}

} // namespace

Vectors widestVectors()
{
    return chosen().load(std::memory_order_relaxed);
}

void limitVectors(Vectors most)
{
    chosen() = std::min(most, ofProcessor());
}

} // namespace outlay::worker
