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
    {"kept-memory", addKeptMemory, isAny, 2}, // first: the others teach glibc to keep more
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
    // The engine has gradients of all weights only.
    const bool isOfAll = job.training.method == Method::Full || maker.variant != "composed-engine";
    return isOfAll && core::isWanted(job.variants, maker.variant) && maker.isOf(job.model);
}

double rowSeconds(const Job& job, double stepS)
{
    return comparisonSeconds(stepS, secondsOfRow(job));
}

/// Of that maker and those behind it.
double secondsFrom(std::size_t first, const Job& job, double stepS)
{
    double seconds = 0;
    for (std::size_t i = first; i < Makers.size(); ++i)
        seconds += isWanted(Makers.at(i), job) ? Makers.at(i).rows * rowSeconds(job, stepS) : 0;
    return seconds;
}

/// How much longer rows take than planned: ways that are slow, and proofs, aren't known before.
class Pace {
public:
    void add(double plannedS, double tookS)
    {
        m_plannedS += plannedS;
        m_tookS += tookS;
    }
    [[nodiscard]] double ratio() const { return m_plannedS > 0 ? m_tookS / m_plannedS : 1; }

private:
    double m_plannedS = 0;
    double m_tookS = 0;
};

} // namespace

double variantSeconds(const Job& job, double stepS)
{
    return secondsFrom(0, job, stepS);
}

void measureVariants(const Bench& bench, const AfterPlain& after,
                     std::vector<VariantMeasurement>& all)
{
    Trainer& plain = after.plain;
    Reference reference(plain);
    Rows rows(bench, all);
    Pace pace;
    for (std::size_t at = 0; at < Makers.size(); ++at) {
        const Maker& maker = Makers.at(at);
        if (!isWanted(maker, bench.job))
            continue;
        const double began = wallClock();
        Bench now =
            bench.withLeft(pace.ratio() * secondsFrom(at, bench.job, after.stepS) + after.furtherS);
        now.part = maker.variant;
        now.tick("variants", 0);
        rows.begin(maker.variant);
        maker.add({now, plain, after.threads, secondsOfRow(bench.job), reference, maker.variant},
                  rows);
        plain.sharedNetwork()->train(); // also where LibTorch refused something midway
        if (rows.timed() > 0)
            pace.add(rows.timed() * rowSeconds(bench.job, after.stepS), wallClock() - began);
    }
}

} // namespace outlay::worker
