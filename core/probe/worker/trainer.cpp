// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/trainer.h"

#include "core/probe/worker/checkpoint.h"

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

StepTime& StepTime::operator+=(const StepTime& other)
{
    wallS += other.wallS;
    processorS += other.processorS;
    forwardS += other.forwardS;
    backwardS += other.backwardS;
    optimizerS += other.optimizerS;
    return *this;
}

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

Trainer::Forward Trainer::forward(Sample& sample)
{
    const Autocast autocast(m_training.precision, m_device);
    const torch::Tensor output = m_network->forward(sample.input);
    // Losses are sums of many: in 16 bits they lose what the last ones add.
    const bool isHalf = output.element_size() < 4;
    const torch::Tensor wide = isHalf ? output.to(torch::kFloat32) : output;
    if (!sample.target.defined())
        sample.target = m_network->randomTarget(wide);
    const torch::Tensor loss = m_network->loss(wide, sample.target);
    return {output, loss / static_cast<double>(m_training.accumulation)};
}

void Trainer::applyForm()
{
    PassForm form = m_network->form();
    form.checkpoints = m_training.checkpointing;
    m_network->setForm(std::move(form));
}

std::vector<torch::Tensor> Trainer::gradients(std::optional<std::uint64_t> seed)
{
    applyForm();
    m_network->train(seed.has_value());
    if (seed)
        torch::manual_seed(*seed);
    m_optimizer->zero_grad();
    torch::Tensor total = torch::zeros({1});
    for (std::int64_t i = 0; i < m_training.accumulation; ++i) {
        const Forward pass = forward(m_samples[static_cast<std::size_t>(i) % m_samples.size()]);
        pass.loss.backward();
        total += pass.loss.detach().cpu();
    }
    std::vector<torch::Tensor> gradients{total};
    for (const torch::Tensor& parameter : m_network->parameters())
        gradients.push_back(parameter.grad().defined() ? parameter.grad().clone()
                                                       : torch::zeros_like(parameter));
    m_optimizer->zero_grad();
    m_network->train();
    return gradients;
}

void Trainer::takeDataOf(const Trainer& other)
{
    const std::int64_t parts = m_training.accumulation / other.m_training.accumulation;
    m_samples.clear();
    for (std::int64_t pass = 0; pass < other.m_training.accumulation; ++pass) {
        const Sample& whole =
            other.m_samples[static_cast<std::size_t>(pass) % other.m_samples.size()];
        for (std::int64_t i = 0; i < parts; ++i) {
            const auto part = [&](const torch::Tensor& tensor) {
                return tensor.defined()
                           ? tensor.narrow(0, i * m_training.batch, m_training.batch).contiguous()
                           : tensor;
            };
            m_samples.push_back(
                {{part(whole.input.values), part(whole.input.memory)}, part(whole.target)});
        }
    }
    m_next = 0;
}

StepTime Trainer::step()
{
    StepTime time;
    applyForm();
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
        const Forward pass = forward(sample);
        time.forwardS += lap();
        pass.loss.backward();
        time.backwardS += lap();
        if (m_network->form().clock != nullptr)
            m_network->form().clock->passEnds();
    }
    if (m_beforeUpdate)
        m_beforeUpdate();
    m_optimizer->step();
    time.optimizerS = lap();
    time.wallS = wallClock() - wall;
    time.processorS = processorClock() - processor;
    return time;
}

} // namespace outlay::worker
