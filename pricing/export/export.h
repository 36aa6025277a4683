// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A Report in the formats of other programs; one file a format. Pure: the time is an argument.
#pragma once

#include "core/experiment/experiment.h"
#include "pricing/application/application.h"
#include "pricing/report/report.h"

#include <span>

namespace outlay::pricing {

struct ExportInput {
    const core::Experiment& experiment;
    const Report& report;
    const Catalogs& catalogs;
    std::string now; // UTC, "2026-11-20T13:00:00Z"
    ApplicationRequest application = {};
};

/// cost_analysis.json: flat numbers for spreadsheets and monitors, null where unavailable.
[[nodiscard]] core::Json costAnalysis(const ExportInput& input);

/// One line a figure, with its interval, basis and where it comes from.
[[nodiscard]] std::string csvReport(const ExportInput& input);
[[nodiscard]] std::string markdownReport(const ExportInput& input);

[[nodiscard]] std::string applicationMarkdown(const Application& application);
/// A page for those who give compute time.
[[nodiscard]] core::Result<std::string> applicationPage(const ExportInput& input);

/// FOCUS 1.2: the planned month as charges. What is unavailable has no row, and is told in a sentence.
[[nodiscard]] core::Result<std::string> focusRows(const ExportInput& input);
[[nodiscard]] std::vector<std::string> leftOutOfFocus(const Report& report);
/// A row of CodeCarbon 3.3's emissions.csv: one training run.
[[nodiscard]] core::Result<std::string> emissionsRow(const ExportInput& input);
/// A BoAmps report of one training run.
[[nodiscard]] core::Result<std::string> boampsReport(const ExportInput& input);

/// A kind of file that a Report can be written as.
struct ExportFormat {
    std::string_view name; // "focus"
    std::string_view file; // "focus.csv"
    core::Result<std::string> (*write)(const ExportInput& input);
};
[[nodiscard]] std::span<const ExportFormat> exportFormats();

/// Energy and emissions of one training run here; of the run at the experiment's site where those are
/// not known.
struct RunFootprint {
    core::Quantity kwh;
    core::Quantity kgCo2e;
};
[[nodiscard]] RunFootprint runFootprint(const Report& report);

/// "aws/us-east-1" in its two parts; both empty where the site is this machine.
struct CloudPlace {
    std::string provider;
    std::string region;
};
[[nodiscard]] CloudPlace cloudPlaceOf(const core::Site& site);

/// A UUID that follows from the texts alone (version 8 of RFC 9562).
[[nodiscard]] std::string uuidOf(std::string_view text, std::string_view salt);

} // namespace outlay::pricing
