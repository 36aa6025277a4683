// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is proposed for a goal: the verdict of it, and each thing that was filled in.
#pragma once

#include "gui/view/verdict_view.h"
#include "pricing/report/goal.h"

#include <vector>

namespace outlay::gui {

struct ProposedRow {
    QString title; // "Training: Batch 32 → 16"
    QString why;

    bool operator==(const ProposedRow&) const = default;
};

struct GoalView {
    QString verdict;
    QString note; // what of the goal can't be kept, or that nothing had to be filled in
    std::vector<ProposedRow> rows;

    bool operator==(const GoalView&) const = default;
};

/// `report`: of the proposal with the changes that are wanted.
[[nodiscard]] GoalView makeGoalView(const pricing::GoalProposal& proposal,
                                    const pricing::Report& report, const DisplayLocale& locale);

} // namespace outlay::gui
