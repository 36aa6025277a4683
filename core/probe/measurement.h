// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a probe found out, as it is stored in the experiment.
#pragma once

#include "core/probe/machine.h"
#include "core/probe/statistics.h"

namespace outlay::core {

inline constexpr std::array<std::string_view, 3> VerdictNames{"steady", "unstable", "too few"};

/// Many timings of one thing, in seconds.
struct Timing {
    double medianS = 0;
    double lowS = 0; // where the median of another such run would lie in 80 of 100 cases
    double highS = 0;
    double meanS = 0; // without the lowest and the highest fifth
    double spread = 0;
    std::int64_t count = 0;
    Verdict verdict = Verdict::TooFew;

    bool operator==(const Timing&) const = default;
};

/// `waiting`: by how much wall time exceeded processor time, as a share.
[[nodiscard]] Timing timingOf(const std::vector<double>& seconds, double waiting);

struct TrainingMeasurement {
    Timing step;          // one optimizer step, wall time
    Timing stepProcessor; // processor time of all threads
    double waiting = 0;   // share by which wall time exceeds processor time over the threads
    double buildS = 0;    // making the model and its optimizer
    double warmUpS = 0;   // what the first steps took longer than steady ones
    double forwardShare = 0;
    double backwardShare = 0;
    double optimizerShare = 0;
    double samplesPerS = 0;
    double tokensPerS = 0;
    double flopsPerS = 0;
    double peakBytes = 0;         // of the process, libraries included
    double trainingPeakBytes = 0; // over the process before the model existed

    bool operator==(const TrainingMeasurement&) const = default;
};

struct BatchThroughput {
    std::int64_t batch = 1;
    double samplesPerS = 0;

    bool operator==(const BatchThroughput&) const = default;
};

struct InferenceMeasurement {
    double p50Ms = 0; // a forward pass of one request
    double p95Ms = 0;
    double p99Ms = 0;
    std::int64_t count = 0;
    std::vector<BatchThroughput> throughput;
    std::optional<double> firstTokenMs; // the prompt and the first token; for generators
    std::optional<double> tokenMs;      // one more token, with state or cache

    bool operator==(const InferenceMeasurement&) const = default;
};

struct Measurement {
    std::string created; // UTC
    Machine machine;
    std::int64_t threads = 1;
    double seconds = 0; // that it took
    TrainingMeasurement training;
    InferenceMeasurement inference;
    std::vector<std::string> findings; // sentences, each with its remedy
    Json model;                        // what was measured: the settings that the figures depend on
    Json trainingSettings;
    Json servingSettings;

    bool operator==(const Measurement&) const = default;
};

void describe(FieldVisitor& v, Timing& t);
void describe(FieldVisitor& v, TrainingMeasurement& t);
void describe(FieldVisitor& v, BatchThroughput& t);
void describe(FieldVisitor& v, InferenceMeasurement& i);
void describe(FieldVisitor& v, Measurement& m);

[[nodiscard]] Json toJson(const Measurement& measurement);
[[nodiscard]] Result<Measurement> readMeasurement(const Json& json);

} // namespace outlay::core
