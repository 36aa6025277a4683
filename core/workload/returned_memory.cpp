// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/returned_memory.h"

#include "core/base/units.h"
#include "core/workload/largest.h"
#include "core/workload/parameters.h"

#include <algorithm>

namespace outlay::core {
namespace {

constexpr double Mebi = 1024.0 * 1024;
constexpr double LargestInHeap =
    32 * Mebi; // larger blocks come from the system, and go back to it, by themselves
constexpr double FirstBlocks = Mebi; // that come and go in any program

/// Of the states' matrix of one direction, of which each step makes a gradient.
double matrixBytes(const Recurrent& l)
{
    return TrainedBytes * real(gatesOf(l.cell) * l.hidden * l.output());
}

/// Of the products of all steps with what goes in, which are made at once; else of the largest tensor.
double blockBytes(const Layer& layer, const Pass& pass)
{
    if (const auto* l = std::get_if<Recurrent>(&layer.spec))
        return pass.batch * pass.tokens * real(gatesOf(l->cell) * l->hidden) * pass.valueBytes;
    return largestTensor(layer, pass) * pass.valueBytes;
}

/// Each step's gradient of the matrix, and the sum that it is added to, where nothing larger has come and gone.
double bytesOfSteps(const LayerKinds& layers, const std::vector<Trained>& trained, const Pass& pass,
                    double block)
{
    constexpr double Least = Mebi;
    constexpr double OfMatrix = 1.3;
    double bytes = 0;
    for (std::size_t i = 0; i < trained.size(); ++i) {
        const auto& [layer, count] = layers.kinds()[i];
        const auto* l = std::get_if<Recurrent>(&layer.spec);
        if (l == nullptr || !trained[i].isWhole)
            continue;
        const double matrix = matrixBytes(*l);
        if (matrix >= Least && matrix > block)
            bytes += count * OfMatrix * real(l->directions()) * pass.tokens * matrix;
    }
    return bytes;
}

} // namespace

double returnedBytes(const LayerKinds& layers, const Training& t, const TrainingMemory& memory)
{
    if (t.keepMemory || !memory.activationsAtOnceBytes || layers.has<GatedRecurrent>())
        return 0;
    const Pass pass = trainingPassOf(t);
    const std::vector<Trained> trained = trainedOf(layers, t);
    double block = 0;
    double inHeap = FirstBlocks;
    for (std::size_t i = 0; i < trained.size(); ++i) {
        const Layer& layer = layers.kinds()[i].layer;
        block = std::max(block, blockBytes(layer, pass));
        const double matrix = TrainedBytes * largestMatrix(layer.spec, trained[i], t);
        for (const double bytes : {blockBytes(layer, pass), matrix})
            inHeap = bytes <= LargestInHeap ? std::max(inHeap, bytes) : inHeap;
    }
    if (layers.has<Recurrent>())
        return bytesOfSteps(layers, trained, pass, block);
    // Gradients, and as much again that the update makes.
    const double held = *memory.activationsAtOnceBytes + 2 * memory.gradients.value();
    // What is still in use lies behind most of it: timed were 0.1 to 0.8 of it.
    constexpr double OfTransformers = 0.35;
    const double part = layers.has<Attention>() ? OfTransformers : 1;
    return held > 2 * inHeap ? part * held : 0;
}

} // namespace outlay::core
