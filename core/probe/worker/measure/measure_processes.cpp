// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure/measure_processes.h"

#include "core/probe/host/rank_starter.h"
#include "core/probe/worker/measure/parts.h"
#include "core/probe/worker/measure/process_group.h"

#include <chrono>
#include <memory>

namespace outlay::worker {
namespace {

using namespace outlay::core;

Error failed(const std::string& what)
{
    return {ErrorCode::Measurement, what, "measure without several processes"};
}

/// Of each process, for its steps.
double secondsFor(const Job& job)
{
    constexpr double Share = 0.3;
    constexpr double Least = 0.5;
    return std::max(Least, Share * job.seconds);
}

Result<void> checkPossible(const Bench& bench, int count)
{
    if (!hasProcessGroups())
        return tl::unexpected<Error>(failed("this worker was built without Gloo"));
    if (!bench.device.is_cpu())
        return tl::unexpected<Error>(failed("several processes are measured on a CPU only"));
    if (thisMachine().cores < count)
        return tl::unexpected<Error>(
            failed("this machine has fewer than " + std::to_string(count) + " cores"));
    constexpr double Share = 0.8;
    if (!fitsHere(bench.job, Share / count))
        return tl::unexpected<Error>(
            failed("the design doesn't fit " + std::to_string(count) + " times in memory"));
    return {};
}

Result<ProcessesMeasurement> readResult(const std::string& text, int count)
{
    const auto json = readJson(text);
    if (!json)
        return failureOf(json);
    ProcessesMeasurement m;
    FieldReader reader(*json, "");
    if (reader.outcome())
        describe(reader, m);
    if (const auto outcome = reader.outcome(); !outcome)
        return failureOf(outcome);
    const auto fit = fitExchange(m.exchange, count);
    if (!fit || m.aloneStepS <= 0 || m.stepS <= 0)
        return tl::unexpected<Error>(failed("the exchanges between the processes make no sense"));
    m.latencyS = fit->latencyS;
    m.bytesPerS = fit->bytesPerS;
    m.miss = fit->miss;
    return m;
}

/// Until all have ended well: what the first one wrote.
Result<std::string> resultOf(const Bench& bench, RankStarter& starter, double seconds)
{
    constexpr std::chrono::milliseconds Pace{20};
    const double end = wallClock() + seconds;
    while (!starter.hasAnswer(Pace)) {
        bench.tick("processes", 0);
        if (wallClock() > end)
            return tl::unexpected<Error>(failed("the processes took too long"));
    }
    const RankAnswer& answer = starter.answer();
    if (!answer.problem.empty())
        return tl::unexpected<Error>(failed(answer.problem));
    if (!answer.hasOwnNetwork)
        bench.channel.send(ProbeWarning{"this machine lets nobody make a network of their own: the "
                                        "processes that train together weren't kept from it"});
    return answer.result;
}

} // namespace

double processesSeconds(const Job& job)
{
    constexpr double ToLoad = 3;
    return job.processes < 2 ? 0 : ToLoad + secondsFor(job);
}

Result<ProcessesMeasurement> measureProcesses(const Bench& bench, int count, double stepS)
{
    if (const auto possible = checkPossible(bench, count); !possible)
        return failureOf(possible);
    const std::unique_ptr<RankStarter> starter = takeRankStarter();
    if (starter == nullptr)
        return tl::unexpected<Error>(failed("this worker can't start other processes"));
    Job job = bench.job;
    job.seconds = secondsFor(job);
    if (const auto started = starter->start(count, toLine(job)); !started)
        return failureOf(started);
    constexpr double ToLoad = 60;
    constexpr double Slower = 10;
    constexpr double FewestSteps = 12; // warm-up, alone and together
    const double patience = ToLoad + Slower * (job.seconds + FewestSteps * stepS);
    const auto result = resultOf(bench, *starter, patience);
    return result ? readResult(*result, count) : Result<ProcessesMeasurement>(failureOf(result));
}

} // namespace outlay::worker
