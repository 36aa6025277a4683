// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A training run on paper: its steps, its FLOPs and the memory that one device needs.
#pragma once

#include "core/base/quantity.h"
#include "core/settings/settings.h"
#include "core/workload/work.h"

namespace outlay::core {

struct TrainingRun {
    double samples = 0; // in an epoch, with those for validation
    double trainSamples = 0;
    double stepsPerEpoch = 0; // optimizer steps
    double steps = 0;
    double flopsPerStep = 0; // of one optimizer step on all devices
    double flops = 0;        // of the whole run, validation included
};

[[nodiscard]] double samplesOf(const Training& training);
/// Of a batch forward and back, without what is computed again.
[[nodiscard]] double flopsOfBatch(const LayerKinds& layers, const Training& training);
[[nodiscard]] TrainingRun trainingRun(const LayerKinds& layers, const Training& training);

/// Bytes per number that flows through the model while it is trained.
[[nodiscard]] double bytesPerValue(Precision precision);

struct TrainingMemory {
    Quantity parameters;
    Quantity trained; // of these, those that training changes
    Quantity gradients;
    Quantity optimizer;
    Quantity activations;
    Quantity total;
    // One more copy of what is trained that the optimizer makes when activations are gone: its gradients come only when
    // activations go. 0: they stay beside them.
    double updateBytes = 0;
    std::optional<double> activationsAtOnceBytes; // with an allocator that returns blocks at once

    /// The total where activations hold so much.
    [[nodiscard]] Quantity with(const Quantity& held) const;
};

/// As they are trained: a batch with all of its positions.
[[nodiscard]] Pass trainingPassOf(const Training& training);

/// The most that the worker may take: it keeps weights in fp32, whatever its products have.
[[nodiscard]] double mostBytesHere(const LayerKinds& layers, Training training);

/// Of one device that runs `batch` samples at once, as the worker and processors do.
[[nodiscard]] TrainingMemory trainingMemory(const LayerKinds& layers, const Training& training);

} // namespace outlay::core
