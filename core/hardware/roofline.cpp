// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/roofline.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {
namespace {

const ProductRates& productRates(const KernelRates& kernels, Arithmetic arithmetic)
{
    switch (arithmetic) {
    case Arithmetic::Fp32: return kernels.fp32;
    case Arithmetic::Tf32: return kernels.tf32;
    case Arithmetic::Half: return kernels.half;
    case Arithmetic::Fp8: return kernels.fp8;
    }
    return kernels.fp32;
}

bool isOfHalf(Arithmetic arithmetic)
{
    return arithmetic == Arithmetic::Half || arithmetic == Arithmetic::Fp8;
}

const StepRates& stepRates(Arithmetic arithmetic, const LibraryRates& rates,
                           const RecurrentRates& r)
{
    if (isOfHalf(arithmetic))
        return rates.halfSteps;
    return arithmetic == Arithmetic::Tf32 && rates.hasChoice ? r.chosen.tf32Steps : rates.steps;
}

ChosenSteps chosenOn(Arithmetic arithmetic, bool holdsHalf, const ChosenRates& rates)
{
    return {.numbers = isOfHalf(arithmetic) ? StepNumbers::Fp16 : StepNumbers::Fp32,
            .holdsHalf = holdsHalf,
            .rates = rates,
            .callS = rates.callUs * Micro,
            .backwardCallS = rates.backwardCallUs * Micro};
}

AttainableSteps stepsOn(const PeakRate& peak, double peakBytesPerS,
                        const GenerationRates& generation, const RecurrentRates& r)
{
    const LibraryRates& rates = r.ratesOf(generation.recurrences);
    const bool isHalf = isOfHalf(peak.arithmetic);
    const StepRates& steps = stepRates(peak.arithmetic, rates, r);
    AttainableSteps on;
    on.flopsPerS = peak.flopsPerS * steps.share;
    on.bytesPerS = peakBytesPerS * r.memoryShare;
    on.rowsToHalf = steps.rowsToHalf;
    on.widthToHalf = steps.widthToHalf;
    on.stepS = steps.stepUs * Micro;
    on.gradientFlopsPerS = peak.flopsPerS * (isHalf ? r.halfGradient : r.fp32Gradient);
    on.callS = r.callUs * Micro;
    // Where it chooses, LibTorch keeps the weights as cuDNN reads them.
    on.layoutPasses = rates.hasChoice ? 0 : r.layoutPasses;
    on.padsRows = rates.padsRows;
    if (rates.hasChoice)
        on.chosen = chosenOn(peak.arithmetic, generation.holdsHalf, r.chosen);
    return on;
}

void setBf16(AttainableSteps& steps, bool isBf16)
{
    if (!steps.chosen || !isBf16)
        return;
    steps.chosen->numbers = StepNumbers::Bf16;
    steps.chosen->callS = steps.chosen->rates.bf16CallUs * Micro;
}

/// Without what a framework adds.
Attainable acceleratorOf(const PeakRate& peak, double peakBytesPerS, const GenerationRates& rates,
                         const Calibration& c)
{
    const ProductRates& products = productRates(c.kernels, peak.arithmetic);
    Attainable on;
    on.flopsPerS = peak.flopsPerS * products.share * rates.products;
    on.bytesPerS = peakBytesPerS * products.memoryShare;
    on.launchS = products.launchUs * Micro;
    on.products = products;
    if (peak.arithmetic == Arithmetic::Half && peakBytesPerS > 0)
        on.products.rowsToHalf *= std::min(1.0, peak.flopsPerS / peakBytesPerS / c.kernels.ridge);
    on.steps = stepsOn(peak, peakBytesPerS, rates, c.recurrent);
    return on;
}

/// With rates that are attainable as they are.
Attainable processorOf(double flopsPerS, double bytesPerS, const Calibration& c)
{
    const ProcessorRates& rates = c.processors;
    Attainable on;
    on.flopsPerS = flopsPerS;
    on.bytesPerS = bytesPerS;
    on.launchS = rates.products.launchUs * Micro;
    on.products = rates.products;
    on.steps = {.flopsPerS = flopsPerS * rates.steps.share,
                .bytesPerS = bytesPerS * rates.cacheGain,
                .rowsToHalf = rates.steps.rowsToHalf,
                .widthToHalf = rates.steps.widthToHalf,
                .stepS = rates.steps.stepUs * Micro,
                .gradientFlopsPerS = flopsPerS,
                .areFused = false};
    on.overheadS = rates.stepOverheadMs / MillisPerS;
    return on;
}

Attainable plainOn(const Device& device, const PeakRate& peak, const Calibration& c)
{
    const double bytesPerS = device.memoryGbPerS.value_or(0) * Giga;
    if (device.kind != DeviceKind::Cpu) {
        Attainable on = acceleratorOf(peak, bytesPerS, c.ratesOf(device.generation), c);
        on.launchS *= latenciesOf(device);
        return on;
    }
    return processorOf(peak.flopsPerS * c.processors.products.share,
                       bytesPerS * c.processors.products.memoryShare, c);
}

/// With attained rates, as a device would reach that lists so much more.
Attainable acceleratorAt(const ReachedRates& reached, const Calibration& c)
{
    const GenerationRates& rates = c.generations.front();
    const ProductRates& products = productRates(c.kernels, reached.arithmetic);
    const PeakRate listed{.flopsPerS = reached.flopsPerS / (products.share * rates.products),
                          .arithmetic = reached.arithmetic};
    Attainable on = acceleratorOf(listed, reached.bytesPerS / products.memoryShare, rates, c);
    on.launchS *= reached.latencies;
    return on;
}

FusedAttention fusedAt(double flopsPerS, const PromptRates& rates)
{
    return {.flopsPerS = flopsPerS * rates.share,
            .tilesToHalf = rates.tilesToHalf,
            .callS = rates.launchUs * Micro};
}

/// As asked for, else where there is one kernel for it.
bool isFused(std::optional<AttentionKernel> asked, bool hasKernel)
{
    return asked ? *asked == AttentionKernel::Fused : hasKernel;
}

/// It stays in 16 bits where weights have 8.
FusedAttention fusedOn(const Device& device, const PeakRate& peak, const GenerationRates& rates,
                       const KernelRates& kernels)
{
    const double flopsPerS = peak.arithmetic == Arithmetic::Fp8
                                 ? peakRate(device, Precision::Fp16).flopsPerS
                                 : peak.flopsPerS;
    FusedAttention on = fusedAt(flopsPerS * rates.products, kernels.prompts);
    on.callS *= latenciesOf(device);
    return on;
}

void addFramework(Attainable& on, const TrainingRates& rates, AttentionKernel attention,
                  bool isCompiled)
{
    on.hostS = rates.hostUs * Micro;
    on.traffic = isCompiled ? rates.compiledTraffic : rates.traffic;
    on.launches = isCompiled ? rates.compiledLaunches : 1;
    on.scoreTraffic = attention == AttentionKernel::Fused ? rates.fusedScores : rates.plainScores;
    on.overheadS = rates.stepOverheadMs / MillisPerS;
    on.updateTraffic = rates.updateTraffic;
}

/// Of all its products.
void scaleProducts(Attainable& on, double factor)
{
    on.flopsPerS *= factor;
    if (on.attention)
        on.attention->flopsPerS *= factor;
}

/// Where it isn't said otherwise, in 16 bits.
bool fusesAttention(const Device& device, Arithmetic arithmetic,
                    std::optional<AttentionKernel> asked, const Calibration& c)
{
    const bool hasKernel = isOfHalf(arithmetic) && c.ratesOf(device.generation).hasFusedAttention;
    return device.kind != DeviceKind::Cpu && isFused(asked, hasKernel);
}

void addEngine(Attainable& on, const ServingDemand& demand, const EngineRates& engine)
{
    on.bytesPerS *= engine.memory;
    on.hostS = engine.hostUs * Micro;
    on.launches = engine.launches;
    on.traffic = engine.traffic;
    on.scoreTraffic = engine.scores;
    on.repeats = engine.repeats;
    on.overheadS = engine.overheadMs / MillisPerS +
                   static_cast<double>(batchOf(demand.serving)) * engine.sequenceUs * Micro;
}

/// A processor's passes, whatever the engine.
RequestRates requestRatesOfProcessor(Attainable on)
{
    on.overheadS = 0;
    return {on, overlapping(on)};
}

/// Of an accelerator with its engine.
RequestRates requestRatesFrom(const Attainable& on, const EngineRates& engine,
                              const GenerationRates& generation, const KernelRates& kernels)
{
    RequestRates rates{on, overlapping(on)};
    scaleProducts(rates.prompt, engine.prompts * generation.servedPrompts);
    scaleProducts(rates.token, engine.tokens);
    rates.token.products.rowsToHalf *= kernels.tokenRows;
    if (on.attention)
        rates.token.attention->callS *= kernels.cacheCallUs / kernels.prompts.launchUs;
    return rates;
}

/// Columns and inner terms are those of a square matrix with as many elements.
double productSeconds(double flops, double rows, const Attainable& on, double devices)
{
    if (flops <= 0 || rows <= 0)
        return 0;
    const double width = std::sqrt(flops / (2 * rows));
    return flops * smallness(on.products, rows, width, width) / (on.flopsPerS * devices);
}

/// Rows that a step works for: libraries fill tiles of 32 and of 128 up, in part.
double paddedRows(double rows, bool isPadded)
{
    constexpr double Small = 32;
    constexpr double Large = 128;
    constexpr double OfSmall = 0.6;
    constexpr double OfLarge = 0.42;
    if (!isPadded || rows >= Large)
        return rows;
    return rows <= Small ? rows + OfSmall * (Small - rows) : rows + OfLarge * (Large - rows);
}

double fusedStepSeconds(const KernelGroup& group, const AttainableSteps& on, double devices)
{
    const double rows = group.rows / group.steps;
    double product = 0;
    if (group.stepFlops > 0 && rows > 0) {
        const double width = std::sqrt(group.stepFlops / (2 * rows));
        const double filled = paddedRows(rows, on.padsRows);
        product = group.stepFlops * (filled + on.rowsToHalf) / rows * (1 + on.widthToHalf / width) /
                  (on.flopsPerS * devices);
    }
    return std::max(product, group.stepBytes / (on.bytesPerS * devices));
}

enum class Way { Forward, Backward };

/// By the kernel that LibTorch chooses; one direction beside the other.
double chosenSeconds(const KernelGroup& group, const AttainableSteps& on, Way way, double devices)
{
    const ChosenSteps& chosen = *on.chosen;
    const bool isBackward = way == Way::Backward;
    const double call = isBackward ? chosen.backwardCallS : chosen.callS;
    const double batch = group.rows / group.steps;
    const StepKernel kernel =
        stepKernel(group.stepShape, batch, chosen.numbers, isBackward, chosen.holdsHalf);
    if (kernel == StepKernel::Plain) {
        const double beside = on.stepS * (isBackward ? chosen.rates.backwardStep : 1);
        return group.steps * (fusedStepSeconds(group, on, devices) + beside) + call;
    }
    const double flops = group.stepFlops / group.stepShape.directions;
    const StepWork work{.weights = flops / (2 * batch), .flops = flops};
    const ChosenRates& r = chosen.rates;
    const bool isSmall = kernel == StepKernel::Small;
    const ResidentRates& rates =
        isBackward ? (isSmall ? r.smallBackward : r.wideBackward) : (isSmall ? r.small : r.wide);
    return group.steps * residentSeconds(rates, kernel, work) + call;
}

PassTime recurrenceTime(const KernelGroup& group, const Attainable& on, double devices,
                        Way way = Way::Forward)
{
    PassTime time;
    if (group.steps <= 0)
        return time;
    if (group.hasFusedSteps && on.steps.areFused && on.steps.chosen) {
        time.recurrenceS = chosenSeconds(group, on.steps, way, devices);
        return time;
    }
    if (group.hasFusedSteps && on.steps.areFused) {
        const double layout = on.steps.layoutPasses * group.stepBytes / on.bytesPerS;
        time.recurrenceS =
            group.steps * (fusedStepSeconds(group, on.steps, devices) + on.steps.stepS) +
            on.steps.callS + layout;
        return time;
    }
    // Each step runs its operations one by one. A processor keeps the weights in its caches. Back there are four times
    // as many: gradients of both factors, of the slices that a step reads, and their sums (measured: 3.9 to 4.6).
    constexpr double EagerBackward = 4;
    const double rows = group.rows / group.steps;
    const double work = on.steps.areFused
                            ? productSeconds(group.stepFlops, rows, on, devices) +
                                  on.traffic * group.stepBytes / (on.bytesPerS * devices)
                            : fusedStepSeconds(group, on.steps, devices);
    const double launches =
        group.stepLaunches * on.launches * (way == Way::Backward ? EagerBackward : 1);
    time.recurrenceS = group.steps * (work + launches * on.launchS);
    time.hostS = group.steps * launches * on.hostS;
    return time;
}

// Two products, a scaling, a softmax: what one kernel for all of attention takes the place of.
constexpr double FusedLaunches = 4;

double attentionSeconds(const KernelGroup& group, const FusedAttention& on)
{
    if (group.fusedFlops <= 0)
        return 0;
    return group.fusedFlops * (1 + on.tilesToHalf / group.scoreTiles) / on.flopsPerS;
}

/// How often a group's kernels run: products with weights, and all else.
struct Runs {
    double products = 1;
    double others = 1;
};

/// Of the forward products of a group, without its recurrence.
double productSeconds(const KernelGroup& group, const Attainable& on, const Runs& runs)
{
    if (on.attention)
        return runs.products * productSeconds(group.flops, group.rows, on, 1) +
               runs.others * attentionSeconds(group, *on.attention);
    if (runs.products == runs.others)
        return runs.others * productSeconds(group.flops + group.scoreFlops, group.rows, on, 1);
    return runs.products * productSeconds(group.flops, group.rows, on, 1) +
           runs.others * productSeconds(group.scoreFlops, group.rows, on, 1);
}

/// A group forward so often, without its recurrence.
PassTime plainTime(const KernelGroup& group, const Attainable& on, const Runs& runs, double devices)
{
    const double passes = runs.others;
    PassTime time;
    time.productS = productSeconds(group, on, runs) / devices;
    const double weights = group.weightBytes + group.remadeBytes;
    const double bytes = runs.products * weights +
                         passes * (group.bytes * on.traffic + group.scoreBytes * on.scoreTraffic +
                                   group.repeatedBytes * on.repeats);
    time.movingS = bytes / (on.bytesPerS * devices);
    if (on.overlaps)
        (time.productS < time.movingS ? time.productS : time.movingS) = 0;
    const bool isFused = on.attention && group.scoreTiles > 0;
    const double launches = on.launches * (group.launches - (isFused ? FusedLaunches : 0)) +
                            (group.remadeBytes > 0 ? on.remadeLaunches : 0);
    time.launchS = passes * (launches * on.launchS + (isFused ? on.attention->callS : 0));
    time.hostS = passes * (launches + (isFused ? 1 : 0)) * on.hostS;
    return time;
}

} // namespace

PassTime& PassTime::operator+=(const PassTime& other)
{
    productS += other.productS;
    movingS += other.movingS;
    recurrenceS += other.recurrenceS;
    launchS += other.launchS;
    hostS += other.hostS;
    return *this;
}

PassTime PassTime::times(double count) const
{
    return {productS * count, movingS * count, recurrenceS * count, launchS * count, hostS * count};
}

PassTime PassTime::withHost() const
{
    PassTime time = *this;
    time.launchS += std::hypot(total(), hostS) - total();
    return time;
}

bool fusesAttention(const Device& device, const Training& training, const Calibration& c)
{
    return fusesAttention(device, peakRate(device, training.precision).arithmetic,
                          training.attention, c);
}

Attainable attainableOf(const Device& device, const Training& training, const Calibration& c)
{
    const PeakRate peak = peakRate(device, training.precision);
    Attainable on = plainOn(device, peak, c);
    if (device.kind == DeviceKind::Cpu)
        return on;
    setBf16(on.steps, training.precision == Precision::Bf16);
    const bool fuses = fusesAttention(device, training, c);
    addFramework(on, c.training, fuses ? AttentionKernel::Fused : AttentionKernel::Plain,
                 training.compiled);
    on.remadeLaunches = c.training.quantisedLaunches;
    // A compiler sees through what wraps a layer, but not into kernels that make weights from fewer bits.
    const bool isWrapped = !training.compiled || training.frozenWeights != FrozenWeights::Same;
    if (training.method == Method::Lora && isWrapped)
        on.hostS = c.training.adaptersHostUs * Micro;
    if (fuses)
        on.attention = fusedOn(device, peak, c.ratesOf(device.generation), c.kernels);
    return on;
}

RequestRates requestRatesOf(const Device& device, const ServingDemand& demand, const Calibration& c)
{
    const PeakRate peak = peakRate(device, demand.serving.precision);
    Attainable on = plainOn(device, peak, c);
    if (device.kind == DeviceKind::Cpu)
        return requestRatesOfProcessor(on);
    const GenerationRates& generation = c.ratesOf(device.generation);
    const EngineRates& engine = c.ratesOf(demand.engine, device.name);
    const bool isChosen = choosesAttention(demand.engine);
    const bool fuses = isChosen
                           ? fusesAttention(device, peak.arithmetic, demand.serving.attention, c)
                           : engine.fuses();
    if (fuses)
        on.attention = fusedOn(device, peak, generation, c.kernels);
    scaleProducts(on, generation.served);
    on.bytesPerS *= generation.served;
    setBf16(on.steps, demand.serving.precision == ServingPrecision::Bf16);
    if (on.steps.chosen) // nothing is kept for a way back
        on.steps.chosen->callS = on.steps.callS;
    addEngine(on, demand, engine);
    if (isChosen && fuses)
        on.scoreTraffic = c.kernels.prompts.scores;
    return requestRatesFrom(on, engine, generation, c.kernels);
}

Attainable overlapping(Attainable on)
{
    on.overlaps = true;
    return on;
}

Attainable attainableAt(const ReachedRates& rates, const Calibration& c)
{
    if (rates.isProcessor)
        return processorOf(rates.flopsPerS, rates.bytesPerS, c);
    Attainable on = acceleratorAt(rates, c);
    addFramework(on, c.training, AttentionKernel::Plain, false);
    return on;
}

RequestRates requestRatesAt(const ReachedRates& rates, const ServingDemand& demand,
                            const Calibration& c)
{
    if (rates.isProcessor)
        return requestRatesOfProcessor(processorOf(rates.flopsPerS, rates.bytesPerS, c));
    Attainable on = acceleratorAt(rates, c);
    const EngineRates& engine = c.ratesOf(demand.engine);
    addEngine(on, demand, engine);
    // As LibTorch 2 runs it, where nobody says otherwise.
    if (choosesAttention(demand.engine) &&
        isFused(demand.serving.attention, isOfHalf(rates.arithmetic))) {
        const double listed = rates.flopsPerS / productRates(c.kernels, rates.arithmetic).share;
        on.attention = fusedAt(listed, c.kernels.prompts);
        on.attention->callS *= rates.latencies;
        on.scoreTraffic = c.kernels.prompts.scores;
    }
    return requestRatesFrom(on, engine, c.generations.front(), c.kernels);
}

PassTime forwardTime(const std::vector<KernelGroup>& groups, const Attainable& on, double devices)
{
    PassTime total;
    for (const KernelGroup& group : groups) {
        PassTime time = plainTime(group, on, {}, devices);
        time += recurrenceTime(group, on, devices);
        total += time.times(group.count);
    }
    return total;
}

PassTime backwardTime(const std::vector<KernelGroup>& groups, const Attainable& on, bool recompute,
                      double devices)
{
    PassTime total;
    for (const KernelGroup& group : groups) {
        if (group.othersBack <= 0)
            continue;
        const double again = recompute && group.isInBlock ? 1 : 0;
        PassTime time =
            plainTime(group, on, {again + group.productsBack, again + group.othersBack}, devices);
        time += recurrenceTime(group, on, devices, Way::Backward);
        if (again > 0)
            time += recurrenceTime(group, on, devices);
        if (group.steps > 0 && group.productsBack > 1)
            time.productS += group.steps * group.stepFlops / on.steps.gradientFlopsPerS / devices;
        total += time.times(group.count);
    }
    return total;
}

} // namespace outlay::core
