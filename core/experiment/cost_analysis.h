// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment in a cost_analysis.json, whoever wrote it.
#pragma once

#include "core/experiment/experiment.h"

namespace outlay::core {

struct CostAnalysisReading {
    Json experiment;                   // as a file would hold it
    std::vector<std::string> warnings; // sentences: what could not be taken from the file
};

[[nodiscard]] bool isCostAnalysis(const Json& json);

/// The experiment that Outlay put into it; of another tool's file, a design of as many weights as it
/// names, and the time that it trained.
[[nodiscard]] Result<CostAnalysisReading> experimentIn(const Json& analysis);

/// An experiment's file, or the experiment in a cost analysis.
[[nodiscard]] Result<ExperimentReading> loadAnyExperiment(const std::string& path);

} // namespace outlay::core
