// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpointing and mixed precision: what a training step may do otherwise.
#pragma once

#include "core/probe/worker/network/pieces.h"
#include "core/settings/settings.h"

#include <functional>

namespace outlay::worker {

/// A part of a forward pass with several inputs and outputs, all of them tensors.
using TensorPart = std::function<torch::autograd::tensor_list(const torch::autograd::tensor_list&)>;

/// Runs `part` and keeps its inputs only; the backward pass computes the rest again, with the same
/// dropout.
[[nodiscard]] torch::autograd::tensor_list recomputed(const TensorPart& part,
                                                      torch::autograd::tensor_list inputs);

/// A part of a forward pass; it reads the flow and must not change it.
using PassPart = std::function<torch::Tensor(const torch::Tensor& x, Flow& flow)>;

/// The same for a part that has a flow.
[[nodiscard]] torch::Tensor checkpointed(const PassPart& part, const torch::Tensor& x,
                                         const Flow& flow);

/// Whether products of 32 bits on an accelerator may round what they multiply to 19.
void allowTf32(bool isAllowed);

/// While it lives, LibTorch casts matrix products to 16 bits; fp32 changes nothing.
class Autocast {
public:
    Autocast(core::Precision precision, torch::Device device);
    ~Autocast();

    Autocast(const Autocast&) = delete;
    Autocast& operator=(const Autocast&) = delete;

    /// Whether LibTorch can train in it on this device.
    [[nodiscard]] static bool isAvailable(core::Precision precision, torch::Device device);

private:
    bool m_isActive;
    torch::Device m_device;
};

} // namespace outlay::worker
