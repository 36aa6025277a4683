// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The measurements of a sweep's points, here or on other machines.
#pragma once

#include "core/experiment/sweep_plan.h"
#include "gui/commands/measuring_elsewhere.h"

namespace outlay::gui {

inline constexpr CommandOption BudgetOption{
    "--budget", "90min|2h|5usd", "what measuring may take; points beyond it are left out"};

/// What `--measure` does at each point.
struct Measuring {
    double seconds = 10;
    std::string file;              // that keeps the measurements of all points
    std::vector<core::Profile> on; // empty: here
    std::optional<core::SweepBudget> budget;
};

/// The file's experiment with the measurements of all points, each stored as it comes; those that the file
/// holds aren't made again. A point whose probe fails is one more error, and the others go on.
[[nodiscard]] core::Result<core::Experiment> measureAll(const core::Sweep& sweep,
                                                        const Measuring& measuring,
                                                        const Streams& streams,
                                                        std::vector<core::Error>& errors);

} // namespace outlay::gui
