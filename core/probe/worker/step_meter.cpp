// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/step_meter.h"

#include "core/workload/work.h"

#include <algorithm>
#include <numeric>

namespace outlay::worker {
namespace {

using namespace outlay::core;

double sumOf(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// By how much the fastest and the slowest burst differ.
double driftOf(const std::vector<double>& medians)
{
    const auto [low, high] = std::minmax_element(medians.begin(), medians.end());
    return low == medians.end() || *low <= 0 ? 0 : *high / *low - 1;
}

} // namespace

void StepRecord::add(const StepTime& time)
{
    wallS.push_back(time.wallS);
    processorS.push_back(time.processorS);
    total += time;
}

StepRecord StepRecord::after(std::ptrdiff_t count) const
{
    return {{wallS.begin() + count, wallS.end()},
            {processorS.begin() + count, processorS.end()},
            total};
}

void StepRecord::append(const StepRecord& other)
{
    wallS.insert(wallS.end(), other.wallS.begin(), other.wallS.end());
    processorS.insert(processorS.end(), other.processorS.begin(), other.processorS.end());
    total += other.total;
}

TrainingMeasurement StepRecord::summary(const Job& job, double drift) const
{
    TrainingMeasurement m;
    m.disturbance.waiting = std::max(0.0, sumOf(wallS) / std::max(1e-9, sumOf(processorS)) - 1);
    m.disturbance.drift = drift;
    m.step = timingOf(wallS, m.disturbance);
    m.stepProcessor = timingOf(processorS, {});
    const double all = std::max(1e-12, total.forwardS + total.backwardS + total.optimizerS);
    m.forwardShare = total.forwardS / all;
    m.backwardShare = total.backwardS / all;
    m.optimizerShare = total.optimizerS / all;
    const auto perStep = static_cast<double>(job.training.batch * job.training.accumulation);
    const auto tokens = static_cast<double>(job.training.sequence);
    m.samplesPerS = perStep / m.step.meanS;
    m.tokensPerS = m.samplesPerS * tokens;
    m.flopsPerS = 3 * workOf(expand(job.model), trainingPass(1, tokens, 4)).flops * m.samplesPerS;
    return m;
}

std::size_t StepMeter::stepCount() const
{
    std::size_t count = 0;
    for (const StepRecord& burst : m_bursts)
        count += burst.wallS.size();
    return count;
}

void StepMeter::burst(double seconds)
{
    StepRecord& burst = m_bursts.emplace_back();
    const double end = wallClock() + seconds;
    const auto least = [&] {
        const bool isLong = !burst.wallS.empty() && 4 * burst.wallS.front() > seconds;
        return std::size_t{isLong ? 2U : 4U};
    };
    std::vector<double> unsent;
    while (burst.wallS.size() < least() || wallClock() < end) {
        burst.add(m_trainer.step());
        unsent.push_back(burst.wallS.back());
        m_bench.tick("training", static_cast<std::int64_t>(stepCount()));
        constexpr std::size_t Batch = 8;
        if (unsent.size() == Batch)
            m_bench.channel.send(Sample{"training", std::exchange(unsent, {})});
    }
    if (!unsent.empty())
        m_bench.channel.send(Sample{"training", std::move(unsent)});
}

TrainingMeasurement StepMeter::result() const
{
    StepRecord steady;
    std::vector<double> medians;
    double warmUpS = 0;
    std::ptrdiff_t warmUpSteps = 0;
    for (const StepRecord& burst : m_bursts) {
        // Each burst begins with cold caches; a run pays only the first one's start.
        const auto warm = static_cast<std::ptrdiff_t>(warmUpCount(burst.wallS));
        if (medians.empty()) {
            warmUpS = std::accumulate(burst.wallS.begin(), burst.wallS.begin() + warm, 0.0);
            warmUpSteps = warm;
        }
        const StepRecord rest = burst.after(warm);
        steady.append(rest);
        medians.push_back(median(rest.wallS));
    }
    TrainingMeasurement m = steady.summary(m_bench.job, driftOf(medians));
    m.warmUpS = std::max(0.0, warmUpS - static_cast<double>(warmUpSteps) * m.step.medianS);
    return m;
}

} // namespace outlay::worker
