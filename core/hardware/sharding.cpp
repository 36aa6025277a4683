// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/sharding.h"

#include "core/base/text.h"

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

Quantity memoryOnEach(const TrainingDemand& demand, Sharding sharding, std::int64_t devices)
{
    const TrainingMemory& m = demand.memory;
    if (sharding == Sharding::None || devices < 2 || !m.total.isAvailable())
        return m.total;
    const double count = real(devices);
    const Quantity parameters = divided(m.parameters, sharding >= Sharding::Full, count);
    const Quantity gradients = divided(m.gradients, sharding >= Sharding::Gradients, count);
    const Quantity optimizer = divided(m.optimizer, true, count);
    const double again = sharding == Sharding::Full
                             ? demand.gatheredParameters * bytesPerValue(demand.training.precision)
                             : 0;
    const Quantity gathered = Quantity::exact(again, Unit::Bytes, {});
    return sum(std::array{parameters, gradients, optimizer, gathered, m.activations}, Unit::Bytes,
               how(ShardFormula, {parameters.value(), gradients.value(), optimizer.value(), count,
                                  again, m.activations.value()}));
}

double exposedSeconds(const StepShares& step, Sharding sharding, std::int64_t accumulation)
{
    const double passes = real(accumulation);
    // A ring moves the gradients twice; once to sum shards, and once more to gather what they became.
    const double once = step.ringS / 2;
    if (sharding == Sharding::Gradients)
        return step.exposed * once * (passes + 1);
    if (sharding != Sharding::Full)
        return step.exposed * step.ringS;
    // Weights are gathered for each way through the layers, and gradients summed, in every pass.
    const double computeS = step.computeS / passes;
    const double exchangeS = 3 * once;
    return passes * (std::max(computeS, exchangeS) + step.exposed * std::min(computeS, exchangeS) -
                     computeS);
}

} // namespace outlay::core
