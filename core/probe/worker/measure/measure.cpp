// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure/measure.h"

#include "core/probe/host/blas.h"
#include "core/probe/worker/measure/memory_watch.h"
#include "core/probe/worker/network/checkpoint.h"

#include <algorithm>
#include <cmath>

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

/// The three matrices lie in one block that is too large for the heap: blocks of their size that come and go would teach
/// glibc to keep more of what the steps free later.
double productSeconds(std::int64_t size, const torch::TensorOptions& factors, double seconds,
                      torch::Device device)
{
    constexpr std::int64_t Large = 12LL << 20; // numbers
    const std::int64_t numbers = size * size;
    const torch::Tensor all = torch::empty({std::max(3 * numbers, Large)}, factors);
    const auto matrix = [&](std::int64_t at) {
        return all.narrow(0, at * numbers, numbers).view({size, size});
    };
    const torch::Tensor a = matrix(0).uniform_();
    const torch::Tensor b = matrix(1).uniform_();
    torch::Tensor c = matrix(2);
    return bestSeconds(seconds, [&] {
        torch::mm_out(c, a, b);
        synchronise(device);
    });
}

} // namespace

void Bench::tick(std::string_view phase, std::int64_t steps) const
{
    std::string whole(phase);
    if (!part.empty())
        whole += ": " + std::string(part);
    if (channel.stopToken().stop_requested())
        throw Stopped{std::move(whole)};
    channel.progress({.done = wallClock() - startS,
                      .total = endS - startS + restS,
                      .phase = std::move(whole),
                      .steps = steps});
}

Bench Bench::withLeft(double seconds) const
{
    Bench bench = *this;
    bench.endS = wallClock();
    bench.restS = std::max(0.0, seconds);
    return bench;
}

Threads usualThreads()
{
    static const Threads Usual{torch::get_num_threads(), blasThreads()};
    return Usual;
}

void setThreads(const Threads& threads)
{
    static_cast<void>(usualThreads()); // read before the first change
    torch::set_num_threads(static_cast<int>(threads.torch));
    setBlasThreads(threads.blas);
}

void measureMachine(const Bench& bench, HostMachine& machine)
{
    bench.tick("machine", 0);
    const torch::NoGradGuard guard;
    constexpr double Long = 0.25;
    const bool isCpu = bench.device.is_cpu();
    // An accelerator is asked in the precision of the job, by as much as fills it.
    const Precision precision = isCpu ? Precision::Fp32 : bench.job.training.precision;
    allowTf32(precision == Precision::Tf32);
    const auto options = torch::TensorOptions().device(bench.device);
    const auto factors =
        options.dtype(precision == Precision::Bf16 ? torch::kBFloat16 : torch::kFloat32);
    constexpr double Plenty = 8e9; // of an accelerator's memory
    const bool isLarge = !isCpu && freeBytes(bench.job.device) > Plenty;
    const std::int64_t size = isLarge ? 8192 : isCpu ? 1024 : 2048;
    const double product = productSeconds(size, factors, Long, bench.device);
    if (!isCpu)
        machine.matrixPrecision = precision;
    const double flops = 2 * std::pow(static_cast<double>(size), 3);
    machine.matrixFlopsPerSecond = flops / product;
    bench.tick("machine", 1);
    if (const std::int64_t most = mostThreads(bench.job); isCpu && most > 1) {
        setThreads({1, most});
        machine.wholeFlopsPerSecond = flops / productSeconds(size, factors, Long, bench.device);
        setThreads({1, 1});
    }
    const std::int64_t copyBytes = isLarge ? 1LL << 30 : 128LL << 20;
    const torch::Tensor from = torch::ones({copyBytes / 4}, options);
    torch::Tensor to = torch::empty({copyBytes / 4}, options);
    const double copy = bestSeconds(Long, [&] {
        to.copy_(from);
        synchronise(bench.device);
    });
    machine.memoryBytesPerSecond = 2.0 * static_cast<double>(copyBytes) / copy; // read and written
}

std::int64_t mostThreads(const Job& job)
{
    const std::int64_t cores = thisMachine().cores;
    return job.threads > 0 ? std::min(job.threads, cores) : cores;
}

ThreadChoice chooseThreads(const Bench& bench, Trainer& trainer, double firstS, double seconds)
{
    const std::int64_t most = mostThreads(bench.job);
    const std::vector<Threads> choices = threadChoices(usualThreads(), most);
    if (choices.size() == 1)
        return {choices.front(), {}};
    setThreads(choices.front());
    // Where one step outlasts the time, another needn't say so again.
    const double stepS = firstS > seconds ? firstS : trainer.step().wallS;
    const double once = stepS * static_cast<double>(choices.size());
    if (once > seconds)
        return {untriedThreads(usualThreads(), most),
                "A step takes too long to try other numbers of threads in the time: the usual ones "
                "were taken; give the measurement more time."};
    // A visit takes a step in which the pools start, where there is time for it, and the timed ones.
    constexpr int Timed = 2;
    const bool isShort = (1 + Timed) * once > seconds;
    std::vector<std::vector<double>> times(choices.size());
    const double end = wallClock() + seconds;
    const int mostRounds = isShort ? 1 : 6;
    for (int round = 0; round < mostRounds && (round < 1 || wallClock() < end); ++round) {
        for (std::size_t i = 0; i < choices.size(); ++i) {
            const std::size_t at = round % 2 == 0 ? i : choices.size() - 1 - i;
            setThreads(choices[at]);
            if (!isShort)
                trainer.step();
            for (int step = 0; step < (isShort ? 1 : Timed); ++step)
                times[at].push_back(trainer.step().wallS);
            bench.tick("threads", round);
        }
    }
    return {choices[fastestOf(times)], {}};
}

} // namespace outlay::worker
