// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a training asks of a machine, and whether a CPU or a GPU suits it, with the factors.
#pragma once

#include "core/hardware/forecast.h"

namespace outlay::core {

/// By what a step waits for on a GPU.
enum class WorkloadClass { ComputeBound, MemoryBound, Sequential, LaunchBound };
[[nodiscard]] std::string_view name(WorkloadClass workload);
/// "many FLOP/s in the training's precision", ...
[[nodiscard]] std::string_view asksOf(WorkloadClass workload);

enum class Leaning { Cpu, Neither, Gpu };

struct Factor {
    std::string id;
    std::string name;
    Quantity value;
    Leaning leaning = Leaning::Neither;
    std::string why; // a sentence
};

struct PlacementAdvice {
    WorkloadClass workload = WorkloadClass::ComputeBound;
    std::vector<Factor> factors;
    Leaning recommended = Leaning::Neither;
    std::string sentence;
};

/// Two devices to choose from.
struct Choice {
    const Device& gpu;
    const Device& cpu;
    const Calibration& calibration;
};

[[nodiscard]] PlacementAdvice placementAdvice(const LayerKinds& layers, const Training& training,
                                              const Choice& choice);

} // namespace outlay::core
