// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment in a cost_analysis.json, whoever wrote it.
#pragma once

#include "core/experiment/experiment.h"

namespace outlay::core {

/// An experiment's document before it is read, so that settings can still be changed.
struct Document {
    Json json;
    std::vector<std::string> warnings; // sentences: what could not be taken from the file
};

[[nodiscard]] bool isCostAnalysis(const Json& json);

/// The experiment that Outlay put into it; of another tool's file, a design of as many weights as it
/// names, and the time that it trained.
[[nodiscard]] Result<Document> experimentIn(const Json& analysis);

/// An experiment's file as it is, or the experiment in a cost analysis.
[[nodiscard]] Result<Document> loadDocument(const std::string& path);

} // namespace outlay::core
