// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure/measure.h"
#include "core/probe/worker/measure/memory_watch.h"
#include "core/probe/worker/measure/parts.h"
#include "core/probe/worker/network/checkpoint.h"
#include "core/workload/serving_work.h"

#include <algorithm>

namespace outlay::worker {
namespace {

using namespace outlay::core;

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

/// While it lives, the network serves as is asked for.
class ServingForm {
public:
    ServingForm(Network& network, const Serving& serving, torch::Device device)
        : m_network(network), m_before(network.form()),
          m_autocast(serving.precision == ServingPrecision::Bf16 ? Precision::Bf16
                                                                 : Precision::Fp32,
                     device)
    {
        PassForm form = m_before;
        form.mergesAdapters = true;
        form.plainAttention = serving.attention == AttentionKernel::Plain;
        if (serving.precision == ServingPrecision::Int8)
            form.int8 = std::make_shared<Int8Weights>();
        network.setForm(std::move(form));
    }
    ~ServingForm() { m_network.setForm(m_before); }

    ServingForm(const ServingForm&) = delete;
    ServingForm& operator=(const ServingForm&) = delete;

private:
    Network& m_network;
    PassForm m_before;
    Autocast m_autocast;
};

/// The parts of an inference measurement over one network.
class Requests {
public:
    Requests(const Bench& bench, Network& network) : m_bench(bench), m_network(network) {}

    void measureLatency(double seconds, InferenceMeasurement& m)
    {
        const Input one = inputOf(1, tokens());
        forward(one);
        constexpr std::size_t Most = 2000;
        const auto times = timesWithin(seconds, Least, Most, [&] { forward(one); });
        m.p50Ms = Ms * percentile(times, 0.50);
        m.p95Ms = Ms * percentile(times, 0.95);
        m.p99Ms = Ms * percentile(times, 0.99);
        m.count = static_cast<std::int64_t>(times.size());
        m.p50Range = rangeOf(times);
        m.p95Range = rangeOf(times, 0.95);
        m.p99Range = rangeOf(times, 0.99);
    }

    /// Until two batches in turn didn't raise it by 5 %, or the next one takes longer than what is left, or
    /// may not fit.
    void measureThroughput(double seconds, InferenceMeasurement& m)
    {
        overBatches(seconds, [&](std::int64_t batch) {
            const Input many = inputOf(batch, tokens());
            forward(many);
            const auto times = timesWithin(0.1 * seconds, Fewest, 200, [&] { forward(many); });
            const TimedRate rate = rateOf(times, batch);
            m.throughput.push_back({batch, rate.perS, rate.range});
            return Tried{rate.perS, median(times)};
        });
    }

    /// The same of tokens, one more of each request in a pass.
    void measureTogether(double seconds, InferenceMeasurement& m)
    {
        overBatches(seconds, [&](std::int64_t requests) {
            States states;
            const Input prompts = inputOf(requests, tokens());
            const double start = wallClock();
            (void)m_network.step(prompts, states, 0);
            synchronise(m_bench.device);
            const double promptS = wallClock() - start;
            const auto times = tokenTimes(0.1 * seconds, Fewest, prompts, states);
            const TimedRate rate = rateOf(times, requests);
            m.together.push_back({requests, rate.perS, rate.range});
            return Tried{rate.perS, promptS};
        });
    }

    void measureGeneration(double seconds, InferenceMeasurement& m)
    {
        constexpr std::size_t MostPrompts = 20;
        const Input one = inputOf(1, tokens());
        States states;
        const auto first = timesWithin(0.2 * seconds, 3, MostPrompts, [&] {
            m_bench.tick("generation", 0);
            states = States();
            (void)m_network.step(one, states, 0);
            synchronise(m_bench.device);
        });
        m.firstTokenMs = Ms * median(first);
        m.firstTokenRange = rangeOf(first);
        const auto times = tokenTimes(0.8 * seconds, Least, one, states);
        m.tokenMs = Ms * median(times);
        m.tokenRange = rangeOf(times);
    }

private:
    static constexpr double Ms = 1e3;
    static constexpr std::size_t Least = 5;
    static constexpr std::size_t Fewest = 3; // of one batch among several

    /// Of passes that each make one more token after these prompts.
    std::vector<double> tokenTimes(double seconds, std::size_t least, const Input& prompts,
                                   States& states)
    {
        Input next = inputOf(prompts.values.size(0), 1);
        next.memory = prompts.memory;
        std::int64_t offset = tokens();
        const auto longest = static_cast<std::size_t>(
            std::max<std::int64_t>(Least, m_bench.job.serving.outputTokens));
        return timesWithin(seconds, least, longest, [&] {
            m_bench.tick("generation", offset - tokens());
            (void)m_network.step(next, states, offset++);
            synchronise(m_bench.device);
        });
    }

    /// Of one batch, and the seconds that it begins with.
    struct Tried {
        double perS = 0;
        double firstS = 0;
    };
    /// With twice as many each time.
    template <typename F>
    void overBatches(double seconds, const F& attempt)
    {
        constexpr double Rise = 1.05;
        constexpr std::int64_t Largest = 1024;
        constexpr int MostFlat = 2;
        const double end = wallClock() + seconds;
        double best = 0;
        int flat = 0;
        for (std::int64_t batch = 1; batch <= Largest && flat < MostFlat; batch *= 2) {
            if (batch > 1 && servingBytes(m_bench.job, batch) > freeBytes(m_bench.job.device))
                return;
            const Tried tried = attempt(batch);
            flat = tried.perS > Rise * best ? 0 : flat + 1;
            best = std::max(best, tried.perS);
            const double least = tried.firstS + Fewest * static_cast<double>(batch) / tried.perS;
            if (wallClock() + 2 * least > end)
                return;
        }
    }

    /// In ms.
    static std::optional<TimedRange> rangeOf(const std::vector<double>& times, double share)
    {
        const auto around = rankInterval(times, share);
        if (!around)
            return std::nullopt;
        return TimedRange{Ms * around->low, Ms * around->high,
                          static_cast<std::int64_t>(times.size())};
    }
    static TimedRange rangeOf(const std::vector<double>& times)
    {
        const Interval around = medianInterval(times);
        return {Ms * around.low, Ms * around.high, static_cast<std::int64_t>(times.size())};
    }

    [[nodiscard]] std::int64_t tokens() const { return m_bench.job.serving.inputTokens; }

    Input inputOf(std::int64_t batch, std::int64_t tokens)
    {
        Input input = m_network.randomInput(batch, tokens);
        input.values = input.values.to(m_bench.device);
        if (input.memory.defined())
            input.memory = input.memory.to(m_bench.device);
        return input;
    }

    void forward(const Input& input)
    {
        m_bench.tick("inference", 0);
        (void)m_network.forward(input);
        synchronise(m_bench.device);
    }

    const Bench& m_bench;
    Network& m_network;
};

} // namespace

InferenceMeasurement measureInference(const Bench& bench, Network& network, double seconds)
{
    const torch::NoGradGuard guard;
    const ServingForm form(network, bench.job.serving, bench.device);
    network.eval();
    InferenceMeasurement m;
    Requests requests(bench, network);
    requests.measureLatency(0.4 * seconds, m);
    const bool goesOn = generates(bench.job.model);
    requests.measureThroughput((goesOn ? 0.2 : 0.3) * seconds, m);
    if (goesOn) {
        requests.measureGeneration(0.2 * seconds, m);
        requests.measureTogether(0.2 * seconds, m);
    }
    return m;
}

} // namespace outlay::worker
