// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/checkpoint.h"
#include "core/probe/worker/measure.h"
#include "core/workload/serving_work.h"

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

/// While it lives, the network serves in a precision.
class ServingForm {
public:
    ServingForm(Network& network, ServingPrecision precision, torch::Device device)
        : m_network(network), m_before(network.form()),
          m_autocast(precision == ServingPrecision::Bf16 ? Precision::Bf16 : Precision::Fp32,
                     device)
    {
        PassForm form = m_before;
        if (precision == ServingPrecision::Int8)
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

} // namespace

InferenceMeasurement measureInference(const Bench& bench, Network& network, double seconds)
{
    const torch::NoGradGuard guard;
    const ServingForm precision(network, bench.job.serving.precision, bench.device);
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
