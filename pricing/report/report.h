// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The Report: everything that a person sees or a script reads of an experiment.
#pragma once

#include "core/base/json.h"
#include "core/base/quantity.h"

#include <optional>
#include <string>
#include <vector>

namespace outlay::pricing {

/// A layer in one forward pass over a training batch.
struct LayerRow {
    std::string name;
    std::string kind;
    std::int64_t parameters = 0;
    double flops = 0;
    double bytes = 0;
    std::optional<double>
        activationBytes; // nothing where a file says only how many weights there are
};

/// Memory of the weights in one precision.
struct WeightMemory {
    std::string precision;
    core::Quantity bytes;
};

struct ModelReport {
    std::string family;
    std::string convention;
    std::int64_t parameters = 0;
    std::string sizeClass;
    std::vector<WeightMemory> weights;
    std::vector<LayerRow> layers;
};

struct TrainingReport {
    double steps = 0;
    double samples = 0; // in an epoch
    bool isSamplesAssumed = false;
    double flops = 0;
    double flopsPerStep = 0;
    core::Quantity here; // seconds for the whole run on the machine that was measured
    core::Quantity parameters;
    core::Quantity gradients;
    core::Quantity optimizer;
    core::Quantity activations;
    core::Quantity memory;
};

struct ServingReport {
    double promptFlops = 0;
    core::Quantity tokenFlops; // one generated token; unavailable where none is generated
    core::Quantity memory;
};

/// A default that the Report relied on.
struct AssumptionRow {
    std::string pointer;
    core::Json value;
    std::string source;
};

struct Provenance {
    std::string method;  // version of the method
    std::string program; // version of Outlay
    std::string date;    // the day that ages are counted from
};

struct Report {
    std::string name;
    ModelReport model;
    TrainingReport training;
    ServingReport serving;
    std::vector<AssumptionRow> assumptions;
    Provenance provenance;
};

[[nodiscard]] core::Json toJson(const core::Quantity& figure);
[[nodiscard]] core::Json toJson(const Report& report);

} // namespace outlay::pricing
