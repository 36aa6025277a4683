// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Limits on figures of a Report, as a check in continuous integration holds them.
#pragma once

#include "core/base/fields.h"

namespace outlay::pricing {

inline constexpr std::string_view BudgetFormat = "outlay-budget";

struct Limit {
    std::string pointer; // into the Report's JSON; a figure stands for its value
    std::optional<double> least;
    std::optional<double> most;

    bool operator==(const Limit&) const = default;
};

struct Budget {
    std::vector<Limit> limits;
};

void describe(core::FieldVisitor& v, Limit& limit);

[[nodiscard]] core::Result<Budget> readBudget(const core::Json& json);

enum class LimitState {
    Kept,
    Close, // kept, but the figure's interval reaches beyond it
    Exceeded,
    Unavailable, // counts as exceeded: nobody knows that it is kept
};
[[nodiscard]] bool isExceeded(LimitState state);

struct LimitOutcome {
    Limit limit;
    LimitState state = LimitState::Kept;
    std::optional<double> value;
    std::string unit;   // may be empty
    std::string reason; // why it is unavailable
};

/// Fails where a limit's pointer names nothing in the Report, or nothing that has a number.
[[nodiscard]] core::Result<std::vector<LimitOutcome>> checkLimits(const Budget& budget,
                                                                  const core::Json& report);

} // namespace outlay::pricing
