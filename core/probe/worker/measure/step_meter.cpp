// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure/step_meter.h"

#include "core/workload/work.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace outlay::worker {
namespace {

using namespace outlay::core;

/// What the threads of this process have waited for a core since they began; 0 where the kernel doesn't
/// count it.
double queuedSeconds()
{
    constexpr double Nano = 1e-9;
    double total = 0;
    std::error_code ignored;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
        std::ifstream in(thread.path() / "schedstat");
        double running = 0;
        double queued = 0;
        if (in >> running >> queued)
            total += Nano * queued;
    }
    return total;
}

/// By how much the fastest and the slowest burst differ.
double driftOf(const std::vector<double>& medians)
{
    const auto [low, high] = std::minmax_element(medians.begin(), medians.end());
    return low == medians.end() || *low <= 0 ? 0 : *high / *low - 1;
}

} // namespace

std::vector<double> StepRecord::wallS() const
{
    std::vector<double> seconds;
    for (const StepTime& step : steps)
        seconds.push_back(step.wallS);
    return seconds;
}

std::vector<double> StepRecord::processorS() const
{
    std::vector<double> seconds;
    for (const StepTime& step : steps)
        seconds.push_back(step.processorS);
    return seconds;
}

TrainingMeasurement StepRecord::summary(const Job& job, double drift) const
{
    const StepTime total = std::accumulate(steps.begin(), steps.end(), StepTime{},
                                           [](StepTime a, const StepTime& b) { return a += b; });
    TrainingMeasurement m;
    // Of several threads the processor time exceeds the wall time, whatever they wait.
    m.disturbance.waiting = std::max({0.0, total.wallS / std::max(1e-9, total.processorS) - 1,
                                      queuedS / std::max(1e-9, total.processorS)});
    m.disturbance.drift = drift;
    m.step = timingOf(wallS(), m.disturbance);
    m.stepProcessor = timingOf(processorS(), {});
    const double all = std::max(1e-12, total.forwardS + total.backwardS + total.optimizerS);
    m.forwardShare = total.forwardS / all;
    m.backwardShare = total.backwardS / all;
    m.optimizerShare = total.optimizerS / all;
    const auto perStep = static_cast<double>(job.training.batch * job.training.accumulation);
    const auto tokens = static_cast<double>(job.training.sequence);
    m.samplesPerS = perStep / m.step.meanS;
    const std::vector<Layer> layers = expand(job.model);
    if (std::any_of(layers.begin(), layers.end(),
                    [](const Layer& layer) { return layer.stream != Stream::Sample; }))
        m.tokensPerS = m.samplesPerS * tokens;
    m.flopsPerS = 3 * workOf(layers, trainingPass(1, tokens, 4)).flops * m.samplesPerS;
    return m;
}

std::size_t StepMeter::stepCount() const
{
    std::size_t count = 0;
    for (const StepRecord& burst : m_bursts)
        count += burst.steps.size();
    return count;
}

std::size_t StepMeter::leastSteps(double stepS, double seconds) const
{
    if (stepS > m_bench.job.seconds)
        return 1;
    return areLong(stepS, seconds) ? 2 : Least;
}

void StepMeter::burst(double seconds)
{
    if (m_bursts.empty())
        m_usualS = seconds;
    StepRecord& burst = m_bursts.emplace_back();
    const double queuedBefore = queuedSeconds();
    const double end = wallClock() + seconds;
    std::vector<double> unsent;
    double sent = wallClock();
    while (burst.steps.empty() ||
           burst.steps.size() < leastSteps(burst.steps.front().wallS, m_usualS) ||
           wallClock() < end) {
        burst.steps.push_back(m_trainer.step());
        burst.areLong = areLong(burst.steps.front().wallS, m_usualS);
        unsent.push_back(burst.steps.back().wallS);
        m_bench.tick(TrainingPhase, static_cast<std::int64_t>(stepCount()));
        constexpr double Often = 0.2; // for who watches: neither long steps nor many at once
        if (const double now = wallClock(); now - sent >= Often) {
            sent = now;
            m_bench.channel.send(Sample{std::string(TrainingPhase), std::exchange(unsent, {})});
        }
    }
    burst.queuedS = std::max(0.0, queuedSeconds() - queuedBefore);
    if (!unsent.empty())
        m_bench.channel.send(Sample{std::string(TrainingPhase), std::move(unsent)});
    burst.isOver = true;
}

TrainingMeasurement StepMeter::result() const
{
    StepRecord steady;
    std::vector<double> medians;
    double warmUpS = 0;
    std::ptrdiff_t warmUpSteps = 0;
    for (const StepRecord& burst : m_bursts) {
        // Each burst begins with cold caches, which long steps don't notice; a run pays only the first one's start.
        const std::vector<double> wallS = burst.wallS();
        if (wallS.size() < 2 && !burst.isOver) // cancelled as it began
            continue;
        const auto warm = burst.areLong ? 0 : static_cast<std::ptrdiff_t>(warmUpCount(wallS));
        if (medians.empty()) {
            warmUpS = std::accumulate(wallS.begin(), wallS.begin() + warm, 0.0);
            warmUpSteps = warm;
        }
        steady.steps.insert(steady.steps.end(), burst.steps.begin() + warm, burst.steps.end());
        steady.queuedS += burst.queuedS;
        medians.push_back(median({wallS.begin() + warm, wallS.end()}));
    }
    TrainingMeasurement m = steady.summary(m_bench.job, driftOf(medians));
    m.warmUpS = std::max(0.0, warmUpS - static_cast<double>(warmUpSteps) * m.step.medianS);
    return m;
}

} // namespace outlay::worker
