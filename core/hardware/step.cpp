// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/step.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {
namespace {

/// Bytes that an update reads and writes for each parameter: weight, gradient and what is kept.
double updateBytes(const Training& t)
{
    const bool isMixed = bytesPerValue(t.precision) < 4;
    // 16-bit ones beside their fp32 copy.
    const bool isInFp32 = !isMixed || t.method != Method::Full;
    const double weights = isInFp32 ? 12 : t.masterWeights ? 14 : 6;
    // Without that copy they have 16 bits, too.
    const double moment = isInFp32 || t.masterWeights ? 8 : 4;
    switch (t.optimizer) {
    case Optimizer::Sgd: return weights;
    case Optimizer::Momentum: return weights + moment;
    case Optimizer::Adam:
    case Optimizer::AdamW: return weights + 2 * moment;
    case Optimizer::AdamW8bit: return weights + 4;
    }
    return weights;
}

/// There and back.
PassTime bothWays(const std::vector<KernelGroup>& groups, const Attainable& on, Again again,
                  const Sharers& sharers)
{
    PassTime pass = forwardTime(groups, on, sharers);
    pass += backwardTime(groups, on, again, sharers);
    return pass;
}

double waysThroughBlocks(const TrainingDemand& demand)
{
    const double back = demand.training.method == Method::Head ? 0 : demand.blocks;
    return demand.blocks + back + demand.blocksAgain;
}

/// So many ways through blocks, each of which waits for the lengths of its samples.
double lengthsSeconds(const TrainingDemand& demand, const Attainable& on, double ways)
{
    return demand.hasUnevenSamples() ? ways * on.unevenBlockS : 0;
}

PassTime allOf(const TrainingDemand& demand, const Attainable& on, Again again,
               const Sharers& sharers = {})
{
    PassTime pass = bothWays(demand.forward, on, again, sharers);
    pass.launchS += lengthsSeconds(demand, on, waysThroughBlocks(demand));
    return pass;
}

/// As many as would share a layer's work without loss: theirs has narrow matrices, and some each does for itself.
double worthOfSharers(const Layout& layout, const Calibration& c)
{
    const double tensor = real(layout.tensor);
    return tensor / (1 + c.sharedLayer * std::log2(tensor));
}

/// Of a copy's devices.
Sharers sharersIn(const Layout& layout, const Calibration& c)
{
    return {.layers = worthOfSharers(layout, c) * real(layout.context),
            .ofExperts = real(layout.experts),
            .routed = real(layout.tensor * layout.context)};
}

/// Of what is in no block, in a stage.
double endSeconds(const TrainingDemand& demand, const Attainable& rates, const Sharers& sharers)
{
    std::vector<KernelGroup> ends;
    std::copy_if(demand.forward.begin(), demand.forward.end(), std::back_inserter(ends),
                 [](const KernelGroup& group) { return !group.isInBlock; });
    return bothWays(ends, rates, Again::Nothing, sharers).total();
}

/// Bytes that go from block to block.
double streamBytes(const TrainingDemand& demand)
{
    const Training& t = demand.training;
    return real(t.batch) * real(t.sequence) * demand.width * bytesPerValue(t.precision);
}

/// Of all layers, to send a device's rows to their experts.
double routedSeconds(const TrainingDemand& demand, const Layout& layout, const Devices& on)
{
    const RoutedRows& routed = demand.routed;
    const double ofLayer = routed.bytes / routed.layers / real(layout.tensor * layout.context);
    return routed.layers * routedSeconds(ofLayer, routed.used, expertsOf(layout, on), on);
}

/// Turns of the pipeline in a step: in each every stage works on a pass, or waits for one.
double slotsOf(const Layout& layout, std::int64_t passes)
{
    return real(passes) + real(layout.stages - 1) / real(layout.chunks);
}

/// What devices of a copy wait for each other, `passes` times in a step.
void addSplit(StepTime& step, const TrainingDemand& demand, const PassWork& work,
              const Layout& layout, std::int64_t passes, const Devices& on)
{
    // Two of each block forward, two backward, and those forward once more where all of it is made again.
    const double sums = 4 + 2 * wholeAgain(demand);
    const double stages = real(layout.stages);
    const double bytes = streamBytes(demand) / real(layout.context);
    const double fullest = fullestStage(demand.blocks, layout);
    double exchangeS = fullest * sums * exchangeSeconds(bytes, sharersOf(layout, on), on);
    if (layout.experts > 1)
        exchangeS += fullest / demand.blocks * sums * routedSeconds(demand, layout, on);
    step.betweenLayersS = real(passes) * exchangeS;
    if (layout.stages == 1)
        return;
    exchangeS += 2 * real(layout.chunks) * sendSeconds(bytes / real(layout.tensor), on);
    step.betweenLayersS = real(passes) * exchangeS;
    const double meanS = step.kernels.total() / real(passes);
    const double stageS = std::max(meanS * fullest * stages / demand.blocks, work.endS);
    step.idleS =
        slotsOf(layout, passes) * (stageS + exchangeS) - step.kernels.total() - step.betweenLayersS;
}

/// Of all that is trained in a machine: the part of its devices.
double updateByHost(const TrainingDemand& demand, const Layout& layout, const Devices& on)
{
    const double sharers =
        layout.sharding != Sharding::None ? real(copiesOf(layout, on).devices) : 1;
    return hostUpdateSeconds(demand.trained.all * updateBytes(demand.training) *
                                 real(devicesInMachine(on)) / sharers,
                             on);
}

/// More of the processor in each way through a block.
double blockSeconds(const TrainingDemand& demand, const Layout& layout, const Devices& on)
{
    if (on.device.kind == DeviceKind::Cpu || demand.blocks <= 0)
        return 0;
    const TrainingRates& rates = on.calibration.training;
    const double gatheredMs = gathersWeights(layout.sharding) ? rates.shardedBlockMs : 0;
    const double routedMs =
        layout.experts > 1 ? rates.routedLayerMs * demand.routed.layers / demand.blocks : 0;
    return (gatheredMs + routedMs) / MillisPerS;
}

/// Of such a part of all that is trained.
double updatedS(const TrainingDemand& demand, const Attainable& rates, double part)
{
    return demand.trained.all * part * updateBytes(demand.training) * rates.updateTraffic /
           rates.bytesPerS;
}

/// Of a device in all passes of a step. `blockS` more of the processor in each way through a block.
PassTime kernelsOfStep(const PassWork& work, const TrainingDemand& demand, const Layout& layout,
                       double blockS, std::int64_t passes)
{
    PassTime pass = work.all;
    pass.hostS += waysThroughBlocks(demand) * blockS;
    return pass.times(real(passes) / real(layout.stages)).withHost();
}

/// Of a step, on so many devices.
double lossOf(const Devices& on)
{
    return on.calibration.lossPerDoubling * std::log2(real(on.count));
}

StepTime workOfStep(const PassWork& work, const TrainingDemand& demand, const Attainable& rates,
                    const Layout& layout, double blockS, std::int64_t passes)
{
    StepTime step;
    step.kernels = kernelsOfStep(work, demand, layout, blockS, passes);
    step.updateS =
        updatedS(demand, rates, largestPart(demand.trained, demand.blocks, layout).all());
    const double returned = real(passes) * demand.returned.ofPass + demand.returned.ofStep;
    step.overheadS = rates.overheadS + returned * rates.returnedS;
    return step;
}

} // namespace

PassWork passWork(const TrainingDemand& demand, const Attainable& rates, const Layout& layout,
                  const Calibration& c)
{
    const Sharers sharers = sharersIn(layout, c);
    const Again again = againOf(demand.training, rates, layout.ofWeights() > 1);
    return {.all = allOf(demand, rates, again, sharers),
            .endS = layout.stages > 1 ? endSeconds(demand, rates, sharers) : 0};
}

const PassWork& TimedPasses::of(const TrainingDemand& pass, const Attainable& rates,
                                const Layout& layout, const Calibration& c)
{
    const auto [at, isNew] = m_works.try_emplace(
        {&pass, layout.tensor, layout.context, layout.experts, layout.stages > 1});
    if (!isNew)
        return at->second;
    const auto alone = m_works.find({&pass, layout.tensor, layout.context, layout.experts, false});
    const bool isSame =
        againOf(pass.training, rates, layout.tensor > 1) == againOf(pass.training, rates, true);
    if (layout.stages > 1 && isSame && alone != m_works.end())
        at->second = {alone->second.all, endSeconds(pass, rates, sharersIn(layout, c))};
    else
        at->second = passWork(pass, rates, layout, c);
    return at->second;
}

PassTime passAlone(const TrainingDemand& demand, const Attainable& rates)
{
    return allOf(demand, rates, againOf(demand.training, rates, false));
}

StepTime stepTime(const TrainingDemand& demand, const Attainable& rates)
{
    const PassWork work{.all = passAlone(demand, rates)};
    return workOfStep(work, demand, rates, {}, 0, onDevices(demand.training, 1).accumulation);
}

StepTime stepTime(const TrainingDemand& demand, const Attainable& rates, const Layout& layout,
                  const Devices& on)
{
    return stepTime(passWork(demand, rates, layout, on.calibration), demand, rates, layout, on);
}

StepTime stepTime(const PassWork& work, const TrainingDemand& demand, const Attainable& rates,
                  const Layout& layout, const Devices& on)
{
    const std::int64_t passes = passesOf(demand.training, layout, on.count);
    StepTime step =
        workOfStep(work, demand, rates, layout, blockSeconds(demand, layout, on), passes);
    if (layout.offload != Offload::None)
        step.updateS = updateByHost(demand, layout, on);
    else if (layout.sharding != Sharding::None)
        step.updateS = updatedS(demand, rates,
                                largestPart(demand.trained, demand.blocks, layout)
                                    .among(copiesOf(layout, on).devices, layout));
    if (!layout.isPlain())
        addSplit(step, demand, work, layout, passes, on);
    step.shares = sharesOf(demand, layout, step.kernels.total(), on);
    step.waitingS = exposedSeconds(step.shares, layout.sharding, passes, layout.offload) +
                    step.total() * lossOf(on);
    return step;
}

double leastSeconds(const PassWork& work, const TrainingDemand& demand, const Attainable& rates,
                    const Layout& layout, const Devices& on, double enough)
{
    const std::int64_t passes = passesOf(demand.training, layout, on.count);
    const double blockS = blockSeconds(demand, layout, on);
    StepTime step{.kernels = kernelsOfStep(work, demand, layout, blockS, passes),
                  .overheadS = rates.overheadS};
    const double fuller = slotsOf(layout, passes) / real(passes);
    const double alone = (1 + lossOf(on)) * (step.kernels.total() * fuller + step.overheadS);
    if (layout.isPlain() || alone >= enough)
        return alone;
    addSplit(step, demand, work, layout, passes, on);
    return step.total() * (1 + lossOf(on));
}

double leastSeconds(const TrainingDemand& demand, const Devices& on, TimedPasses& timed)
{
    const Attainable rates = attainableOf(on.device, demand.training, on.calibration);
    double least = HUGE_VAL;
    // Experts that all devices divide are read least, and have the most rows each.
    const Layout widest{.experts = std::max<std::int64_t>(1, std::min(demand.experts, on.count))};
    const auto take = [&](const TrainingDemand& pass) {
        const double passes = real(*demand.training.globalBatch) / real(pass.training.batch);
        const PassTime& work = timed.of(pass, rates, widest, on.calibration).all;
        least = std::min(least, passes * work.total() / real(on.count));
    };
    take(demand);
    std::for_each(demand.smaller.begin(), demand.smaller.end(), take);
    return least;
}

double readingSeconds(const TrainingDemand& demand, const Attainable& rates, const Layout& layout,
                      const Calibration& c)
{
    PassTime pass = forwardTime(demand.forward, rates, sharersIn(layout, c));
    pass.launchS += lengthsSeconds(demand, rates, demand.blocks);
    return pass.withHost().total() / real(layout.stages);
}

} // namespace outlay::core
