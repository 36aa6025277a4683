// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure.h"

#include "core/probe/worker/blas.h"

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

} // namespace

void Bench::tick(const char* phase, std::int64_t steps) const
{
    if (channel.stopToken().stop_requested())
        throw Stopped{};
    channel.progress({.done = wallClock() - startS,
                      .total = endS - startS + variantsS,
                      .phase = phase,
                      .steps = steps});
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
    const std::vector<Threads> choices = threadChoices(usualThreads(), most);
    if (choices.size() == 1)
        return choices.front();
    // A visit takes a step in which the pools start, and the timed ones; where that is too long for all
    // choices, the first stays.
    constexpr int Timed = 2;
    setThreads(choices.front());
    const double first = trainer.step().wallS;
    if ((1 + Timed) * static_cast<double>(choices.size()) * first > seconds)
        return choices.front();
    std::vector<std::vector<double>> times(choices.size());
    const double end = wallClock() + seconds;
    constexpr int MostRounds = 6;
    for (int round = 0; round < MostRounds && (round < 1 || wallClock() < end); ++round) {
        for (std::size_t i = 0; i < choices.size(); ++i) {
            const std::size_t at = round % 2 == 0 ? i : choices.size() - 1 - i;
            setThreads(choices[at]);
            trainer.step();
            for (int step = 0; step < Timed; ++step)
                times[at].push_back(trainer.step().wallS);
            bench.tick("threads", round);
        }
    }
    return choices[fastestOf(times)];
}

} // namespace outlay::worker
