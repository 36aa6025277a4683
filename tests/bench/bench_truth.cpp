// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How well time is forecast on hardware that isn't here: scored against published runs, those used
// in calibration and those set aside; and how long a forecast takes.
#include "core/base/file.h"
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

struct Score {
    std::vector<double> errors; // shares
    std::vector<double> bias;   // natural logarithms of forecast over truth
    int held = 0;

    void add(const core::Quantity& forecast, double seconds)
    {
        errors.push_back(std::abs(forecast.value() / seconds - 1));
        bias.push_back(std::log(forecast.value() / seconds));
        held += forecast.low() <= seconds && seconds <= forecast.high() ? 1 : 0;
    }

    void print(const std::string& name) const
    {
        if (errors.empty())
            return;
        const auto count = static_cast<double>(errors.size());
        double sum = 0;
        for (const double error : errors)
            sum += error;
        std::printf("%-34s %5zu  %8.1f %8.1f %8.1f   %8.1f\n", name.c_str(), errors.size(),
                    100 * core::median(errors), 100 * sum / count,
                    100 * (std::exp(core::median(bias)) - 1), 100 * held / count);
    }
};

/// All rows, one a line, for fitting.
void list(const std::vector<tests::TruthCase>& cases, const core::HardwareCatalog& catalog,
          const core::Calibration& calibration)
{
    for (const tests::TruthCase& truth : cases) {
        const core::Device* device = catalog.find(truth.device);
        if (device == nullptr)
            continue;
        const core::Quantity q = tests::forecastOf(truth, *device, calibration);
        std::printf(
            "%s\t%s\t%s\t%s\t%s\t%d\t%lld\t%.6g\t%.6g\t%.6g\t%.6g\n", truth.id.c_str(),
            truth.group.c_str(), device->name.c_str(), device->generation.c_str(),
            std::string(tests::TruthKindNames.at(static_cast<std::size_t>(truth.kind))).c_str(),
            truth.isSetAside() ? 1 : 0, static_cast<long long>(truth.count), truth.seconds,
            q.value(), q.low(), q.high());
    }
}

void score(const std::vector<tests::TruthCase>& cases, const core::HardwareCatalog& catalog,
           const core::Calibration& calibration)
{
    std::map<std::string, Score> sums;
    int unknown = 0;
    for (const tests::TruthCase& truth : cases) {
        const core::Device* device = catalog.find(truth.device);
        const core::Quantity q =
            device == nullptr ? core::Quantity() : tests::forecastOf(truth, *device, calibration);
        if (!q.isAvailable()) {
            ++unknown;
            continue;
        }
        const std::string kind(tests::TruthKindNames.at(static_cast<std::size_t>(truth.kind)));
        const std::string set = truth.isSetAside() ? "set aside: " : "calibrated: ";
        for (const std::string& key : {set + "all", set + kind, set + kind + ", " + truth.group})
            sums[key].add(q, truth.seconds);
        if (truth.watts > 0)
            sums["power while serving"].add(tests::powerOf(truth, *device, calibration),
                                            truth.watts);
    }
    std::printf("%-34s %5s  %8s %8s %8s   %8s\n", "errors in %", "rows", "median", "mean", "bias",
                "covered");
    for (const auto& [key, sum] : sums)
        sum.print(key);
    std::printf("%d rows on devices that aren't known\n", unknown);
}

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
        std::fputs("Usage: bench_truth FOLDER [CALIBRATION.json [list]]\n", stderr);
        return 2;
    }
    const auto cases = tests::truthCasesIn(argv[1]);
    const auto& catalog = core::hardwareCatalog();
    const auto calibration =
        argc > 2 ? core::readCalibration(core::loadFile(argv[2]).value_or(""), argv[2])
                 : core::calibration();
    if (!cases || !catalog || !calibration) {
        const core::Error error = !cases     ? cases.error()
                                  : !catalog ? catalog.error()
                                             : calibration.error();
        std::fprintf(stderr, "%s\n", error.sentence().c_str());
        return 2;
    }
    if (argc > 3)
        list(*cases, *catalog, *calibration);
    else {
        score(*cases, *catalog, *calibration);
        scorePairs(*cases, *catalog, *calibration);
        printTimes(*catalog, *calibration);
    }
    return 0;
}
