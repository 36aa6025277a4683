// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A design that doesn't fit is measured by two smaller ones of the same width, which differ by a layer.
#pragma once

#include "core/probe/worker/measure/measure.h"
#include "core/probe/worker/network/trainer.h"

namespace outlay::worker {

struct Parts {
    core::Job fewer;
    core::Job more;
    core::PartMeasurement counts;
};

/// Whether training it fits in a share of the free memory, on paper.
[[nodiscard]] bool fitsHere(const core::Job& job, double share = 0.9);

/// What serving so many requests at once takes, on paper.
[[nodiscard]] double servingBytes(const core::Job& job, std::int64_t batch);

/// The smallest parts that show what one more layer costs; nothing for designs without repeated layers
/// or when they don't fit either.
[[nodiscard]] std::optional<Parts> partsOf(const core::Job& job);

/// What the whole's step takes, by one of each: as the smaller one, and as many layers more as it lacks.
[[nodiscard]] StepTime wholeStep(const StepTime& fewer, const StepTime& more,
                                 const core::PartMeasurement& counts);

/// Steps of both in turns; the whole's step is the smaller one's and as many layers as it lacks.
[[nodiscard]] core::TrainingMeasurement measureParts(const Bench& bench, Parts& parts,
                                                     double seconds);

} // namespace outlay::worker
