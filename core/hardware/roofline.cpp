// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/roofline.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {
namespace {

/// Columns and inner terms are those of a square matrix with as many elements.
double productSeconds(double flops, double rows, double flopsPerS, const ProductRates& rates)
{
    if (flops <= 0 || rows <= 0)
        return 0;
    const double width = std::sqrt(flops / (2 * rows));
    return flops * smallness(rates, rows, width, width) / flopsPerS;
}

double productSeconds(double flops, double rows, const Attainable& on, double devices)
{
    return productSeconds(flops, rows, on.flopsPerS * devices, on.products);
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

/// Of what a step takes forward.
struct StepsBack {
    double work = 1;
    double launches = 1;
};

StepsBack stepsBackOf(const KernelGroup& group, const AttainableSteps& on)
{
    // On GPUs four times as many: gradients of both factors, of the slices that a step reads, and their sums (measured: 3.9
    // to 4.6).
    constexpr double EagerLaunches = 4;
    if (on.areFused)
        return {.launches = EagerLaunches};
    return group.gated ? StepsBack{on.gatedBackward, on.gatedBackward}
                       : StepsBack{.launches = on.backwardLaunches};
}

/// Forward, without its launches.
double plainStepSeconds(const KernelGroup& group, const Attainable& on, double devices)
{
    if (on.steps.areFused)
        return productSeconds(group.stepFlops, group.rows / group.steps, on, devices) +
               on.traffic * group.stepBytes / (on.bytesPerS * devices);
    if (group.gated) // no products
        return group.stepBytes / (on.steps.bytesPerS * devices);
    return fusedStepSeconds(group, on.steps, devices);
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
    // Each step runs its operations one by one.
    const double work = plainStepSeconds(group, on, devices);
    const StepsBack back = way == Way::Backward ? stepsBackOf(group, on.steps) : StepsBack{};
    const double launches = group.stepLaunches * on.launches * back.launches;
    const double launchS = on.steps.areFused ? on.launchS : on.steps.launchS;
    time.recurrenceS = group.steps * (back.work * work + launches * launchS);
    time.hostS = group.steps * launches * on.hostS;
    return time;
}

/// The way back through a recurrence's steps, once more forward before if they are made again.
PassTime stepsBack(const KernelGroup& group, const Attainable& on, double again, double devices)
{
    PassTime time = recurrenceTime(group, on, devices, Way::Backward);
    if (again > 0)
        time += recurrenceTime(group, on, devices).times(again);
    if (group.steps > 0 && group.productsBack > 1 && group.hasFusedSteps) {
        time.productS += group.steps * group.stepFlops / on.steps.gradientFlopsPerS / devices;
        time.movingS += group.steps * group.stepBytes * on.steps.gradientPasses /
                        (on.steps.bytesPerS * devices);
    }
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

/// How often a group's kernels run: products with weights, attention's with scores, and all else.
struct Runs {
    double products = 1;
    double scores = 1;
    double others = 1;
    double back = 0; // so many of the runs of scores are its way back
};

// Of what chunks take forward: states are made once more, then two gradients. Nobody published it.
constexpr double ChunksBack = 3;

bool isChunked(const KernelGroup& group, const Attainable& on)
{
    return group.gated && on.chunks;
}

/// The states of a gated recurrence so often, in chunks of its positions, and the kernels around them.
PassTime chunkedTime(const GatedShape& gated, const Attainable& on, const Runs& runs, double chunks)
{
    constexpr double Launches = 7; // four products, two sigmoids, the way out
    PassTime time;
    time.isChunked = true;
    time.recurrenceS = chunks * gatedSeconds(gated, *on.chunks);
    const double launches = runs.others * on.launches * Launches;
    time.launchS = launches * on.launchS;
    time.hostS = (launches + chunks) * on.hostS;
    return time;
}

bool isNarrow(const KernelGroup& group, const Attainable& on)
{
    return group.castBytes > 0 && on.narrowFlopsPerS > 0;
}

/// With weights, once.
double weightProductSeconds(const KernelGroup& group, const Attainable& on)
{
    const double flopsPerS = isNarrow(group, on) ? on.narrowFlopsPerS : on.flopsPerS;
    return productSeconds(group.flops, group.rows, flopsPerS, on.products);
}

/// Runs count a way back as two forward; attention's kernel has a factor of its own.
double fusedRuns(const Runs& runs, const FusedAttention& on)
{
    return runs.scores - runs.back + runs.back * on.back / 2;
}

/// Of the forward products of a group, without its recurrence.
double productSeconds(const KernelGroup& group, const Attainable& on, const Runs& runs)
{
    if (on.attention)
        return runs.products * weightProductSeconds(group, on) +
               fusedRuns(runs, *on.attention) * attentionSeconds(group, *on.attention);
    if (runs.products == runs.scores && !isNarrow(group, on))
        return runs.scores * productSeconds(group.flops + group.scoreFlops, group.rows, on, 1);
    return runs.products * weightProductSeconds(group, on) +
           runs.scores * productSeconds(group.scoreFlops, group.rows, on, 1);
}

/// A group forward so often, without its recurrence.
PassTime plainTime(const KernelGroup& group, const Attainable& on, const Runs& runs, double devices)
{
    PassTime time;
    time.productS = productSeconds(group, on, runs) / devices;
    const double weights = group.weightBytes + group.remadeBytes;
    const double cast = isNarrow(group, on) ? group.castBytes * on.castTraffic : 0;
    const double bytes =
        runs.products * (weights + cast) + runs.others * group.bytes * on.traffic +
        runs.scores * (group.scoreBytes * on.scoreTraffic + group.repeatedBytes * on.repeats);
    // Devices that share the layer each read what belongs to all heads, or all weights and divide samples if there are
    // enough.
    const double latents = group.latentBytes * on.traffic;
    const double whole = group.rows < devices ? latents : std::min(group.weightBytes, latents);
    time.movingS = (bytes - whole) / (on.bytesPerS * devices) + whole / on.bytesPerS;
    if (on.overlaps)
        (time.productS < time.movingS ? time.productS : time.movingS) = 0;
    const bool isFused = on.attention && group.scoreTiles > 0;
    const double launches = on.launches * (group.launches - (isFused ? FusedLaunches : 0)) +
                            (group.remadeBytes > 0 ? on.remadeLaunches : 0);
    time.launchS =
        runs.others * launches * on.launchS + runs.scores * (isFused ? on.attention->callS : 0);
    time.hostS = (runs.others * launches + runs.scores * (isFused ? 1 : 0)) * on.hostS;
    return time;
}

/// Experts that are divided by themselves: each has the rows of as many devices, and a device reads fewer of them.
PassTime routedTime(KernelGroup group, const Attainable& on, const Runs& runs,
                    const Sharers& sharers)
{
    group.rows *= sharers.ofExperts / sharers.routed;
    // Those that all devices read are read by each where it has them.
    group.weightBytes *= sharers.routed / sharers.ofExperts;
    group.remadeBytes *= sharers.routed / sharers.ofExperts;
    return plainTime(group, on, runs, sharers.routed);
}

/// As devices share it.
PassTime plainTime(const KernelGroup& group, const Attainable& on, const Runs& runs,
                   const Sharers& sharers)
{
    return group.isOfExperts && sharers.ofExperts > 1 ? routedTime(group, on, runs, sharers)
                                                      : plainTime(group, on, runs, sharers.layers);
}

} // namespace

PassTime& PassTime::operator+=(const PassTime& other)
{
    productS += other.productS;
    movingS += other.movingS;
    recurrenceS += other.recurrenceS;
    launchS += other.launchS;
    hostS += other.hostS;
    isChunked = isChunked || other.isChunked;
    return *this;
}

PassTime PassTime::times(double count) const
{
    return {productS * count, movingS * count, recurrenceS * count,
            launchS * count,  hostS * count,   isChunked};
}

PassTime PassTime::withHost() const
{
    PassTime time = *this;
    const double kernelsS = total();
    time.launchS += std::sqrt(kernelsS * kernelsS + hostS * hostS) - kernelsS;
    return time;
}

PassTime forwardTime(const std::vector<KernelGroup>& groups, const Attainable& on,
                     const Sharers& sharers)
{
    const double devices = sharers.layers;
    PassTime total;
    for (const KernelGroup& group : groups) {
        PassTime time = plainTime(group, on, {}, sharers);
        time += isChunked(group, on) ? chunkedTime(*group.gated, on, {}, 1)
                                     : recurrenceTime(group, on, devices);
        total += time.times(group.count);
    }
    return total;
}

Again againOf(const Training& training, const Attainable& on, bool isShared)
{
    if (!recomputes(training))
        return Again::Nothing;
    const bool stops = on.stopsEarly && !training.reentrant && !isShared;
    return stops ? Again::WhatIsRead : Again::Blocks;
}

PassTime backwardTime(const std::vector<KernelGroup>& groups, const Attainable& on, Again again,
                      const Sharers& sharers)
{
    const double devices = sharers.layers;
    PassTime total;
    for (const KernelGroup& group : groups) {
        if (group.othersBack <= 0)
            continue;
        const RunAgain more = again == Again::Nothing ? RunAgain{} : group.again;
        const double unread = again == Again::WhatIsRead ? more.unread : 0;
        const Runs runs{more.products - unread + group.productsBack,
                        (on.attention ? more.fused : more.scores) + group.othersBack,
                        more.others + group.othersBack, group.othersBack};
        PassTime time = plainTime(group, on, runs, sharers);
        time += isChunked(group, on) ? chunkedTime(*group.gated, on, runs, more.others + ChunksBack)
                                     : stepsBack(group, on, more.others, devices);
        total += time.times(group.count);
    }
    return total;
}

} // namespace outlay::core
