// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/sharding.h"

#include "core/base/text.h"
#include "core/base/units.h"

#include <algorithm>
#include <utility>

namespace outlay::core {
namespace {

constexpr Formula OffloadFormula{
    "forecast.memory_offloaded",
    "parameters {0} B + gradients {1} B + optimizer {2} B that stay + {3} B at work of what is "
    "elsewhere + activations {4} B"};
// Transfers go through copies that aren't paged, and some sum gradients in 32 bits.
constexpr double UsualCopies = 1.25;
constexpr Formula HostFormula{"forecast.memory_host",
                              "{0} B of each of {1} devices x {2} for copies on their way"};
constexpr Formula ShardFormula{
    "forecast.memory_sharded",
    "parameters {0} B + gradients {1} B + optimizer {2} B on each of {3} devices + layers gathered "
    "again {4} B + activations {5} B"};

/// A device gathers what it shares with others: the block at work, the next one, and what is in none; and of the
/// experts those that it has, unless they are its own.
double gatheredBytes(const LayerSums& of, const Layout& layout, std::int64_t devices)
{
    if (layout.experts == 1)
        return (of.outside + of.neighbours) / real(layout.tensor);
    const double ofExperts =
        copiesOfExperts(layout, devices) > 1 ? of.expertNeighbours / real(layout.experts) : 0;
    return (of.outside + of.plainNeighbours) / real(layout.tensor) + ofExperts;
}

/// Bytes that come for their work alone: weights of others or of the machine, and gradients on their way there.
double passingBytes(const TrainingDemand& demand, const Layout& layout, std::int64_t devices)
{
    double bytes = 0;
    if (gathersWeights(layout.sharding) || layout.offload == Offload::Weights)
        bytes += gatheredBytes(demand.weightBytes, layout, devices);
    // Gradients of a layer go when it is done.
    if (layout.offload != Offload::None && demand.trained.all > 0) {
        const LayerSums& trained = demand.trained;
        const double most = std::max(trained.end, trained.neighbours);
        bytes += demand.memory.gradients.value() * most / demand.trained.all;
    }
    return bytes;
}

const Note WholeGradients =
    "the upper end has whole gradients between passes, as Accelerate keeps them unless it is told "
    "to sync each batch";

/// More than a share of them, where a library sums gradients after the last of several passes alone. Whoever has a
/// global batch trains with libraries that don't.
double wholeGradients(const TrainingDemand& demand, const Layout& layout,
                      const TrainingMemory& each)
{
    const Training& t = demand.training;
    if (!gathersWeights(layout.sharding) || layout.offload != Offload::None || t.globalBatch ||
        t.accumulation < 2)
        return 0;
    return demand.memory.gradients.value() *
               largestPart(demand.trained, demand.blocks, layout).all() -
           each.gradients.value();
}

} // namespace

double StatesOnEach::with(double held) const
{
    const double all = parameters + optimizer + gathered + held;
    return update > 0 ? std::max(all, parameters + gradients + optimizer + update)
                      : all + gradients;
}

StatesOnEach statesOnEach(const TrainingDemand& demand, const Layout& layout, std::int64_t devices)
{
    Layout divided = layout;
    if (devices < 2)
        divided.sharding = Sharding::None;
    const Sharding sharding = divided.sharding;
    const TrainingMemory& m = demand.memory;
    const PartOnDevice ofWeights = largestPart(demand.weightBytes, demand.blocks, layout);
    const PartOnDevice ofTrained = largestPart(demand.trained, demand.blocks, layout);
    const auto part = [&](const PartOnDevice& of, bool isSharded) {
        return isSharded ? of.among(devices, layout) : of.all();
    };
    const auto share = [&](bool isSharded) { return part(ofTrained, isSharded); };
    StatesOnEach states{
        .parameters = m.parameters.value() * part(ofWeights, gathersWeights(sharding)),
        .gradients = m.gradients.value() * share(sharding >= Sharding::Gradients),
        .optimizer = m.optimizer.value() * share(sharding != Sharding::None),
        // With several passes gradients stay beside activations: there is no moment without them.
        .update = layout.ofWeights() > 1 ? 0 : m.updateBytes * share(sharding != Sharding::None),
        .gathered = passingBytes(demand, divided, devices)};
    if (layout.offload == Offload::None)
        return states;
    states.update = 0;
    states.host = std::exchange(states.gradients, 0) + std::exchange(states.optimizer, 0);
    if (layout.offload == Offload::Weights)
        states.host += std::exchange(states.parameters, 0);
    return states;
}

bool mayFreeGradients(const Training& training, Sharding sharding)
{
    return gathersWeights(sharding) && training.accumulation == 1 && !training.globalBatch;
}

TrainingMemory statesMemory(const TrainingDemand& demand, const Layout& layout,
                            std::int64_t devices)
{
    TrainingMemory each = demand.memory;
    if (devices < 2 && layout.ofWeights() == 1 && layout.experts == 1 &&
        layout.offload == Offload::None)
        return each;
    const StatesOnEach states = statesOnEach(demand, layout, devices);
    const auto scaled = [](const Quantity& whole, double part) {
        return whole.value() > 0 ? whole * (part / whole.value()) : whole;
    };
    each.parameters = scaled(each.parameters, states.parameters);
    each.gradients = scaled(each.gradients, states.gradients);
    each.optimizer = scaled(each.optimizer, states.optimizer);
    each.updateBytes = states.update;
    return each;
}

Quantity memoryOnEach(const TrainingDemand& demand, const Quantity& activations,
                      const Layout& layout, std::int64_t devices)
{
    const TrainingMemory each = statesMemory(demand, layout, devices);
    const bool isSharded = layout.sharding != Sharding::None && devices > 1;
    if (!activations.isAvailable() || (!isSharded && layout.offload == Offload::None))
        return each.with(activations);
    const double gathered = statesOnEach(demand, layout, devices).gathered;
    const Quantity total = each.with(activations + Quantity::exact(gathered, Unit::Bytes, {}));
    if (layout.offload != Offload::None)
        return total.because(
            how(OffloadFormula, {each.parameters.value(), each.gradients.value(),
                                 each.optimizer.value(), gathered, activations.value()}));
    const double whole = wholeGradients(demand, layout, each);
    const bool mayFree = mayFreeGradients(demand.training, layout.sharding);
    if (each.updateBytes > 0 && whole <= 0)
        return total;
    const How why = how(ShardFormula,
                        {each.parameters.value(), each.gradients.value(), each.optimizer.value(),
                         real(devices), gathered, activations.value()},
                        whole > 0 ? WholeGradients : Note{});
    if (!mayFree && whole <= 0)
        return total.because(why);
    return Quantity::within(total.value(), total.low() - (mayFree ? each.gradients.low() : 0),
                            total.high() + whole, Unit::Bytes, Basis::Forecast, why);
}

double hostBytes(const StatesOnEach& states, std::int64_t inMachine)
{
    return UsualCopies * states.host * real(inMachine);
}

Quantity memoryOfHost(const TrainingDemand& demand, const Layout& layout, std::int64_t devices,
                      std::int64_t inMachine)
{
    // Loading takes more for a while.
    constexpr double Most = 1.7;
    const StatesOnEach states = statesOnEach(demand, layout, devices);
    const double bytes = states.host * real(inMachine);
    return Quantity::within(hostBytes(states, inMachine), bytes, Most * bytes, Unit::Bytes,
                            Basis::Forecast,
                            how(HostFormula, {states.host, real(inMachine), UsualCopies}));
}

double exposedSeconds(const StepShares& step, Sharding sharding, std::int64_t accumulation,
                      Offload offload)
{
    const double passes = real(accumulation);
    const double passS = step.computeS / passes;
    // Taken to be two thirds of a pass, which is too little where attention is most of it: so much of an exchange it hides,
    // at the price of a part of that.
    const double backwardS = passS * 2 / 3;
    const auto beside = [&](double exchangeS, double workS) {
        return std::max(0.0, exchangeS - workS) + step.exposed * std::min(exchangeS, workS);
    };
    // A ring moves the gradients twice: once to sum their shards, and once more to gather what they became.
    const double once = step.ringS / 2;
    // Weights that are gathered or fetched come for each way through the layers, and gradients are summed in every pass.
    if (gathersWeights(sharding) || offload == Offload::Weights) {
        // With the optimizer alone in the machine what it updated comes back once.
        const bool isOnce = offload == Offload::Optimizer;
        const double comingS = step.ways * (step.gatherS + (isOnce ? 0 : step.fetchS));
        return passes * beside(comingS + step.keysS + once + step.handS, passS) +
               (isOnce ? step.fetchS : 0) + beside(step.betweenS, backwardS);
    }
    const double keysS = passes * beside(step.keysS, passS);
    if (offload == Offload::Optimizer)
        return passes * beside(once + step.handS, backwardS) + step.fetchS + step.exposed * once;
    switch (sharding) {
    case Sharding::Optimizer: return keysS + beside(step.ringS, backwardS);
    case Sharding::Gradients: return keysS + passes * beside(once, backwardS) + step.exposed * once;
    default: return keysS + step.exposed * step.ringS;
    }
}

} // namespace outlay::core
