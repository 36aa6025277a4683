// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a worker says, one JSON line each: hello, then progress, samples, variants and warnings, then exactly one
// of done, error and cancelled. Those that train with others on other machines tell and ask what these have to know.
#pragma once

#include "core/base/json.h"
#include "core/probe/variant.h"

#include <variant>

namespace outlay::core {

/// A longer line is no message of ours.
inline constexpr std::size_t LongestLine = 1U << 20U;

struct Hello {
    std::int64_t protocol = 0;
    std::string build;
    std::string device;
    bool operator==(const Hello&) const = default;
};

/// Also the sign of life: one comes at least each second.
struct Progress {
    double done = 0; // of `total`
    double total = 1;
    std::string phase;
    std::int64_t steps = 0; // so far in this phase
    bool operator==(const Progress&) const = default;
};

/// Of the samples that are steps of training.
inline constexpr std::string_view TrainingPhase = "training";

/// Timings as they come.
struct Sample {
    std::string phase;
    std::vector<double> seconds;
    bool operator==(const Sample&) const = default;
};

/// Another way to run the design, as soon as it is timed; `Done` has all of them again.
struct TriedVariant {
    VariantMeasurement row;
    bool operator==(const TriedVariant&) const = default;
};

struct ProbeWarning {
    std::string text;
    bool operator==(const ProbeWarning&) const = default;
};

struct Done {
    Json measurement;
    bool operator==(const Done&) const = default;
};

struct ProbeError {
    std::string what;
    std::string remedy;
    bool operator==(const ProbeError&) const = default;
};

/// What workers that train together have to know of one another: a value under a key, or, without one, the wish for it.
/// Whoever started them answers in the same form.
struct Kept {
    std::string key;
    std::optional<std::string> bytes;
    bool operator==(const Kept&) const = default;
};

struct Cancelled {
    bool operator==(const Cancelled&) const = default;
};

using Message = std::variant<Hello, Progress, Sample, TriedVariant, ProbeWarning, Done, ProbeError,
                             Cancelled, Kept>;

[[nodiscard]] bool isTerminal(const Message& message);

/// With the line break.
[[nodiscard]] std::string toLine(const Message& message);
/// A message of a type that isn't known here becomes a warning.
[[nodiscard]] Result<Message> readMessage(std::string_view line);

} // namespace outlay::core
