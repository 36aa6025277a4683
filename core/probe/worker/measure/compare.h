// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Two ways to do the same work, timed in turns, so that both see the same machine: A B B A, or A B and B A
// where a turn is long.
#pragma once

#include "core/probe/variant.h"
#include "core/probe/worker/measure/measure.h"

#include <functional>

namespace outlay::worker {

/// One turn, and how many samples, requests or tokens it does.
struct Contestant {
    std::function<void()> turn;
    double work = 1;
    std::function<void()> forget;       // what its turns keep, so that its memory is all seen
    std::function<void()> prepare = {}; // each turn, outside of its time
};

/// Ratio, times and memory of a variant against the plain way; names and proof are the caller's.
[[nodiscard]] core::VariantMeasurement compare(const Bench& bench, const Contestant& plain,
                                               const Contestant& variant, double seconds);

/// About how long that takes where a turn of the plain way takes so long, and the variant no longer.
[[nodiscard]] double comparisonSeconds(double turnS, double seconds);

/// The norm of the difference of two lists of tensors over the norm of the first.
[[nodiscard]] double relativeDifference(const std::vector<torch::Tensor>& expected,
                                        const std::vector<torch::Tensor>& actual);

} // namespace outlay::worker
