// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure_design.h"

#include "core/base/text.h"
#include "core/probe/host/energy_meter.h"
#include "core/probe/host/freed_memory.h"
#include "core/probe/worker/measure/layer_times.h"
#include "core/probe/worker/measure/measure_lengths.h"
#include "core/probe/worker/measure/measure_processes.h"
#include "core/probe/worker/measure/measure_together.h"
#include "core/probe/worker/measure/memory_watch.h"
#include "core/probe/worker/measure/parts.h"
#include "core/probe/worker/measure/step_meter.h"
#include "core/probe/worker/measure/warm_up.h"
#include "core/probe/worker/variants/variants.h"

namespace outlay::worker {
namespace {

using namespace outlay::core;

constexpr double LeastEnergySeconds = 5; // counters are coarse

std::unique_ptr<EnergyMeter> meterFor(torch::Device device)
{
    return device.is_cuda() ? EnergyMeter::makeNvml() : EnergyMeter::makeRapl();
}

/// While nothing is asked of the machine; nothing where the counter can't be read.
std::optional<double> idleWatts(const Bench& bench, EnergyMeter& meter)
{
    const auto before = meter.joules();
    const double start = wallClock();
    while (wallClock() < start + LeastEnergySeconds) {
        bench.tick("idle", 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    const auto after = meter.joules();
    return before && after ? std::optional((*after - *before) / (wallClock() - start))
                           : std::nullopt;
}

/// A burst of steps, with the energy that it took where the machine says.
class EnergyBurst {
public:
    /// Without a meter it is a burst.
    EnergyBurst(const Bench& bench, std::unique_ptr<EnergyMeter> meter) : m_meter(std::move(meter))
    {
        if (m_meter != nullptr)
            m_idleWatts = idleWatts(bench, *m_meter);
    }

    void run(StepMeter& meter, double seconds)
    {
        const auto before = m_meter != nullptr ? m_meter->joules() : std::nullopt;
        const std::size_t steps = meter.stepCount();
        const double start = wallClock();
        meter.burst(seconds);
        const auto after = m_meter != nullptr ? m_meter->joules() : std::nullopt;
        if (!before || !after)
            return;
        m_joules += *after - *before;
        m_seconds += wallClock() - start;
        m_steps += meter.stepCount() - steps;
    }

    /// Seconds of steps that an energy still takes, whatever the time says; none where no counter tells it.
    [[nodiscard]] double missingSeconds() const
    {
        return m_idleWatts ? std::max(0.0, LeastEnergySeconds - m_seconds) : 0;
    }

    [[nodiscard]] std::optional<EnergyMeasurement> result() const
    {
        if (!m_idleWatts || m_seconds < LeastEnergySeconds)
            return std::nullopt;
        return EnergyMeasurement{.source = m_meter->name(),
                                 .seconds = m_seconds,
                                 .idleWatts = *m_idleWatts,
                                 .trainingWatts = m_joules / m_seconds,
                                 .joulesPerStep = m_joules / static_cast<double>(m_steps)};
    }

private:
    std::unique_ptr<EnergyMeter> m_meter;
    std::optional<double> m_idleWatts;
    double m_joules = 0;
    double m_seconds = 0;
    std::size_t m_steps = 0;
};

void addTogether(const Bench& bench, Measurement& m)
{
    if (!bench.job.together)
        return;
    auto together = measureTogether(bench, *bench.job.together, m.training.step.medianS);
    if (together)
        m.processes = std::move(*together);
    else
        m.findings.push_back("Training together was not measured: " + together.error().what + "; " +
                             together.error().remedy + ".");
}

/// What can't be measured is a finding.
void addProcesses(const Bench& bench, Measurement& m)
{
    if (bench.job.processes < 2)
        return;
    auto processes =
        measureProcesses(bench, static_cast<int>(bench.job.processes), m.training.step.medianS);
    if (processes)
        m.processes = std::move(*processes);
    else
        m.findings.push_back("Several processes were not measured: " + processes.error().what +
                             ".");
}

/// Latencies, or a finding of why there are none: the steps' figures aren't lost for it.
void addInference(const Bench& bench, Network& network, double seconds, Measurement& m)
{
    constexpr double Gigabyte = 1e9;
    if (const double bytes = servingBytes(bench.job, 1); bytes > freeBytes(bench.job.device)) {
        m.findings.push_back("Serving wasn't measured: a request may need " +
                             plainNumber(bytes / Gigabyte) + " GB, and " +
                             plainNumber(freeBytes(bench.job.device) / Gigabyte) +
                             " GB are free; choose a shorter input.");
        return;
    }
    try {
        m.inference = measureInference(bench, network, seconds);
    } catch (const std::exception& error) {
        const std::string what(error.what());
        m.inference = {};
        m.findings.push_back("Serving wasn't measured: LibTorch stopped it (" +
                             printable(what.substr(0, what.find('\n')), 200) + ").");
    }
    network.train();
}

/// What is asked for beside the plain way, in the time that is known now that a step's is.
void measureRest(const Bench& bench, Trainer& trainer, const Threads& threads, Measurement& m)
{
    const double step = m.training.step.medianS;
    const double processes = processesSeconds(bench.job);
    measureVariants(bench, {trainer, threads, step, lengthsSeconds(bench.job) + processes},
                    m.variants);
    m.lengths = measureLengths(bench.withLeft(lengthsSeconds(bench.job) + processes));
    addProcesses(bench.withLeft(processes), m);
    addTogether(bench, m);
}

/// The chosen threads are set from then on.
Threads takeThreads(const Bench& bench, Trainer& trainer, double firstS, double seconds,
                    Measurement& m)
{
    const auto [threads, finding] = chooseThreads(bench, trainer, firstS, seconds);
    if (!finding.empty())
        m.findings.push_back(finding);
    setThreads(threads);
    m.threads = std::max(threads.torch, threads.blas);
    return threads;
}

/// What a step is too long for.
void addLeftOut(bool hasMore, bool hasLayers, Measurement& m)
{
    if (!hasMore)
        m.findings.emplace_back("A step takes too long to time more of them; give the measurement "
                                "more time.");
    if (!hasLayers)
        m.findings.emplace_back("A step takes too long to time its layers, too; give the "
                                "measurement more time.");
}

void measureWhole(const Bench& plain, Measurement& m)
{
    Bench bench = plain;
    // Steps before the latencies and after them: what disturbs some seconds is seen.
    constexpr double Burst = 0.38;
    constexpr double Layers = 0.04;
    std::unique_ptr<EnergyMeter> counter = meterFor(bench.device);
    if (counter != nullptr)
        bench.endS += LeastEnergySeconds; // idle comes on top, or the steps would miss it
    EnergyBurst energy(bench, std::move(counter));
    setThreads(threadChoices(usualThreads(), mostThreads(bench.job)).front());
    const double warming = wallClock();
    warmUp(bench);
    const double warmed = wallClock() - warming; // a run pays it once
    const MemoryWatch memory(bench.device);
    const double building = wallClock();
    const std::shared_ptr<Network> network = Network::create(bench.job.model).value();
    Trainer trainer(network, bench.job.training, bench.device);
    const double built = wallClock() - building;
    const double firstS = trainer.step().wallS; // kept apart: a run pays it once
    const double left = std::max(0.0, bench.endS - wallClock());
    const Threads threads = takeThreads(bench, trainer, firstS, 0.15 * left, m);
    // One cold step, until the first burst knows better: another costs too much where it is long.
    bench.restS = restSeconds(bench.job, firstS);
    StepMeter meter(bench, trainer);
    TrainingMeasurement peaks;
    const auto keep = [&] {
        m.training = meter.result();
        m.training.buildS = warmed + built;
        m.training.warmUpS += std::max(0.0, firstS - m.training.step.medianS);
        m.training.peakBytes = peaks.peakBytes;
        m.training.trainingPeakBytes = peaks.trainingPeakBytes;
        m.energy = energy.result();
    };
    try {
        energy.run(meter, Burst * left);
        const double stepS = meter.result().step.medianS;
        bench.restS = restSeconds(bench.job, stepS);
        peaks.peakBytes = memory.peakBytes();
        peaks.trainingPeakBytes = memory.growthBytes();
        addInference(bench, *network, (1 - 2 * Burst - Layers) * left, m);
        const bool isLong = StepMeter::areLong(stepS, Burst * left);
        const auto hasTimeFor = [&](int steps) {
            return !isLong || wallClock() + steps * stepS <= bench.endS;
        };
        const bool hasMore = hasTimeFor(2);
        if (hasMore)
            energy.run(meter, std::max({0.0, energy.missingSeconds(),
                                        bench.endS - wallClock() - Layers * left}));
        const bool hasLayers = hasTimeFor(1);
        if (hasLayers)
            m.layers = measureLayers(bench, trainer, Layers * left);
        addLeftOut(hasMore, hasLayers, m);
    } catch (const Stopped&) {
        if (meter.stepCount() >= EnoughSamples)
            keep();
        throw;
    }
    keep();
    if (bench.keep)
        bench.keep();
    measureRest(bench, trainer, threads, m);
}

void measureInParts(const Bench& bench, Parts parts, Measurement& m)
{
    const Threads threads = untriedThreads(usualThreads(), mostThreads(bench.job));
    setThreads(threads);
    m.threads = std::max(threads.torch, threads.blas);
    m.training = measureParts(bench, parts, std::max(0.0, bench.endS - wallClock()));
    m.part = parts.counts;
    const auto skipped = [&](bool isAsked, const char* what) {
        if (isAsked)
            m.findings.push_back(std::string(what) +
                                 " were not measured: the design doesn't fit in "
                                 "this machine's memory.");
    };
    skipped(bench.job.lengths, "Sequences of other lengths");
    skipped(!bench.job.variants.empty(), "Other ways to run it");
    if (bench.job.together)
        m.findings.emplace_back("Training together was not measured: the design doesn't fit in "
                                "this machine's memory.");
    skipped(bench.job.processes > 1, "Several processes");
    m.findings.push_back("The design doesn't fit in this machine's memory: its step was forecast "
                         "from designs of " +
                         std::to_string(parts.counts.fewerLayers) + " and " +
                         std::to_string(parts.counts.moreLayers) + " of its " +
                         std::to_string(parts.counts.layers) + " layers.");
}

} // namespace

double restSeconds(const Job& job, double stepS)
{
    return variantSeconds(job, stepS) + lengthsSeconds(job) + processesSeconds(job);
}

void measureDesign(const Bench& bench, Measurement& m)
{
    setThreads({1, 1});
    measureMachine(bench, m.machine);
    if (bench.job.training.keepMemory)
        keepFreed();
    if (fitsHere(bench.job))
        return measureWhole(bench, m);
    if (auto parts = partsOf(bench.job))
        return measureInParts(bench, std::move(*parts), m);
    throw std::bad_alloc(); // another program has taken the memory since the job was checked
}

} // namespace outlay::worker
