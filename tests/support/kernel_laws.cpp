// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/kernel_laws.h"

#include "core/base/units.h"
#include "core/hardware/attainable.h"
#include "core/hardware/hardware_catalog.h"
#include "core/workload/work.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace outlay::tests {
namespace {

using namespace outlay::core;

constexpr double ResultBytes = 2; // at least

double flopsOf(const ProductShape& s)
{
    return 2 * s.count * s.rows * s.columns * s.inner;
}

double bytesOf(const ProductShape& s)
{
    return s.count * ((s.rows * s.inner + s.inner * s.columns) * s.valueBytes +
                      s.rows * s.columns * std::max(s.valueBytes, ResultBytes));
}

/// Queries, results, keys and values.
double bytesOf(const AttentionCall& call)
{
    const AttentionShape& s = call.shape;
    double seen = s.past + s.queries;
    if (s.window > 0)
        seen = std::min(seen, s.window + s.queries - 1);
    return s.batch * s.headSize * 2 * ResultBytes * (s.queries * s.heads + seen * call.cacheHeads);
}

CacheSpeed cacheOf(const Peaks& on, const KernelConstants& constants)
{
    return speedOf(constants.program.cache, on.units, on.cacheBytes, on.latencies);
}

/// What the call before touched, too.
double repeatedBytesPerS(double bytes, double share, const Peaks& on,
                         const KernelConstants& constants)
{
    return nearBytesPerS(bytes, on.bytesPerS * share, cacheOf(on, constants));
}

/// Products of whole tiles: 16 query heads that read one head of the cache, 128 positions.
double tiledFlops(const AttentionCall& call)
{
    constexpr double TileHeads = 16;
    constexpr double TilePositions = 128;
    const AttentionShape& s = call.shape;
    const double heads = std::max(TileHeads, s.heads / call.cacheHeads);
    const double seen = std::ceil(s.pairs() / TilePositions) * TilePositions;
    return 4 * s.batch * call.cacheHeads * heads * s.headSize * seen;
}

} // namespace

ListedSystem listed(std::string_view system)
{
    constexpr std::array Systems{
        ListedSystem{"a100_sxm", "A100-80GB-SXM4", 1.41, 19.5e12, 108, 40e6},
        ListedSystem{"h100_sxm", "H100-80GB-SXM5", 1.98, 66.9e12, 132, 50e6},
        ListedSystem{"l40s", "L40S", 2.52, 91.6e12, 142, 96e6},
        ListedSystem{"rtx_pro_6000_server", "RTX PRO 6000", 2.43, 120e12, 188, 128e6},
        ListedSystem{"b200_sxm", "B200", 1.965, 62.08e12, 148, 126e6}};
    const auto* found = std::find_if(Systems.begin(), Systems.end(),
                                     [&](const ListedSystem& one) { return one.name == system; });
    return found == Systems.end() ? ListedSystem{} : *found;
}

Peaks narrowed(Peaks peaks, const ListedSystem& system, const Calibration& c)
{
    const Device& device = *hardwareCatalog()->find(system.device);
    peaks.tiles = tileChoiceOf(device.generation);
    peaks.flopsPerS *=
        reachOf(device, {.flopsPerS = peaks.flopsPerS, .arithmetic = Arithmetic::Fp8}, c);
    return peaks;
}

double productSeconds(const ProductShape& s, const Peaks& on, const ProductRates& rates)
{
    const double product =
        flopsOf(s) / (on.flopsPerS * rates.share) * smallness(rates, s.rows, s.columns, s.inner);
    return std::max(product, bytesOf(s) / (on.bytesPerS * rates.memoryShare)) +
           rates.launchUs * Micro * on.latencies;
}

double tiledSeconds(const ProductShape& s, const Peaks& on, const TiledRates& rates)
{
    const Tiles tiles = tilesOf(on.tiles, s.rows, s.columns);
    const double slower = tiles.filled * (1 + rates.tilesToHalf * on.units / tiles.count) *
                          (1 + rates.innerToHalf / s.inner);
    return std::max(flopsOf(s) / (on.flopsPerS * rates.share) * slower,
                    bytesOf(s) / (on.bytesPerS * rates.memoryShare)) +
           rates.launchUs * Micro * on.latencies;
}

double promptSeconds(const AttentionCall& call, const Peaks& on, const KernelConstants& constants)
{
    const PromptRates& rates = constants.program.prompts;
    const double products = call.shape.flops() / (on.flopsPerS * rates.share) *
                            (1 + rates.tilesToHalf / call.shape.tiles());
    return products + bytesOf(call) / (on.bytesPerS * constants.promptMemory) +
           rates.launchUs * Micro * on.latencies;
}

double cacheSeconds(const AttentionCall& call, const Peaks& on, const KernelConstants& constants)
{
    const double bytes = bytesOf(call);
    const double products = tiledFlops(call) / (on.flopsPerS * constants.cacheShare);
    // Few pieces leave units without work.
    const double pieces =
        call.shape.batch * call.cacheHeads * (1 + call.shape.pairs() / constants.cachePiece);
    const double idle = 1 + constants.cachePiecesToHalf * on.units / pieces;
    const double heads =
        constants.cacheHeadNs * call.shape.batch * call.cacheHeads * Peaks{}.units / on.units;
    const double work = std::hypot(
        products, bytes / repeatedBytesPerS(bytes, constants.cacheMemory, on, constants));
    return work * idle + (constants.program.cacheCallUs * Micro + heads * Nano) * on.latencies;
}

double gatedCallSeconds(const GatedShape& shape, const Peaks& on, const KernelConstants& constants)
{
    const ChunkRates& rates = constants.program.chunks;
    ChunkSpeed speed = speedOf(rates, on.fp32FlopsPerS, on.bytesPerS, on.latencies);
    speed.cache = cacheOf(on, constants);
    return gatedSeconds(shape, speed);
}

/// How much experts get: from `least` to `most`, the less often the more by a power.
class Skew {
public:
    Skew(double power, double least, double most) : m_power(power), m_least(least), m_most(most) {}
    [[nodiscard]] double mean() const { return moment(1); }
    /// Of its mean.
    [[nodiscard]] double deviation() const
    {
        return std::sqrt(std::max(0.0, moment(2) - mean() * mean())) / mean();
    }
    [[nodiscard]] double shareAbove(double value) const
    {
        const double from = std::clamp(value, m_least, m_most);
        return integral(0, from, m_most) / integral(0, m_least, m_most);
    }

private:
    double m_power;
    double m_least;
    double m_most;

    [[nodiscard]] double integral(double n, double from, double to) const
    {
        const double power = n + 1 - m_power;
        return power == 0 ? std::log(to / from)
                          : (std::pow(to, power) - std::pow(from, power)) / power;
    }
    [[nodiscard]] double moment(double n) const
    {
        return integral(n, m_least, m_most) / integral(0, m_least, m_most);
    }
};

ExpertsLoad busiestOf(const ExpertsShape& shape)
{
    const double count = real(shape.experts.count);
    const double used = real(shape.experts.used);
    const double all = shape.tokens * used;
    const double own = count / shape.devices;
    if (shape.skew <= 0)
        return {.rows = all / shape.devices,
                .chosen = std::max(1.0, std::min(count, all) / shape.devices)};
    const bool isMany = all > count;
    const Skew skew(shape.skew, isMany ? 1 : 0.01, isMany ? std::max(1.5, 0.8 * shape.tokens) : 2);
    const double mean = all / count;
    const double most =
        1 + std::sqrt(2 * std::log(shape.devices)) * skew.deviation() / std::sqrt(own);
    const double rows = std::min(mean * own * most, shape.tokens * std::min(used, own));
    const double chosen = own * skew.shareAbove(0.5 * skew.mean() / mean);
    return {.rows = rows, .chosen = std::max(1.0, std::min(chosen, rows))};
}

double expertsSeconds(const ExpertsShape& shape, const Peaks& on, const KernelConstants& constants)
{
    constexpr double ValuesMoved = 3; // of an expert's inner values: made, gated, read
    const Experts& e = shape.experts;
    const double width = real(e.expert.width);
    const double inner = real(e.expert.inner);
    const double matrices = e.expert.gated ? 3 : 2;
    const auto [rows, chosen] = busiestOf(shape);
    const double flops = 2 * rows * width * inner * matrices;
    const double small = 1 + constants.expertRows / std::max(1.0, rows / chosen);
    const double weights = chosen * matrices * width * inner * ResultBytes;
    const double values = rows * ResultBytes * (2 * width + ValuesMoved * inner);
    return flops * small / (on.flopsPerS * constants.expertShare) +
           weights / (on.bytesPerS * constants.expertMemory) +
           values / (on.bytesPerS * constants.expertValues) +
           constants.expertsUs * Micro * on.latencies;
}

} // namespace outlay::tests
