// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure.h"

#include "core/probe/worker/blas.h"
#include "core/work/serving_work.h"
#include "core/work/work.h"

#include <algorithm>

namespace outlay::worker {
namespace {

using namespace outlay::core;

/// The best of several runs within the time: what the machine can do when it isn't disturbed.
template <typename Run>
double bestSeconds(double seconds, const Run& run)
{
    run(); // first touch of the memory, start of the threads
    double best = 1e300;
    const double end = wallClock() + seconds;
    do {
        const double start = wallClock();
        run();
        best = std::min(best, wallClock() - start);
    } while (wallClock() < end);
    return best;
}

/// Timings of a pass until the time is over.
template <typename Run>
std::vector<double> timesWithin(double seconds, std::size_t least, std::size_t most, const Run& run)
{
    std::vector<double> times;
    const double end = wallClock() + seconds;
    while (times.size() < least || (wallClock() < end && times.size() < most)) {
        const double start = wallClock();
        run();
        times.push_back(wallClock() - start);
    }
    return times;
}

struct Steps {
    std::vector<double> wall;
    std::vector<double> processor;
    double forwardS = 0;
    double backwardS = 0;
    double optimizerS = 0;

    void add(const StepTime& time)
    {
        wall.push_back(time.wallS);
        processor.push_back(time.processorS);
        forwardS += time.forwardS;
        backwardS += time.backwardS;
        optimizerS += time.optimizerS;
    }
};

double sumOf(const std::vector<double>& values)
{
    double total = 0;
    for (const double value : values)
        total += value;
    return total;
}

} // namespace

void Bench::tick(const char* phase, std::int64_t steps) const
{
    if (channel.stopToken().stop_requested())
        throw Stopped{};
    channel.progress(
        {.done = wallClock() - startS, .total = job.seconds, .phase = phase, .steps = steps});
}

void setThreads(const Threads& threads)
{
    torch::set_num_threads(static_cast<int>(threads.torch));
    setBlasThreads(threads.blas);
}

void measureMachine(const Bench& bench, Machine& machine)
{
    bench.tick("machine", 0);
    const torch::NoGradGuard guard;
    constexpr std::int64_t Size = 1024;
    constexpr double Long = 0.25;
    const auto options = torch::TensorOptions().device(bench.device);
    const torch::Tensor a = torch::rand({Size, Size}, options);
    const torch::Tensor b = torch::rand({Size, Size}, options);
    torch::Tensor c = torch::empty({Size, Size}, options);
    const double product = bestSeconds(Long, [&] {
        torch::mm_out(c, a, b);
        synchronise(bench.device);
    });
    machine.matrixFlopsPerSecond = 2.0 * Size * Size * Size / product;
    constexpr std::int64_t CopyBytes = 128LL << 20;
    const torch::Tensor from = torch::ones({CopyBytes / 4}, options);
    torch::Tensor to = torch::empty({CopyBytes / 4}, options);
    const double copy = bestSeconds(Long, [&] {
        to.copy_(from);
        synchronise(bench.device);
    });
    machine.memoryBytesPerSecond = 2.0 * CopyBytes / copy; // read and written
}

Threads chooseThreads(const Bench& bench, Trainer& trainer, double seconds)
{
    const std::int64_t cores = thisMachine().cores;
    const std::int64_t most = bench.job.threads > 0 ? std::min(bench.job.threads, cores) : cores;
    // Two pools that spin beside each other cost up to three times: never more than one of both.
    std::vector<Threads> choices{{1, 1}};
    if (most > 1)
        choices.insert(choices.end(), {{1, most}, {most, 1}});
    if (bench.job.threads == 1 || choices.size() == 1)
        return choices.front();
    // Each choice takes four steps to try; where that is too long, one thread is the steady choice.
    setThreads(choices.front());
    const double first = trainer.step().wallS;
    if (4 * static_cast<double>(choices.size()) * first > seconds)
        return choices.front();
    std::vector<std::vector<double>> times(choices.size());
    const double end = wallClock() + seconds;
    constexpr int MostRounds = 6;
    for (int round = 0; round < MostRounds && (round < 2 || wallClock() < end); ++round) {
        for (std::size_t i = 0; i < choices.size(); ++i) {
            const std::size_t at = round % 2 == 0 ? i : choices.size() - 1 - i;
            setThreads(choices[at]);
            trainer.step(); // the pools start
            times[at].push_back(trainer.step().wallS);
            bench.tick("threads", round);
        }
    }
    constexpr double WorthIt = 0.97; // one thread is steadier
    std::size_t best = 0;
    for (std::size_t i = 1; i < choices.size(); ++i) {
        const double limit = best == 0 ? WorthIt * median(times[0]) : median(times[best]);
        if (median(times[i]) < limit)
            best = i;
    }
    return choices[best];
}

TrainingMeasurement measureTraining(const Bench& bench, Trainer& trainer, double seconds)
{
    Steps steps;
    const double start = wallClock();
    // Two steps at least, four where they aren't long: the first of them is warm-up.
    const auto least = [&] {
        const bool isLong = !steps.wall.empty() && 4 * steps.wall.front() > seconds;
        return std::size_t{isLong ? 2U : 4U};
    };
    std::vector<double> unsent;
    while (steps.wall.size() < least() || wallClock() < start + seconds) {
        const StepTime time = trainer.step();
        steps.add(time);
        unsent.push_back(time.wallS);
        bench.tick("training", static_cast<std::int64_t>(steps.wall.size()));
        constexpr std::size_t Batch = 8;
        if (unsent.size() == Batch)
            bench.channel.send(Sample{"training", std::exchange(unsent, {})});
    }
    const auto warm = static_cast<std::ptrdiff_t>(warmUpCount(steps.wall));
    const std::vector<double> wall(steps.wall.begin() + warm, steps.wall.end());
    const std::vector<double> processor(steps.processor.begin() + warm, steps.processor.end());
    TrainingMeasurement m;
    m.waiting = std::max(0.0, sumOf(wall) / std::max(1e-9, sumOf(processor)) - 1);
    m.step = timingOf(wall, m.waiting);
    m.stepProcessor = timingOf(processor, 0);
    m.warmUpS =
        std::max(0.0, sumOf(steps.wall) - sumOf(wall) - static_cast<double>(warm) * m.step.medianS);
    const double all = steps.forwardS + steps.backwardS + steps.optimizerS;
    m.forwardShare = steps.forwardS / all;
    m.backwardShare = steps.backwardS / all;
    m.optimizerShare = steps.optimizerS / all;
    const Training& t = bench.job.training;
    const auto perStep = static_cast<double>(t.batch * t.accumulation);
    const Pass pass = trainingPass(1, static_cast<double>(t.sequence), 4);
    const std::vector<Layer> layers = expand(bench.job.model);
    m.samplesPerS = perStep / m.step.meanS;
    m.tokensPerS = m.samplesPerS * static_cast<double>(t.sequence);
    m.flopsPerS = 3 * workOf(layers, pass).flops * m.samplesPerS;
    return m;
}

InferenceMeasurement measureInference(const Bench& bench, Network& network, double seconds)
{
    const torch::NoGradGuard guard;
    network.eval();
    const auto inputOf = [&](std::int64_t batch, std::int64_t tokens) {
        Input input = network.randomInput(batch, tokens);
        input.values = input.values.to(bench.device);
        if (input.memory.defined())
            input.memory = input.memory.to(bench.device);
        return input;
    };
    const std::int64_t tokens = bench.job.serving.inputTokens;
    const auto forward = [&](const Input& input) {
        bench.tick("inference", 0);
        (void)network.forward(input);
        synchronise(bench.device);
    };
    InferenceMeasurement m;
    const Input one = inputOf(1, tokens);
    forward(one);
    constexpr std::size_t Least = 5;
    constexpr std::size_t Most = 2000;
    const auto latency = timesWithin(0.4 * seconds, Least, Most, [&] { forward(one); });
    m.p50Ms = 1e3 * percentile(latency, 0.50);
    m.p95Ms = 1e3 * percentile(latency, 0.95);
    m.p99Ms = 1e3 * percentile(latency, 0.99);
    m.count = static_cast<std::int64_t>(latency.size());

    // Until it no longer rises by 5 %, or a batch takes longer than the time that is left.
    constexpr double Rise = 1.05;
    constexpr std::int64_t LargestBatch = 1024;
    const double end = wallClock() + 0.3 * seconds;
    for (std::int64_t batch = 1; batch <= LargestBatch; batch *= 2) {
        const Input many = inputOf(batch, tokens);
        forward(many);
        const double time = median(timesWithin(0.03 * seconds, 3, 200, [&] { forward(many); }));
        const double rate = static_cast<double>(batch) / time;
        const bool isRising = m.throughput.empty() || rate > Rise * m.throughput.back().samplesPerS;
        m.throughput.push_back({batch, rate});
        if (!isRising || wallClock() + 8 * time > end)
            break;
    }
    if (!generates(bench.job.model))
        return m;
    States states;
    const double start = wallClock();
    (void)network.step(one, states, 0);
    synchronise(bench.device);
    m.firstTokenMs = 1e3 * (wallClock() - start);
    Input token = inputOf(1, 1);
    token.memory = one.memory;
    std::int64_t offset = tokens;
    const auto longest =
        static_cast<std::size_t>(std::max<std::int64_t>(Least, bench.job.serving.outputTokens));
    const auto times = timesWithin(0.3 * seconds, Least, longest, [&] {
        bench.tick("generation", offset - tokens);
        (void)network.step(token, states, offset++);
        synchronise(bench.device);
    });
    m.tokenMs = 1e3 * median(times);
    return m;
}

} // namespace outlay::worker
