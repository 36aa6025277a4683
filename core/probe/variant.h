// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Another way to run the same design, timed in turns against the plain way.
#pragma once

#include "core/base/fields.h"

#include <array>

namespace outlay::core {

struct VariantKind {
    std::string_view name; // what a job asks for
    std::string_view what;
};

/// What a job may ask for, beside "all".
inline constexpr std::array<VariantKind, 19> VariantKinds{{
    {"kept-memory", "freed memory kept for the next step, not given back to the system"},
    {"batch", "another batch size: it trains otherwise"},
    {"threads", "threads of LibTorch and of the matrix library"},
    {"accumulation", "smaller batches, several in a step"},
    {"checkpointing", "blocks keep their input only and are computed again"},
    {"bf16", "products in 16 bits, weights and losses in fp32"},
    {"simple", "a gated RNN without any of the steps below"},
    {"batched", "all samples of a batch in one step"},
    {"fused-projections", "query, key, gate and value by one product"},
    {"checkpoint-time", "states kept at some steps, the others computed again"},
    {"chunked", "the recurrence as matrix products over chunks of steps"},
    {"fused-recurrence", "the recurrence as one operation that computes its states again"},
    {"composed-engine",
     "forward and backward written for the design, adjacent maps multiplied once"},
    {"cell-by-cell", "each step by itself instead of the library's layer"},
    {"fused-layer", "all steps of an LSTM, GRU or RNN as one operation, written for them"},
    {"buckets", "sequences of different lengths, padded to their neighbours"},
    {"int8", "8-bit weights"},
    {"full-prefix", "each token from the whole prefix again"},
    {"stepwise-fused", "stepwise, with the recurrence as one operation"},
}};

[[nodiscard]] Result<void> checkVariants(const std::vector<std::string>& names);
/// What the variant of that name is; empty for one that isn't known.
[[nodiscard]] std::string_view whatIs(std::string_view variant);
[[nodiscard]] bool isWanted(const std::vector<std::string>& wanted, std::string_view variant);

enum class VariantSubject { Training, Request, Generation };
inline constexpr std::array<std::string_view, 3> VariantSubjectNames{"training", "request",
                                                                     "generation"};

struct VariantMeasurement {
    std::string variant; // name of one of VariantKinds
    std::string name;    // "batch 256"
    VariantSubject subject = VariantSubject::Training;
    double ratio = 0; // time for the same work, over the plain way's: below 1 is faster
    double lowRatio = 0;
    double highRatio = 0;
    std::int64_t rounds = 0; // of plain, variant, variant, plain
    double plainS = 0;       // median of one sample, request or token
    double variantS = 0;
    std::optional<double> plainPeakBytes; // growth of the process over the loaded model
    std::optional<double> peakBytes;
    std::optional<double> difference; // of its results from the plain way's, relative
    std::string proof;                // what was compared, and how near it should be
    std::string unavailable;          // why it wasn't measured; empty when it was
    std::string pointer;              // the setting of the experiment that chooses it, if one does
    std::string value;                // what it would be set to, as JSON

    [[nodiscard]] bool isMeasured() const { return unavailable.empty(); }
    bool operator==(const VariantMeasurement&) const = default;
};

void describe(FieldVisitor& v, VariantMeasurement& m);

/// Of each subject the fastest first, and behind them what couldn't be measured.
[[nodiscard]] std::vector<VariantMeasurement> fastestFirst(std::vector<VariantMeasurement> all);

} // namespace outlay::core
