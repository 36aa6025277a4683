// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/returned_memory.h"

#include "core/base/memory.h"
#include "core/base/units.h"
#include "core/workload/largest.h"

#include <algorithm>

namespace outlay::core {
namespace {

constexpr double Mebi = 1024.0 * 1024;

/// Of the products that all steps of a recurrence read, else of the largest tensor.
double blockBytes(const Layer& layer, const Pass& pass)
{
    const auto* l = std::get_if<Recurrent>(&layer.spec);
    const double numbers = l != nullptr ? numbersOfAllSteps(*l, pass) : largestTensor(layer, pass);
    return numbers * pass.valueBytes;
}

/// The largest blocks: of all, and of those that the heap holds.
struct Blocks {
    double largest = 0;
    double inHeap = Mebi; // as large ones come and go in any program
};

Blocks blocksOf(const LayerKinds& layers, const std::vector<Trained>& trained, const Training& t,
                const Pass& pass)
{
    Blocks blocks;
    for (std::size_t i = 0; i < trained.size(); ++i) {
        const Layer& layer = layers.kinds()[i].layer;
        const double block = blockBytes(layer, pass);
        const double matrix = TrainedBytes * largestMatrix(layer.spec, trained[i], t);
        blocks.largest = std::max(blocks.largest, block);
        for (const double bytes : {block, matrix})
            blocks.inHeap =
                bytes <= MostBytesInHeap ? std::max(blocks.inHeap, bytes) : blocks.inHeap;
    }
    return blocks;
}

/// Each step's gradient of the matrix, and now and then the sum that it is added to: where nothing larger has come and
/// gone, or where no heap holds it.
double bytesOfSteps(const LayerKinds& layers, const std::vector<Trained>& trained, const Pass& pass,
                    double largest, bool isKept)
{
    constexpr double OfMatrix = 1.3; // timed: 0.7 to 1.5 pages for each of the gradient's
    double bytes = 0;
    for (std::size_t i = 0; i < trained.size(); ++i) {
        const auto& [layer, count] = layers.kinds()[i];
        const auto* l = std::get_if<Recurrent>(&layer.spec);
        if (l == nullptr || !trained[i].isWhole)
            continue;
        const double matrix = TrainedBytes * stepMatrix(*l);
        const bool isReturned = !isKept && matrix >= Mebi && matrix > largest;
        if (isReturned || matrix > MostBytesInHeap)
            bytes += count * OfMatrix * real(l->directions()) * pass.tokens * matrix;
    }
    return bytes;
}

/// Tensors that no heap holds, there and back.
double bytesOfLarge(const LayerKinds& layers, const Pass& pass)
{
    double bytes = 0;
    for (const auto& [layer, count] : layers.kinds()) {
        const double block = blockBytes(layer, pass);
        bytes += block > MostBytesInHeap ? 2 * count * block : 0;
    }
    return bytes;
}

} // namespace

ReturnedBytes returnedBytes(const LayerKinds& layers, const Training& t,
                            const TrainingMemory& memory)
{
    // Of a gated recurrence little goes back: timed were 0.9 to 1.24 times as long steps as with memory that is kept.
    if (!memory.activationsAtOnceBytes || layers.has<GatedRecurrent>())
        return {};
    const Pass pass = trainingPassOf(t);
    const std::vector<Trained> trained = trainedOf(layers, t);
    const Blocks blocks = blocksOf(layers, trained, t, pass);
    if (layers.has<Recurrent>())
        return {.ofPass = bytesOfSteps(layers, trained, pass, blocks.largest, t.keepMemory)};
    if (t.keepMemory)
        return {.ofPass = bytesOfLarge(layers, pass)};
    // Gradients, and as much again that Adam makes.
    const bool isPlain = t.optimizer == Optimizer::Sgd || t.optimizer == Optimizer::Momentum;
    const double ofStep = (isPlain ? 1 : 2) * memory.gradients.value();
    const double ofPass = *memory.activationsAtOnceBytes;
    if (ofPass + ofStep <= 2 * blocks.inHeap)
        return {};
    // What is still in use lies behind most of it: timed were 0.1 to 0.8 of it.
    constexpr double OfTransformers = 0.35;
    const double part = layers.has<Attention>() ? OfTransformers : 1;
    return {.ofPass = part * ofPass, .ofStep = part * ofStep};
}

} // namespace outlay::core
