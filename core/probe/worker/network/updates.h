// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How an optimizer changes weights.
#pragma once

#include "core/probe/worker/network/torch.h"
#include "core/settings/settings.h"

#include <memory>

namespace outlay::worker {

class Updates {
public:
    explicit Updates(std::vector<torch::Tensor> parameters);
    virtual ~Updates() = default;
    Updates(const Updates&) = delete;
    Updates& operator=(const Updates&) = delete;

    /// By the gradients that the parameters have.
    virtual void step() = 0;
    virtual void forgetGradients();

    /// One parameter after the other, as is usual on a processor.
    [[nodiscard]] static std::unique_ptr<Updates> oneByOne(
        core::Optimizer kind, const std::vector<torch::Tensor>& parameters);
    /// Few launches for all of them, as is usual on an accelerator.
    [[nodiscard]] static std::unique_ptr<Updates> together(
        core::Optimizer kind, const std::vector<torch::Tensor>& parameters);

protected:
    std::vector<torch::Tensor> m_parameters;
};

} // namespace outlay::worker
