// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "core/hardware/scaled_from.h"
#include "pricing/report/sections.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula ReachedFormula{"benchmark.reached", "{0} FLOP of a step / {1} s measured"};
constexpr Formula AttainableFormula{
    "benchmark.attainable",
    "{0} FLOP of a step / {1} s by the roofline of this shape at {2} FLOP/s and {3} B/s"};
constexpr Formula BenchmarkLimitFormula{"benchmark.limit", "{0} ms"};
constexpr Formula MemoryFormula{"benchmark.memory", "{0} GB"};
constexpr Formula WorkFormula{"benchmark.work", "{0} requests a month x {1} s / 3600"};

/// What this machine reaches, against what the roofline allows this shape on it.
void addReached(const Subject& subject, std::vector<Benchmark>& rows)
{
    const MeasurementPtr m = subject.measuredSteps();
    const Calibration& calibration = subject.catalogs.calibration();
    const Attainable on =
        m == nullptr ? Attainable{} : overlapping(attainableHere(m->machine, calibration));
    if (!on.isKnown())
        return;
    const Timing& step = m->training.step;
    const double best = stepSecondsOn(subject.training, on);
    const double flops = subject.training.run.flopsPerStep;
    rows.push_back(
        {.metric = "training rate here",
         .value = Quantity::within(flops / step.meanS, flops / step.highS, flops / step.lowS,
                                   Unit::FlopsPerSecond, Basis::Measured,
                                   how(ReachedFormula, {flops, step.meanS}, m->created)),
         .reference = Quantity::within(
             flops / best, flops / best, flops / best, Unit::FlopsPerSecond, Basis::Forecast,
             how(AttainableFormula, {flops, best, on.flopsPerS, on.bytesPerS})),
         .isLowerBetter = false,
         .source = "what this machine can reach for this shape"});
}

void addLatency(const Subject& subject, const Report& report, std::vector<Benchmark>& rows)
{
    const Quantity& p95 = report.serving.plannedP95Ms();
    if (!p95.isAvailable())
        return;
    const double limit = subject.experiment.serving.latencyP95Ms;
    rows.push_back({.metric = "latency (p95)",
                    .value = p95,
                    .reference = Quantity::exact(limit, Unit::Milliseconds,
                                                 how(BenchmarkLimitFormula, {limit})),
                    .source = "the limit of this experiment"});
}

/// What a device of the offer has; nothing where its memory isn't listed.
std::optional<Quantity> memoryOf(const Offer& offer)
{
    const Machine& machine = offer.machine;
    const auto gb = machine.accelerator.empty() ? machine.memoryGb : machine.acceleratorMemoryGb;
    if (!gb)
        return std::nullopt;
    const double bytes = *gb * BytesPerGb;
    return Quantity::within(bytes, bytes, bytes, Unit::Bytes, Basis::Listed,
                            how(MemoryFormula, {*gb}, offer.source.name));
}

void addMemory(const char* metric, const Recommendation& recommended, std::vector<Benchmark>& rows)
{
    const auto& option = recommended.option;
    const auto memory = option ? memoryOf(option->offer) : std::nullopt;
    if (!memory)
        return;
    rows.push_back({.metric = metric,
                    .value = option->memory,
                    .reference = *memory,
                    .source = "what a device of " + option->offer.machine.instance + " has"});
}

void addPeakHere(const Subject& subject, std::vector<Benchmark>& rows)
{
    const double bytes = subject.catalogs.here().memoryBytes;
    const Quantity peak = memoryHere(subject);
    if (!peak.isAvailable() || bytes <= 0)
        return;
    rows.push_back(
        {.metric = "memory to train here",
         .value = peak,
         .reference = Quantity::exact(bytes, Unit::Bytes, how(MemoryFormula, {bytes / BytesPerGb})),
         .source = "the memory of this machine"});
}

/// What is paid for is there to be used.
void addWork(const ServingReport& serving, std::vector<Benchmark>& rows)
{
    const Recommendation& recommended = serving.recommended;
    if (!recommended.option || !recommended.chosen || !recommended.option->hours.isAvailable())
        return;
    const Quantity hours = busyHours(serving, recommended.chosen->forecast);
    if (!hours.isAvailable() || serving.requestsPerMonth <= 0)
        return;
    rows.push_back({.metric = "paid hours with work",
                    .value = Quantity::within(
                        hours.value(), hours.low(), hours.high(), Unit::Hours, Basis::Forecast,
                        how(WorkFormula, {serving.requestsPerMonth, SecondsPerHour * hours.value() /
                                                                        serving.requestsPerMonth})),
                    .reference = recommended.option->hours,
                    .isLowerBetter = false,
                    .source = "the hours of a month that are paid for"});
}

} // namespace

void addBenchmarks(const Subject& subject, Report& report)
{
    addReached(subject, report.benchmarks);
    addLatency(subject, report, report.benchmarks);
    addMemory("memory to train", report.training.recommended, report.benchmarks);
    addPeakHere(subject, report.benchmarks);
    if (report.serving.by != ServedBy::Machines)
        return; // nobody's machine waits for requests
    addMemory("memory to serve", report.serving.recommended, report.benchmarks);
    addWork(report.serving, report.benchmarks);
}

} // namespace outlay::pricing
