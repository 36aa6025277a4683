// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/base/units.h"
#include "tests/support/truth_cases.h"

namespace outlay::tests {

using namespace outlay::core;

namespace {

/// The share of a step that its kernels take: without the update, and what a framework needs for a step.
double kernelShare(const TrainingDemand& demand, const Devices& on)
{
    Attainable rates = attainableOf(on.device, demand.training, on.calibration);
    const double all = stepSecondsOn(demand, rates);
    rates.overheadS = 0;
    rates.updateTraffic = 0;
    return stepSecondsOn(demand, rates) / all;
}

Quantity inSeconds(const Quantity& q, double unitS)
{
    return Quantity::within(q.value() * unitS, q.low() * unitS, q.high() * unitS, Unit::Seconds,
                            q.basis(), q.how());
}

struct Machine {
    std::int64_t devices = 8;
    double networkGbPerS = 12.5; // one direction, of all its links
};

/// As the source says it, else NVIDIA's own with those devices: DGX-2 has 8 x 100 Gbit/s, DGX A100 8 x 200, DGX H100
/// 8 x 400 (their data sheets, 2026-11-28). MPT's A100s had 1,600 Gbit/s, too (mosaicml/llm-foundry at 061f2c7ce64e);
/// Falcon was trained in machines of AWS with 400 (its model card).
Machine machineOf(const TruthCase& truth, const Device& device)
{
    struct Row {
        std::string_view name;
        Machine machine;
    };
    constexpr std::array Said{Row{"IB 100Gb", {8, 12.5}}, Row{"4x100Gb RoCE", {8, 50}},
                              Row{"Omni-Path 4 links/node", {8, 50}}, Row{"Omni-Path", {8, 50}}};
    constexpr std::array Usual{Row{"V100-SXM2-32GB", {16, 100}}, Row{"A100-40GB-SXM4", {8, 200}},
                               Row{"A100-80GB-SXM4", {8, 200}}, Row{"H100-80GB-SXM5", {8, 400}}};
    const auto find = [](const auto& rows, const std::string& name) {
        for (const Row& row : rows) {
            if (row.name == name)
                return row.machine;
        }
        return Machine{};
    };
    if (truth.group == "falcon")
        return {8, 50};
    return truth.interconnect.empty() ? find(Usual, device.name) : find(Said, truth.interconnect);
}

} // namespace

const Device* deviceOf(const TruthCase& truth, const HardwareCatalog& catalog)
{
    // 14 cores of two units for 16 products at 3.3 GHz, four channels of DDR4-2933: ark.intel.com, 2026-11-27.
    // L20: data sheet, as commonly quoted, 2026-11-29.
    static const std::array Others{Device{.name = "Core i9-10940X",
                                          .kind = DeviceKind::Cpu,
                                          .vendor = "Intel",
                                          .generation = "cpu",
                                          .fp32Tflops = 2.957,
                                          .memoryGbPerS = 94},
                                   Device{.name = "L20",
                                          .kind = DeviceKind::Gpu,
                                          .vendor = "NVIDIA",
                                          .generation = "ada",
                                          .fp32Tflops = 59.35,
                                          .halfTflops = 119.5,
                                          .hasBf16 = true,
                                          .memoryGb = 48,
                                          .memoryGbPerS = 864,
                                          .clockGhz = 2.52,
                                          .linkGbPerS = 32,
                                          .tdpWatts = 275}};
    const auto* other = std::find_if(Others.begin(), Others.end(),
                                     [&](const Device& one) { return one.name == truth.device; });
    return other != Others.end() ? other : catalog.find(truth.device);
}

Devices devicesOf(const TruthCase& truth, const Device& device, const Calibration& calibration)
{
    Devices on{.device = device, .count = truth.count, .calibration = calibration};
    const Machine machine = machineOf(truth, device);
    if (truth.count > machine.devices && truth.count % machine.devices == 0) {
        on.machines = truth.count / machine.devices;
        on.networkGbPerS = machine.networkGbPerS;
    }
    return on;
}

TruthDemand demandOf(const TruthCase& truth)
{
    const bool isServed = truth.kind == TruthKind::Latency || truth.kind == TruthKind::Decode ||
                          truth.kind == TruthKind::Request || truth.kind == TruthKind::Prompt;
    TruthDemand demand;
    if (isServed)
        demand.serving = servingDemand(*truth.model, truth.layers, truth.serving);
    else
        demand.training = trainingDemand(truth.layers, truth.training);
    // As much at once as was run, whether we say that it fits or not.
    if (demand.training)
        demand.training->smaller.clear();
    return demand;
}

Quantity forecastOf(const TruthCase& truth, const TruthDemand& demand, const Devices& on)
{
    if (demand.training) {
        const TrainingForecast f = trainingForecast(*demand.training, on);
        if (truth.kind == TruthKind::Run && f.deviceHours.isAvailable())
            return inSeconds(f.deviceHours, SecondsPerHour * (truth.isOfSteps ? f.runShare : 1));
        if (truth.isOfKernels && f.stepSeconds.isAvailable())
            return inSeconds(f.stepSeconds, kernelShare(*demand.training, on));
        return f.stepSeconds;
    }
    const ServingForecast f = servingForecast(*demand.serving, on);
    const Quantity& ms = truth.kind == TruthKind::Decode   ? f.tokenMs
                         : truth.kind == TruthKind::Prompt ? f.firstTokenMs
                                                           : f.latencyMs;
    return ms.isAvailable() ? inSeconds(ms, 1 / MillisPerS) : ms;
}

Quantity forecastOf(const TruthCase& truth, const Device& device, const Calibration& calibration)
{
    return forecastOf(truth, demandOf(truth), devicesOf(truth, device, calibration));
}

Quantity powerOf(const TruthCase& truth, const Device& device, const Calibration& calibration)
{
    return servingForecast(*demandOf(truth).serving, devicesOf(truth, device, calibration)).watts;
}

Result<std::vector<TruthCase>> truthCasesIn(const std::string& folder)
{
    std::vector<TruthCase> cases;
    for (const char* name : {"throughput.json", "inference.json", "training.json"}) {
        const auto text = loadFile(folder + "/" + name);
        if (!text)
            return failureOf(text);
        const auto json = readJson(*text);
        if (!json)
            return tl::unexpected<Error>(json.error().in(name));
        for (TruthCase& truth : truthCases(*json))
            cases.push_back(std::move(truth));
    }
    const auto requests = loadFile(folder + "/runs2/llm_serving.csv");
    if (!requests)
        return failureOf(requests);
    for (TruthCase& truth : requestCases(*requests))
        cases.push_back(std::move(truth));
    auto visions = visionCasesIn(folder + "/runs2/vision_models.csv");
    if (!visions)
        return failureOf(visions);
    std::move(visions->begin(), visions->end(), std::back_inserter(cases));
    return cases;
}

} // namespace outlay::tests
