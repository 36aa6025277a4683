// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Experiment in, Report out: no clock, no disk, no globals, no threads.
#pragma once

#include "core/experiment/experiment.h"
#include "pricing/report/report.h"

#include <optional>

namespace outlay::pricing {

/// Everything but the advice.
[[nodiscard]] Report figuresOf(const core::Experiment& experiment, const Catalogs& catalogs);

/// Of those only what a month costs and emits: for comparisons of many designs.
[[nodiscard]] Report costsOf(const core::Experiment& experiment, const Catalogs& catalogs);

/// Sections that are known already, from the same catalogs and an experiment that differs from this one in
/// nothing that they depend on.
struct KnownSections {
    std::optional<TrainingReport> training;
    std::optional<ServingReport> serving;
};
/// The costs, with known sections taken as they are.
[[nodiscard]] Report costsOf(const core::Experiment& experiment, const Catalogs& catalogs,
                             KnownSections known);

[[nodiscard]] Report makeReport(const core::Experiment& experiment, const Catalogs& catalogs);

} // namespace outlay::pricing
