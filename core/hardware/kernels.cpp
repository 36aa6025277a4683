// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/kernels.h"

#include "core/base/units.h"
#include "core/workload/work.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {
double AttentionShape::pairs() const
{
    const double first = past + 1;
    const double last = past + queries;
    if (window <= 0 || last <= window)
        return queries * (first + last) / 2;
    if (first >= window)
        return queries * window;
    const double growing = window - first + 1; // positions that see all before them
    return growing * (first + window) / 2 + (queries - growing) * window;
}

double AttentionShape::tiles() const
{
    constexpr double Positions = 128;
    return batch * heads * std::ceil(queries / Positions);
}

double GatedShape::chunks() const
{
    return std::ceil(positions / GatedChunk);
}

double GatedShape::flops() const
{
    // Of a position: it is written to the state and read from it, and meets the others of its chunk.
    const double each = 2 * (2 * key * value + GatedChunk * (key + value));
    return batch * chunks() * GatedChunk * heads * each;
}

double GatedShape::bytes() const
{
    if (positions <= 1) // in and out, and the state there and back
        return batch * (valueBytes * 2 * (keyHeads * key + heads * value) +
                        GatedStateBytes * 2 * heads * key * value);
    // In and out, what a chunk makes for the next kernel, and its state.
    const double each = 2 * keyHeads * key + heads * (key + 4 * value);
    const double states = chunks() * heads * key * value * GatedStateBytes;
    return batch * (chunks() * GatedChunk * each * valueBytes + states);
}

ChunkSpeed speedOf(const ChunkRates& rates, double fp32FlopsPerS, double bytesPerS,
                   double latencies)
{
    return {.flopsPerS = fp32FlopsPerS * rates.share,
            .bytesPerS = bytesPerS * rates.memoryShare,
            .chunkS = rates.chunkUs * Micro * latencies,
            .callS = rates.callUs * Micro * latencies,
            .stepBytesPerS = bytesPerS * rates.stepMemoryShare,
            .stepS = rates.stepUs * Micro * latencies};
}

CacheSpeed speedOf(const CacheRates& rates, double units, double cacheBytes, double latencies)
{
    return {.bytes = rates.fits * cacheBytes,
            .bytesPerS = rates.unitBytes * units * KernelsGhz * Giga / latencies};
}

double nearBytesPerS(double bytes, double memoryBytesPerS, const CacheSpeed& cache)
{
    constexpr double Steepness = 20; // all of it stays, or none
    if (cache.bytes <= 0)
        return memoryBytesPerS;
    const double memory = 1 / memoryBytesPerS;
    const double near = std::min(1 / cache.bytesPerS, memory);
    const double stays = 1 / (1 + std::pow(bytes / cache.bytes, Steepness));
    return 1 / (stays * near + (1 - stays) * memory);
}

double gatedSeconds(const GatedShape& shape, const ChunkSpeed& on)
{
    const double bytes = shape.bytes();
    if (shape.positions <= 1)
        return bytes / nearBytesPerS(bytes, on.stepBytesPerS, on.cache) + on.stepS;
    return shape.flops() / on.flopsPerS + bytes / nearBytesPerS(bytes, on.bytesPerS, on.cache) +
           shape.chunks() * on.chunkS + on.callS;
}

double ExchangeShape::wireBytes() const
{
    const double others = (devices - 1) / devices * bytes;
    return kind == Exchange::Sum ? 2 * others : others;
}

LinkSpeed speedOf(const ExchangeRates& rates, double linkBytesPerS)
{
    return {.bytesPerS = linkBytesPerS * rates.share,
            .callS = rates.latencyUs * Micro,
            .deviceS = rates.deviceUs * Micro,
            .settleS = rates.settleUs * Micro,
            .settlePower = rates.settlePower};
}

double startSeconds(const ExchangeShape& shape, const LinkSpeed& on)
{
    if (shape.devices < 2)
        return 0;
    return on.callS + std::log2(shape.devices) * on.latencyS + on.deviceS * (shape.devices - 1) +
           on.settleS * std::pow(shape.bytes / Mega, on.settlePower);
}

double exchangeSeconds(const ExchangeShape& shape, const LinkSpeed& on)
{
    return startSeconds(shape, on) + shape.wireBytes() / on.bytesPerS;
}

} // namespace outlay::core
