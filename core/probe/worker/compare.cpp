// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/compare.h"

#include "core/probe/worker/process_memory.h"

#include <cmath>
#include <malloc.h>

namespace outlay::worker {
namespace {

using namespace outlay::core;

/// What one turn needs beside what is there already; nothing on an accelerator, whose memory the
/// process's mark doesn't show.
std::optional<double> growthOf(const Bench& bench, const Contestant& contestant)
{
    if (contestant.forget)
        contestant.forget();
    ::malloc_trim(0);
    resetPeak();
    const double before = residentBytes();
    contestant.turn();
    if (!bench.device.is_cpu())
        return std::nullopt;
    return std::max(0.0, peakBytes() - before);
}

double secondsOf(const Bench& bench, const std::function<void()>& turn)
{
    const double start = wallClock();
    turn();
    synchronise(bench.device);
    return wallClock() - start;
}

} // namespace

VariantMeasurement compare(const Bench& bench, const Contestant& plain, const Contestant& variant,
                           double seconds)
{
    VariantMeasurement m;
    plain.turn(); // the first turns also make what stays
    bench.tick("variants", 0);
    variant.turn();
    bench.tick("variants", 0);
    m.plainPeakBytes = growthOf(bench, plain);
    bench.tick("variants", 0);
    m.peakBytes = growthOf(bench, variant);
    std::vector<double> plainS;
    std::vector<double> variantS;
    const double end = wallClock() + seconds;
    constexpr std::size_t LeastRounds = 3;
    do {
        double a = secondsOf(bench, plain.turn);
        bench.tick("variants", static_cast<std::int64_t>(plainS.size()));
        double b = secondsOf(bench, variant.turn);
        b += secondsOf(bench, variant.turn);
        bench.tick("variants", static_cast<std::int64_t>(plainS.size()));
        a += secondsOf(bench, plain.turn);
        plainS.push_back(a / (2 * plain.work));
        variantS.push_back(b / (2 * variant.work));
    } while (plainS.size() < LeastRounds || wallClock() < end);
    const Ratio ratio = ratioOf(variantS, plainS);
    m.ratio = ratio.value;
    m.lowRatio = ratio.interval.low;
    m.highRatio = ratio.interval.high;
    m.rounds = static_cast<std::int64_t>(ratio.rounds);
    m.plainS = median(plainS);
    m.variantS = median(variantS);
    return m;
}

double relativeDifference(const std::vector<torch::Tensor>& expected,
                          const std::vector<torch::Tensor>& actual)
{
    double difference = 0;
    double norm = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const torch::Tensor e = expected[i].to(torch::kDouble);
        difference += (actual[i].to(torch::kDouble) - e).square().sum().item<double>();
        norm += e.square().sum().item<double>();
    }
    return norm > 0 ? std::sqrt(difference / norm) : std::sqrt(difference);
}

} // namespace outlay::worker
