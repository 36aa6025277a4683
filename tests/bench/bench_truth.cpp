// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How well the ratio of two published runs is forecast, which is what scaling a measurement rests on; and how
// long a forecast takes. `fit_calibration` scores the forecasts themselves.
#include "core/base/resources.h"
#include "core/carbon/carbon_catalog.h"
#include "core/experiment/presets.h"
#include "core/hardware/scaled_from.h"
#include "core/probe/statistics.h"
#include "tests/bench/samples.h"
#include "tests/support/truth_cases.h"

#include <cmath>
#include <cstdio>
#include <map>

using namespace outlay;

namespace {

/// How far the ratio of two runs on one device, by one source, is missed: what scaling a measurement
/// to a changed design costs.
void scorePairs(const std::vector<tests::TruthCase>& cases, const core::HardwareCatalog& catalog,
                const core::Calibration& calibration)
{
    std::map<int, std::vector<double>> misses; // by folds, in steps of a half
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const tests::TruthCase& a = cases[i];
        const core::Device* device = catalog.find(a.device);
        const bool isTraining =
            a.kind == tests::TruthKind::Training || a.kind == tests::TruthKind::Recurrent;
        if (device == nullptr || !isTraining || a.isSetAside())
            continue;
        const auto on = core::attainableOf(*device, a.training, calibration);
        const auto demand = core::trainingDemand(a.layers, a.training);
        for (std::size_t j = i + 1; j < cases.size(); ++j) {
            const tests::TruthCase& b = cases[j];
            const bool isPair = a.group == b.group && a.device == b.device && a.count == b.count &&
                                a.training.precision == b.training.precision;
            if (!isPair)
                continue;
            const auto other = core::trainingDemand(b.layers, b.training);
            const double folds = core::foldsBetween(demand, other, on);
            const double ratio = core::stepSecondsOn(demand, on) / core::stepSecondsOn(other, on);
            misses[static_cast<int>(2 * folds)].push_back(
                std::abs(std::log(ratio / (a.seconds / b.seconds))));
        }
    }
    std::puts("\nratio of two runs on one device: folds, pairs, factor that covers 80 %");
    for (const auto& [folds, values] : misses)
        std::printf("%4.1f to %4.1f  %6zu  %6.2f\n", folds / 2.0, (folds + 1) / 2.0, values.size(),
                    std::exp(core::percentile(values, 0.8)));
}

void printTimes(const core::HardwareCatalog& catalog, const core::Calibration& calibration)
{
    constexpr int Repetitions = 300;
    std::size_t total = 0; // keeps the work from being left out
    const auto print = [&](const char* what, const auto& run) {
        std::printf("%-44s %8.4f\n", what,
                    bench::percentile(bench::timesOf(Repetitions, run), 0.5));
    };
    std::printf("\n%s, ms at the median\n", bench::machineName().c_str());
    print("reading hardware.json", [&] {
        total +=
            core::HardwareCatalog::create(core::resource("hardware.json"), "")->devices().size();
    });
    print("reading grid.json and equivalents.json", [&] {
        total += core::CarbonCatalog::create(core::resource("grid.json"),
                                             core::resource("equivalents.json"))
                     ->regions()
                     .size();
    });
    const core::Experiment e = core::preset("llama-7b")->experiment;
    const auto layers = core::expand(e.model);
    print("what llama-7b asks",
          [&] { total += core::trainingDemand(layers, e.training).forward.size(); });
    const core::TrainingDemand demand = core::trainingDemand(layers, e.training);
    print("its training on all devices", [&] {
        for (const core::Device& device : catalog.devices())
            total += core::trainingForecast(demand, {device, 8, calibration}).note.text().size();
    });
    std::printf("(%zu)\n", total);
}

} // namespace

int main(int argc, char* argv[])
{
    if (argc < 2) {
        std::fputs("Usage: bench_truth FOLDER\n", stderr);
        return 2;
    }
    const auto cases = tests::truthCasesIn(argv[1]);
    const auto& catalog = core::hardwareCatalog();
    const auto& calibration = core::calibration();
    if (!cases || !catalog || !calibration) {
        const core::Error error = !cases     ? cases.error()
                                  : !catalog ? catalog.error()
                                             : calibration.error();
        std::fprintf(stderr, "%s\n", error.sentence().c_str());
        return 2;
    }
    scorePairs(*cases, *catalog, *calibration);
    printTimes(*catalog, *calibration);
    return 0;
}
