// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Another way to run the same design, timed in turns against the plain way.
#pragma once

#include "core/base/fields.h"

#include <array>

namespace outlay::core {

/// What a job may ask for, beside "all".
inline constexpr std::array<std::string_view, 8> VariantNames{
    "batch", "threads", "accumulation", "checkpointing",
    "bf16",  "int8",    "full-prefix",  "fused-recurrence"};

[[nodiscard]] Result<void> checkVariants(const std::vector<std::string>& names);
[[nodiscard]] bool isWanted(const std::vector<std::string>& wanted, std::string_view variant);

enum class VariantSubject { Training, Request, Generation };
inline constexpr std::array<std::string_view, 3> VariantSubjectNames{"training", "request",
                                                                     "generation"};

struct VariantMeasurement {
    std::string variant; // one of VariantNames
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

} // namespace outlay::core
