// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Forecasts of time, energy and memory of training on hardware that isn't here.
#pragma once

#include "core/base/quantity.h"
#include "core/base/value.h"
#include "core/hardware/demand.h"
#include "core/hardware/devices.h"
#include "core/hardware/roofline.h"

namespace outlay::core {

struct Holding;

enum class Fits : std::uint8_t { Yes, No, Unknown };

/// What most of the time is spent on.
enum class Bound { Products, Memory, Recurrence, Launches, Exchange, Host };
[[nodiscard]] std::string_view name(Bound bound);

struct TrainingForecast {
    OUTLAY_VALUE(TrainingForecast);

    Quantity stepSeconds;    // an optimizer step
    Quantity waitingSeconds; // of it, for other devices: what work doesn't hide
    Quantity runSeconds; // the whole training, with validation and what software adds to its steps
    Quantity deviceHours;
    Quantity tokensPerS; // all devices
    Quantity samplesPerS;
    Quantity utilisation;               // of the listed peak, percent
    Quantity watts;                     // of all devices, while they train
    Quantity kwh;                       // of the devices alone, without host, cooling and losses
    Quantity memory;                    // bytes on one device
    std::optional<Quantity> hostMemory; // of each machine, where something waits there
    Fits fits = Fits::Unknown;
    Layout layout;             // of the devices
    std::int64_t batch = 1;    // samples at once on each copy
    std::int64_t passes = 1;   // of a step
    std::int64_t machines = 1; // that these are in
    double runShare = 1;       // of the run, that its steps take
    Bound bound = Bound::Products;
    Note note; // what the device lacks; may be empty
};

/// `training.batch` samples on each device, or with a global batch as many of them as it leaves and as
/// fit. Whatever can't be known is unavailable and says why.
[[nodiscard]] TrainingForecast trainingForecast(const TrainingDemand& demand, const Devices& on);
/// Of devices that hold it so.
[[nodiscard]] TrainingForecast trainingForecast(const Holding& holding, const Devices& on);
/// Says `why` for each figure that depends on the device's speed.
[[nodiscard]] TrainingForecast unavailableTraining(const Note& why);

/// How a forecast has them laid out.
[[nodiscard]] Layout layoutOn(const TrainingDemand& demand, const Devices& on);
/// Bytes on one of the devices that have most, laid out like that.
[[nodiscard]] Quantity memoryOn(const TrainingDemand& demand, const Devices& on);

/// Whether there is a layout with which it fits: cheaper to ask than a forecast.
[[nodiscard]] Fits fitsOn(const TrainingDemand& demand, const Devices& on);
/// Whether so much on one device fits beside its runtime.
[[nodiscard]] Fits fitsOn(const Quantity& memory, const Devices& on);
/// Whether so much fits in a machine's own memory.
[[nodiscard]] Fits fitsBeside(double hostBytes, const std::optional<double>& hostGb,
                              const Calibration& calibration);

/// Seconds of an optimizer step of one device, without an interval: for ratios.
[[nodiscard]] double stepSecondsOn(const TrainingDemand& demand, const Attainable& on);

} // namespace outlay::core
