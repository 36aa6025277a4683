// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/training_work.h"

#include "core/base/memory.h"
#include "core/base/units.h"
#include "core/workload/checkpointed.h"
#include "core/workload/largest.h"
#include "core/workload/parameters.h"
#include "core/workload/trained.h"
#include "core/workload/work.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace outlay::core {
namespace {

/// How many times what is in use an allocator holds that returns blocks late: measured with LibTorch 1.13
/// and glibc's default, which returns blocks from `ReturnedLate` on at once. docs/methods.md says how far
/// off designs are that the factors weren't fitted to.
struct Holding {
    double ofSmall = 1;
    double ofLarge = 1; // they leave holes between the small ones
    double most = 1;
    double more = 0; // bytes, however little is in use
};
// A block that is free doesn't fit the next of its own size, with glibc 2.36.
constexpr Holding OfProducts{2.2, 1.2, 4.3, 1e6};
constexpr Holding OfRecurrences{1.4, 1.0, 2.3};
constexpr Holding OfPlainCells{2.5, 1.1, 3.7}; // RNN
constexpr Holding OfStates{2.1, 1.1, 3.1};     // many small ones lie between blocks that are free
constexpr Holding OfLogits{1.4, 1.2, 1.9};     // most is in use before anything has been freed
constexpr Holding OfAttention{1.6, 1.35, 2.1};
constexpr double LeastHeld = 0.95;
// Bytes of a block that even such an allocator returns at once, and of one that stays in the heap where
// the others are returned at once.
constexpr double ReturnedLate = MostBytesInHeap;
constexpr double ReturnedAtOnce = 65536;

constexpr Formula WeightsFormula{"memory.parameters", "{0} parameters x {1} B"};
constexpr Formula GradientsFormula{"memory.gradients", "{0} gradients x {1} B"};
constexpr Formula OptimizerFormula{"memory.optimizer", "{0} parameters x {1} B"};
constexpr Formula ActivationsFormula{
    "memory.activations",
    "{0} B kept for the backward pass of {1} samples x {2} tokens + {3} B working space + {4} B "
    "that an allocator holds which returns blocks late"};
constexpr Formula CheckpointFormula{
    "memory.activations.checkpointed",
    "{0} B kept for the way back of {1} samples x {2} tokens + {3} B "
    "to compute a block again + {4} B that an allocator holds which "
    "returns blocks late"};
constexpr Formula FrozenFormula{"memory.parameters.frozen",
                                "{0} B of {1} weights that stay as they are + {2} trained x {3} B"};
constexpr Formula AdaptersFormula{"memory.trained", "{0} trained x {1} B"};
constexpr Formula UpdatingFormula{
    "memory.updating", "parameters {0} B + gradients {1} B + optimizer {2} B + {3} B of a copy "
                       "that it makes for the update"};
constexpr Formula TotalFormula{
    "memory.training", "parameters {0} B + gradients {1} B + optimizer {2} B + activations {3} B"};

bool isMixed(Precision precision)
{
    return precision != Precision::Fp32 && precision != Precision::Tf32;
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

/// When a step holds most beside weights, gradients and the optimizer's state.
struct Peak {
    double kept = 0;
    double beside = 0;
    double inLargeBlocks = 0; // of both, what goes back at once in any case

    [[nodiscard]] double live() const { return kept + beside; }
};

/// FLOPs of a pass and its way back beside three times those of the pass: with adapters, and without the products
/// that frozen weights need no more.
double besideAll(const LayerKinds& layers, const Training& t, const Pass& pass)
{
    if (t.method == Method::Full)
        return 0;
    const std::vector<Trained> trained = trainedOf(layers, t);
    double flops = 0;
    for (std::size_t i = 0; i < trained.size(); ++i) {
        const auto& [layer, count] = layers.kinds()[i];
        const Work work = workOf(layer, pass);
        const double withWeights = work.flops - work.scoreFlops;
        const double scores = trained[i].isReached ? 0 : 2 * work.scoreFlops;
        flops -= count * ((2 - trained[i].productsBack()) * withWeights + scores);
        for (const Linear& linear : trained[i].adapted)
            flops += count * 3 *
                     adapterFlops(linear, t.adapterRank, adapterRows(linear, layer.stream, pass));
    }
    return flops;
}

bool isRecurrence(const LayerSpec& spec)
{
    return std::holds_alternative<Recurrent>(spec) || std::holds_alternative<GatedRecurrent>(spec);
}

constexpr double GradientBytes = 4;

/// Of one layer, or of all so far.
struct KeptMemory {
    double kept = 0;
    double beside = 0; // while it runs backward
    double stuck = 0;  // after it
    double large = 0;
    bool isLarge = false;
};

/// Where a step's gradient is larger than what all steps read at once, a late allocator has two free ones beside each
/// that it hands out: neither fits its like.
double freeGradients(const Layer& layer, const Pass& pass, double returnedFrom)
{
    const auto* l = std::get_if<Recurrent>(&layer.spec);
    if (l == nullptr || !std::isinf(returnedFrom))
        return 0;
    const double larger = stepMatrix(*l) - numbersOfAllSteps(*l, pass);
    return 2 * GradientBytes * real(l->directions()) * std::max(0.0, larger);
}

KeptMemory keptBy(const Layer& layer, const Trained& trained, const Pass& pass, double returnedFrom)
{
    constexpr double NodeBytes =
        1600; // of an operation in the graph, with the heads of its tensors
    const Work work = workOf(layer, pass);
    if (!trained.isReached) // forward only, and nothing waits
        return {.beside = work.kept};
    const double gradient = GradientBytes * trained.parameters;
    const double block = largestTensor(layer, pass) * pass.valueBytes;
    const double graph = NodeBytes * work.launches;
    // A recurrence adds to its gradients in every step, a product once, when the rest is free.
    const bool hasSteps = isRecurrence(layer.spec);
    const double ofSteps = work.transient + gradient + freeGradients(layer, pass, returnedFrom);
    return {.kept = work.kept + graph,
            .beside = hasSteps ? ofSteps : std::max(work.transient, gradient),
            .stuck = graph + (hasSteps && block < returnedFrom ? work.kept : 0),
            .isLarge = block >= ReturnedLate};
}

/// The backward pass frees what layers kept as it goes down, while each layer's new gradients lie beside
/// the sums that they are added to; at last the optimizer makes two temporaries of the largest matrix. The
/// many blocks of a recurrence that are smaller than `returnedFrom` still belong to the process then.
Peak activationPeak(const LayerKinds& layers, const Training& t, double returnedFrom)
{
    const Pass pass = trainingPassOf(t);
    double largest = 0;
    std::vector<KeptMemory> ofKinds;
    const std::vector<Trained> trained = trainedOf(layers, t);
    for (std::size_t i = 0; i < trained.size(); ++i) {
        const Layer& layer = layers.kinds()[i].layer;
        ofKinds.push_back(keptBy(layer, trained[i], pass, returnedFrom));
        largest = std::max(largest, largestMatrix(layer.spec, trained[i], t));
    }
    Peak peak;
    KeptMemory all;
    for (const LayerKinds::Place& place : layers.places()) {
        const KeptMemory& held = ofKinds[place.kind];
        all.kept += held.kept;
        all.stuck += held.stuck;
        all.large += held.isLarge ? held.kept : 0;
        if (all.kept + held.beside > peak.live())
            peak = {all.kept, held.beside, all.large + (held.isLarge ? held.beside : 0)};
    }
    const bool isPlain = t.optimizer == Optimizer::Sgd || t.optimizer == Optimizer::Momentum;
    const double temporaries = isPlain ? 0 : 2 * GradientBytes * largest;
    const bool isLarge = GradientBytes * largest >= ReturnedLate;
    const Peak updating{all.stuck, temporaries, isLarge ? temporaries : 0};
    return updating.live() > peak.live() ? updating : peak;
}

/// The same, where blocks are computed again.
Peak heldPeak(const LayerKinds& layers, const Training& t, double returnedFrom)
{
    Peak peak = activationPeak(layers, t, returnedFrom);
    if (recomputes(t)) {
        const Checkpointed c =
            checkpointed(layers, t, trainingPassOf(t), worksOf(layers, trainingPassOf(t)));
        peak.kept = c.between;
        peak.beside += c.inside;
    }
    peak.beside += dequantisedBytes(layers, t);
    return peak;
}

Holding holdingOf(const LayerKinds& layers)
{
    if (layers.has<GatedRecurrent>())
        return OfStates;
    const auto& kinds = layers.kinds();
    if (!layers.has<Attention>()) {
        const bool isPlainCell = std::any_of(kinds.begin(), kinds.end(), [](const auto& kind) {
            const auto* recurrent = std::get_if<Recurrent>(&kind.layer.spec);
            return recurrent != nullptr && recurrent->cell == Cell::Rnn;
        });
        if (isPlainCell)
            return OfPlainCells;
        return layers.has<Recurrent>() ? OfRecurrences : OfProducts;
    }
    const bool hasLogits = std::any_of(kinds.begin(), kinds.end(), [](const LayerCount& kind) {
        const auto* dense = std::get_if<Dense>(&kind.layer.spec);
        return dense != nullptr && dense->use == DenseUse::Logits;
    });
    return hasLogits ? OfLogits : OfAttention;
}

Quantity activations(const LayerKinds& layers, const Training& t)
{
    if (layers.has<Weights>())
        return Quantity::unavailable(Unit::Bytes,
                                     "the file says how many weights there are, not how "
                                     "they are used; import the model's config");
    const Pass pass = trainingPassOf(t);
    const Peak peak = heldPeak(layers, t, std::numeric_limits<double>::infinity());
    const double live = peak.live();
    const Holding holding = holdingOf(layers);
    const double large = std::min(live, peak.inLargeBlocks);
    const double held =
        (holding.ofSmall - 1) * (live - large) + (holding.ofLarge - 1) * large + holding.more;
    const double most = holding.most * live + holding.more;
    return Quantity::within(live + held, LeastHeld * live, most, Unit::Bytes, Basis::Forecast,
                            how(recomputes(t) ? CheckpointFormula : ActivationsFormula,
                                {peak.kept, pass.batch, pass.tokens, peak.beside, held}));
}

} // namespace

double bytesPerValue(Precision precision)
{
    return isMixed(precision) ? 2 : 4;
}

double mostBytesHere(const LayerKinds& layers, Training training)
{
    training.masterWeights = true;
    training.frozenWeights = FrozenWeights::Same;
    const double most = trainingMemory(layers, training).total.high();
    if (training.method == Method::Full)
        return most;
    training.precision = Precision::Fp32;
    return std::max(most, trainingMemory(layers, training).total.high());
}

Pass trainingPassOf(const Training& training)
{
    return trainingPass(real(training.batch), real(training.sequence),
                        bytesPerValue(training.precision));
}

double samplesOf(const Training& t)
{
    if (t.samples)
        return *t.samples;
    return t.tokens ? std::max(1.0, *t.tokens / static_cast<double>(t.sequence)) : UsualSamples;
}

double flopsOfBatch(const LayerKinds& layers, const Training& t)
{
    // The backward pass of a product is two of them.
    return 3 * workOf(layers, trainingPassOf(t)).flops + besideAll(layers, t, trainingPassOf(t));
}

TrainingRun trainingRun(const LayerKinds& layers, const Training& training)
{
    const Training t = onDevices(training, training.devices);
    TrainingRun run;
    run.samples = samplesOf(t);
    run.trainSamples = std::max(1.0, run.samples * (1 - t.validationShare));
    const auto perStep = training.globalBatch ? real(*training.globalBatch)
                                              : real(t.batch * t.accumulation * t.devices);
    run.stepsPerEpoch = std::ceil(run.trainSamples / perStep);
    run.steps = std::ceil(run.stepsPerEpoch * t.epochs);
    const Pass pass = trainingPassOf(t);
    const double forward = workOf(layers, pass).flops / pass.batch;
    const double again =
        recomputes(t) ? checkpointed(layers, t, pass, worksOf(layers, pass)).recomputed / pass.batch
                      : 0;
    const double perSample = flopsOfBatch(layers, t) / pass.batch + again;
    run.flopsPerStep = perStep * perSample;
    run.flops =
        t.epochs * (run.trainSamples * perSample + (run.samples - run.trainSamples) * forward);
    return run;
}

namespace {

/// Weights, gradients and the optimizer's state.
TrainingMemory statesOfAll(const LayerKinds& layers, const Training& t)
{
    const auto count = static_cast<double>(parametersOf(layers));
    const double bytes = bytesPerValue(t.precision);
    const OptimizerState state = optimizerState(t.optimizer);
    const std::string keeps(state.what);
    TrainingMemory memory;
    if (isMixed(t.precision) && !t.masterWeights) {
        // Everything in 16 bits, moments too, unless they have fewer.
        constexpr double Half = 2;
        const double moments = t.optimizer == Optimizer::AdamW8bit ? state.bytes : state.bytes / 2;
        memory.parameters =
            Quantity::exact(count * Half, Unit::Bytes, how(WeightsFormula, {count, Half}));
        memory.gradients =
            Quantity::exact(count * Half, Unit::Bytes, how(GradientsFormula, {count, Half}));
        memory.optimizer = Quantity::exact(
            count * moments, Unit::Bytes,
            how(OptimizerFormula, {count, moments}, "in 16 bits, without a copy in fp32"));
        memory.updateBytes =
            t.accumulation == 1 && !t.globalBatch && moments > 0 ? count * Half : 0;
    } else if (isMixed(t.precision)) {
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
    memory.trained = memory.parameters;
    return memory;
}

/// The same where most weights stay as they are. What is trained is kept in fp32.
TrainingMemory statesOfSome(const LayerKinds& layers, const Training& t)
{
    const std::vector<Trained> trained = trainedOf(layers, t);
    const FrozenBytes bytes = frozenBytes(t);
    double frozenCount = 0;
    double frozen = 0;
    double copied = 0;
    for (std::size_t i = 0; i < trained.size(); ++i) {
        const auto& [layer, count] = layers.kinds()[i];
        copied += trained[i].isCopied ? count * trained[i].parameters : 0;
        frozen += count * frozenBytesOf(layer.spec, trained[i], bytes);
        const bool isKept = !trained[i].isWhole || trained[i].isCopied;
        frozenCount += isKept ? count * real(parametersOf(layer.spec)) : 0;
    }
    const double count = trainableOf(layers, t);
    const OptimizerState state = optimizerState(t.optimizer);
    // A copy of a whole layer has the numbers that it is copied from, unless they are cast.
    const double inHalf = isMixed(t.precision) ? copied / 2 : 0;
    const auto bytesOf = [&](double value, double halved, const Formula& formula,
                             std::initializer_list<double> numbers, const std::string& what) {
        if (halved <= 0)
            return Quantity::exact(value, Unit::Bytes, how(formula, numbers, what));
        return Quantity::within(value, value - halved, value, Unit::Bytes, Basis::Forecast,
                                how(formula, numbers,
                                    what + (what.empty() ? "" : "; ") +
                                        "the lower end where whole layers are copied in 16 bits"));
    };
    const double moments = t.optimizer == Optimizer::AdamW8bit ? 0 : state.bytes;
    TrainingMemory memory;
    memory.trained = bytesOf(count * TrainedBytes, inHalf * TrainedBytes, AdaptersFormula,
                             {count, TrainedBytes}, {});
    memory.parameters = bytesOf(frozen + count * TrainedBytes, inHalf * TrainedBytes, FrozenFormula,
                                {frozen, frozenCount, count, TrainedBytes}, {});
    memory.gradients = bytesOf(count * GradientBytes, inHalf * GradientBytes, GradientsFormula,
                               {count, GradientBytes}, {});
    memory.optimizer = bytesOf(count * state.bytes, inHalf * moments, OptimizerFormula,
                               {count, state.bytes}, std::string(state.what));
    return memory;
}

} // namespace

TrainingMemory trainingMemory(const LayerKinds& layers, const Training& t)
{
    TrainingMemory memory =
        t.method == Method::Full ? statesOfAll(layers, t) : statesOfSome(layers, t);
    memory.activations = activations(layers, t);
    if (memory.activations.isAvailable())
        memory.activationsAtOnceBytes = heldPeak(layers, t, ReturnedAtOnce).live();
    memory.total = memory.with(memory.activations);
    return memory;
}

Quantity TrainingMemory::with(const Quantity& held) const
{
    if (updateBytes > 0 && held.isAvailable()) {
        const Quantity copy = Quantity::exact(updateBytes, Unit::Bytes, {});
        const auto summed = [&](const Formula& formula, const Quantity& third,
                                const Quantity& last) {
            return sum(
                std::array{parameters, third, optimizer, last}, Unit::Bytes,
                how(formula, {parameters.value(), third.value(), optimizer.value(), last.value()}));
        };
        const Quantity updating = summed(UpdatingFormula, gradients, copy);
        const Quantity passing = summed(TotalFormula, Quantity::exact(0, Unit::Bytes, {}), held);
        // Blocks are rounded up, and some stay.
        constexpr double Rounded = 0.03;
        if (passing.value() > updating.value())
            return passing;
        return Quantity::within(updating.value(), updating.value() * (1 - Rounded),
                                updating.value() * (1 + Rounded), Unit::Bytes, Basis::Forecast,
                                updating.how());
    }
    return sum(std::array{parameters, gradients, optimizer, held}, Unit::Bytes,
               how(TotalFormula,
                   {parameters.value(), gradients.value(), optimizer.value(), held.value()}));
}

} // namespace outlay::core
