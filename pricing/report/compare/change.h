// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Why a bill moved from one experiment to another: traffic, work, machine, way of buying, place.
#pragma once

#include "pricing/report/compare/comparison.h"

namespace outlay::pricing {

/// One step on the way; each begins where the one before it ended.
struct ChangeStep {
    std::string what; // "work", "machine"
    double usd = 0;   // by which the bill moves; below zero where it falls
    std::string from; // in words; empty where it is a figure
    std::string to;
    core::Quantity fromFigure;
    core::Quantity toFigure;
    std::string because; // why it had to change, without a full stop; empty where nothing had to
};

struct BillChange {
    std::string of; // "a training run", "a month"
    core::Quantity before;
    core::Quantity after;
    std::vector<ChangeStep>
        steps; // they add up to the difference; none where either bill isn't known
};

/// A training run, and all of a month, each on the machines that are planned for it.
[[nodiscard]] std::vector<BillChange> changesOf(const Compared& before, const Compared& after,
                                                const Catalogs& catalogs);

} // namespace outlay::pricing
