// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/variants/variants.h"

#include "core/probe/worker/variants/makers.h"
#include "core/workload/serving_work.h"

#include <algorithm>

namespace outlay::worker {
namespace {

using namespace outlay::core;

template <typename... Specs>
bool hasLayer(const Model& model)
{
    const std::vector<Layer> layers = expand(model);
    return std::any_of(layers.begin(), layers.end(), [](const Layer& layer) {
        return (std::holds_alternative<Specs>(layer.spec) || ...);
    });
}

bool isAny(const Model&)
{
    return true;
}

/// What the engine knows: the whole model, not a layer in a list.
bool isGatedDesign(const Model& model)
{
    return std::holds_alternative<GatedRnnDesign>(model.design);
}

/// A kind of variant: its name in `VariantKinds`, the designs that it is of, and its rows at most.
struct Maker {
    std::string_view variant;
    void (*add)(const Context& context, Rows& rows);
    bool (*isOf)(const Model& model);
    int rows;
};

constexpr auto IsGated = hasLayer<GatedRecurrent>;
constexpr auto IsCell = hasLayer<Recurrent>;
constexpr auto IsRecurrent = hasLayer<GatedRecurrent, Recurrent>;

constexpr std::array<Maker, VariantKinds.size()> Makers{{
    {"batch", addBatches, isAny, 3},
    {"threads", addThreads, isAny, 2},
    {"accumulation", addAccumulation, isAny, 1},
    {"checkpointing", addCheckpointing, isAny, 1},
    {"bf16", addBf16, isAny, 1},
    {"simple", addForms, IsGated, 1},
    {"batched", addForms, IsGated, 1},
    {"fused-projections", addForms, IsGated, 2},
    {"checkpoint-time", addForms, IsRecurrent, 1},
    {"chunked", addForms, IsGated, 2},
    {"fused-recurrence", addForms, IsGated, 2},
    {"composed-engine", addComposedEngine, isGatedDesign, 3},
    {"cell-by-cell", addForms, IsCell, 1},
    {"fused-layer", addForms, IsCell, 1},
    {"buckets", addBuckets, IsRecurrent, 2},
    {"int8", addInt8, isAny, 1},
    {"full-prefix", addFullPrefix, generates, 1},
    {"stepwise-fused", addStepwiseFused, IsGated, 1},
}};

double secondsOfRow(const Job& job)
{
    constexpr double Share = 0.2;
    return Share * job.seconds;
}

bool isWanted(const Maker& maker, const Job& job)
{
    return core::isWanted(job.variants, maker.variant) && maker.isOf(job.model);
}

} // namespace

double variantSeconds(const Job& job, double stepS)
{
    double seconds = 0;
    for (const Maker& maker : Makers)
        seconds +=
            isWanted(maker, job) ? maker.rows * comparisonSeconds(stepS, secondsOfRow(job)) : 0;
    return seconds;
}

std::vector<VariantMeasurement> measureVariants(const Bench& bench, Trainer& plain,
                                                const Threads& threads)
{
    Reference reference(plain);
    Rows rows;
    for (const Maker& maker : Makers) {
        if (!isWanted(maker, bench.job))
            continue;
        bench.tick("variants", static_cast<std::int64_t>(rows.size()));
        const std::size_t first = rows.size();
        maker.add({bench, plain, threads, secondsOfRow(bench.job), reference, maker.variant}, rows);
        plain.sharedNetwork()->train(); // also where LibTorch refused something midway
        for (std::size_t i = first; i < rows.size(); ++i)
            rows[i].variant = std::string(maker.variant);
    }
    return rows;
}

} // namespace outlay::worker
