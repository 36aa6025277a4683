// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/updates.h"

#include <cmath>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

namespace outlay::worker {
namespace {

using namespace outlay::core;
using torch::Tensor;

constexpr double LearningRate = 1e-4;
constexpr double Momentum = 0.9;

std::unique_ptr<torch::optim::Optimizer> makeOptimizer(Optimizer kind,
                                                       const std::vector<Tensor>& parameters)
{
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

class OneByOne final : public Updates {
public:
    OneByOne(Optimizer kind, const std::vector<Tensor>& parameters)
        : Updates(parameters), m_optimizer(makeOptimizer(kind, parameters))
    {
    }

    void step() override { m_optimizer->step(); }
    void forgetGradients() override { m_optimizer->zero_grad(); }

private:
    std::unique_ptr<torch::optim::Optimizer> m_optimizer;
};

/// What is changed in a step: the parameters that have gradients, and what is kept of each.
struct Lists {
    std::vector<Tensor> parameters;
    std::vector<Tensor> gradients;
    std::vector<Tensor> first;
    std::vector<Tensor> second;
};

class Together final : public Updates {
public:
    Together(Optimizer kind, const std::vector<Tensor>& parameters)
        : Updates(parameters), m_kind(kind)
    {
        const torch::NoGradGuard guard;
        for (const Tensor& parameter : parameters) {
            m_first.push_back(kind == Optimizer::Sgd ? Tensor() : torch::zeros_like(parameter));
            m_second.push_back(hasSquares() ? torch::zeros_like(parameter) : Tensor());
        }
    }

    void step() override
    {
        const torch::NoGradGuard guard;
        const Lists lists = withGradients();
        if (lists.parameters.empty())
            return;
        ++m_steps;
        if (hasSquares())
            return adam(lists);
        if (m_kind == Optimizer::Sgd)
            return at::_foreach_add_(lists.parameters, lists.gradients, -LearningRate);
        at::_foreach_mul_(lists.first, Momentum);
        at::_foreach_add_(lists.first, lists.gradients, 1);
        at::_foreach_add_(lists.parameters, lists.first, -LearningRate);
    }

private:
    [[nodiscard]] bool hasSquares() const
    {
        return m_kind != Optimizer::Sgd && m_kind != Optimizer::Momentum;
    }

    [[nodiscard]] Lists withGradients() const
    {
        Lists lists;
        for (std::size_t i = 0; i < m_parameters.size(); ++i) {
            if (!m_parameters[i].grad().defined())
                continue;
            lists.parameters.push_back(m_parameters[i]);
            lists.gradients.push_back(m_parameters[i].grad());
            lists.first.push_back(m_first[i]);
            lists.second.push_back(m_second[i]);
        }
        return lists;
    }

    void adam(const Lists& lists) const
    {
        constexpr double OfMean = 0.9;
        constexpr double OfSquares = 0.999;
        constexpr double Least = 1e-8;
        constexpr double Decay = 1e-2;
        if (m_kind != Optimizer::Adam)
            at::_foreach_mul_(lists.parameters, 1 - LearningRate * Decay);
        at::_foreach_mul_(lists.first, OfMean);
        at::_foreach_add_(lists.first, lists.gradients, 1 - OfMean);
        at::_foreach_mul_(lists.second, OfSquares);
        at::_foreach_addcmul_(lists.second, lists.gradients, lists.gradients, 1 - OfSquares);
        std::vector<Tensor> sizes = at::_foreach_sqrt(lists.second);
        at::_foreach_div_(sizes, std::sqrt(1 - std::pow(OfSquares, m_steps)));
        at::_foreach_add_(sizes, Least);
        at::_foreach_addcdiv_(lists.parameters, lists.first, sizes,
                              -LearningRate / (1 - std::pow(OfMean, m_steps)));
    }

    Optimizer m_kind;
    int m_steps = 0;
    std::vector<Tensor> m_first;  // means of the gradients, or their momentum
    std::vector<Tensor> m_second; // means of their squares
};

} // namespace

Updates::Updates(std::vector<Tensor> parameters) : m_parameters(std::move(parameters)) {}

void Updates::forgetGradients()
{
    for (Tensor& parameter : m_parameters)
        parameter.mutable_grad() = Tensor();
}

std::unique_ptr<Updates> Updates::oneByOne(Optimizer kind, const std::vector<Tensor>& parameters)
{
    return std::make_unique<OneByOne>(kind, parameters);
}

std::unique_ptr<Updates> Updates::together(Optimizer kind, const std::vector<Tensor>& parameters)
{
    return std::make_unique<Together>(kind, parameters);
}

} // namespace outlay::worker
