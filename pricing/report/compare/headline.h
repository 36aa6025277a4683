// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The figures that stand for a Report where there is room for few: tables, comparisons, sweeps.
#pragma once

#include "pricing/report/report.h"

namespace outlay::pricing {

struct Headline {
    std::string key;   // "here_usd": a column's name
    std::string label; // "training here, cost"
    core::Quantity figure;
};

/// Always the same keys in the same order, whatever is available.
[[nodiscard]] std::vector<Headline> headlinesOf(const Report& report, const Catalogs& catalogs);

} // namespace outlay::pricing
