// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/stack.h"

#include "pricing/provider.h"

#include <algorithm>
#include <array>

namespace outlay::pricing {
namespace {

constexpr std::array Stacks{Stack{"cuda", "CUDA on x86"},
                            Stack{"cpu", "x86 processors"},
                            Stack{"arm", "ARM processors"},
                            Stack{"rocm", "AMD ROCm"},
                            Stack{"neuron", "AWS Neuron"},
                            Stack{"tpu", "XLA on TPUs"},
                            Stack{"gaudi", "Intel Gaudi's SynapseAI"}};

struct AcceleratorStack {
    std::string_view begin; // of the accelerator's name
    std::string_view stack;
};
constexpr std::array ByAccelerator{
    AcceleratorStack{"Trainium", "neuron"}, AcceleratorStack{"Inferentia", "neuron"},
    AcceleratorStack{"TPU", "tpu"},         AcceleratorStack{"tpu", "tpu"},
    AcceleratorStack{"Radeon", "rocm"},     AcceleratorStack{"MI", "rocm"},
    AcceleratorStack{"Instinct", "rocm"},   AcceleratorStack{"Gaudi", "gaudi"},
    AcceleratorStack{"GH200", "arm"},       AcceleratorStack{"GB200", "arm"},
    AcceleratorStack{"GB300", "arm"}};

const Stack& named(std::string_view id)
{
    return *std::find_if(Stacks.begin(), Stacks.end(),
                         [&](const Stack& stack) { return stack.id == id; });
}

} // namespace

std::span<const Stack> stacks()
{
    return Stacks;
}

const Stack& stackOf(const Machine& machine)
{
    for (const AcceleratorStack& row : ByAccelerator) {
        if (machine.accelerator.starts_with(row.begin))
            return named(row.stack);
    }
    const auto isArm = provider(machine.provider).isArm;
    if (isArm != nullptr && isArm(machine.instance))
        return named("arm");
    return named(machine.accelerator.empty() ? "cpu" : "cuda");
}

bool allowsStack(const core::Plan& plan, const Stack& stack)
{
    const auto isIn = [&](const auto& allowed) {
        return std::find(allowed.begin(), allowed.end(), stack.id) != allowed.end();
    };
    return plan.stacks.empty() ? isIn(core::UsualStacks) : isIn(plan.stacks);
}

} // namespace outlay::pricing
