// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// score_predictors: what published predictors missed on the cases that they were held against, beside what is forecast of them here.
#include "core/base/units.h"
#include "core/probe/statistics.h"
#include "tests/support/predicted_cases.h"

#include <cmath>
#include <cstdio>

namespace {

using namespace outlay;
using namespace outlay::core;

struct Misses {
    std::map<std::string, std::vector<double>> percents; // by predictor, "outlay" among them
    std::vector<double> logs;
    int held = 0;
};

double percentOf(double forecast, double measured)
{
    return 100 * std::abs(forecast / measured - 1);
}

void print(const std::string& group, const Misses& misses)
{
    for (const auto& [predictor, all] : misses.percents) {
        double sum = 0;
        for (const double one : all)
            sum += one;
        std::printf("%-34s %-10s %5zu %8.1f %8.1f %8.1f", group.c_str(), predictor.c_str(),
                    all.size(), percentile(all, 0.5), percentile(all, 0.9),
                    sum / static_cast<double>(all.size()));
        if (predictor == "outlay")
            std::printf(" %+8.1f %8.0f", 100 * std::expm1(percentile(misses.logs, 0.5)),
                        100.0 * misses.held / static_cast<double>(all.size()));
        std::printf("\n");
    }
}

void add(Misses& misses, const tests::PredictedCase& one, const Quantity& seconds)
{
    const double measured = one.truth.seconds;
    for (const auto& [predictor, percent] : one.percents)
        misses.percents[predictor].push_back(percent);
    misses.percents["outlay"].push_back(percentOf(seconds.value(), measured));
    misses.logs.push_back(std::log(seconds.value() / measured));
    misses.held += seconds.low() <= measured && measured <= seconds.high() ? 1 : 0;
}

void score(const std::vector<tests::PredictedCase>& cases, const HardwareCatalog& catalog,
           const Calibration& rates)
{
    std::map<std::string, Misses> groups;
    for (const tests::PredictedCase& one : cases) {
        const tests::TruthCase& truth = one.truth;
        const Device* device = tests::deviceOf(truth, catalog);
        if (device == nullptr) {
            std::printf("nobody knows %s\n", truth.device.c_str());
            continue;
        }
        const Devices on = tests::devicesOf(truth, *device, rates);
        const tests::TruthDemand demand = tests::demandOf(truth);
        const Quantity seconds = tests::forecastOf(truth, demand, on);
        if (!seconds.isAvailable()) {
            std::printf("%s: %s\n", truth.id.c_str(), seconds.how().sentence().c_str());
            continue;
        }
        const std::string kind(tests::TruthKindNames.at(static_cast<std::size_t>(truth.kind)));
        add(groups[kind], one, seconds);
        add(groups[kind + ", " + truth.device], one, seconds);
        std::printf("%-9s %-50s %9.1f ms of %9.1f: %5.2f %s\n", kind.c_str(), truth.id.c_str(),
                    MillisPerS * seconds.value(), MillisPerS * truth.seconds,
                    seconds.value() / truth.seconds, truth.doubt.c_str());
    }
    std::printf("\n%-34s %-10s %5s %8s %8s %8s %8s %8s\n", "", "", "rows", "median", "p90", "mean",
                "bias", "held");
    for (const auto& [group, misses] : groups)
        print(group, misses);
    std::printf("\n");
}

} // namespace

int main()
{
    const auto requests = tests::predictedRequestsIn(OUTLAY_TEST_DATA "/predicted_requests.csv");
    const auto passes = tests::predictedPassesIn(OUTLAY_TEST_DATA "/predicted_passes.csv");
    const auto& catalog = hardwareCatalog();
    const auto& rates = calibration();
    if (!requests || !passes || !catalog || !rates) {
        std::fputs("the rows, the devices or the calibration can't be read\n", stderr);
        return 1;
    }
    score(*requests, *catalog, *rates);
    score(*passes, *catalog, *rates);
    return 0;
}
