// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The software that code has to be built for to run on a machine: what runs on NVIDIA's devices beside x86
// processors doesn't run elsewhere as it is.
#pragma once

#include "core/settings/settings.h"
#include "pricing/price_file.h"

#include <span>
#include <string_view>

namespace outlay::pricing {

struct Stack {
    std::string_view id; // "neuron", as a plan has it
    std::string_view title;
};
[[nodiscard]] std::span<const Stack> stacks();

/// By its accelerator and its processors.
[[nodiscard]] const Stack& stackOf(const Machine& machine);

/// Whether the plan takes machines of that stack: those it names, else what most code is built for.
[[nodiscard]] bool allowsStack(const core::Plan& plan, const Stack& stack);

} // namespace outlay::pricing
