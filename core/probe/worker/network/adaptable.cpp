// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/adaptable.h"

#include <cmath>

namespace outlay::worker {

using torch::Tensor;

namespace {

/// As LibTorch's own layers start.
Tensor random(torch::IntArrayRef sizes, std::int64_t inputs)
{
    const double reach = 1 / std::sqrt(static_cast<double>(inputs));
    return torch::empty(sizes).uniform_(-reach, reach);
}

} // namespace

AdaptableImpl::AdaptableImpl(std::int64_t inputs, std::int64_t outputs, Biases biases)
{
    m_weight = register_parameter("weight", random({outputs, inputs}, inputs));
    if (biases != Biases::None)
        m_bias = register_parameter("bias", biases == Biases::Zero ? torch::zeros({outputs})
                                                                   : random({outputs}, inputs));
}

void AdaptableImpl::adapt(std::int64_t rank)
{
    if (isAdapted())
        return;
    const std::int64_t inputs = m_weight.size(1);
    const auto like = m_weight.options().requires_grad(false);
    m_down = register_parameter("adapter_down", random({rank, inputs}, inputs).to(like));
    m_up = register_parameter("adapter_up", torch::zeros({m_weight.size(0), rank}, like));
}

Tensor AdaptableImpl::added(const Tensor& x) const
{
    constexpr double Scale = 2; // alpha over rank, as it is mostly set
    return torch::linear(torch::linear(x, m_down), m_up) * Scale;
}

} // namespace outlay::worker
