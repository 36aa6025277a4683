// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Several devices that each train on a batch of their own and sum their gradients in a ring.
#pragma once

#include "core/hardware/accelerator.h"
#include "core/hardware/calibration.h"
#include "core/hardware/demand.h"
#include "core/probe/processes.h"

namespace outlay::core {

/// How devices reach each other, and between what that may lie.
struct Link {
    LinkSpeed usual;
    LinkSpeed best;
    LinkSpeed worst;
    Basis basis = Basis::Forecast; // assumed where nobody says how fast it is
    std::string source;
};

/// Inside of a machine, where that is listed of the device.
[[nodiscard]] std::optional<Link> linkInside(const Device& device, const Calibration& calibration);

/// A network of which little is known: from a tenth of that to ten times.
[[nodiscard]] Link assumedNetwork(double gbPerS, std::string source);

/// Between processes of the measured machine; from the fit to where its timings lie.
[[nodiscard]] Link linkMeasured(const ProcessesMeasurement& measured);
/// With what several processes were measured to lose beside their exchange, which nothing hides there.
[[nodiscard]] Calibration calibrationFrom(const ProcessesMeasurement& measured,
                                          const Calibration& calibration);

/// The training on one device.
struct Alone {
    Quantity stepSeconds;
    Quantity runSeconds;
    double runShare = 1; // of the run, that its steps and validation take
    double devices = 1;  // that share the model, and train on a batch each
};

struct DataParallel {
    Quantity computeSeconds;  // of a step, with waiting for the slowest device
    Quantity exchangeSeconds; // of the gradients, hidden or not
    Quantity stepSeconds;
    Quantity runSeconds;
    Quantity speedUp; // samples a second over those of one device
};

/// Never as fast as the number of devices promises. Unavailable where the time on one is.
[[nodiscard]] DataParallel dataParallel(const TrainingDemand& demand, const Alone& alone,
                                        std::int64_t devices, const Link& link,
                                        const Calibration& calibration);

} // namespace outlay::core
