// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Seconds of a pass on a device: products against bytes, group by group, and what waits in between.
#pragma once

#include "core/hardware/accelerator.h"
#include "core/hardware/calibration.h"
#include "core/hardware/demand.h"

namespace outlay::core {

/// What a device reaches of its peaks.
struct Attainable {
    double flopsPerS = 0;
    double recurrentFlopsPerS = 0;
    double bytesPerS = 0;
    double cacheBytesPerS = 0;
    double launchS = 0;
    double stepS = 0;
    double rowsToHalf = 0;
    double widthToHalf = 0;
    double recurrentRowsToHalf = 0;
    double scoreTraffic = 1;
    bool hasFusedSteps = true; // no library fuses a recurrence's steps on a CPU

    [[nodiscard]] bool isKnown() const { return flopsPerS > 0 && bytesPerS > 0; }
};

[[nodiscard]] Attainable attainableOf(const Device& device, const PeakRate& peak,
                                      const Calibration& calibration);

/// Seconds by what they are spent on.
struct PassTime {
    double productS = 0;    // where products are the slower side of a group
    double movingS = 0;     // where bytes are
    double recurrenceS = 0; // steps that wait for each other
    double launchS = 0;

    [[nodiscard]] double total() const { return productS + movingS + recurrenceS + launchS; }
    PassTime& operator+=(const PassTime& other);
};

/// `devices` share each product and its bytes, not its launches.
[[nodiscard]] PassTime forwardTime(const std::vector<KernelGroup>& groups, const Attainable& on,
                                   double devices = 1);

/// Twice the forward products; a recurrence goes back step by step, and its weights' gradients are
/// one product over all steps. `recompute`: blocks also go forward once more.
[[nodiscard]] PassTime backwardTime(const std::vector<KernelGroup>& groups, const Attainable& on,
                                    bool recompute);

} // namespace outlay::core
