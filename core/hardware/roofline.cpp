// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/roofline.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {
namespace {

double shareOf(const GenerationRates& rates, Arithmetic arithmetic)
{
    switch (arithmetic) {
    case Arithmetic::Fp32: return rates.fp32Share;
    case Arithmetic::Tf32: return rates.tf32Share;
    case Arithmetic::Half: return rates.halfShare;
    }
    return rates.fp32Share;
}

/// Few rows leave most units idle: a product of `rowsToHalf` rows runs at half of the rate.
double productSeconds(double flops, double rows, double rowsToHalf, double flopsPerS)
{
    return flops <= 0 || rows <= 0 ? 0 : flops * (1 + rowsToHalf / rows) / flopsPerS;
}

/// So do narrow matrices; the width is that of a square matrix with as many elements.
double plainProductSeconds(double flops, double rows, const Attainable& on, double devices)
{
    if (flops <= 0 || rows <= 0)
        return 0;
    const double width = std::sqrt(flops / (2 * rows));
    return productSeconds(flops, rows, on.rowsToHalf, on.flopsPerS * devices) *
           (1 + on.widthToHalf / width);
}

PassTime recurrenceTime(const KernelGroup& group, const Attainable& on, double devices)
{
    PassTime time;
    if (group.steps <= 0)
        return time;
    const double rows = group.rows / group.steps;
    const double product = productSeconds(group.stepFlops, rows, on.recurrentRowsToHalf,
                                          on.recurrentFlopsPerS * devices);
    const double reread = group.stepBytes / (on.cacheBytesPerS * devices);
    const bool isFused = group.hasFusedSteps && on.hasFusedSteps;
    const double wait = isFused ? on.stepS : group.stepLaunches * on.launchS;
    time.recurrenceS = group.steps * (std::max(product, reread) + wait);
    return time;
}

/// `passes` times the forward products and bytes of a group, without its recurrence.
PassTime plainTime(const KernelGroup& group, const Attainable& on, double passes, double devices)
{
    PassTime time;
    const double product = passes * plainProductSeconds(group.flops, group.rows, on, devices);
    const double moving =
        passes * (group.bytes + group.scoreBytes * on.scoreTraffic) / (on.bytesPerS * devices);
    (product >= moving ? time.productS : time.movingS) = std::max(product, moving);
    time.launchS = passes * group.launches * on.launchS;
    return time;
}

PassTime times(PassTime time, double count)
{
    return {time.productS * count, time.movingS * count, time.recurrenceS * count,
            time.launchS * count};
}

} // namespace

PassTime& PassTime::operator+=(const PassTime& other)
{
    productS += other.productS;
    movingS += other.movingS;
    recurrenceS += other.recurrenceS;
    launchS += other.launchS;
    return *this;
}

Attainable attainableOf(const Device& device, const PeakRate& peak, const Calibration& calibration)
{
    const GenerationRates& rates = calibration.ratesOf(device.generation);
    Attainable on;
    on.flopsPerS = peak.flopsPerS * shareOf(rates, peak.arithmetic);
    on.recurrentFlopsPerS = on.flopsPerS * calibration.recurrentShare;
    on.bytesPerS = device.memoryGbPerS.value_or(0) * Giga * rates.memoryShare;
    on.cacheBytesPerS = on.bytesPerS * calibration.cacheGain;
    on.launchS = rates.launchUs * Micro;
    on.stepS = rates.stepUs * Micro;
    const bool isCpu = device.kind == DeviceKind::Cpu;
    const double sizeShare = isCpu ? calibration.cpuSizeShare : 1;
    on.rowsToHalf = sizeShare * calibration.rowsToHalf;
    on.widthToHalf = sizeShare * calibration.widthToHalf;
    on.recurrentRowsToHalf = rates.rowsToHalf;
    on.scoreTraffic = peak.arithmetic == Arithmetic::Half ? rates.scoreTraffic : 1;
    on.hasFusedSteps = !isCpu;
    return on;
}

PassTime forwardTime(const std::vector<KernelGroup>& groups, const Attainable& on, double devices)
{
    PassTime total;
    for (const KernelGroup& group : groups) {
        PassTime time = plainTime(group, on, 1, devices);
        time += recurrenceTime(group, on, devices);
        total += times(time, group.count);
    }
    return total;
}

PassTime backwardTime(const std::vector<KernelGroup>& groups, const Attainable& on, bool recompute)
{
    PassTime total;
    for (const KernelGroup& group : groups) {
        const double passes = recompute && group.isInBlock ? 3 : 2;
        PassTime time = plainTime(group, on, passes, 1);
        time += times(recurrenceTime(group, on, 1), passes - 1);
        time.productS +=
            productSeconds(group.steps * group.stepFlops, group.rows, on.rowsToHalf, on.flopsPerS);
        total += times(time, group.count);
    }
    return total;
}

} // namespace outlay::core
