// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Experiment in, Report out: no clock, no disk, no globals, no threads.
#pragma once

#include "core/experiment/experiment.h"
#include "pricing/report/report.h"

#include <optional>

namespace outlay::pricing {

/// How training grows, on which no other figure rests.
enum class Growth { Told, Untold };

/// Everything but the advice.
[[nodiscard]] Report figuresOf(const core::Experiment& experiment, const Catalogs& catalogs,
                               Growth growth = Growth::Told);

/// What takes longest, onto figures of the same experiment and catalogs.
void addGrowth(const core::Experiment& experiment, const Catalogs& catalogs, Report& figures);
void addAdvice(const core::Experiment& experiment, const Catalogs& catalogs, Report& figures);

/// Of those only what a month costs and emits: for comparisons of many designs.
[[nodiscard]] Report costsOf(const core::Experiment& experiment, const Catalogs& catalogs);

/// What of a section is known already, from the same catalogs and an experiment that differs from this one
/// in nothing that it depends on.
template <typename Section>
struct ReusedSection {
    std::optional<Section> whole;
    decltype(Section::forecasts)
        forecasts; // depend on the design and its training or serving; that on what is promised, too
};
struct ReusedSections {
    ReusedSection<TrainingReport> training;
    ReusedSection<ServingReport> serving;
    AskedKinds asked;                 // which to forecast training on, where that is made anew
    std::vector<Capacity> capacities; // depend on when machines run, too
};
/// The costs, with what is known taken as it is.
[[nodiscard]] Report costsOf(const core::Experiment& experiment, const Catalogs& catalogs,
                             ReusedSections reused);

[[nodiscard]] Report makeReport(const core::Experiment& experiment, const Catalogs& catalogs);

} // namespace outlay::pricing
