// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// score_served FOLDER: served traffic that others measured (vLLM with as many requests in flight as it was given, llama.cpp's
// prompts) beside its forecast: time between tokens, tokens a second of all requests, first tokens.
#include "core/base/file.h"
#include "core/base/units.h"
#include "tests/support/served_traffic.h"
#include "tests/support/truth_rows.h"

#include <cmath>
#include <cstdio>
#include <map>

namespace {

using namespace outlay;
using namespace outlay::core;

struct Miss {
    double log = 0; // of forecast over measured
    bool isHeld = false;
};
using Groups = std::map<std::string, std::vector<Miss>>;

Miss missOf(const Quantity& ms, double measuredMs)
{
    return {std::log(ms.value() / measuredMs), ms.low() <= measuredMs && measuredMs <= ms.high()};
}

struct Served {
    Model model;
    std::vector<Layer> layers;
    Serving serving;
    Devices on;
};

std::optional<Served> servedOf(const tests::Row& row, const HardwareCatalog& catalog,
                               const Calibration& calibration)
{
    const auto model = tests::knownModel(row.text("/model") + " " + row.text("/config/arch"));
    const Device* device = catalog.find(row.text("/hardware/gpu"));
    if (!model || device == nullptr)
        return std::nullopt;
    Served served{.model = *model,
                  .layers = expand(*model),
                  .serving = {},
                  .on = {.device = *device,
                         .count = row.integer("/hardware/num_gpus", 1),
                         .calibration = calibration}};
    Serving& s = served.serving;
    const std::string precision = row.text("/config/precision") + row.text("/config/quant");
    s.precision = precision == "fp8"               ? ServingPrecision::Fp8
                  : tests::has(precision, "mxfp4") ? ServingPrecision::Int4
                  : tests::has(precision, "Q4")    ? ServingPrecision::Int4
                  : tests::has(precision, "F16")   ? ServingPrecision::Fp16
                                                   : ServingPrecision::Bf16;
    return served;
}

std::string kindOf(const Served& served)
{
    return LayerKinds(served.layers).has<Experts>() ? "experts" : "dense";
}

/// vLLM that always has so many in flight.
void addTraffic(const tests::Row& row, Served served, Groups& groups)
{
    const double inFlight = row.number("/config/avg_batch");
    const double output = row.number("/config/avg_output_len");
    const double itl = row.number("/measured/median_itl_ms");
    const double rate = row.number("/measured/output_tok_s");
    const bool isAlone = row.integer("/config/data_parallel", 1) == 1;
    if (inFlight < 1 || output < 2 || itl <= 0 || rate <= 0 || !isAlone ||
        row.text("/config/task") == "sourcegraph-fim")
        return;
    const tests::TrafficForecast f = forecastOf(
        tests::ServedTraffic{served.model, served.serving.precision, inFlight, output}, served.on);
    if (!f.tokenMs.isAvailable())
        return;
    const double each = MillisPerS * inFlight / rate;
    const Miss token = missOf(f.tokenMs, itl);
    const Miss all{std::log(f.allMs() / each), f.holdsWithPrompts(each)};
    for (const std::string& group :
         {kindOf(served), kindOf(served) + ", " + row.text("/hardware/gpu")}) {
        groups["time between tokens, " + group].push_back(token);
        groups["tokens a second of all, " + group].push_back(all);
    }
    if (std::getenv("OUTLAY_ROWS") != nullptr)
        std::printf("%-44s %-6s x%lld %5.0f in flight, out %5.0f: %6.2f ms, is %6.2f; of all "
                    "%6.2f, is %6.2f\n",
                    row.text("/model").c_str(), row.text("/hardware/gpu").c_str(),
                    static_cast<long long>(served.on.count), inFlight, output, f.tokenMs.value(),
                    itl, f.allMs(), each);
}

/// llama.cpp's prompts of 1,024 tokens.
void addPrompt(const tests::Row& row, Served served, Groups& groups)
{
    const double rate = row.number("/measured/prefill_tok_s");
    const auto tokens = row.integer("/config/tokens");
    if (rate <= 0 || tokens < 1 || served.on.count != 1)
        return;
    Serving& s = served.serving;
    s.engine = Engine::LlamaCpp;
    s.inputTokens = tokens;
    s.outputTokens = 2;
    const ServingForecast f =
        servingForecast(servingDemand(served.model, served.layers, s), served.on);
    if (!f.firstTokenMs.isAvailable())
        return;
    const Miss miss = missOf(f.firstTokenMs, MillisPerS * real(tokens) / rate);
    groups["first token, llama.cpp, " + std::string(served.on.device.vendor)].push_back(miss);
    if (std::getenv("OUTLAY_ROWS") != nullptr)
        std::printf("%-30s %-20s %8.1f ms, is %8.1f\n", row.text("/model").c_str(),
                    row.text("/hardware/gpu").c_str(), f.firstTokenMs.value(),
                    1e3 * real(tokens) / rate);
}

void print(const std::string& group, std::vector<Miss> misses)
{
    std::vector<double> sizes;
    std::vector<double> logs;
    double held = 0;
    for (const Miss& miss : misses) {
        sizes.push_back(100 * std::expm1(std::abs(miss.log)));
        logs.push_back(miss.log);
        held += miss.isHeld ? 1 : 0;
    }
    std::sort(sizes.begin(), sizes.end());
    std::sort(logs.begin(), logs.end());
    const auto at = [](const std::vector<double>& all, double share) {
        return all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1))];
    };
    std::printf("%-44s %5zu %8.1f %8.1f %8.1f %8.1f\n", group.c_str(), sizes.size(), at(sizes, 0.5),
                at(sizes, 0.9), 100 * std::expm1(at(logs, 0.5)),
                100 * held / static_cast<double>(sizes.size()));
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("usage: score_served FOLDER, with an inference.json\n", stderr);
        return 2;
    }
    const auto text = loadFile(std::string(argv[1]) + "/inference.json");
    const auto json = text ? readJson(*text) : failureOf(text);
    const auto& catalog = hardwareCatalog();
    const auto& rates = calibration();
    if (!json || json->asArray() == nullptr || !catalog || !rates) {
        std::fputs("the rows, the devices or the calibration can't be read\n", stderr);
        return 1;
    }
    Groups groups;
    for (const Json& one : *json->asArray()) {
        const tests::Row row(one);
        const auto served = servedOf(row, *catalog, *rates);
        if (!served)
            continue;
        addTraffic(row, *served, groups);
        addPrompt(row, *served, groups);
    }
    std::printf("%-44s %5s %8s %8s %8s %8s\n", "", "rows", "median", "p90", "bias", "held");
    for (const auto& [group, misses] : groups)
        print(group, misses);
    return 0;
}
