// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// From what somebody wants to the settings that get it for the least money.
#pragma once

#include "pricing/report/report.h"

namespace outlay::pricing {

enum class Purpose { Train, FineTune, Serve, TrainAndServe };

/// How far what is learnt and answered may differ for the sake of the cost: not at all, by rounding, or as another
/// batch and coarser weights make it.
enum class Tolerance { None, Rounding, Learning };

struct Goal {
    Purpose purpose = Purpose::Train;
    std::optional<double> samples; // to train on; not given: as the experiment says
    std::optional<double> requestsPerDay;
    std::optional<double> deadlineHours;
    std::optional<double> budgetUsd; // of a training run, as the plan has it
    Tolerance tolerance = Tolerance::Rounding;
};

/// One thing that is filled in, with all the settings that it takes.
struct ProposedChange {
    core::Json patch;
    std::vector<std::string> pointers; // of the settings in it
    std::string why;                   // "34 % cheaper than without"
};

struct GoalProposal {
    Purpose purpose = Purpose::Train;
    core::Experiment asked; // with the goal's own figures, and nothing filled in
    std::vector<ProposedChange> changes;
    core::Experiment experiment; // with all of them
};

/// How much of what the goal asks for the plan breaks; 0: nothing. The budget is a run's.
[[nodiscard]] int brokenPromises(const Report& report, Purpose purpose);

[[nodiscard]] core::Result<GoalProposal> proposalFor(const core::Experiment& experiment,
                                                     const Goal& goal, const Catalogs& catalogs);

/// With some of the changes, for who doesn't want them all.
[[nodiscard]] core::Experiment with(const GoalProposal& proposal, const std::vector<bool>& wanted);

} // namespace outlay::pricing
