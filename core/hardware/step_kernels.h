// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which of cuDNN's kernels runs the steps of a recurrent layer, as LibTorch chooses it, and how long a step takes where
// the kernel holds the weights in registers.
#pragma once

#include "core/base/fields.h"

namespace outlay::core {

enum class Cell;

enum class StepKernel {
    Plain, // a product and the rest of the cell, launched for each step
    Small, // holds all of a small state's weights
    Wide   // the same in fp16, over the whole device
};

/// What numbers a recurrence is computed in, as far as it matters here.
enum class StepNumbers { Fp32, Fp16, Bf16 };

/// A recurrent layer, as far as the choice depends on it.
struct StepShape {
    Cell cell{};
    double hidden = 0; // 0: it is none of LibTorch's layers
    double directions = 1;
    bool isProjected = false;

    bool operator==(const StepShape&) const = default;
};

/// The choice since LibTorch 1.10. Wide kernels need a device that holds the weights of 16 bits.
[[nodiscard]] StepKernel stepKernel(const StepShape& shape, double batch, StepNumbers numbers,
                                    bool isBackward, bool holdsHalf);

/// A step whose weights lie in registers.
struct ResidentRates {
    double stepUs = 0.2;
    double weightsUs = 1.4;         // more for each 65,536 weights
    double megaflopUs = 0.08;       // more for each MFLOP
    double crowdedMegaflopUs = 0.5; // the same above 100,000 weights of a small kernel

    bool operator==(const ResidentRates&) const = default;
};

struct StepWork {
    double weights = 0;
    double flops = 0;
};

[[nodiscard]] double residentSeconds(const ResidentRates& rates, StepKernel kernel,
                                     const StepWork& work);

} // namespace outlay::core
