// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The saved file: everything that one Report is made from.
#pragma once

#include "core/base/value.h"
#include "core/model/model.h"
#include "core/probe/job.h"
#include "core/probe/measurements.h"
#include "core/settings/settings.h"

namespace outlay::core {

inline constexpr std::string_view ExperimentFormat = "outlay-experiment";
inline constexpr std::int64_t ExperimentVersion = 1;

struct Experiment {
    OUTLAY_VALUE(Experiment);

    std::string name;
    std::string created;  // UTC, ISO 8601
    std::string producer; // the program that made it
    std::string notes;
    Model model;
    Training training;
    Serving serving;
    Site site;
    Plan plan;
    Json assumptions = Json::object();
    Json quality = Json::object();
    Measurements measurements;
    Json actuals = Json::array(); // what runs took, each as it was attached
    Json document =
        Json::object(); // as it was read: keeps unknown keys, and the keys' order; without
                        // the measurements, which can be long

    bool operator==(const Experiment&) const;
};

/// What a measurement is asked about; of the experiment that it is made from, as long as that lives.
[[nodiscard]] inline Asked askedOf(const Experiment& e)
{
    return {e.model, e.training, e.serving};
}

/// What a worker is to measure of it: the steps of one device alone.
[[nodiscard]] inline Job jobOf(const Experiment& e)
{
    return {.model = e.model, .training = onDevices(e.training, 1), .serving = e.serving};
}

struct ExperimentReading {
    Experiment experiment;
    std::vector<std::string> warnings; // sentences
};

/// What a file holds, its measurements apart: they can be long, and are read one by one.
struct ExperimentFile {
    Json json;
    Measurements measurements;
};
[[nodiscard]] Result<ExperimentFile> loadExperimentFile(const std::string& path);

[[nodiscard]] Result<ExperimentReading> readExperiment(ExperimentFile file);
[[nodiscard]] Result<ExperimentReading> readExperiment(Json json);
[[nodiscard]] Result<ExperimentReading> loadExperiment(const std::string& path);

/// Runs that the design can't do, though each of their sizes is in its limits: sentences.
[[nodiscard]] std::vector<std::string> warningsOf(const Experiment& experiment);

/// The document with every value that differs from it, or from the defaults, brought up to date.
[[nodiscard]] Json toJson(const Experiment& experiment);
/// As it is saved.
[[nodiscard]] std::string textOf(const Experiment& experiment);
[[nodiscard]] Result<void> saveExperiment(const Experiment& experiment, const std::string& path);

/// A default that is in force because the file doesn't name the key.
struct UsedDefault {
    std::string pointer;
    Json value;
};

/// Every default of training, serving, site and plan that `experiment` relies on; values that follow
/// from something else are left out.
[[nodiscard]] std::vector<UsedDefault> usedDefaults(const Experiment& experiment);

} // namespace outlay::core
