// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/gated_chunks.h"

#include <limits>

namespace outlay::worker {
namespace {

using torch::Tensor;

// A chunk's steps meet in one matrix; inside a block of a chunk each pair of steps has its own factor.
constexpr std::int64_t BlockSteps = 4;
constexpr std::int64_t Blocks = 4;
constexpr std::int64_t ChunkSteps = Blocks * BlockSteps;

/// [batch, steps, width] -> [batch, chunks, blocks, steps of a block, width], zeros at the end.
Tensor inBlocks(const Tensor& x)
{
    const std::int64_t missing = (ChunkSteps - x.size(1) % ChunkSteps) % ChunkSteps;
    const Tensor whole = missing > 0 ? torch::constant_pad_nd(x, {0, 0, 0, missing}) : x;
    return whole.reshape({x.size(0), -1, Blocks, BlockSteps, x.size(2)});
}

/// exp(x) where `isThere`, else 0; in the type of the values, not of the logarithms.
Tensor decay(const Tensor& logarithm, torch::ScalarType type, const Tensor& isHidden = {})
{
    if (!isHidden.defined())
        return logarithm.to(type).exp();
    return logarithm.to(type).masked_fill(isHidden, -std::numeric_limits<double>::infinity()).exp();
}

/// Logarithms of what is left of a state, in fp64.
struct Decays {
    Tensor inBlock;     // [batch, chunks, blocks, steps, key]: since the block began
    Tensor beforeBlock; // [batch, chunks, blocks, key]: since the chunk began
    Tensor inChunk;     // as inBlock: since the chunk began
    Tensor ofChunk;     // [batch, chunks, key]
};

Decays decaysOf(const Tensor& gateLogits)
{
    Decays d;
    // Padded steps keep the state: the logarithm of their gate is 0.
    const Tensor logarithms = inBlocks(torch::log_sigmoid(gateLogits.to(torch::kDouble)));
    d.inBlock = logarithms.cumsum(3);
    const Tensor ofBlock = d.inBlock.select(3, BlockSteps - 1);
    const Tensor sums = ofBlock.cumsum(2);
    d.beforeBlock = sums - ofBlock;
    d.inChunk = d.inBlock + d.beforeBlock.unsqueeze(3);
    d.ofChunk = sums.select(2, Blocks - 1);
    return d;
}

/// How much each step of a chunk takes from each: [batch, chunks, steps, steps].
Tensor sharesOf(const Tensor& query, const Tensor& key, const Decays& d)
{
    const auto type = query.scalar_type();
    const std::int64_t batch = query.size(0);
    const std::int64_t chunks = query.size(1);
    const std::int64_t width = query.size(4);
    const auto numbers = torch::TensorOptions(torch::kLong).device(query.device());
    const Tensor step = torch::arange(ChunkSteps, numbers);
    // From earlier blocks: what is left when the block begins, times what is left since then.
    const Tensor begin = torch::arange(Blocks, numbers).unsqueeze(1) * BlockSteps;
    const Tensor isLater = (step.unsqueeze(0) >= begin).unsqueeze(2);
    const Tensor left =
        decay(d.beforeBlock.unsqueeze(3) - d.inChunk.reshape({batch, chunks, 1, ChunkSteps, width}),
              type, isLater);
    const Tensor keys = left * key.reshape({batch, chunks, 1, ChunkSteps, width});
    const Tensor queries = query * decay(d.inBlock, type);
    const Tensor earlier = torch::matmul(queries, keys.transpose(3, 4));
    // From the same block: each pair's own factor.
    const Tensor inBlock = torch::arange(BlockSteps, numbers);
    const Tensor isAfter = (inBlock.unsqueeze(0) > inBlock.unsqueeze(1)).unsqueeze(2);
    const Tensor pairs = decay(d.inBlock.unsqueeze(4) - d.inBlock.unsqueeze(3), type, isAfter);
    const Tensor same = (pairs * key.unsqueeze(3) * query.unsqueeze(4)).sum(-1);
    return earlier.reshape({batch, chunks, ChunkSteps, ChunkSteps}) +
           torch::diag_embed(same.permute({0, 1, 3, 4, 2}), 0, 2, 4)
               .reshape({batch, chunks, ChunkSteps, ChunkSteps});
}

} // namespace

Tensor gatedChunks(const GatedSequence& in, Tensor& state)
{
    const auto type = in.query.scalar_type();
    const std::int64_t batch = in.query.size(0);
    const std::int64_t steps = in.query.size(1);
    const Tensor query = inBlocks(in.query);
    const Tensor key = inBlocks(in.keys);
    const Decays d = decaysOf(in.gate);
    const std::int64_t chunks = query.size(1);
    const auto asChunks = [&](const Tensor& x) {
        return x.reshape({batch, chunks, ChunkSteps, x.size(4)});
    };
    const Tensor value = asChunks(inBlocks(in.value));
    // What each chunk adds to the state, and what it leaves of it.
    const Tensor rest = d.ofChunk.unsqueeze(2) - asChunks(d.inChunk);
    const Tensor added = torch::matmul((asChunks(key) * decay(rest, type)).transpose(2, 3), value);
    const Tensor kept = decay(d.ofChunk, type).unsqueeze(3);
    const std::vector<Tensor> additions = added.unbind(1);
    const std::vector<Tensor> factors = kept.unbind(1);
    std::vector<Tensor> states;
    for (std::size_t i = 0; i < additions.size(); ++i) {
        states.push_back(state);
        state = torch::addcmul(additions[i], factors[i], state);
    }
    const Tensor read = asChunks(query * decay(d.inChunk, type));
    const Tensor output = torch::matmul(sharesOf(query, key, d), value) +
                          torch::matmul(read, torch::stack(states, 1));
    return output.reshape({batch, chunks * ChunkSteps, -1}).narrow(1, 0, steps);
}

} // namespace outlay::worker
