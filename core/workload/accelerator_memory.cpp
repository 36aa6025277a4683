// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/accelerator_memory.h"

#include "core/base/units.h"
#include "core/workload/checkpointed.h"
#include "core/workload/trained.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace outlay::core {
namespace {

// Of 114 published peaks of adapters on A100s nine of ten lie between these around the sum, with what doesn't vary.
constexpr double Least = 0.75;
constexpr double MostHeld = 1.25;
// The loss works in fp32: logits, their softmax and their gradient, of which one lies beside 16-bit logits and their
// gradient.
constexpr double LogitBytes = 12;
// The same where one kernel makes the loss and writes the gradient into the logits: as 8 published peaks differ from those
// without by 4 B of each.
constexpr double FusedLogitBytes = 8;

constexpr Formula HeldFormula{
    "memory.activations.accelerator",
    "{0} B kept for {1} samples x {2} tokens + the larger of {3} B that a layer works with and {4} "
    "B of logits + {5} B of a matrix made from fewer bits"};

bool isLogits(const LayerSpec& spec)
{
    const auto* dense = std::get_if<Dense>(&spec);
    return dense != nullptr && dense->use == DenseUse::Logits;
}

/// Chunks keep a state each, and make the others again on the way back.
double statesNotKept(const GatedRecurrent& l, const Pass& pass)
{
    const double each =
        pass.tokens * pass.valueBytes - std::ceil(pass.tokens / GatedChunk) * GatedStateBytes;
    return pass.batch * each * real(l.key * l.value);
}

/// Without scores where attention is fused, and without logits, which are counted by themselves.
std::vector<Work> keptWorks(const LayerKinds& layers, const Training& t, bool isFused)
{
    std::vector<Work> works = worksOf(layers, trainingPassOf(t));
    const std::vector<Trained> trained = trainedOf(layers, t);
    for (std::size_t i = 0; i < works.size(); ++i) {
        const LayerSpec& spec = layers.kinds()[i].layer.spec;
        Work& work = works[i];
        if (isLogits(spec))
            work.kept = work.transient = 0;
        else if (isFused && std::holds_alternative<Attention>(spec))
            work.transient = work.kept -= work.keptScores;
        if (const auto* gated = std::get_if<GatedRecurrent>(&spec); gated && t.compiled)
            work.kept -= statesNotKept(*gated, trainingPassOf(t));
        if (!trained[i].isReached) // forward only, and nothing waits
            work.transient = std::exchange(work.kept, 0);
    }
    return works;
}

/// So many that a part is no larger than what the logits are made from, as Liger's kernels choose them.
double partCount(const Dense& logits, bool isChunked)
{
    return isChunked ? std::ceil(real(logits.outputs) / real(logits.inputs)) : 1;
}

double logitsBytes(const LayerKinds& layers, const Pass& pass, const Training& t)
{
    const double each = t.compiled ? FusedLogitBytes : LogitBytes;
    double bytes = 0;
    for (const auto& [layer, count] : layers.kinds()) {
        if (!isLogits(layer.spec))
            continue;
        const Dense& logits = std::get<Dense>(layer.spec);
        bytes += count * each * rowsOf(layer.stream, pass) * real(logits.outputs) /
                 partCount(logits, t.chunkedLoss);
    }
    return bytes;
}

HeldActivations activations(const LayerKinds& layers, const Training& t, bool isFused)
{
    const Pass pass = trainingPassOf(t);
    const std::vector<Work> works = keptWorks(layers, t, isFused);
    HeldActivations held;
    for (std::size_t i = 0; i < works.size(); ++i) {
        held.kept += layers.kinds()[i].count * works[i].kept;
        held.working = std::max(held.working, works[i].transient);
    }
    if (recomputes(t)) {
        const Checkpointed blocks = checkpointed(layers, t, pass, works);
        held.kept = blocks.between;
        held.working += blocks.inside;
    }
    held.logits = logitsBytes(layers, pass, t);
    held.remade = dequantisedBytes(layers, t);
    const double all = held.kept + held.atWork() + held.remade;
    held.total = Quantity::within(all, Least * all, MostHeld * all, Unit::Bytes, Basis::Forecast,
                                  how(HeldFormula, {held.kept, pass.batch, pass.tokens,
                                                    held.working, held.logits, held.remade}));
    return held;
}

} // namespace

AcceleratorActivations acceleratorActivations(const LayerKinds& layers, const Training& training)
{
    if (layers.has<Weights>()) {
        HeldActivations none;
        none.total = Quantity::unavailable(
            Unit::Bytes, "the file says how many weights there are, not how they are used; import "
                         "the model's config");
        return {none, none};
    }
    return {activations(layers, training, false), activations(layers, training, true)};
}

} // namespace outlay::core
