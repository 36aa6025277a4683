// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a change saves: the difference of two Reports, and how urgent that makes it.
#pragma once

#include "pricing/report/report.h"

#include <optional>

namespace outlay::pricing {

/// How far what is recommended misses the plan; 0 where it keeps it, or nothing is recommended.
struct Missed {
    double deadline = 0; // what a run takes
    std::optional<double> latency =
        0; // how many times what is promised; nobody knows that of tokens that are bought
    bool trainingBudget = false;
    bool servingBudget = false;
    bool trainingRoom = false; // of a machine that a person named
    bool servingRoom = false;

    bool operator==(const Missed&) const = default;
};

/// What two Reports are compared by.
struct Bill {
    core::Quantity usd; // a month; of the training runs alone where the month's total isn't known
    core::Quantity kgCo2e; // a month
    core::Quantity runS;   // of a run on this machine
    Missed missed;
    bool isWholeMonth = false;
    std::vector<std::string> lacking;       // items that aren't in it
    std::vector<std::string> carbonLacking; // and in the emissions

    bool operator==(const Bill&) const = default;
};

[[nodiscard]] Bill billOf(const Report& report, double runsPerMonth);

struct Saving {
    core::Quantity usd;
    core::Quantity percent; // of the bill before
    core::Quantity kgCo2e;
    core::Quantity timeS; // of a run, or of a request, on this machine
    core::Quantity timePercent;
    bool isTimeOfRequest = false;
};

/// What the work that a variant was measured at takes; all a month's but the time.
struct MeasuredWork {
    core::Quantity usd;
    core::Quantity kgCo2e;
    core::Quantity timeS;
    bool isRequest = false; // else a run
};

/// Unavailable where one of the two bills is, is of another kind, or lacks an item that the bill before
/// holds: what isn't known must not look saved.
[[nodiscard]] Saving savingOf(const Bill& before, const Bill& after);

/// The share `1 - ratio` of the work.
[[nodiscard]] Saving measuredSaving(const core::Quantity& ratio, const MeasuredWork& work,
                                    const Bill& before);

/// What holds with a change and didn't without it, the most important of it; nothing where the month has no total any
/// more.
[[nodiscard]] Enables enabledBy(const Bill& before, const Bill& after);

/// Whether a change would break what the plan promises and now keeps, or break it by much more, or would leave without
/// a price what has one.
[[nodiscard]] bool breaksMore(const Bill& before, const Bill& after);

/// Whether it is worth a line: some money, time or carbon, surely above the noise of arithmetic.
[[nodiscard]] bool isWorthwhile(const Saving& saving, const Bill& before);

/// What is to be said first of a saving, as a share of what there was: of several that matter as much, money.
struct Largest {
    SavedThing thing = SavedThing::Money;
    double share = 0;            // the largest of those that matter as much
    Level priority = Level::Low; // docs/advice.md has the limits
};
[[nodiscard]] Largest largestOf(const Saving& saving, const Bill& before);

} // namespace outlay::pricing
