// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure/warm_up.h"

namespace outlay::worker {
namespace {

using namespace outlay::core;

constexpr std::int64_t Width = 16;

RecurrentDesign small(const RecurrentDesign& d)
{
    RecurrentDesign design{.cell = d.cell,
                           .hidden = {Width},
                           .bidirectional = d.bidirectional,
                           .dropout = d.dropout,
                           .outputAt = d.outputAt};
    if (d.vocabulary)
        design.vocabulary = Width;
    return design;
}

GatedRnnDesign small(const GatedRnnDesign&)
{
    return {.vocabulary = Width, .hidden = Width, .key = Width, .value = Width, .output = Width};
}

TransformerDesign small(const TransformerDesign& d)
{
    return {.kind = d.kind,
            .vocabulary = Width,
            .hidden = Width,
            .heads = 2,
            .gatedFeedForward = d.gatedFeedForward,
            .norm = d.norm,
            .dropout = d.dropout};
}

MlpDesign small(const MlpDesign&)
{
    return {.inputs = Width, .hidden = {Width}, .outputs = Width};
}

/// A list may have the layers of several.
std::vector<Design> smallOnes(const Design& design)
{
    if (std::holds_alternative<LayerListDesign>(design))
        return {small(RecurrentDesign{}), small(TransformerDesign{}), small(MlpDesign{})};
    return std::visit(
        [](const auto& d) -> std::vector<Design> {
            if constexpr (std::is_same_v<std::decay_t<decltype(d)>, LayerListDesign>)
                return {};
            else
                return {small(d)};
        },
        static_cast<const AnyDesign&>(design));
}

} // namespace

void warmUp(const Bench& bench)
{
    Training training{.sequence = Width, .batch = 2, .optimizer = bench.job.training.optimizer};
    training.precision = bench.job.training.precision;
    for (const Design& design : smallOnes(bench.job.model.design)) {
        const auto network = Network::create({bench.job.model.convention, design});
        if (!network)
            continue;
        try {
            Trainer trainer(*network, training, bench.device);
            constexpr int Steps = 2;
            for (int i = 0; i < Steps; ++i)
                trainer.step();
        } catch (const std::exception&) { // what can't be run is told of the design itself
            return;
        }
    }
}

} // namespace outlay::worker
