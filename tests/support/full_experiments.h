// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Two experiments with nearly everything that one may have: what a preset leaves out is seen in them.
#pragma once

#include "core/experiment/presets.h"
#include "tests/support/measured.h"

namespace outlay::tests {

/// Measured in every way that there is.
inline core::Experiment measuredGenerator()
{
    core::Experiment e = core::preset("text-generator")->experiment;
    e.site.powerWatts = 90;
    core::Measurement m = measurementOf(e, 0.25);
    m.threads = 2;
    m.machine.matrixFlopsPerSecond = 1e11;
    m.machine.memoryBytesPerSecond = 1e10;
    m.machine.memoryBytes = 16e9;
    m.training.forwardShare = 0.4;
    m.training.backwardShare = 0.5;
    m.training.optimizerShare = 0.1;
    m.training.samplesPerS = 512;
    m.training.flopsPerS = 5e10;
    m.training.peakBytes = 4e8;
    m.training.trainingPeakBytes = 2.1e8;
    m.inference = {.p50Ms = 5,
                   .p95Ms = 7,
                   .p99Ms = 9,
                   .count = 200,
                   .throughput = {{1, 10}, {8, 60}, {16, 40}},
                   .firstTokenMs = 5,
                   .tokenMs = 2};
    m.variants.push_back({.variant = "batch",
                          .name = "batch 256",
                          .ratio = 0.5,
                          .lowRatio = 0.4,
                          .highRatio = 0.8,
                          .rounds = 5,
                          .plainS = 0.25,
                          .variantS = 0.125,
                          .plainPeakBytes = 8e6,
                          .peakBytes = 2e6,
                          .difference = 4.321e-7,
                          .proof = "against fp64",
                          .pointer = "/training/batch",
                          .value = "256"});
    m.variants.push_back({.name = "int8", .unavailable = "needs another machine"});
    m.processes = core::ProcessesMeasurement{.processes = 2,
                                             .aloneStepS = 0.3,
                                             .stepS = 0.35,
                                             .exchangeS = 0.05,
                                             .latencyS = 1e-4,
                                             .bytesPerS = 1e9,
                                             .miss = 1.2};
    for (const std::int64_t tokens : {64, 128, 256}) {
        m.lengths.push_back({core::LengthSubject::Own, tokens, 1e-3 * double(tokens), 3, 1e6, ""});
        m.lengths.push_back(
            {core::LengthSubject::Twin, tokens, 1e-5 * double(tokens * tokens), 3, 2e6, ""});
    }
    m.findings = {"Close the browser."};
    addTo(e, m);
    return e;
}

/// With limits, places and an offer of its own.
inline core::Experiment plannedGpt()
{
    core::Experiment e = core::preset("gpt2")->experiment;
    e.plan.budgetUsd = 5000;
    e.plan.deadlineHours = 200;
    e.plan.split = core::ProviderSplit{60, 30, 10};
    e.plan.forecastOn = {{"A100-80GB", 1}, {"H100", 8}};
    e.plan.environments = {{.name = "production", .offer = "g4dn.xlarge"}};
    e.serving.batch = 4;
    e.serving.requestsPerDay = 50'000;
    e.training.runsPerMonth = 2;
    e.site.region = "aws/us-east-1";
    return e;
}

} // namespace outlay::tests
