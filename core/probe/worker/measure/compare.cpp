// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure/compare.h"

#include "core/probe/worker/measure/memory_watch.h"

#include <algorithm>
#include <cmath>

namespace outlay::worker {
namespace {

using namespace outlay::core;

/// What one turn needs beside what is there already.
std::optional<double> growthOf(const Bench& bench, const Contestant& contestant)
{
    if (contestant.forget)
        contestant.forget();
    if (contestant.prepare)
        contestant.prepare();
    const MemoryWatch memory(bench.device);
    contestant.turn();
    return memory.growthBytes();
}

double secondsOf(const Bench& bench, const Contestant& contestant)
{
    if (contestant.prepare)
        contestant.prepare();
    const double start = wallClock();
    contestant.turn();
    synchronise(bench.device);
    return wallClock() - start;
}

bool isLongTurn(double turnS, double seconds)
{
    return turnS > seconds / 4;
}

/// Seconds of one turn each. Rounds are A B B A; or A B and B A in turns, where a turn is long.
class Turns {
public:
    Turns(const Bench& bench, const Contestant& plain, const Contestant& variant, bool areLong)
        : m_bench(bench), m_plain(plain), m_variant(variant), m_areLong(areLong)
    {
    }

    void round()
    {
        const auto done = static_cast<std::int64_t>(plainS.size());
        const bool isPlainFirst = !m_areLong || done % 2 == 0;
        double a = 0;
        double b = 0;
        (isPlainFirst ? a : b) += seconds(isPlainFirst ? m_plain : m_variant, done);
        (isPlainFirst ? b : a) += seconds(isPlainFirst ? m_variant : m_plain, done);
        if (!m_areLong) {
            b += seconds(m_variant, done);
            a += seconds(m_plain, done);
        }
        const double turns = m_areLong ? 1 : 2;
        plainS.push_back(a / (turns * m_plain.work));
        variantS.push_back(b / (turns * m_variant.work));
    }

    std::vector<double> plainS;
    std::vector<double> variantS;

private:
    [[nodiscard]] double seconds(const Contestant& contestant, std::int64_t done) const
    {
        m_bench.tick("variants", done);
        return secondsOf(m_bench, contestant);
    }

    const Bench& m_bench;
    const Contestant& m_plain;
    const Contestant& m_variant;
    bool m_areLong;
};

} // namespace

VariantMeasurement compare(const Bench& bench, const Contestant& plain, const Contestant& variant,
                           double seconds)
{
    VariantMeasurement m;
    const double turnS = secondsOf(bench, plain); // the first turns also make what stays
    bench.tick("variants", 0);
    secondsOf(bench, variant);
    bench.tick("variants", 0);
    m.plainPeakBytes = growthOf(bench, plain);
    bench.tick("variants", 0);
    m.peakBytes = growthOf(bench, variant);
    const bool areLong = isLongTurn(turnS, seconds);
    Turns turns(bench, plain, variant, areLong);
    const double end = wallClock() + seconds;
    constexpr std::size_t LeastRounds = 3;
    do
        turns.round();
    while (turns.plainS.size() < LeastRounds || wallClock() < end);
    const Ratio ratio = ratioOf(turns.variantS, turns.plainS);
    m.ratio = ratio.value;
    m.lowRatio = ratio.interval.low;
    m.highRatio = ratio.interval.high;
    m.rounds = static_cast<std::int64_t>(ratio.rounds);
    m.plainS = median(turns.plainS);
    m.variantS = median(turns.variantS);
    return m;
}

double comparisonSeconds(double turnS, double seconds)
{
    constexpr double LongTurns = 10;
    constexpr double Turns = 16;
    return isLongTurn(turnS, seconds) ? LongTurns * turnS : std::max(Turns * turnS, seconds);
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
