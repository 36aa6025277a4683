// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/checkpointed.h"

#include <algorithm>

namespace outlay::core {
namespace {

double inputWidth(const LayerSpec& spec)
{
    struct Width {
        std::int64_t operator()(const Recurrent& l) const { return l.inputs; }
        std::int64_t operator()(const GatedRecurrent& l) const { return l.inputs; }
        std::int64_t operator()(const Dense& l) const { return l.inputs; }
        std::int64_t operator()(const Attention& l) const { return l.width; }
        std::int64_t operator()(const FeedForward& l) const { return l.width; }
        std::int64_t operator()(const Experts& l) const { return l.expert.width; }
        std::int64_t operator()(const Norm& l) const { return l.width; }
        std::int64_t operator()(const Dropout& l) const { return l.width; }
        std::int64_t operator()(const Embedding&) const { return 1; }
        std::int64_t operator()(const RelativeBias&) const { return 0; }
        std::int64_t operator()(const Weights&) const { return 0; }
    };
    return static_cast<double>(std::visit(Width{}, spec));
}

} // namespace

std::vector<Work> worksOf(const LayerKinds& layers, const Pass& pass)
{
    std::vector<Work> works;
    works.reserve(layers.kinds().size());
    for (const LayerCount& kind : layers.kinds())
        works.push_back(workOf(kind.layer, pass));
    return works;
}

Checkpointed checkpointed(const LayerKinds& layers, const Pass& pass,
                          const std::vector<Work>& works)
{
    Checkpointed result;
    std::int64_t block = 0;
    double inBlock = 0;
    for (const LayerKinds::Place& place : layers.places()) {
        const Work& work = works[place.kind];
        const Layer& layer = layers.kinds()[place.kind].layer;
        if (place.block == 0) {
            result.between += work.kept;
            continue;
        }
        if (place.block != block) {
            // The first block's input is the output of what lies before it, which is kept already.
            const bool isFirst = block == 0 && result.between > 0;
            const double tokens = layer.stream == Stream::Sample ? 1 : pass.tokens;
            result.between +=
                isFirst ? 0 : pass.batch * tokens * inputWidth(layer.spec) * pass.valueBytes;
            block = place.block;
            inBlock = 0;
        }
        inBlock += work.kept;
        result.inside = std::max(result.inside, inBlock);
        result.recomputed += work.flops;
    }
    return result;
}

} // namespace outlay::core
