// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the sections of a Report share of one experiment: made once, read by all.
#pragma once

#include "core/carbon/carbon.h"
#include "core/experiment/experiment.h"
#include "core/hardware/demand.h"
#include "pricing/report/catalogs.h"
#include "pricing/report/served_by.h"

namespace outlay::pricing {

struct Subject {
    const core::Experiment& experiment;
    const Catalogs& catalogs;
    std::vector<core::Layer> layers;
    core::LayerKinds kinds;
    core::TrainingDemand training;
    core::ServingDemand serving;
    std::optional<core::ServingDemand> onProcessors; // where another engine serves there
    core::Measured measured;                         // on this machine
    core::GridBasis gridBasis = core::GridBasis::Location;

    [[nodiscard]] core::Asked asked() const { return core::askedOf(experiment); }
    /// The measurement of just these steps on this machine; null if there is none.
    [[nodiscard]] core::MeasurementPtr measuredSteps() const { return measured.ofSteps(asked()); }
    /// `assumptions` of the experiment, else the documented default.
    [[nodiscard]] double assumed(std::string_view name, double byDefault) const;
    [[nodiscard]] const core::ServingDemand& servingOn(core::DeviceKind kind) const
    {
        return onProcessors && kind == core::DeviceKind::Cpu ? *onProcessors : serving;
    }
    /// By the assumption `serving_way`: "instance", "serverless", "api".
    [[nodiscard]] ServedBy servedBy() const;
    [[nodiscard]] std::string_view assumedText(std::string_view name,
                                               std::string_view byDefault) const;
};

[[nodiscard]] Subject subjectOf(const core::Experiment& experiment, const Catalogs& catalogs);

} // namespace outlay::pricing
