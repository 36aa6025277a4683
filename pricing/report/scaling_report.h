// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The Report's section on how the design's costs grow: over the sequence, against its twin, over devices.
#pragma once

#include "core/base/quantity.h"

#include <optional>
#include <string>
#include <vector>

namespace outlay::pricing {

/// One sequence through one of two twins, on paper.
struct MixingCost {
    core::Quantity flopsPerToken; // of a forward pass
    core::Quantity flopsPerSequence;
    core::Quantity stateBytes;      // caches or states that serving keeps after it
    core::Quantity activationBytes; // kept for the backward pass
};

struct MixingRow {
    double tokens = 0;
    MixingCost recurrent;
    MixingCost attention;
};

/// From so many tokens on attention costs more; unavailable where it never does.
struct MixingCrossing {
    std::string measure; // "flops", "state", "activations"
    core::Quantity tokens;
};

/// The design against a twin in which recurrence and attention are exchanged.
struct MixingReport {
    std::string own;  // "recurrent", "attention"; empty where there is no twin
    std::string twin; // what it is, or why there is none, as a sentence without a full stop
    std::vector<MixingRow> rows;
    std::vector<MixingCrossing> crossings;
};

struct ScalingReport {
    MixingReport mixing;
};

} // namespace outlay::pricing
