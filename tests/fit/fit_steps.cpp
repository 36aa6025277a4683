// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Fits the constants of the kernels that LibTorch chooses among for recurrent layers to two thirds of our own timings,
// and prints them with what all are missed by.
#include "core/hardware/hardware_catalog.h"
#include "core/probe/statistics.h"
#include "tests/fit/descent.h"
#include "tests/support/recurrent_rows.h"

#include <cmath>
#include <cstdio>
#include <map>

using namespace outlay;
using namespace outlay::tests;

namespace {

constexpr int Sweeps = 20;
constexpr std::string_view Library = "cudnn 9";

core::StepRates& stepsOf(core::RecurrentRates& r, core::Precision precision)
{
    if (precision == core::Precision::Tf32)
        return r.chosen.tf32Steps;
    for (core::LibraryRates& library : r.libraries) {
        if (library.name == Library)
            return precision == core::Precision::Fp32 ? library.steps : library.halfSteps;
    }
    std::abort();
}

std::vector<Knob> knobsOf(core::RecurrentRates& r)
{
    constexpr double Firm = 0.3;
    constexpr double Loose = 1;
    std::vector<Knob> knobs;
    const auto add = [&](const std::string& name, double& value, double width) {
        knobs.push_back({name, &value, value, width, value / 10, value * 10});
    };
    for (const auto& [name, precision] :
         {std::pair{"fp32", core::Precision::Fp32}, std::pair{"tf32", core::Precision::Tf32},
          std::pair{"half", core::Precision::Fp16}}) {
        core::StepRates& steps = stepsOf(r, precision);
        add(std::string(name) + " share", steps.share, Firm);
        add(std::string(name) + " rows", steps.rowsToHalf, Firm);
        add(std::string(name) + " width", steps.widthToHalf, Firm);
        add(std::string(name) + " step_us", steps.stepUs, Loose);
    }
    core::ChosenRates& c = r.chosen;
    add("backward step", c.backwardStep, Loose);
    add("call us", c.callUs, Loose);
    add("bf16 call us", c.bf16CallUs, Loose);
    add("backward call us", c.backwardCallUs, Loose);
    for (const auto& [name, rates] :
         {std::pair{"small", &c.small}, std::pair{"small backward", &c.smallBackward},
          std::pair{"wide", &c.wide}, std::pair{"wide backward", &c.wideBackward}}) {
        add(std::string(name) + " step_us", rates->stepUs, Loose);
        add(std::string(name) + " weights_us", rates->weightsUs, Loose);
        add(std::string(name) + " megaflop_us", rates->megaflopUs, Loose);
        if (std::string_view(name).starts_with("small"))
            add(std::string(name) + " crowded_megaflop_us", rates->crowdedMegaflopUs, Loose);
    }
    return knobs;
}

void print(const std::string& name, std::vector<double> misses)
{
    for (double& miss : misses)
        miss = 100 * std::abs(std::exp(miss) - 1);
    std::printf("  %-40s %5zu %8.1f %8.1f\n", name.c_str(), misses.size(), core::median(misses),
                core::percentile(misses, 0.9));
}

void printErrors(const std::vector<RecurrentRow>& rows, const core::Device& device,
                 const core::Calibration& calibration)
{
    std::map<std::string, std::vector<double>> errors;
    for (const RecurrentRow& row : rows) {
        const RecurrentSeconds is = forecastOf(row, device, calibration);
        const std::string aside = row.isSetAside() ? "aside: " : "fitted: ";
        const auto& numbers = core::PrecisionNames.at(static_cast<std::size_t>(row.precision));
        errors[aside + "forward " + std::string(numbers)].push_back(
            std::log(is.forward / row.seconds.forward));
        errors[aside + "backward " + std::string(numbers)].push_back(
            std::log(is.backward / row.seconds.backward));
        for (const std::string& name : {std::string("both"), "both " + std::string(numbers),
                                        "both, " + std::to_string(row.steps) + " steps"})
            errors[aside + name].push_back(std::log(is.both() / row.seconds.both()));
    }
    std::puts("rows, median and 90th percentile in %");
    for (const auto& [name, misses] : errors)
        print(name, misses);
}

void fit(const std::vector<RecurrentRow>& rows, const core::Device& device,
         core::Calibration& calibration)
{
    std::vector<const RecurrentRow*> used;
    for (const RecurrentRow& row : rows) {
        if (!row.isSetAside())
            used.push_back(&row);
    }
    // Forward and backward are rows of their own.
    constexpr double Weight = 0.2; // against the priors
    Rows data{std::vector<double>(2 * used.size(), Weight), [&](std::size_t i) {
                  const RecurrentRow& row = *used[i / 2];
                  const RecurrentSeconds is = forecastOf(row, device, calibration);
                  return i % 2 == 0 ? std::log(is.forward / row.seconds.forward)
                                    : std::log(is.backward / row.seconds.backward);
              }};
    const std::vector<Knob> knobs = knobsOf(calibration.recurrent);
    descend(knobs, data, Sweeps);
    roundKnobs(knobs);
    printKnobs(knobs);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("Usage: fit_steps TABLE\n", stderr);
        return 2;
    }
    const auto rows = recurrentRowsIn(argv[1]);
    const auto& catalog = core::hardwareCatalog();
    if (!rows || !catalog || !core::calibration()) {
        std::fputs("the table or the program's own figures can't be read\n", stderr);
        return 1;
    }
    core::Calibration calibration = *core::calibration();
    const core::Device* device = catalog->find(TimedDevice);
    if (device == nullptr)
        return 1;
    printErrors(*rows, *device, calibration);
    fit(*rows, *device, calibration);
    printErrors(*rows, *device, calibration);
    return 0;
}
