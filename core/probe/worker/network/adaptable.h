// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A product with weights, beside which an adapter may lie.
#pragma once

#include "core/probe/worker/network/torch.h"

namespace outlay::worker {

enum class Biases { None, Zero, Random };
[[nodiscard]] inline Biases biasesWhere(bool hasBiases)
{
    return hasBiases ? Biases::Random : Biases::None;
}

class AdaptableImpl : public torch::nn::Module {
public:
    AdaptableImpl(std::int64_t inputs, std::int64_t outputs, Biases biases);

    [[nodiscard]] const torch::Tensor& weight() const { return m_weight; }
    /// Undefined where there is none.
    [[nodiscard]] const torch::Tensor& bias() const { return m_bias; }

    /// Two thin matrices, of which the second is zero at first. Once: again changes nothing.
    void adapt(std::int64_t rank);
    [[nodiscard]] bool isAdapted() const { return m_down.defined(); }
    /// What the adapter adds to the product.
    [[nodiscard]] torch::Tensor added(const torch::Tensor& x) const;

private:
    torch::Tensor m_weight;
    torch::Tensor m_bias;
    torch::Tensor m_down;
    torch::Tensor m_up;
};
TORCH_MODULE(Adaptable);

} // namespace outlay::worker
