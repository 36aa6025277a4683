// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/sharding.h"

#include "core/base/text.h"
#include "core/base/units.h"

#include <algorithm>

namespace outlay::core {
namespace {

constexpr Formula ShardFormula{
    "forecast.memory_sharded",
    "parameters {0} B + gradients {1} B + optimizer {2} B on each of {3} devices + layers gathered "
    "again {4} B + activations {5} B"};

Quantity divided(const Quantity& whole, bool isSharded, double devices)
{
    return isSharded ? whole * (1 / devices) : whole;
}

} // namespace

Quantity memoryOnEach(const TrainingDemand& demand, const Quantity& activations, Sharding sharding,
                      std::int64_t devices)
{
    const TrainingMemory& m = demand.memory;
    if (sharding == Sharding::None || devices < 2 || !activations.isAvailable())
        return m.with(activations);
    const double count = real(devices);
    TrainingMemory each = m;
    each.parameters = divided(m.parameters, gathersWeights(sharding), count);
    each.gradients = divided(m.gradients, sharding >= Sharding::Gradients, count);
    each.optimizer = m.optimizer * (1 / count);
    each.updateBytes = m.updateBytes / count;
    const double again = gathersWeights(sharding)
                             ? demand.gatheredParameters * demand.weightBytes / demand.parameters
                             : 0;
    const Quantity total = each.with(activations + Quantity::exact(again, Unit::Bytes, {}));
    return each.updateBytes > 0
               ? total
               : total.because(how(ShardFormula,
                                   {each.parameters.value(), each.gradients.value(),
                                    each.optimizer.value(), count, again, activations.value()}));
}

double exposedSeconds(const StepShares& step, Sharding sharding, std::int64_t accumulation)
{
    if (sharding == Sharding::None)
        return step.exposed * step.ringS;
    const double passes = real(accumulation);
    const double passS = step.computeS / passes;
    // Backward is two thirds of a pass: so much of an exchange it can hide, at the price of a part of that.
    const double backwardS = passS * 2 / 3;
    const auto beside = [&](double exchangeS, double workS) {
        return std::max(0.0, exchangeS - workS) + step.exposed * std::min(exchangeS, workS);
    };
    // A ring moves the gradients twice: once to sum their shards, and once more to gather what they became.
    const double once = step.ringS / 2;
    if (sharding == Sharding::Optimizer)
        return beside(step.ringS, backwardS);
    if (sharding == Sharding::Gradients)
        return passes * beside(once, backwardS) + step.exposed * once;
    // Weights are gathered for each way through the layers, and gradients summed, in every pass.
    return passes * beside(2 * step.gatherS + once, passS) + beside(step.betweenS, backwardS);
}

} // namespace outlay::core
