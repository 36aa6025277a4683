// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a run really took, read from what others keep of it. Which file it is follows from its content.
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>

namespace outlay::pricing {

struct Record {
    std::string kind; // "CodeCarbon", "Slurm accounting"
    std::optional<double> seconds;
    std::optional<double> usd;
    std::optional<double> kwh;
    std::optional<double> kgCo2e;
    std::string began;    // UTC, where it says so
    std::size_t rows = 0; // that these are the sum of

    bool operator==(const Record&) const = default;
};

/// Of a file that holds several runs or all that was bought, which of it counts.
struct RecordFilter {
    std::string run;      // CodeCarbon's run_id, Slurm's job; the last one where it is empty
    std::string resource; // of a bill: part of the resource's name
    std::string tag;      // "key=value" of a bill
    std::string from;     // days of a bill, each included
    std::string to;
};

/// CodeCarbon's emissions.csv, `sacct -P`, Transformers' trainer_state.json, Weights & Biases' wandb-summary.json, MLflow's
/// meta.yaml, TensorBoard's events, and bills as FOCUS or AWS' Cost and Usage Report has them.
[[nodiscard]] core::Result<Record> readRecord(const std::string& path, const RecordFilter& filter);

} // namespace outlay::pricing
