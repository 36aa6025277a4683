// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Laws of whole kernels, timed alone: what forecasts take from them is in core/hardware/kernels.h; the rest of their
// constants is known here only.
#pragma once

#include "core/hardware/calibration.h"
#include "core/model/layer.h"
#include "tests/support/tiles.h"

namespace outlay::tests {

/// What the maker of a device lists.
struct Peaks {
    double flopsPerS = 0; // in the arithmetic of the kernel
    double bytesPerS = 0;
    double fp32FlopsPerS = 0;             // beside those of the kernel
    double latencies = 1;                 // times as long as the constants say
    double units = 132;                   // that compute
    double cacheBytes = 0;                // of the device's last cache
    TileChoice tiles = TileChoice::Fixed; // of products in 8 bits
};

/// What is listed of a system that published timings name; a clock as the constants have it where nobody knows. Units
/// and caches as commonly quoted of NVIDIA's papers, not fetched; of B200 the cache is never the faster one. The program's own devices list the same.
struct ListedSystem {
    std::string_view name;
    std::string_view device; // of the program's
    double ghz = core::KernelsGhz;
    double fp32FlopsPerS = 0;
    double units = 132;
    double cacheBytes = 0;
};
[[nodiscard]] ListedSystem listed(std::string_view system);

/// Of that peak of products in 8 bits, what whole runs in 16 say that the generation and the power of the card leave; and
/// the tiles that they are computed in. The system is one of those.
[[nodiscard]] Peaks narrowed(Peaks peaks, const ListedSystem& system, const core::Calibration& c);

/// rows x inner times inner x columns, so many of them in one launch; results have 16 bits or more.
struct ProductShape {
    double rows = 1;
    double columns = 1;
    double inner = 1;
    double valueBytes = 2;
    double count = 1;
};

struct AttentionCall {
    core::AttentionShape shape;
    double cacheHeads = 1;
};

/// A layer of experts: products of those that were chosen, in one launch.
struct ExpertsShape {
    core::Experts experts; // `inner` of one expert on one device
    double tokens = 1;
    double devices = 1; // that share the experts
    double skew = 0;    // power by which some experts get more than others; 0: all get as many
};

/// What the device with the most to do has of a layer of experts.
struct ExpertsLoad {
    double rows = 1;
    double chosen = 1; // experts that get any
};

[[nodiscard]] ExpertsLoad busiestOf(const ExpertsShape& shape);

/// Of products that are computed in whole tiles.
struct TiledRates {
    double share = 0.579; // of what is left of the listed peak
    double innerToHalf = 131;
    double tilesToHalf = 0.636; // for each unit that computes
    double memoryShare = 0.729;
    double launchUs = 5.48;
};

/// All that is fitted: a whole attention call moves bytes, too; nvfp4 and experts have no forecast of their own.
struct KernelConstants {
    core::KernelRates program;
    TiledRates fp8Tiles;
    core::ProductRates fp4{.share = 0.487,
                           .rowsToHalf = 0,
                           .columnsToHalf = 0,
                           .resultsToHalf = 1520,
                           .memoryShare = 0.663,
                           .launchUs = 4.66};
    // Of two devices over PCIe, alone in their machine; forecasts take for them what holds of more.
    core::ExchangeRates pairs{
        .latencyUs = 4.41, .deviceUs = 1.83, .share = 0.676, .settleUs = 12.7, .settlePower = 0.69};
    double fullLaunchUs = 118; // of products in 32 bits, which were timed with what their host does
    double promptMemory = 0.475; // share of the bandwidth
    double cacheShare = 0.28;
    double cacheMemory = 0.897;
    double cacheHeadNs = 11.6; // for each sequence and head of a cache, where 132 units compute
    double cachePiece = 1100;  // positions of a head that one unit reads
    double cachePiecesToHalf = 0.274; // for each unit
    double expertShare = 0.497;
    double expertRows = 22.2;
    double expertMemory = 0.925;
    double expertValues = 0.427; // share of the bandwidth for what goes in and out
    double expertsUs = 32.7;
};

[[nodiscard]] double productSeconds(const ProductShape& shape, const Peaks& on,
                                    const core::ProductRates& rates);
[[nodiscard]] double tiledSeconds(const ProductShape& shape, const Peaks& on,
                                  const TiledRates& rates);
[[nodiscard]] double promptSeconds(const AttentionCall& call, const Peaks& on,
                                   const KernelConstants& constants);
[[nodiscard]] double cacheSeconds(const AttentionCall& call, const Peaks& on,
                                  const KernelConstants& constants);
/// A recurrence's; timings repeat a call, so what fits in the device's cache isn't read from its memory, as with caches.
[[nodiscard]] double gatedCallSeconds(const core::GatedShape& shape, const Peaks& on,
                                      const KernelConstants& constants);
[[nodiscard]] double expertsSeconds(const ExpertsShape& shape, const Peaks& on,
                                    const KernelConstants& constants);

} // namespace outlay::tests
