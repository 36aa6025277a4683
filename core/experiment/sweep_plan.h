// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which points of a sweep are worth measuring first, and how many of them a budget allows.
#pragma once

#include "core/experiment/sweep.h"

namespace outlay::core {

/// What measuring a sweep may take: time until it is over, or money.
struct SweepBudget {
    std::optional<double> hours;
    std::optional<double> usd;

    bool operator==(const SweepBudget&) const = default;
};

/// "90min", "2h" or "5usd".
[[nodiscard]] Result<SweepBudget> readBudget(std::string_view text);

/// `points` in another order: the two corners, then always the one that is farthest from all before it, so that those
/// left out lie between others.
[[nodiscard]] std::vector<std::size_t> spreadFirst(const Sweep& sweep,
                                                   std::vector<std::size_t> points);

/// What measures it.
struct SweepMachines {
    double secondsOfPoint = 0;          // with the worker's start
    double atOnce = 1;                  // points
    std::optional<double> usdPerHour{}; // of all machines; none: it isn't known
};

struct SweepPlan {
    std::vector<std::size_t> points; // to measure, in this order
    std::size_t leftOut = 0;
    double hours = 0;
    std::optional<double> usd;
};

/// As many as the budget allows. An error where it allows none, or is of money and the price isn't known.
[[nodiscard]] Result<SweepPlan> planWithin(const Sweep& sweep, std::vector<std::size_t> points,
                                           const SweepBudget& budget,
                                           const SweepMachines& machines);

} // namespace outlay::core
