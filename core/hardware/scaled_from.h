// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The machine here: a measurement of one design, scaled to a changed one.
#pragma once

#include "core/hardware/forecast.h"
#include "core/probe/measurements.h"

namespace outlay::core {

/// How far two designs lie apart on a machine, in e-folds: the largest change among time, FLOPs,
/// rows of a product and parameters, and one more where a recurrence takes the place of products.
[[nodiscard]] double foldsBetween(const TrainingDemand& a, const TrainingDemand& b,
                                  const Attainable& on);

/// What the measured machine reaches: the rates that the probe found there; not known without them.
[[nodiscard]] Attainable attainableHere(const HostMachine& machine, const Calibration& calibration);
[[nodiscard]] RequestRates requestRatesHere(const HostMachine& machine, const ServingDemand& demand,
                                            const Calibration& calibration);

/// The training that was measured.
[[nodiscard]] TrainingDemand demandOf(const Measurement& measured);

/// By what a figure scaled over so many e-folds may be off, over the interval of the measurement itself: 1 for
/// none; within a quarter of a fold half of what pairs of published runs show is reached.
[[nodiscard]] double scaledSpread(double folds, const ScaledSpread& scaled);
/// Of a training that was measured so: on processors the narrower one, where the rate of all threads was measured, too.
[[nodiscard]] const ScaledSpread& trainingSpread(const Measurement& measured,
                                                 const Spreads& spreads);

/// Seconds for the whole training, by the ratio of the two roofline times; the wider, the further the
/// change. Unavailable where the machine's rates weren't measured, or for another precision, which the
/// ratio says nothing of.
[[nodiscard]] Quantity scaledTraining(const Measurement& measured, const LayerKinds& layers,
                                      const Training& training, const Calibration& calibration);

/// The measurement with the fewest folds to this training, the newest (last) of equals; null if none
/// can be scaled.
[[nodiscard]] MeasurementPtr nearestMeasurement(const Measured& all, const LayerKinds& layers,
                                                const Training& training,
                                                const Calibration& calibration);

} // namespace outlay::core
