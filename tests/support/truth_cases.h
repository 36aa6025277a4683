// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Published measurements as designs that can be forecast: what was run, on what, how long it took.
#pragma once

#include "core/hardware/hardware_catalog.h"
#include "core/hardware/serving_forecast.h"

namespace outlay::tests {

enum class TruthKind { Training, Recurrent, Latency, Decode, Run, Request, Prompt };
inline constexpr std::array<std::string_view, 7> TruthKindNames{
    "training", "recurrent", "latency", "decode", "run", "request", "prompt"};

struct TruthCase {
    std::string id;
    std::string group; // who measured what
    std::string device;
    TruthKind kind = TruthKind::Training;
    std::int64_t count = 1;
    std::string interconnect; // of machines, where it is said
    std::vector<core::Layer> layers;
    std::optional<core::Model> model; // where there is a whole one
    core::Training training;
    core::Serving serving;
    double seconds = 0; // of an optimizer step, a request, a token, or a whole run on one device
    double watts = 0;   // of all devices, where they were measured
    bool isOfKernels = false; // nothing was timed beside them
    bool isOfSteps = false;   // of a whole run: its hours count nothing else
    std::string doubt;        // why the row can't be what it says, or is no design of ours

    /// About a third of all pairs of group and device: not used in calibration.
    [[nodiscard]] bool isSetAside() const;
};

/// Rows that can't be read as a design of ours are left out.
[[nodiscard]] std::vector<TruthCase> truthCases(const core::Json& rows);

/// Whole requests of several engines: a line each.
[[nodiscard]] std::vector<TruthCase> requestCases(std::string_view csv);

/// Passes and steps of vision transformers in a table.
[[nodiscard]] core::Result<std::vector<TruthCase>> visionCasesIn(const std::string& path);

/// Passes of BERT and single tokens of GPT-2 in a table.
[[nodiscard]] core::Result<std::vector<TruthCase>> passCasesIn(const std::string& path);

/// All of a folder.
[[nodiscard]] core::Result<std::vector<TruthCase>> truthCasesIn(const std::string& folder);

/// As the catalog has it, or one that is known from published rows alone; null if nobody knows it.
[[nodiscard]] const core::Device* deviceOf(const TruthCase& truth,
                                           const core::HardwareCatalog& catalog);

[[nodiscard]] core::Devices devicesOf(const TruthCase& truth, const core::Device& device,
                                      const core::Calibration& calibration);

/// What a case asks of a device, made once.
struct TruthDemand {
    std::optional<core::TrainingDemand> training;
    std::optional<core::ServingDemand> serving;
};
[[nodiscard]] TruthDemand demandOf(const TruthCase& truth);
[[nodiscard]] core::Quantity forecastOf(const TruthCase& truth, const TruthDemand& demand,
                                        const core::Devices& on);

/// The forecast of what was measured, in seconds.
[[nodiscard]] core::Quantity forecastOf(const TruthCase& truth, const core::Device& device,
                                        const core::Calibration& calibration);

/// The forecast of the power of all devices.
[[nodiscard]] core::Quantity powerOf(const TruthCase& truth, const core::Device& device,
                                     const core::Calibration& calibration);

} // namespace outlay::tests
