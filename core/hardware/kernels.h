// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Laws of single kernels on accelerators, by what a kernel works on. Their constants come from timings of kernels
// alone; layers and runs are made of them.
#pragma once

#include "core/base/fields.h"

namespace outlay::core {

/// Of a device whose calls and launches take as long as the constants say; a faster one takes fewer microseconds.
inline constexpr double KernelsGhz = 2;

/// Of matrix products. A product of `rowsToHalf` rows runs at half of the share; so does one of so many columns,
/// inner terms, or thousands of results. 0: that slows nothing.
struct ProductRates {
    double share = 0.8; // of the listed peak
    double rowsToHalf = 16;
    double columnsToHalf = 16;
    double innerToHalf = 0;
    double resultsToHalf = 0;
    double memoryShare = 0.81;
    double launchUs = 3;

    bool operator==(const ProductRates&) const = default;
};

/// Of fused attention over a whole prompt.
struct PromptRates {
    double share = 0.56;
    double tilesToHalf = 65; // of 128 positions of one head
    double launchUs = 13;
    double scores = 0.12; // of their bytes are moved

    bool operator==(const PromptRates&) const = default;
};

/// Of kernels that run a gated recurrence in chunks of its positions, and of one that runs a single position.
struct ChunkRates {
    double share = 1;         // of the listed peak in 32 bits; parts run on faster units
    double memoryShare = 0.9; // of what goes in and out, and of a state for each chunk
    double chunkUs = 1.6;     // chunks of a sequence wait for each other
    double callUs = 17;
    double stepMemoryShare = 1; // of the states that a position reads and writes
    double stepUs = 4;

    bool operator==(const ChunkRates&) const = default;
};

/// Of a device's last cache: what was touched just before is read from it where it fits.
struct CacheRates {
    double fits = 1.18;     // of the cache, what stays there
    double unitBytes = 9.8; // that a unit reads in a cycle

    bool operator==(const CacheRates&) const = default;
};

/// Of exchanges between the devices of a machine.
struct ExchangeRates {
    double latencyUs = 8;
    double deviceUs = 0.8;    // for each device but one
    double share = 0.66;      // of the link
    double settleUs = 6;      // of a message of 1 MB, which doesn't fill the link yet
    double settlePower = 0.4; // of its size

    bool operator==(const ExchangeRates&) const = default;
};

/// `queries` new positions of each sequence look at themselves and at `past` ones.
struct AttentionShape {
    double batch = 1;
    double queries = 1;
    double past = 0;
    double heads = 1;
    double headSize = 64;
    double window = 0; // 0: all

    /// Pairs of positions of one head that meet.
    [[nodiscard]] double pairs() const;
    [[nodiscard]] double flops() const { return 4 * batch * heads * headSize * pairs(); }
    [[nodiscard]] double tiles() const;
};

/// Positions of sequences that each keep a state of key x value for each head.
struct GatedShape {
    double batch = 1;
    double positions = 1; // of each sequence
    double keyHeads = 1;
    double heads = 1;
    double key = 128;
    double value = 128;
    double valueBytes = 2;

    [[nodiscard]] double chunks() const; // of one sequence
    [[nodiscard]] double flops() const;
    [[nodiscard]] double bytes() const;

    bool operator==(const GatedShape&) const = default;
};

/// What stays in a device's last cache, and how fast that is read; nothing where no cache is listed.
struct CacheSpeed {
    double bytes = 0;
    double bytesPerS = 0;
};
[[nodiscard]] CacheSpeed speedOf(const CacheRates& rates, double units, double cacheBytes,
                                 double latencies);

/// Of so many bytes that were touched just before.
[[nodiscard]] double nearBytesPerS(double bytes, double memoryBytesPerS, const CacheSpeed& cache);

/// What such kernels reach on a device.
struct ChunkSpeed {
    double flopsPerS = 0;
    double bytesPerS = 0;
    double chunkS = 0;
    double callS = 0;
    double stepBytesPerS = 0;
    double stepS = 0;
    CacheSpeed cache;
};

/// On a device that lists these, and takes so many times as long for what waits.
[[nodiscard]] ChunkSpeed speedOf(const ChunkRates& rates, double fp32FlopsPerS, double bytesPerS,
                                 double latencies);

/// Of the recurrence alone, without the products before and after it.
[[nodiscard]] double gatedSeconds(const GatedShape& shape, const ChunkSpeed& on);

/// What an exchange reaches on some link or network.
struct LinkSpeed {
    double bytesPerS = 0;
    double latencyS = 0; // for each doubling of the devices
    double callS = 0;
    double deviceS = 0; // for each device but one
    double settleS = 0; // of a message of 1 MB
    double settlePower = 0.4;
};

[[nodiscard]] LinkSpeed speedOf(const ExchangeRates& rates, double linkBytesPerS);

enum class Exchange { Sum, Gather, Scatter, AllToAll };

struct ExchangeShape {
    Exchange kind = Exchange::Sum;
    double devices = 2;
    double bytes = 0; // of the whole message

    [[nodiscard]] double wireBytes() const;
};

/// How many times as long as at its share a product takes because it is small.
[[nodiscard]] inline double smallness(const ProductRates& rates, double rows, double columns,
                                      double inner)
{
    constexpr double Thousand = 1000;
    return (1 + rates.rowsToHalf / rows) * (1 + rates.columnsToHalf / columns) *
           (1 + rates.innerToHalf / inner) *
           (1 + Thousand * rates.resultsToHalf / (rows * columns));
}

/// Until the first byte of all moves at full speed; 0 for a device alone.
[[nodiscard]] double startSeconds(const ExchangeShape& shape, const LinkSpeed& on);
[[nodiscard]] double exchangeSeconds(const ExchangeShape& shape, const LinkSpeed& on);

void describe(FieldVisitor& v, ProductRates& r);
void describe(FieldVisitor& v, PromptRates& r);
void describe(FieldVisitor& v, ChunkRates& r);
void describe(FieldVisitor& v, ExchangeRates& r);

} // namespace outlay::core
