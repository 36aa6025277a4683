// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/checkpointed.h"

#include "core/base/units.h"

#include <algorithm>

namespace outlay::core {
namespace {

/// Counts blocks as one goes through the layers: what lies between two layers of one is no part of it.
class Blocks {
public:
    /// Whether a layer of this block is the first of it.
    bool enter(std::int64_t block)
    {
        m_isInside = block != 0;
        const bool isNew = m_isInside && block != m_block;
        if (isNew) {
            m_block = block;
            ++m_count;
        }
        return isNew;
    }
    [[nodiscard]] std::int64_t count() const { return m_count; }
    [[nodiscard]] bool runsAgain(const Training& training) const
    {
        return m_isInside && isComputedAgain(training, m_count);
    }

private:
    std::int64_t m_block = 0;
    std::int64_t m_count = 0;
    bool m_isInside = false;
};

bool keepsProducts(const Training& training)
{
    return training.recomputed == Recomputed::BetweenProducts;
}

/// Of the products of a layer, and of all it reads and writes beside weights, the part of those that are kept.
struct KeptParts {
    double ofProducts = 0;
    double flops = 0;
    double ofMoved = 0;
    double bytes = 0; // of their results, and of attention's
};

KeptParts keptParts(const Layer& layer, const Pass& pass, const Work& work)
{
    double products = 0;
    for (const Linear& linear : linearsOf(layer.spec))
        products += adapterRows(linear, layer.stream, pass) * real(linear.inputs * linear.outputs);
    KeptParts kept;
    double moved = 0;
    for (const Linear& linear : keptLinears(layer.spec)) {
        const double rows = adapterRows(linear, layer.stream, pass);
        kept.ofProducts += rows * real(linear.inputs * linear.outputs) / products;
        kept.flops += 2 * rows * real(linear.inputs * linear.outputs);
        kept.bytes += rows * real(linear.outputs) * pass.valueBytes;
        moved += rows * real(linear.inputs + linear.outputs) * pass.valueBytes;
    }
    const double all = work.bytes - work.weights - work.scoreBytes;
    if (all > 0)
        kept.ofMoved = std::min(1.0, moved / all);
    if (const auto* attention = std::get_if<Attention>(&layer.spec))
        kept.bytes += rowsOf(layer.stream, pass) * real(attention->mixedWidth()) * pass.valueBytes;
    return kept;
}

/// Of each kind of layer, how many of those in blocks lie in one that is computed again.
std::vector<double> sharesAgain(const LayerKinds& layers, const Training& training)
{
    const std::size_t kinds = layers.kinds().size();
    std::vector<double> again(kinds);
    std::vector<double> all(kinds);
    Blocks blocks;
    for (const LayerKinds::Place& place : layers.places()) {
        blocks.enter(place.block);
        all[place.kind] += 1;
        again[place.kind] += blocks.runsAgain(training) ? 1 : 0;
    }
    for (std::size_t i = 0; i < kinds; ++i)
        again[i] /= std::max(1.0, all[i]);
    return again;
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

Checkpointed checkpointed(const LayerKinds& layers, const Training& training, const Pass& pass,
                          const std::vector<Work>& works)
{
    Checkpointed result;
    Blocks blocks;
    std::vector<KeptParts> parts(works.size());
    for (std::size_t i = 0; keepsProducts(training) && i < works.size(); ++i) {
        parts[i] = keptParts(layers.kinds()[i].layer, pass, works[i]);
        parts[i].bytes = std::min(parts[i].bytes, works[i].kept);
    }
    double inBlock = 0;
    for (const LayerKinds::Place& place : layers.places()) {
        const bool isNew = blocks.enter(place.block);
        const Work& work = works[place.kind];
        if (!blocks.runsAgain(training)) {
            result.between += work.kept;
            continue;
        }
        if (isNew) {
            // The first block's input is the output of what lies before it, which is kept already.
            const Layer& layer = layers.kinds()[place.kind].layer;
            const bool isKept = blocks.count() == 1 && result.between > 0;
            const double tokens = layer.stream == Stream::Sample ? 1 : pass.tokens;
            const auto width = static_cast<double>(inputWidth(layer.spec));
            result.between += isKept ? 0 : pass.batch * tokens * width * pass.valueBytes;
            inBlock = 0;
        }
        const KeptParts& kept = parts[place.kind];
        result.between += kept.bytes;
        inBlock += work.kept - kept.bytes;
        result.inside = std::max(result.inside, inBlock);
        const double scores = keepsProducts(training) ? work.scoreFlops : 0;
        result.recomputed += work.flops - scores - kept.flops;
    }
    return result;
}

std::vector<RunAgain> runAgain(const LayerKinds& layers, const Training& training,
                               const std::vector<Trained>& trained, const Pass& pass)
{
    std::vector<RunAgain> all(layers.kinds().size());
    if (!recomputes(training))
        return all;
    const std::vector<double> shares = sharesAgain(layers, training);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double share = shares[i];
        all[i] = {share, share * trained[i].unread, share, share, share};
        if (!keepsProducts(training) || share <= 0)
            continue;
        const Layer& layer = layers.kinds()[i].layer;
        const KeptParts kept = keptParts(layer, pass, workOf(layer, pass));
        all[i].products = share * (1 - kept.ofProducts);
        all[i].fused = 0;
        all[i].others = share * (1 - kept.ofMoved);
    }
    return all;
}

double blockCount(const LayerKinds& layers)
{
    Blocks blocks;
    for (const LayerKinds::Place& place : layers.places())
        blocks.enter(place.block);
    return real(blocks.count());
}

double blocksAgain(const LayerKinds& layers, const Training& training)
{
    if (!recomputes(training))
        return 0;
    Blocks blocks;
    double count = 0;
    for (const LayerKinds::Place& place : layers.places()) {
        const bool isNew = blocks.enter(place.block);
        count += isNew && blocks.runsAgain(training) ? 1 : 0;
    }
    return count;
}

} // namespace outlay::core
