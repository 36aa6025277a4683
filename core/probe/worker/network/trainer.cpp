// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/trainer.h"

#include "core/probe/worker/network/checkpoint.h"
#include "core/probe/worker/network/exactly.h"
#include "core/probe/worker/network/trained_parts.h"

#include <ctime>

namespace outlay::worker {
namespace {

using namespace outlay::core;

double seconds(clockid_t clock)
{
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
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
    m_network->train();
    setTrained(*m_network, training);
    m_network->to(device);
    const std::vector<torch::Tensor> trained = trainedParameters(*m_network);
    m_updates = device.is_cpu() ? Updates::oneByOne(training.optimizer, trained)
                                : Updates::together(training.optimizer, trained);
    // Different ones, so that no cache holds a whole batch by luck, but not so many that they take memory
    // that a run doesn't need.
    constexpr std::size_t Most = 4;
    constexpr std::size_t MostBytes = 32U << 20U;
    torch::Tensor target;
    for (std::size_t bytes = 0; m_samples.empty() || (m_samples.size() < Most && bytes < MostBytes);
         bytes += m_samples.back().input.values.nbytes()) {
        Input input = m_network->randomInput(training.batch, training.sequence);
        input.values = input.values.to(device);
        if (input.memory.defined())
            input.memory = input.memory.to(device);
        m_samples.push_back({input, target});
    }
}

Trainer::Forward Trainer::forward(Sample& sample, std::int64_t first, std::int64_t count)
{
    const Autocast autocast(m_training.precision, m_device);
    const auto type = m_network->parameters().front().scalar_type();
    const auto part = [&](const torch::Tensor& tensor) {
        if (!tensor.defined())
            return tensor;
        const torch::Tensor some = tensor.narrow(0, first, count);
        return some.is_floating_point() ? some.to(type) : some;
    };
    const torch::Tensor output =
        m_network->forward({part(sample.input.values), part(sample.input.memory)});
    // Losses are sums of many: in 16 bits they lose what the last ones add.
    const bool isHalf = output.element_size() < 4;
    const torch::Tensor wide = isHalf ? output.to(torch::kFloat32) : output;
    if (!sample.target.defined()) {
        auto sizes = wide.sizes().vec();
        sizes.front() = sample.input.values.size(0);
        sample.target = m_network->randomTarget(torch::zeros({1}, wide.options()).expand(sizes));
    }
    return {output, m_network->loss(wide, part(sample.target))};
}

template <typename Each>
void Trainer::pass(Sample& sample, std::int64_t samples, const Each& each)
{
    const std::int64_t most = m_network->form().samplesAtOnce;
    const std::int64_t atOnce = most > 0 ? std::min(most, samples) : samples;
    for (std::int64_t first = 0; first < samples; first += atOnce) {
        const std::int64_t count = std::min(atOnce, samples - first);
        Forward pass = forward(sample, first, count);
        pass.loss = pass.loss * (static_cast<double>(count) / static_cast<double>(samples) /
                                 static_cast<double>(m_training.accumulation));
        each(pass);
    }
}

void Trainer::applyForm()
{
    PassForm form = m_network->form();
    form.checkpointEvery = recomputes(m_training) ? m_training.recomputeEvery : 0;
    form.plainAttention = m_training.attention == AttentionKernel::Plain;
    m_network->setForm(std::move(form));
}

void Trainer::passes(std::int64_t samples)
{
    applyForm();
    m_updates->forgetGradients();
    pass(nextSample(), std::min(samples, m_training.batch),
         [](const Forward& pass) { pass.loss.backward(); });
}

void Trainer::learn(const std::vector<torch::Tensor>& gradients)
{
    std::vector<torch::Tensor> parameters = trainedParameters(*m_network);
    for (std::size_t i = 0; i < parameters.size(); ++i)
        parameters[i].mutable_grad() = gradients[i];
    m_updates->step();
    forgetGradients();
}

void Trainer::forgetGradients()
{
    for (torch::Tensor& parameter : m_network->parameters())
        parameter.mutable_grad() = torch::Tensor();
}

std::vector<torch::Tensor> Trainer::takeGradients()
{
    std::vector<torch::Tensor> gradients;
    for (const torch::Tensor& parameter : trainedParameters(*m_network))
        gradients.push_back(parameter.grad().defined() ? parameter.grad()
                                                       : torch::zeros_like(parameter));
    forgetGradients();
    return gradients;
}

std::vector<torch::Tensor> Trainer::gradients(std::optional<std::uint64_t> seed)
{
    applyForm();
    m_network->train(seed.has_value());
    if (seed)
        torch::manual_seed(*seed);
    forgetGradients();
    torch::Tensor total = torch::zeros({1});
    for (std::int64_t i = 0; i < m_training.accumulation; ++i) {
        pass(m_samples[static_cast<std::size_t>(i) % m_samples.size()], m_training.batch,
             [&](const Forward& pass) {
                 pass.loss.backward();
                 total += pass.loss.detach().cpu();
             });
    }
    std::vector<torch::Tensor> gradients = takeGradients();
    gradients.insert(gradients.begin(), total);
    m_network->train();
    return gradients;
}

std::vector<torch::Tensor> Trainer::results(std::int64_t samples)
{
    applyForm();
    m_network->train(false);
    forgetGradients();
    std::vector<torch::Tensor> outputs;
    pass(m_samples.front(), std::min(samples, m_training.batch), [&](const Forward& pass) {
        pass.loss.backward();
        outputs.push_back(pass.output.detach());
    });
    std::vector<torch::Tensor> results = takeGradients();
    results.insert(results.begin(), torch::cat(outputs));
    m_network->train();
    return results;
}

std::vector<torch::Tensor> Trainer::exactResults(std::int64_t samples)
{
    const PassForm before = m_network->form();
    m_network->setForm({});
    std::vector<torch::Tensor> exact;
    {
        const Exactly exactly(*m_network);
        exact = results(samples);
    }
    m_network->setForm(before);
    return exact;
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
    m_updates->forgetGradients();
    double last = wallClock();
    const auto lap = [&] {
        synchronise(m_device);
        const double now = wallClock();
        return now - std::exchange(last, now);
    };
    for (std::int64_t i = 0; i < m_training.accumulation; ++i) {
        pass(nextSample(), m_training.batch, [&](const Forward& pass) {
            time.forwardS += lap();
            pass.loss.backward();
            time.backwardS += lap();
        });
        if (m_network->form().clock != nullptr)
            m_network->form().clock->passEnds();
    }
    if (m_beforeUpdate)
        m_beforeUpdate();
    m_updates->step();
    time.optimizerS = lap();
    time.wallS = wallClock() - wall;
    time.processorS = processorClock() - processor;
    return time;
}

} // namespace outlay::worker
