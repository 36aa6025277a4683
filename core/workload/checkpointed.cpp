// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/checkpointed.h"

#include <algorithm>

namespace outlay::core {
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
            const auto width = static_cast<double>(inputWidth(layer.spec));
            result.between += isFirst ? 0 : pass.batch * tokens * width * pass.valueBytes;
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
