// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/margins.h"

#include "core/probe/statistics.h"

#include <algorithm>

namespace outlay::core {
namespace {

// As UnsteadyMiss, of steady ones.
constexpr double SteadyMiss = 0.08;
/// By how much parts of designs missed the whole.
constexpr double PartMiss = 0.2;

Interval marginsOf(const Timing& step, const Disturbance& disturbance, double miss)
{
    // A neighbour that goes away leaves the processor time; one more may come.
    const double waiting = disturbance.waiting;
    return {std::min(step.lowS / step.meanS, (1 - miss) / (1 + waiting)),
            std::max(step.highS / step.meanS, (1 + miss) * (1 + waiting / 2))};
}

double missOf(const Timing& step)
{
    return step.verdict == Verdict::Steady ? SteadyMiss : UnsteadyMiss;
}

} // namespace

Interval runMargins(const Measurement& measured)
{
    const Timing& step = measured.training.step;
    return marginsOf(step, measured.training.disturbance, measured.part ? PartMiss : missOf(step));
}

Interval runMargins(const Timing& step, const Disturbance& disturbance)
{
    return marginsOf(step, disturbance, missOf(step));
}

} // namespace outlay::core
