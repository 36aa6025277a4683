// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure/group_member.h"

#include "core/probe/statistics.h"
#include "core/probe/worker/measure/measure.h"

namespace outlay::worker {
namespace {

using namespace outlay::core;

class Member {
public:
    Member(const Job& job, const Place& place, ProcessGroup& group)
        : m_place(place), m_group(group), m_seconds(job.seconds),
          m_trainer(Network::create(job.model).value(), job.training, torch::kCPU)
    {
    }

    ProcessesMeasurement measure()
    {
        checkSum();
        ProcessesMeasurement m{.processes = m_place.count};
        m.exchange = timeExchanges();
        step();
        step();
        m.aloneStepS = m_place.aloneStepS;
        if (m_place.rank == 0 && m.aloneStepS <= 0)
            m.aloneStepS = median(steps(m_seconds / 3, 0));
        meet();
        m_trainer.setBeforeUpdate([this] { exchangeGradients(); });
        const double firstS = step(); // between machines the exchange may be most of it
        // All must take as many steps: the first one says how many.
        double count = 0;
        if (m_place.rank == 0)
            count = stepsIn(m_seconds / 3, std::max(firstS, m.aloneStepS));
        count = summed(count);
        m_exchanges.clear();
        const std::vector<double> together = steps(0, static_cast<std::int64_t>(count));
        m.steps = static_cast<std::int64_t>(together.size());
        m.stepS = median(together);
        m.exchangeS = median(m_exchanges);
        return m;
    }

private:
    static double stepsIn(double seconds, double step)
    {
        constexpr double Fewest = 4;
        constexpr double Most = 200;
        const double fewest = step > seconds ? Fewest / 2 : Fewest; // of long ones
        return std::clamp(std::floor(seconds / std::max(step, 1e-6)), fewest, Most);
    }

    double summed(double value)
    {
        torch::Tensor tensor = torch::full({1}, value, torch::kFloat64);
        m_group.sum(tensor);
        return tensor.item<double>();
    }

    double step()
    {
        if (m_place.tick)
            m_place.tick(++m_steps);
        return m_trainer.step().wallS;
    }

    void meet() { (void)summed(0); }

    void checkSum()
    {
        const double ranks = m_place.count;
        if (summed(m_place.rank + 1) != ranks * (ranks + 1) / 2)
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
            times.push_back(step());
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
        all.div_(m_place.count);
        std::int64_t at = 0;
        for (const torch::Tensor& gradient : gradients) {
            gradient.copy_(all.narrow(0, at, gradient.numel()).view_as(gradient));
            at += gradient.numel();
        }
    }

    const Place& m_place;
    ProcessGroup& m_group;
    double m_seconds;
    Trainer m_trainer;
    std::int64_t m_steps = 0;
    std::vector<double> m_exchanges;
};

} // namespace

ProcessesMeasurement measureMember(const Job& job, const Place& place, ProcessGroup& group)
{
    return Member(job, place, group).measure();
}

} // namespace outlay::worker
