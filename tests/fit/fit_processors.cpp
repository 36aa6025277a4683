// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Fits what a framework makes of a processor while it trains to two thirds of our own timings, and prints the constants
// with what all are missed by, as they are and when one is scaled from another.
#include "core/hardware/hardware_catalog.h"
#include "core/hardware/scaled_from.h"
#include "core/probe/statistics.h"
#include "tests/fit/descent.h"
#include "tests/support/processor_rows.h"

#include <cmath>
#include <cstdio>
#include <map>

using namespace outlay;
using namespace outlay::tests;

namespace {

constexpr int Sweeps = 20;

/// From what is expected on, whatever is stored: the same every time.
std::vector<Knob> knobsOf(core::ProcessorTraining& t)
{
    t = {};
    constexpr double Firm = 0.3;
    std::vector<Knob> knobs;
    const auto add = [&](const std::string& name, double& value) {
        knobs.push_back({name, &value, value, Firm, value / 10, value * 10});
    };
    add("traffic", t.traffic);
    add("launch_us", t.launchUs);
    add("step_share", t.stepShare);
    add("step_rows_to_half", t.stepRowsToHalf);
    add("step_memory", t.stepMemory);
    add("gradient_passes", t.gradientPasses);
    add("backward_launches", t.backwardLaunches);
    add("gated_backward", t.gatedBackward);
    add("update_traffic", t.updateTraffic);
    add("overhead_ms", t.overheadMs);
    add("page_us", t.pageUs);
    return knobs;
}

double missOf(const ProcessorRow& row, const core::Calibration& c)
{
    return std::log(secondsOf(row, c) / row.stepS);
}

void print(const std::string& name, std::vector<double> misses)
{
    for (double& miss : misses)
        miss = 100 * std::abs(std::exp(std::abs(miss)) - 1);
    std::printf("  %-44s %5zu %8.1f %8.1f\n", name.c_str(), misses.size(), core::median(misses),
                core::percentile(misses, 0.9));
}

void printErrors(const std::vector<ProcessorRow>& rows, const core::Calibration& c)
{
    std::map<std::string, std::vector<double>> misses;
    for (const ProcessorRow& row : rows) {
        const std::string part = row.isSetAside() ? "aside: " : "fitted: ";
        misses[part + "all"].push_back(missOf(row, c));
        misses[part + std::string(row.family())].push_back(missOf(row, c));
        misses[part + (row.training.keepMemory ? "memory kept" : "memory given back")].push_back(
            missOf(row, c));
    }
    std::puts("rows, median and 90th percentile in %");
    for (const auto& [name, values] : misses)
        print(name, values);
}

/// One row of a family from another, and what covers 80 of 100 such.
void printPairs(const std::vector<ProcessorRow>& rows, const core::Calibration& c)
{
    std::map<std::string, std::vector<double>> misses;
    std::map<int, std::vector<double>> byFolds;
    std::map<int, int> held;
    for (const ProcessorRow& from : rows) {
        for (const ProcessorRow& to : rows) {
            const bool isPair = &from != &to && from.family() == to.family() &&
                                from.training.keepMemory == to.training.keepMemory;
            if (!isPair)
                continue;
            const double miss = missOf(to, c) - missOf(from, c);
            const double folds = core::foldsBetween(from.demand, to.demand, ratesOf(to, c));
            const int bin = static_cast<int>(2 * folds);
            misses[std::string(to.family())].push_back(miss);
            byFolds[bin].push_back(std::abs(miss));
            const double factor = core::scaledSpread(folds, c.spreads.scaledOnProcessors);
            constexpr double OfMeasurement = 1.08;
            held[bin] += std::abs(miss) <= std::log(factor * OfMeasurement) ? 1 : 0;
        }
    }
    std::puts("scaled from another: pairs, median and 90th percentile in %");
    for (const auto& [name, values] : misses)
        print(name, values);
    std::puts("by e-folds: pairs, factor that holds 80 of 100, held by the interval in %");
    for (const auto& [bin, values] : byFolds)
        std::printf("  %4.1f %6zu %8.2f %8.0f\n", bin / 2.0, values.size(),
                    std::exp(core::percentile(values, 0.8)),
                    100.0 * held[bin] / static_cast<double>(values.size()));
}

void fit(const std::vector<ProcessorRow>& rows, core::Calibration& c)
{
    std::vector<const ProcessorRow*> used;
    for (const ProcessorRow& row : rows) {
        if (!row.isSetAside())
            used.push_back(&row);
    }
    // Each family counts by the root of its rows.
    constexpr double Weight = 1; // against the priors
    std::map<std::string_view, double> counts;
    for (const ProcessorRow* row : used)
        ++counts[row->family()];
    std::vector<double> weights;
    for (const ProcessorRow* row : used)
        weights.push_back(Weight / std::sqrt(counts[row->family()]));
    const Rows data{weights, [&](std::size_t i) { return missOf(*used[i], c); }};
    const std::vector<Knob> knobs = knobsOf(c.processors.training);
    descend(knobs, data, Sweeps);
    roundKnobs(knobs);
    printKnobs(knobs);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("Usage: fit_processors TABLE\n", stderr);
        return 2;
    }
    const auto rows = processorRowsIn(argv[1]);
    if (!rows || !core::calibration()) {
        std::fputs("the table or the program's own figures can't be read\n", stderr);
        return 1;
    }
    core::Calibration calibration = *core::calibration();
    printErrors(*rows, calibration);
    fit(*rows, calibration);
    printErrors(*rows, calibration);
    printPairs(*rows, calibration);
    return 0;
}
