// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments side by side: what they are set to, what it comes to, and the difference to the first.
#pragma once

#include "core/experiment/experiment.h"
#include "pricing/report/compare/headline.h"

#include <span>

namespace outlay::pricing {

struct Compared {
    std::string file;
    core::Experiment experiment;
    Report report;
};

/// One figure of one experiment beside the baseline's.
struct Difference {
    core::Quantity figure;
    std::optional<double> change; // nothing where either isn't available, and for the baseline
    std::optional<double> changePercent; // nothing also where the baseline is zero
};

struct ComparisonRow {
    std::string key;
    std::string label;
    std::vector<Difference> cells; // one for each experiment
};

/// A setting in which the experiments differ; null where one has no such key.
struct SettingRow {
    std::string pointer;
    std::vector<core::Json> values;
};

struct Comparison {
    std::vector<std::string> files;
    std::vector<std::string> names;
    std::vector<SettingRow> settings;
    std::vector<ComparisonRow> rows; // figures, then whatever the experiments say of their quality
};

/// In what they differ, with the value of each.
[[nodiscard]] std::vector<SettingRow> settingsThatDiffer(
    std::span<const core::Experiment* const> experiments);

/// The first is the baseline; there is at least one.
[[nodiscard]] Comparison compare(std::span<const Compared> experiments, const Catalogs& catalogs);

[[nodiscard]] core::Json toJson(const Comparison& comparison);
/// A line for each experiment and figure.
[[nodiscard]] std::string csvOf(const Comparison& comparison);

} // namespace outlay::pricing
