// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a running program lets see of how far it is.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace outlay::core {

/// From the one that says it best.
enum class StepSource { Lines, Events, Metrics, Bar, Checkpoints, Load };
inline constexpr std::array<std::string_view, 6> StepSourceNames{
    "lines of its own",
    "TensorBoard events",
    "MLflow metrics",
    "a progress bar",
    "checkpoints' trainer_state.json",
    "what repeats in its load (a guess)"};

/// More are none of a training.
inline constexpr double MostSteps = 1e15;

/// So many steps were done at that time.
struct StepMark {
    double atS = 0; // after the program's start
    double steps = 0;
    std::optional<double> of; // all of the run, where the program says it

    bool operator==(const StepMark&) const = default;
};

} // namespace outlay::core
