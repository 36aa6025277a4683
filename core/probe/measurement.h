// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a probe found out, as it is stored in the experiment.
#pragma once

#include "core/base/value.h"
#include "core/model/model.h"
#include "core/probe/lengths.h"
#include "core/probe/machine.h"
#include "core/probe/processes.h"
#include "core/probe/program.h"
#include "core/probe/statistics.h"
#include "core/probe/variant.h"
#include "core/settings/settings.h"

namespace outlay::core {

/// Raised whenever an older Outlay would misunderstand what is stored.
inline constexpr std::int64_t MeasurementVersion = 1;

inline constexpr std::array<std::string_view, 3> VerdictNames{"steady", "unstable", "too few"};

/// Many timings of one thing, in seconds.
struct Timing {
    double medianS = 0;
    double lowS = 0; // these hold the true median in 80 of 100 cases
    double highS = 0;
    double meanS = 0; // with the lowest and the highest twentieth moved to their neighbours
    double spread = 0;
    std::int64_t count = 0;
    std::vector<double>
        quantilesS; // each twentieth, from the fastest to the slowest; all of few; none of older measurements
    Verdict verdict = Verdict::TooFew;

    bool operator==(const Timing&) const = default;
};

[[nodiscard]] Timing timingOf(const std::vector<double>& seconds, const Disturbance& disturbance);

struct TrainingMeasurement {
    Timing step;          // one optimizer step, wall time
    Timing stepProcessor; // processor time of all threads
    Disturbance disturbance;
    double buildS = 0;  // the libraries' first use, making the model and its optimizer
    double warmUpS = 0; // what the first steps took longer than steady ones
    double forwardShare = 0;
    double backwardShare = 0;
    double optimizerShare = 0;
    double samplesPerS = 0;
    std::optional<double> tokensPerS; // of designs that read tokens
    double flopsPerS = 0;
    std::optional<double> peakBytes;         // of the process, libraries included
    std::optional<double> trainingPeakBytes; // over the process before the model existed

    bool operator==(const TrainingMeasurement&) const = default;
};

/// Where a median or another rank lies in 80 of 100 cases, by the timings that it is of.
struct TimedRange {
    double low = 0;
    double high = 0;
    std::int64_t count = 0;

    bool operator==(const TimedRange&) const = default;
};

struct TimedRate {
    double perS = 0;
    TimedRange range;
};
/// Of so many in each pass.
[[nodiscard]] TimedRate rateOf(const std::vector<double>& seconds, std::int64_t inPass);

struct BatchThroughput {
    std::int64_t batch = 1;
    double samplesPerS = 0;
    std::optional<TimedRange> range; // of the rate; none of older measurements

    bool operator==(const BatchThroughput&) const = default;
};

/// Requests whose next tokens are made in one pass.
struct TokensTogether {
    std::int64_t requests = 1;
    double tokensPerS = 0;           // of all of them
    std::optional<TimedRange> range; // of the rate

    bool operator==(const TokensTogether&) const = default;
};

struct InferenceMeasurement {
    double p50Ms = 0; // a forward pass of one request
    double p95Ms = 0;
    double p99Ms = 0;
    std::int64_t count = 0;
    std::vector<BatchThroughput> throughput;
    std::optional<double> firstTokenMs;   // the prompt and the first token; for generators
    std::optional<double> tokenMs;        // one more token, with state or cache
    std::vector<TokensTogether> together; // more and more requests; none of older measurements
    // In ms; none of older measurements, and of a rank none where too few timings lie beyond it.
    std::optional<TimedRange> p50Range;
    std::optional<TimedRange> p95Range;
    std::optional<TimedRange> p99Range;
    std::optional<TimedRange> firstTokenRange;
    std::optional<TimedRange> tokenRange;

    bool operator==(const InferenceMeasurement&) const = default;
};

/// One layer of a training step.
struct LayerTime {
    std::string name;
    double forwardS = 0;
    double backwardS = 0;

    bool operator==(const LayerTime&) const = default;
};

/// By a counter of the machine, while steps ran and while nothing did.
struct EnergyMeasurement {
    std::string source; // "RAPL", "NVML"
    double seconds = 0;
    double idleWatts = 0;
    double trainingWatts = 0;
    double joulesPerStep = 0; // of all that the counter sees, idle included

    bool operator==(const EnergyMeasurement&) const = default;
};

/// A design that didn't fit: the step time follows from two smaller ones of the same width.
struct PartMeasurement {
    std::int64_t fewerLayers = 0;
    std::int64_t moreLayers = 0;
    std::int64_t layers = 0; // of the design
    double layerS = 0;       // what one more layer takes in a step

    bool operator==(const PartMeasurement&) const = default;
};

struct Measurement {
    OUTLAY_VALUE(Measurement);

    std::int64_t version = MeasurementVersion;
    std::string worker;  // the build that made it; none of older measurements
    std::string created; // UTC
    std::string host; // what a person calls the machine, where it isn't the one that Outlay ran on
    std::optional<double> hostHourUsd; // what an hour of it costs, as its profile says
    HostMachine machine;
    std::int64_t threads = 1;
    double seconds = 0; // that it took
    TrainingMeasurement training;
    InferenceMeasurement inference; // of no requests where the design didn't fit
    std::vector<LayerTime> layers;
    std::vector<VariantMeasurement> variants;
    std::optional<EnergyMeasurement> energy;
    std::optional<PartMeasurement> part;
    std::optional<ProcessesMeasurement> processes;
    std::optional<ProgramMeasurement> program; // whose steps these are; else a probe's
    std::vector<LengthTiming> lengths;
    std::string cancelledIn; // the phase that it was cancelled in; empty where it ran to its end
    std::vector<std::string> findings; // sentences, each with its remedy
    Model model;
    Training trainingSettings;
    Serving servingSettings;
    Training askedTraining; // what these were asked to be, where the worker can't run it just so
    Serving askedServing;

    bool operator==(const Measurement&) const;
};

void describe(FieldVisitor& v, Timing& t);
void describe(FieldVisitor& v, TrainingMeasurement& t);
void describe(FieldVisitor& v, TimedRange& r);
void describe(FieldVisitor& v, BatchThroughput& t);
void describe(FieldVisitor& v, TokensTogether& t);
void describe(FieldVisitor& v, InferenceMeasurement& i);
void describe(FieldVisitor& v, LayerTime& t);
void describe(FieldVisitor& v, EnergyMeasurement& e);
void describe(FieldVisitor& v, PartMeasurement& p);
void describe(FieldVisitor& v, Measurement& m);

[[nodiscard]] Json toJson(const Measurement& measurement);
[[nodiscard]] Result<Measurement> readMeasurement(const Json& json);

} // namespace outlay::core
