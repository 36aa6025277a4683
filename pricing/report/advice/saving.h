// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a change saves: the difference of two Reports, and how urgent that makes it.
#pragma once

#include "pricing/report/report.h"

namespace outlay::pricing {

/// What two Reports are compared by.
struct Bill {
    core::Quantity usd; // a month; of the training runs alone where the month's total isn't known
    core::Quantity kgCo2e; // a month
    bool isWholeMonth = false;
    std::vector<std::string> lacking; // items that aren't in it

    bool operator==(const Bill&) const = default;
};

[[nodiscard]] Bill billOf(const Report& report, double runsPerMonth);

struct Saving {
    core::Quantity usd;
    core::Quantity percent; // of the bill before
    core::Quantity kgCo2e;
};

/// Unavailable where one of the two bills is, is of another kind, or lacks an item that the bill before
/// holds: what isn't known must not look saved.
[[nodiscard]] Saving savingOf(const Bill& before, const Bill& after);

/// The share `1 - ratio` of what the measured work costs; `cost` and `kg` are a month's.
[[nodiscard]] Saving measuredSaving(const core::Quantity& ratio, const core::Quantity& cost,
                                    const core::Quantity& kg);

/// Whether it is worth a line: some money or some carbon, surely above the noise of arithmetic.
[[nodiscard]] bool isWorthwhile(const Saving& saving, const Bill& before);

/// By the share of the money; carbon alone makes it medium at most. docs/advice.md has the limits.
[[nodiscard]] Level priorityOf(const Saving& saving, const Bill& before);

} // namespace outlay::pricing
