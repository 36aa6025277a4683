// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure/process_rank.h"

#include "core/base/file.h"
#include "core/probe/host/rank_starter.h"
#include "core/probe/host/walls.h"
#include "core/probe/job.h"
#include "core/probe/processes.h"
#include "core/probe/statistics.h"
#include "core/probe/worker/measure/measure.h"
#include "core/probe/worker/measure/process_group.h"

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace outlay::worker {
namespace {

using namespace outlay::core;

/// Training in a group, one thread each.
class Member {
public:
    Member(const Job& job, const Rank& rank, ProcessGroup& group)
        : m_rank(rank), m_group(group), m_seconds(job.seconds),
          m_trainer(Network::create(job.model).value(), job.training, torch::kCPU)
    {
    }

    ProcessesMeasurement measure()
    {
        checkSum();
        ProcessesMeasurement m{.processes = m_rank.count};
        m.exchange = timeExchanges();
        m_trainer.step();
        m_trainer.step();
        std::vector<double> alone;
        if (m_rank.rank == 0)
            alone = steps(m_seconds / 3, 0);
        meet();
        // All must take as many steps: the first one says how many.
        double count = 0;
        if (m_rank.rank == 0)
            count = stepsIn(m_seconds / 3, median(alone));
        count = summed(count);
        m_trainer.setBeforeUpdate([this] { exchangeGradients(); });
        m_trainer.step();
        m_exchanges.clear();
        const std::vector<double> together = steps(0, static_cast<std::int64_t>(count));
        m.steps = static_cast<std::int64_t>(together.size());
        if (m_rank.rank != 0)
            return m;
        m.aloneStepS = median(alone);
        m.stepS = median(together);
        m.exchangeS = median(m_exchanges);
        return m;
    }

private:
    static double stepsIn(double seconds, double step)
    {
        constexpr double Fewest = 4;
        constexpr double Most = 200;
        return std::clamp(std::floor(seconds / std::max(step, 1e-6)), Fewest, Most);
    }

    double summed(double value)
    {
        torch::Tensor tensor = torch::full({1}, value, torch::kFloat64);
        m_group.sum(tensor);
        return tensor.item<double>();
    }

    void meet() { (void)summed(0); }

    void checkSum()
    {
        const double ranks = m_rank.count;
        if (summed(m_rank.rank + 1) != ranks * (ranks + 1) / 2)
            throw std::runtime_error("the processes sum wrongly");
    }

    std::vector<ExchangeTiming> timeExchanges()
    {
        constexpr int Rounds = 15;
        std::vector<ExchangeTiming> timings;
        for (const std::int64_t bytes : {4LL, 64LL << 10, 1LL << 20, 4LL << 20, 16LL << 20}) {
            torch::Tensor tensor = torch::zeros({bytes / 4});
            std::vector<double> seconds;
            m_group.sum(tensor);
            for (int round = 0; round < Rounds; ++round) {
                meet(); // so that nobody is waited for
                const double start = wallClock();
                m_group.sum(tensor);
                seconds.push_back(wallClock() - start);
            }
            timings.push_back({static_cast<double>(bytes), median(seconds)});
        }
        return timings;
    }

    std::vector<double> steps(double seconds, std::int64_t count)
    {
        constexpr std::size_t Fewest = 4;
        std::vector<double> times;
        const double end = wallClock() + seconds;
        const auto isEnough = [&] {
            return count > 0 ? times.size() >= static_cast<std::size_t>(count)
                             : times.size() >= Fewest && wallClock() >= end;
        };
        while (!isEnough())
            times.push_back(m_trainer.step().wallS);
        return times;
    }

    /// The mean of all processes' gradients, in one exchange.
    void exchangeGradients()
    {
        std::vector<torch::Tensor> gradients;
        for (const torch::Tensor& parameter : m_trainer.sharedNetwork()->parameters()) {
            if (parameter.grad().defined())
                gradients.push_back(parameter.grad());
        }
        std::vector<torch::Tensor> flat;
        for (const torch::Tensor& gradient : gradients)
            flat.push_back(gradient.reshape({-1}));
        torch::Tensor all = torch::cat(flat);
        const double start = wallClock();
        m_group.sum(all);
        m_exchanges.push_back(wallClock() - start);
        all.div_(m_rank.count);
        std::int64_t at = 0;
        for (const torch::Tensor& gradient : gradients) {
            gradient.copy_(all.narrow(0, at, gradient.numel()).view_as(gradient));
            at += gradient.numel();
        }
    }

    const Rank& m_rank;
    ProcessGroup& m_group;
    double m_seconds;
    Trainer m_trainer;
    std::vector<double> m_exchanges;
};

int fail(const std::string& why)
{
    std::fprintf(stderr, "outlay-probe: %s\n", why.c_str());
    return exitStatus(ErrorCode::Measurement);
}

int measured(const Rank& rank, const Job& job)
{
    const auto group = joinGroup({rank.folder + RankStoreFile, rank.rank, rank.count});
    if (group == nullptr)
        return fail("this worker was built without process groups");
    const ProcessesMeasurement m = Member(job, rank, *group).measure();
    if (rank.rank != 0)
        return 0;
    const auto saved = saveFile(rank.folder + RankResultFile, writeJson(fieldsOf(m)));
    return saved ? 0 : fail(saved.error().sentence());
}

} // namespace

int runRank(const Rank& rank)
{
    // Where the parent ended before, nobody would tell.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != rank.parent)
        return exitStatus(ErrorCode::Cancelled);
    raiseCallWallOfRank();
    setThreads({1, 1});
    const auto text = loadFile(rank.folder + RankJobFile);
    if (!text)
        return fail(text.error().sentence());
    const auto job = readJob(*text);
    if (!job)
        return fail(job.error().sentence());
    limitTo(*job);
    try {
        return measured(rank, *job);
    } catch (const std::exception& error) {
        return fail(error.what());
    }
}

} // namespace outlay::worker
