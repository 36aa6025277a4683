// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/trainer.h"

#include <ctime>

namespace outlay::worker {
namespace {

using namespace outlay::core;

constexpr double LearningRate = 1e-4;

double seconds(clockid_t clock)
{
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::unique_ptr<torch::optim::Optimizer> makeOptimizer(Optimizer kind,
                                                       const std::vector<torch::Tensor>& parameters)
{
    constexpr double Momentum = 0.9;
    switch (kind) {
    case Optimizer::Sgd:
        return std::make_unique<torch::optim::SGD>(parameters,
                                                   torch::optim::SGDOptions(LearningRate));
    case Optimizer::Momentum:
        return std::make_unique<torch::optim::SGD>(
            parameters, torch::optim::SGDOptions(LearningRate).momentum(Momentum));
    case Optimizer::Adam:
        return std::make_unique<torch::optim::Adam>(parameters,
                                                    torch::optim::AdamOptions(LearningRate));
    case Optimizer::AdamW:
    case Optimizer::AdamW8bit: // LibTorch has no 8-bit one; the job says so in a finding
        return std::make_unique<torch::optim::AdamW>(parameters,
                                                     torch::optim::AdamWOptions(LearningRate));
    }
    return nullptr;
}

} // namespace

double wallClock()
{
    return seconds(CLOCK_MONOTONIC);
}

double processorClock()
{
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

void synchronise(torch::Device device)
{
    if (device.is_cuda())
        torch::cuda::synchronize();
}

Trainer::Trainer(std::shared_ptr<Network> network, const Training& training, torch::Device device)
    : m_network(std::move(network)), m_training(training), m_device(device)
{
    m_network->to(device);
    m_network->train();
    m_optimizer = makeOptimizer(training.optimizer, m_network->parameters());
    constexpr int Samples = 4; // different ones, so that no cache holds a whole batch by luck
    torch::Tensor target;
    for (int i = 0; i < Samples; ++i) {
        Input input = m_network->randomInput(training.batch, training.sequence);
        input.values = input.values.to(device);
        if (input.memory.defined())
            input.memory = input.memory.to(device);
        m_samples.push_back({input, target});
    }
}

StepTime Trainer::step()
{
    StepTime time;
    const double wall = wallClock();
    const double processor = processorClock();
    m_optimizer->zero_grad();
    double last = wallClock();
    const auto lap = [&] {
        synchronise(m_device);
        const double now = wallClock();
        return now - std::exchange(last, now);
    };
    for (std::int64_t i = 0; i < m_training.accumulation; ++i) {
        Sample& sample = m_samples[m_next++ % m_samples.size()];
        const torch::Tensor output = m_network->forward(sample.input);
        if (!sample.target.defined())
            sample.target = m_network->randomTarget(output);
        const torch::Tensor loss =
            m_network->loss(output, sample.target) / static_cast<double>(m_training.accumulation);
        time.forwardS += lap();
        loss.backward();
        time.backwardS += lap();
    }
    m_optimizer->step();
    time.optimizerS = lap();
    time.wallS = wallClock() - wall;
    time.processorS = processorClock() - processor;
    return time;
}

} // namespace outlay::worker
