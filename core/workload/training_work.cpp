// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/training_work.h"

#include "core/workload/parameters.h"
#include "core/workload/work.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {
namespace {

// An allocator that returns blocks late holds more than is in use. Fitted on 24 random designs that
// LibTorch 1.13 trained with glibc's default: docs/methods.md says how far off designs are that the
// factor wasn't fitted to.
constexpr double HeldLate = 1.3;
constexpr double LeastHeld = 0.95;
constexpr double MostHeld = 1.8;
// The many small states of a gated RNN lie between blocks that are free.
constexpr double MostHeldOfStates = 2.9;

constexpr Formula WeightsFormula{"memory.parameters", "{0} parameters x {1} B"};
constexpr Formula GradientsFormula{"memory.gradients", "{0} gradients x {1} B"};
constexpr Formula OptimizerFormula{"memory.optimizer", "{0} parameters x {1} B"};
constexpr Formula ActivationsFormula{
    "memory.activations",
    "{4} x ({0} B kept for the backward pass of {1} samples x {2} tokens + {3} B working space)"};
constexpr Formula CheckpointFormula{"memory.activations.checkpointed",
                                    "{4} x ({0} B kept between blocks for {1} samples x {2} tokens "
                                    "+ {3} B to recompute one block)"};
constexpr Formula TotalFormula{
    "memory.training", "parameters {0} B + gradients {1} B + optimizer {2} B + activations {3} B"};

bool isMixed(Precision precision)
{
    return precision == Precision::Fp16 || precision == Precision::Bf16;
}

struct OptimizerState {
    double bytes = 0; // per parameter
    std::string_view what;
};

OptimizerState optimizerState(Optimizer optimizer)
{
    // Two 8-bit moments, and an fp32 scale for each in every block of 2048 parameters.
    constexpr double EightBitMoments = 2 * (1 + 4.0 / 2048);
    switch (optimizer) {
    case Optimizer::Sgd: return {0, "SGD keeps nothing"};
    case Optimizer::Momentum: return {4, "one fp32 momentum"};
    case Optimizer::Adam:
    case Optimizer::AdamW: return {8, "two fp32 moments"};
    case Optimizer::AdamW8bit: return {EightBitMoments, "two 8-bit moments with block scales"};
    }
    return {};
}

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

struct Checkpointed {
    double between = 0;    // bytes kept: each block's input, and all outside of blocks
    double inside = 0;     // bytes of the block that is recomputed, at most
    double recomputed = 0; // FLOPs of one more pass through the blocks
};

/// Of each kind.
std::vector<Work> worksOf(const LayerKinds& layers, const Pass& pass)
{
    std::vector<Work> works;
    works.reserve(layers.kinds().size());
    for (const LayerCount& kind : layers.kinds())
        works.push_back(workOf(kind.layer, pass));
    return works;
}

Checkpointed checkpointed(const LayerKinds& layers, const Pass& pass)
{
    Checkpointed result;
    std::int64_t block = 0;
    double inBlock = 0;
    const std::vector<Work> works = worksOf(layers, pass);
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

Pass passOf(const Training& t)
{
    return trainingPass(static_cast<double>(t.batch), static_cast<double>(t.sequence),
                        bytesPerValue(t.precision));
}

/// Numbers of the largest single matrix of a layer.
double largestMatrix(const LayerSpec& spec)
{
    struct Largest {
        std::int64_t operator()(const Recurrent& l) const
        {
            return gatesOf(l.cell) * l.hidden * std::max(l.inputs, l.output());
        }
        std::int64_t operator()(const GatedRecurrent& l) const
        {
            return std::max(l.inputs * std::max(l.key, l.value), l.value * l.output);
        }
        std::int64_t operator()(const Dense& l) const { return l.tied ? 0 : l.inputs * l.outputs; }
        std::int64_t operator()(const Attention& l) const { return l.width * l.queryWidth(); }
        std::int64_t operator()(const FeedForward& l) const { return l.width * l.inner; }
        std::int64_t operator()(const Experts& l) const { return l.expert.width * l.expert.inner; }
        std::int64_t operator()(const Norm& l) const { return l.width; }
        std::int64_t operator()(const Dropout&) const { return 0; }
        std::int64_t operator()(const Embedding& l) const { return l.rows * l.width; }
        std::int64_t operator()(const RelativeBias& l) const { return l.buckets * l.heads; }
        std::int64_t operator()(const Weights&) const { return 0; }
    };
    return static_cast<double>(std::visit(Largest{}, spec));
}

/// When a step holds most beside weights, gradients and the optimizer's state.
struct Peak {
    double kept = 0;
    double beside = 0;
};

/// The backward pass frees what layers kept as it goes down, while each layer's new gradients lie beside
/// the sums that they are added to; at last the optimizer makes two temporaries of the largest matrix.
Peak activationPeak(const LayerKinds& layers, const Pass& pass, Optimizer optimizer)
{
    constexpr double GradientBytes = 4;
    double largest = 0;
    struct Held {
        double kept = 0;
        double beside = 0; // while it runs backward
    };
    std::vector<Held> ofKinds;
    for (const LayerCount& kind : layers.kinds()) {
        const LayerSpec& spec = kind.layer.spec;
        const Work work = workOf(kind.layer, pass);
        const double gradient = GradientBytes * static_cast<double>(parametersOf(spec));
        // A recurrence adds to its gradients in every step, a product once, when the rest is free.
        const bool isRecurrent =
            std::holds_alternative<Recurrent>(spec) || std::holds_alternative<GatedRecurrent>(spec);
        ofKinds.push_back({work.kept, isRecurrent ? work.transient + gradient
                                                  : std::max(work.transient, gradient)});
        largest = std::max(largest, largestMatrix(spec));
    }
    Peak peak;
    double kept = 0;
    for (const LayerKinds::Place& place : layers.places()) {
        kept += ofKinds[place.kind].kept;
        const double beside = ofKinds[place.kind].beside;
        if (kept + beside > peak.kept + peak.beside)
            peak = {kept, beside};
    }
    const bool isPlain = optimizer == Optimizer::Sgd || optimizer == Optimizer::Momentum;
    const double temporaries = isPlain ? 0 : 2 * GradientBytes * largest;
    return temporaries > peak.kept + peak.beside ? Peak{0, temporaries} : peak;
}

Quantity activations(const LayerKinds& layers, const Training& t)
{
    if (layers.has<Weights>())
        return Quantity::unavailable(Unit::Bytes,
                                     "the file says how many weights there are, not how "
                                     "they are used; import the model's config");
    const Pass pass = passOf(t);
    Peak peak = activationPeak(layers, pass, t.optimizer);
    if (t.checkpointing) {
        const Checkpointed c = checkpointed(layers, pass);
        peak.kept = c.between;
        peak.beside += c.inside;
    }
    const double live = peak.kept + peak.beside;
    return Quantity::within(HeldLate * live, LeastHeld * live,
                            (layers.has<GatedRecurrent>() ? MostHeldOfStates : MostHeld) * live,
                            Unit::Bytes, Basis::Forecast,
                            how(t.checkpointing ? CheckpointFormula : ActivationsFormula,
                                {peak.kept, pass.batch, pass.tokens, peak.beside, HeldLate},
                                "the factor is what an allocator holds that returns blocks late"));
}

} // namespace

double bytesPerValue(Precision precision)
{
    return isMixed(precision) ? 2 : 4;
}

double samplesOf(const Training& t)
{
    if (t.samples)
        return *t.samples;
    return t.tokens ? std::max(1.0, *t.tokens / static_cast<double>(t.sequence)) : UsualSamples;
}

TrainingRun trainingRun(const LayerKinds& layers, const Training& t)
{
    TrainingRun run;
    run.samples = samplesOf(t);
    run.trainSamples = std::max(1.0, run.samples * (1 - t.validationShare));
    const auto perStep = static_cast<double>(t.batch * t.accumulation * t.devices);
    run.stepsPerEpoch = std::ceil(run.trainSamples / perStep);
    run.steps = std::ceil(run.stepsPerEpoch * t.epochs);
    const Pass pass = passOf(t);
    const double forward = workOf(layers, pass).flops / pass.batch;
    const double again = t.checkpointing ? checkpointed(layers, pass).recomputed / pass.batch : 0;
    const double perSample = 3 * forward + again; // the backward pass of a product is two of them
    run.flopsPerStep = perStep * perSample;
    run.flops =
        t.epochs * (run.trainSamples * perSample + (run.samples - run.trainSamples) * forward);
    return run;
}

TrainingMemory trainingMemory(const LayerKinds& layers, const Training& t)
{
    const auto count = static_cast<double>(parametersOf(layers));
    const double bytes = bytesPerValue(t.precision);
    const OptimizerState state = optimizerState(t.optimizer);
    const std::string keeps(state.what);
    TrainingMemory memory;
    if (isMixed(t.precision)) {
        // The common count of mixed precision: 16-bit weights and gradients, an fp32 master copy
        // beside the moments (16 B with Adam). Frameworks that keep weights or gradients in fp32 and
        // cast as they go need up to 20 B.
        constexpr double Master = 4;
        const auto half = [&](const Formula& formula) {
            return Quantity::within(
                count * 2, count * 2, count * 4, Unit::Bytes, Basis::Forecast,
                how(formula, {count, 2}, "up to 4 B where they are kept in fp32"));
        };
        memory.parameters = half(WeightsFormula);
        memory.gradients = half(GradientsFormula);
        memory.optimizer = Quantity::exact(
            count * (Master + state.bytes), Unit::Bytes,
            how(OptimizerFormula, {count, Master + state.bytes}, "fp32 master copy; " + keeps));
    } else {
        memory.parameters =
            Quantity::exact(count * bytes, Unit::Bytes, how(WeightsFormula, {count, bytes}));
        memory.gradients =
            Quantity::exact(count * 4, Unit::Bytes, how(GradientsFormula, {count, 4}));
        memory.optimizer = Quantity::exact(count * state.bytes, Unit::Bytes,
                                           how(OptimizerFormula, {count, state.bytes}, keeps));
    }
    memory.activations = activations(layers, t);
    if (memory.activations.isAvailable())
        memory.activationsAtOnceBytes = memory.activations.value() / HeldLate;
    const std::array parts{memory.parameters, memory.gradients, memory.optimizer,
                           memory.activations};
    memory.total = sum(parts, Unit::Bytes,
                       how(TotalFormula, {parts[0].value(), parts[1].value(), parts[2].value(),
                                          parts[3].value()}));
    return memory;
}

} // namespace outlay::core
