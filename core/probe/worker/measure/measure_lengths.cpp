// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure/measure_lengths.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/probe/worker/measure/memory_watch.h"
#include "core/workload/training_work.h"
#include "core/workload/twin.h"

#include <algorithm>

namespace outlay::worker {
namespace {

using namespace outlay::core;

/// One design over all lengths.
class Lengths {
public:
    Lengths(const Bench& bench, LengthSubject subject, const std::vector<Layer>& layers)
        : m_bench(bench), m_subject(subject), m_layers(layers), m_training(bench.job.training)
    {
        m_training.batch = m_training.accumulation = m_training.devices = 1;
        m_training.method =
            Method::Full; // lengths say what layers cost, not what of them is trained
    }

    void measure(std::vector<LengthTiming>& all)
    {
        std::shared_ptr<Network> network; // made when a length fits
        for (std::int64_t tokens = ShortestCompared; tokens <= LongestCompared; tokens *= 2) {
            m_training.sequence = tokens;
            LengthTiming timing{.subject = m_subject, .tokens = tokens};
            timing.unavailable = obstacle();
            if (timing.unavailable.empty())
                tryPasses(network, timing);
            const double nextS = timing.isMeasured() ? timing.passS : expectedS();
            m_growth =
                m_lastS > 0 ? std::clamp(nextS / m_lastS, LeastGrowth, MostGrowth) : MostGrowth;
            m_lastS = nextS;
            all.push_back(std::move(timing));
        }
    }

private:
    static constexpr double LeastGrowth = 2; // of the time with twice as many tokens
    static constexpr double MostGrowth = 4;
    static constexpr std::size_t Few = 3;

    /// For one pass and for one length.
    [[nodiscard]] double mostSeconds() const { return lengthsSeconds(m_bench.job) / 12; }
    [[nodiscard]] double usualSeconds() const { return lengthsSeconds(m_bench.job) / 60; }

    /// By as much again as from the length before it.
    [[nodiscard]] double expectedS() const { return m_growth * m_lastS; }

    [[nodiscard]] std::string obstacle() const
    {
        constexpr double Share = 0.9;
        const double bytes = mostBytesHere(m_layers, m_training);
        const double free = freeBytes(m_bench.job.device);
        if (bytes > Share * free)
            return "it may need " + plainNumber(bytes / BytesPerGb) + " GB, and " +
                   plainNumber(free / BytesPerGb) + " GB are free";
        if (expectedS() > mostSeconds())
            return "a pass may take longer than the " + plainNumber(mostSeconds()) +
                   " s that the measurement has for it";
        return {};
    }

    void tryPasses(std::shared_ptr<Network>& network, LengthTiming& timing) const
    {
        try {
            if (network == nullptr)
                network = Network::create(m_bench.job.model, m_layers).value();
            passes(network, timing);
        } catch (const std::exception& error) {
            const std::string what(error.what());
            timing.unavailable =
                "LibTorch can't: " + printable(what.substr(0, what.find('\n')), 200);
        }
    }

    void passes(const std::shared_ptr<Network>& network, LengthTiming& timing) const
    {
        Trainer trainer(network, m_training, m_bench.device);
        m_bench.tick("lengths", timing.tokens);
        trainer.passes(1); // the first one also makes what stays
        const MemoryWatch memory(m_bench.device);
        std::vector<double> seconds;
        const double began = wallClock();
        do {
            m_bench.tick("lengths", timing.tokens);
            const double start = wallClock();
            trainer.passes(1);
            synchronise(m_bench.device);
            seconds.push_back(wallClock() - start);
            if (seconds.size() == 1)
                timing.growthBytes = memory.growthBytes();
        } while (wallClock() < began + usualSeconds() ||
                 (seconds.size() < Few && wallClock() + seconds.back() < began + mostSeconds()));
        timing.passS = median(seconds);
        timing.count = static_cast<std::int64_t>(seconds.size());
    }

    const Bench& m_bench;
    LengthSubject m_subject;
    const std::vector<Layer>& m_layers;
    Training m_training;
    double m_lastS = 0;
    double m_growth = MostGrowth;
};

} // namespace

double lengthsSeconds(const Job& job)
{
    return job.lengths ? job.seconds : 0;
}

std::vector<LengthTiming> measureLengths(const Bench& bench)
{
    std::vector<LengthTiming> all;
    const std::vector<Layer> own = expand(bench.job.model);
    const Twins twins = twinsOf(own);
    if (!bench.job.lengths || !twins.own)
        return all;
    Lengths(bench, LengthSubject::Own, own).measure(all);
    Lengths(bench, LengthSubject::Twin, twins.twin).measure(all);
    return all;
}

} // namespace outlay::worker
