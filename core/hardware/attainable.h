// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a device reaches of its peaks, with a framework or an engine on it.
#pragma once

#include "core/hardware/accelerator.h"
#include "core/hardware/calibration.h"
#include "core/hardware/demand.h"

namespace outlay::core {

/// Where LibTorch's choice of kernels for a recurrent layer was timed.
struct ChosenSteps {
    StepNumbers numbers = StepNumbers::Fp32;
    bool holdsHalf = false;
    ChosenRates rates;
    double callS = 0;
    double backwardCallS = 0;
};

/// What a recurrence's steps reach.
struct AttainableSteps {
    double flopsPerS = 0;
    double bytesPerS = 0;
    double rowsToHalf = 0;
    double widthToHalf = 0;
    double stepS = 0;
    double launchS = 0;           // of an operation in a step, on a processor
    double gradientFlopsPerS = 0; // of the matrix, over all steps
    double callS = 0;             // of a pass through a layer
    double layoutPasses = 0;      // over its weights, in each
    bool padsRows = false;
    double gradientPasses = 0;   // over a step's matrix on the way back, beside its products
    double backwardLaunches = 1; // of those forward, where a processor runs them one by one
    double gatedBackward = 1;    // of all that a step of a gated recurrence does forward there
    bool areFused = true;        // no library fuses them on a processor
    std::optional<ChosenSteps> chosen;
};

/// Attention whose scores never leave the kernel.
struct FusedAttention {
    double flopsPerS = 0;
    double tilesToHalf = 0;
    double callS = 0;
    double back = 2; // its way back, in times forward
};

/// What a device reaches of its peaks, with a framework or an engine on it.
struct Attainable {
    double flopsPerS = 0;
    double bytesPerS = 0;
    double launchS = 0;
    double hostS = 0; // of the processor for a launch; it may be the slower side of a pass
    ProductRates products;
    double narrowFlopsPerS = 0;              // of layers that are trained in 8 bits; 0: none are
    std::optional<FusedAttention> attention; // without it scores are products like others
    std::optional<ChunkSpeed> chunks;        // without it each step of a gated recurrence is run
    double traffic = 1;                      // of what the layers count beside weights
    double scoreTraffic = 1;                 // of attention's scores
    double castTraffic = 1;                  // of what goes into products in 8 bits
    double repeats = 0;                      // of what heads share in caches
    double launches = 1;
    double remadeLaunches = 0; // more of a layer whose weights are made from fewer bits
    bool overlaps = false;     // products and bytes hide each other
    AttainableSteps steps;
    double overheadS = 0;    // of an optimizer step, or of a pass that serves
    double unevenBlockS = 0; // that each way through a block waits to learn how long samples are
    bool stopsEarly = false; // blocks may run again to where nothing is read any more
    double updateTraffic = 1;
    double returnedS = 0; // for each byte that the system is asked for anew

    [[nodiscard]] bool isKnown() const { return flopsPerS > 0 && bytesPerS > 0; }
};

/// How much of the kernels' share of that peak a device's products reach: by its generation, and by the power it has.
[[nodiscard]] double reachOf(const Device& device, const PeakRate& peak, const Calibration& c);

/// Whether each block waits to learn how long its samples are: a kernel that skips padding needs to know.
[[nodiscard]] bool waitsForLengths(const Device& device, const Training& training,
                                   const Calibration& c);

/// Whether attention is one kernel there while it trains: as asked for, else where 16 bits have one.
[[nodiscard]] bool fusesAttention(const Device& device, const Training& training,
                                  const Calibration& calibration);

/// While it trains.
[[nodiscard]] Attainable attainableOf(const Device& device, const Training& training,
                                      const Calibration& calibration);
/// While it serves: a prompt, and a pass of one position each.
struct RequestRates {
    Attainable prompt;
    Attainable token;
};
[[nodiscard]] RequestRates requestRatesOf(const Device& device, const ServingDemand& demand,
                                          const Calibration& calibration);
/// What a machine was seen to reach in a large product and in a long copy.
struct ReachedRates {
    double flopsPerS = 0;
    double bytesPerS = 0;
    Arithmetic arithmetic = Arithmetic::Fp32;
    bool isProcessor = false;
    double latencies = 1; // of an accelerator's launches and calls, over those of the constants
};
/// What waits on a device, waits for so many clocks: over what the constants say.
[[nodiscard]] inline double latenciesOf(const Device& device)
{
    return KernelsGhz / device.clockGhz.value_or(KernelsGhz);
}
/// A machine with these rates of its own while it trains.
[[nodiscard]] Attainable attainableAt(const ReachedRates& rates, const Calibration& calibration);
/// The same machine while it serves.
[[nodiscard]] RequestRates requestRatesAt(const ReachedRates& rates, const ServingDemand& demand,
                                          const Calibration& calibration);

/// Where products and bytes hide each other: where one position is read, and at best anywhere.
[[nodiscard]] Attainable overlapping(Attainable on);

} // namespace outlay::core
