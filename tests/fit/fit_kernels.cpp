// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Fits the constants of kernels to a folder of their timings and prints them, with what is missed: by the program's
// constants, by constants that never saw the system, and with 300 timings of the system itself beside its own.
#include "core/hardware/calibration.h"
#include "core/probe/statistics.h"
#include "tests/fit/descent.h"
#include "tests/fit/kernel_rows.h"
#include "tests/fit/neighbours.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

using namespace outlay;
using namespace outlay::tests;

namespace {

constexpr int Sweeps = 30;

double secondsOf(const KernelRow& row, const KernelConstants& constants)
{
    const core::KernelRates& k = constants.program;
    const auto product = [&](const core::ProductRates& rates) {
        return productSeconds(std::get<ProductShape>(row.shape), row.peaks, rates);
    };
    const auto exchange = [&](const core::ExchangeRates& rates) {
        return core::exchangeSeconds(std::get<core::ExchangeShape>(row.shape),
                                     core::speedOf(rates, row.linkBytesPerS));
    };
    switch (row.kind) {
    case KernelKind::Full: {
        core::ProductRates rates = k.fp32;
        rates.launchUs = constants.fullLaunchUs;
        return product(rates);
    }
    case KernelKind::Half: return product(k.half);
    case KernelKind::Fp8: return product(k.fp8);
    case KernelKind::Fp8Tiles:
        return tiledSeconds(std::get<ProductShape>(row.shape), row.peaks, constants.fp8Tiles);
    case KernelKind::Fp4: return product(constants.fp4);
    case KernelKind::Prompt:
        return promptSeconds(std::get<AttentionCall>(row.shape), row.peaks, constants);
    case KernelKind::Cache:
        return cacheSeconds(std::get<AttentionCall>(row.shape), row.peaks, constants);
    case KernelKind::Experts:
        return expertsSeconds(std::get<ExpertsShape>(row.shape), row.peaks, constants);
    case KernelKind::Chunks:
    case KernelKind::States:
        return gatedCallSeconds(std::get<core::GatedShape>(row.shape), row.peaks, constants);
    case KernelKind::Link: return exchange(k.links);
    case KernelKind::Pair: return exchange(constants.pairs);
    case KernelKind::Bus: return exchange(k.buses);
    }
    return 0;
}

double missOf(const KernelRow& row, const KernelConstants& rates)
{
    return std::log(secondsOf(row, rates) / row.seconds);
}

void addProduct(std::vector<Knob>& knobs, core::ProductRates& r)
{
    knobs.push_back({"share", &r.share, r.share, 1, 0.1, 1});
    // A term that is 0 stays out of the law.
    for (const auto& [name, term] :
         {std::pair{"rows to half", &r.rowsToHalf}, std::pair{"columns to half", &r.columnsToHalf},
          std::pair{"inner to half", &r.innerToHalf},
          std::pair{"thousand results to half", &r.resultsToHalf}}) {
        if (*term > 0)
            knobs.push_back({name, term, *term, 1, 0.1, 10000});
    }
    knobs.push_back({"memory", &r.memoryShare, r.memoryShare, 1, 0.1, 1});
    knobs.push_back({"launch us", &r.launchUs, r.launchUs, 1, 0.5, 50});
}

void addExchange(std::vector<Knob>& knobs, core::ExchangeRates& r)
{
    knobs.push_back({"latency us", &r.latencyUs, r.latencyUs, 1, 0.5, 200});
    knobs.push_back({"device us", &r.deviceUs, r.deviceUs, 1, 0.01, 50});
    knobs.push_back({"share", &r.share, r.share, 1, 0.01, 1});
    knobs.push_back({"settle us", &r.settleUs, r.settleUs, 1, 0.1, 1000});
    knobs.push_back({"settle power", &r.settlePower, r.settlePower, 1, 0.1, 1});
}

std::vector<Knob> knobsOf(KernelKind kind, KernelConstants& rates)
{
    core::KernelRates& k = rates.program;
    std::vector<Knob> knobs;
    const auto add = [&](const char* name, double& value, double high) {
        knobs.push_back({name, &value, value, 1, 0.001, high});
    };
    switch (kind) {
    case KernelKind::Full:
        addProduct(knobs, k.fp32);
        knobs
            .pop_back(); // the launch has its host in it, and small ones say little of the bandwidth
        knobs.back() = {"launch and host us", &rates.fullLaunchUs, rates.fullLaunchUs, 1, 1, 200};
        break;
    case KernelKind::Half: addProduct(knobs, k.half); break;
    case KernelKind::Fp8: addProduct(knobs, k.fp8); break;
    case KernelKind::Fp8Tiles:
        add("share", rates.fp8Tiles.share, 1);
        add("inner to half", rates.fp8Tiles.innerToHalf, 10000);
        add("tiles to half", rates.fp8Tiles.tilesToHalf, 100);
        add("memory", rates.fp8Tiles.memoryShare, 1);
        add("launch us", rates.fp8Tiles.launchUs, 100);
        break;
    case KernelKind::Fp4: addProduct(knobs, rates.fp4); break;
    case KernelKind::Prompt:
        add("share", k.prompts.share, 1);
        add("memory", rates.promptMemory, 1);
        add("tiles to half", k.prompts.tilesToHalf, 1000);
        add("launch us", k.prompts.launchUs, 100);
        break;
    case KernelKind::Cache:
        add("share", rates.cacheShare, 1);
        add("memory", rates.cacheMemory, 1);
        add("call us", k.cacheCallUs, 100);
        add("head ns", rates.cacheHeadNs, 1000);
        add("piece", rates.cachePiece, 10000);
        add("pieces to half", rates.cachePiecesToHalf, 10);
        add("fits", k.cache.fits, 3);
        add("fast bytes", k.cache.unitBytes, 300);
        break;
    case KernelKind::Experts:
        add("share", rates.expertShare, 1);
        add("rows to half", rates.expertRows, 1000);
        add("memory", rates.expertMemory, 3);
        add("values", rates.expertValues, 1);
        add("launch us", rates.expertsUs, 200);
        break;
    case KernelKind::Chunks:
        add("share", k.chunks.share, 10);
        add("memory", k.chunks.memoryShare, 1);
        add("chunk us", k.chunks.chunkUs, 100);
        add("call us", k.chunks.callUs, 100);
        break;
    case KernelKind::States:
        add("memory", k.chunks.stepMemoryShare, 1);
        add("call us", k.chunks.stepUs, 100);
        break;
    case KernelKind::Link: addExchange(knobs, k.links); break;
    case KernelKind::Pair: addExchange(knobs, rates.pairs); break;
    case KernelKind::Bus: addExchange(knobs, k.buses); break;
    }
    return knobs;
}

using RowList = std::vector<const KernelRow*>;

/// Each system weighs the same.
void fit(KernelKind kind, const RowList& list, KernelConstants& rates)
{
    std::map<std::string, double> counts;
    for (const KernelRow* row : list)
        counts[row->system] += 1;
    Rows rows;
    constexpr double Weight = 100; // of a system against the priors
    for (const KernelRow* row : list)
        rows.weights.push_back(Weight / counts[row->system]);
    rows.miss = [&](std::size_t i) { return missOf(*list[i], rates); };
    descend(knobsOf(kind, rates), rows, Sweeps);
}

struct Errors {
    std::vector<double> all;

    void add(double miss) { all.push_back(100 * std::abs(std::exp(miss) - 1)); }
    void print(const std::string& name)
    {
        std::sort(all.begin(), all.end());
        const auto at = [&](double share) {
            return all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1))];
        };
        std::printf("  %-34s %6zu %8.1f %8.1f\n", name.c_str(), all.size(), at(0.5), at(0.9));
    }
};

/// 300 of a system's rows make a table for a tenth of them, ten times.
void scoreTable(const RowList& own, const KernelConstants& rates, Errors& errors)
{
    constexpr std::size_t Kept = 300;
    constexpr std::size_t Parts = 10;
    for (std::size_t part = 0; part < Parts; ++part) {
        RowList known;
        std::vector<Place> places;
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (i % Parts == part)
                continue;
            known.push_back(own[i]);
            places.push_back(placeOf(*own[i]));
        }
        if (known.empty())
            return;
        std::vector<Place> kept;
        std::vector<double> misses;
        for (const std::size_t i : spreadOut(places, Kept)) {
            kept.push_back(places[i]);
            misses.push_back(missOf(*known[i], rates));
        }
        const Neighbours table(std::move(kept), misses);
        for (std::size_t i = part; i < own.size(); i += Parts)
            errors.add(missOf(*own[i], rates) - table.missAt(placeOf(*own[i])));
    }
}

void score(KernelKind kind, const RowList& list, const KernelConstants& start,
           KernelConstants& fitted)
{
    Errors before;
    Errors unseen;
    Errors tables;
    std::map<std::string, Errors> systems;
    std::set<std::string> names;
    for (const KernelRow* row : list)
        names.insert(row->system);
    for (const std::string& name : names) {
        RowList others;
        RowList own;
        for (const KernelRow* row : list)
            (row->system == name ? own : others).push_back(row);
        KernelConstants rates = start;
        if (!others.empty())
            fit(kind, others, rates);
        for (const KernelRow* row : own) {
            before.add(missOf(*row, start));
            unseen.add(missOf(*row, rates));
            systems[name].add(missOf(*row, rates));
        }
        scoreTable(own, rates, tables);
    }
    fit(kind, list, fitted);
    roundKnobs(knobsOf(kind, fitted));
    std::printf("\n%s: rows, median and 90th percentile in %%\n",
                std::string(KernelKindNames.at(static_cast<std::size_t>(kind))).c_str());
    before.print("constants of the program");
    unseen.print("system left out");
    for (auto& [name, errors] : systems)
        errors.print("  " + name);
    tables.print("with 300 of the system's own");
    for (const Knob& knob : knobsOf(kind, fitted))
        std::printf("    %-26s %10.3g\n", knob.name.c_str(), *knob.value);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("Usage: fit_kernels FOLDER\n", stderr);
        return 2;
    }
    const auto rows = kernelRowsIn(argv[1]);
    if (!rows) {
        std::fprintf(stderr, "%s\n", rows.error().sentence().c_str());
        return 1;
    }
    if (!core::calibration()) {
        std::fprintf(stderr, "%s\n", core::calibration().error().sentence().c_str());
        return 1;
    }
    const KernelConstants start{.program = core::calibration()->kernels};
    KernelConstants fitted = start;
    for (std::size_t i = 0; i < KernelKindNames.size(); ++i) {
        const auto kind = static_cast<KernelKind>(i);
        RowList list;
        for (const KernelRow& row : *rows) {
            if (row.kind == kind)
                list.push_back(&row);
        }
        if (!list.empty())
            score(kind, list, start, fitted);
    }
    return 0;
}
