// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How much of a device's peak is attainable, by generation and precision, and how far that misses.
#pragma once

#include "core/base/fields.h"

namespace outlay::core {

/// Shares of the listed peak, and times in microseconds, for the devices of one generation.
struct GenerationRates {
    std::string generation;
    double fp32Share = 0.5; // of matrix products, in the units of each precision
    double tf32Share = 0.5;
    double halfShare = 0.5;
    double memoryShare = 0.7;
    double launchUs = 5;     // from one kernel to the next
    double stepUs = 20;      // from one time step of a fused recurrence to the next
    double rowsToHalf = 16;  // rows of a recurrent product at which half of the share is reached
    double scoreTraffic = 1; // of plain attention's traffic; less where attention is fused
    bool isFitted = true;    // false: taken over from a neighbour

    bool operator==(const GenerationRates&) const = default;
};

/// Factors f such that the truth lies within value / f and value x f in 80 of 100 cases.
struct Spreads {
    double matrix = 1.5;
    double recurrent = 2;
    double decode = 2;
    double perDoubling = 1.02;  // of the devices
    double unfitted = 1.5;      // more, for a generation without published runs
    double wholeRun = 1.4;      // more at the upper end: evaluation, checkpoints, restarts
    double scaledBase = 1.1;    // a measurement here, scaled to a changed design
    double scaledPerFold = 1.2; // for each e-fold between the two

    bool operator==(const Spreads&) const = default;
};

struct Calibration {
    std::string how; // it was got
    std::string asOf;
    std::vector<GenerationRates> generations; // the first stands for those not listed
    double rowsToHalf = 60;      // rows of a matrix product at which half of the share is reached
    double widthToHalf = 100;    // and columns of a square one
    double cpuSizeShare = 0.1;   // of these two on a CPU, which small products fill
    double recurrentShare = 0.6; // of the matrix share, inside a recurrence
    double cacheGain = 3;      // how much faster a recurrence rereads its matrix than memory allows
    double stepOverheadMs = 1; // of an optimizer step, beside its kernels
    double decodeLaunchShare = 0.5; // of the launches that generating needs when kernels are fused
    double exposedExchange = 0.5;   // of the gradient exchange that no computation hides
    double linkShare = 0.6;         // of a link's bandwidth
    double exchangeLatencyUs = 20;  // of one exchange, for each doubling of the devices
    double networkGbPerS = 12.5;    // of one device, between nodes
    double devicesPerNode = 8;
    double lossPerDoubling = 0.01; // of the step, by waiting for the slowest
    double usableMemory = 0.94;    // of a device's memory
    double idleShareOfTdp = 0.12;  // median of the listed ones
    double computePower = 0.85;    // share of the power range while products run
    double memoryPower = 0.5;      // while bytes move
    Spreads spreads;

    [[nodiscard]] const GenerationRates& ratesOf(std::string_view generation) const;

    bool operator==(const Calibration&) const = default;
};

void describe(FieldVisitor& v, GenerationRates& r);
void describe(FieldVisitor& v, Spreads& s);
void describe(FieldVisitor& v, Calibration& c);

[[nodiscard]] Result<Calibration> readCalibration(std::string_view text, std::string_view fileName);

/// Of resources/calibration.json; read once.
[[nodiscard]] const Result<Calibration>& calibration();

} // namespace outlay::core
