// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// bench_report [PRESET...]: how long a Report takes, with the program's own prices and with a book of 200,000 offers.
#include "core/base/memory.h"
#include "core/experiment/presets.h"
#include "core/hardware/hardware_catalog.h"
#include "core/hardware/holding.h"
#include "core/probe/statistics.h"
#include "core/service/simulation.h"
#include "pricing/report/make_report.h"
#include "tests/bench/samples.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>

using namespace outlay;

namespace {

/// Wall time, and processor time, which neighbours disturb less.
void print(const char* what, int count, const std::function<pricing::Report()>& make)
{
    std::vector<double> wallMs;
    std::vector<double> processorMs;
    std::size_t options = 0;
    for (int i = 0; i < count; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t processorStart = std::clock();
        options = make().training.options.size();
        const bench::Milliseconds took = std::chrono::steady_clock::now() - start;
        wallMs.push_back(took.count());
        processorMs.push_back(static_cast<double>(std::clock() - processorStart) * 1000 /
                              CLOCKS_PER_SEC);
    }
    std::printf("%-40s %7zu offers: median %6.2f ms, 99 %% within %6.2f ms; processor %6.2f ms\n",
                what, options, core::median(wallMs), core::percentile(wallMs, 0.99),
                core::median(processorMs));
}

/// Every kind of machine that a price is known of, alone and by twos up to as many as the plan allows.
void printForecasts(const core::Experiment& e, const pricing::Catalogs& catalogs)
{
    const std::vector<core::Layer> layers = core::expand(e.model);
    const core::TrainingDemand demand = core::trainingDemand(layers, e.training);
    const auto& kinds = catalogs.devices().kinds();
    std::vector<double> eachUs;
    for (int i = 0; i < 20; ++i) {
        int forecasts = 0;
        const auto start = std::chrono::steady_clock::now();
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            const pricing::MachineKind& kind = kinds[k];
            if (!kind.unknown.empty() || kind.device.kind == core::DeviceKind::Cpu)
                continue;
            core::TimedPasses timed;
            for (std::int64_t machines = 1; machines <= e.plan.maxMachines; machines *= 2) {
                const core::Devices on{.device = kind.device,
                                       .count = kind.count * machines,
                                       .calibration = catalogs.calibration(),
                                       .machines = machines,
                                       .networkGbPerS = kind.networkGbPerS};
                const core::TrainingForecast f = trainingForecast(holdingOn(demand, on, timed), on);
                forecasts += f.stepSeconds.isAvailable() ? 1 : 0;
            }
        }
        const bench::Milliseconds took = std::chrono::steady_clock::now() - start;
        eachUs.push_back(1000 * took.count() / std::max(forecasts, 1));
    }
    std::printf("%-40s median %6.1f us for an accelerator and count\n", "", core::median(eachUs));
}

/// A day of ten requests a second, each of 200 tokens, on one machine.
void printDay()
{
    core::EnginePace pace{.prompt = core::PromptTime(1, 0.01, 0.02), .lengths = {.later = 200}};
    for (int inFlight = 1; inFlight <= 128; ++inFlight)
        pace.tokenS.push_back(0.008 + 0.00004 * inFlight);
    std::vector<double> wallMs;
    std::size_t requests = 0;
    for (int i = 0; i < 20; ++i) {
        const auto start = std::chrono::steady_clock::now();
        requests = core::simulateDay(pace, {.requestsPerDay = 864'000, .peakFactor = 2})->requests;
        const bench::Milliseconds took = std::chrono::steady_clock::now() - start;
        wallMs.push_back(took.count());
    }
    std::printf("%-40s %7zu requests: median %6.2f ms\n", "a day of a service, request by request",
                requests, core::median(wallMs));
}

/// The program's offers again and again, each time in regions of another name.
pricing::Catalogs enlarged(const pricing::Catalogs& catalogs, std::size_t rows)
{
    pricing::PriceFile file;
    const pricing::OfferTable& table = catalogs.book().table();
    file.offers = table;
    for (std::size_t copy = 1; file.offers.rows.size() < rows; ++copy) {
        const auto first = static_cast<std::uint32_t>(file.offers.regions.size());
        for (const std::string& region : table.regions)
            file.offers.regions.push_back(region + "-" + std::to_string(copy));
        for (pricing::OfferRow row : table.rows) {
            if (file.offers.rows.size() == rows)
                break;
            row.region += first;
            file.offers.rows.push_back(row);
        }
    }
    return catalogs.with(pricing::PriceBook(file, pricing::OfferTable{}));
}

} // namespace

int main(int count, char** arguments)
{
    core::keepFreedMemory(); // as the window does
    const auto start = std::chrono::steady_clock::now();
    if (!core::hardwareCatalog() || !core::calibration())
        return 2;
    const bench::Milliseconds took = std::chrono::steady_clock::now() - start;
    const auto catalogs = pricing::loadCatalogs("2026-11-20", core::thisMachine());
    if (!catalogs) {
        std::fprintf(stderr, "%s\n", catalogs.error().sentence().c_str());
        return 2;
    }
    std::printf("%s\nhardware and calibration: read once in %.2f ms\n",
                bench::machineName().c_str(), took.count());
    const pricing::Catalogs large = enlarged(*catalogs, 200'000);
    std::vector<std::string> names{"text-generator", "gpt2", "llama-3.1-8b",
                                   "llama-65b-pretraining", "mixtral-8x7b"};
    if (count > 1)
        names.assign(arguments + 1, arguments + count);
    for (const std::string& name : names) {
        const auto preset = core::preset(name);
        if (!preset) {
            std::fprintf(stderr, "%s\n", preset.error().sentence().c_str());
            return 2;
        }
        const core::Experiment& e = preset->experiment;
        printForecasts(e, *catalogs);
        print((name + ", figuresOf").c_str(), 200,
              [&] { return pricing::figuresOf(e, *catalogs); });
        print((name + ", makeReport").c_str(), 100,
              [&] { return pricing::makeReport(e, *catalogs); });
        print((name + ", figuresOf, large book").c_str(), 20,
              [&] { return pricing::figuresOf(e, large); });
    }
    printDay();
    return 0;
}
