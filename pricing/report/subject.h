// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the sections of a Report share of one experiment: made once, read by all.
#pragma once

#include "core/carbon/carbon.h"
#include "core/experiment/experiment.h"
#include "core/hardware/demand.h"
#include "core/probe/measurement.h"
#include "pricing/report/catalogs.h"

namespace outlay::pricing {

struct Subject {
    const core::Experiment& experiment;
    const Catalogs& catalogs;
    std::vector<core::Layer> layers;
    core::LayerKinds kinds;
    core::TrainingDemand training;
    core::ServingDemand serving;
    std::vector<core::Measurement> measurements; // those that can be read, newest last
    core::GridBasis gridBasis = core::GridBasis::Location;

    /// The newest measurement of just these steps; null if there is none.
    [[nodiscard]] const core::Measurement* measuredHere() const;
    /// Of those the newest that holds what is asked for.
    [[nodiscard]] const core::Measurement* measuredHere(
        bool (*holds)(const core::Measurement&)) const;
    /// `assumptions` of the experiment, else the documented default.
    [[nodiscard]] double assumed(std::string_view name, double byDefault) const;
    [[nodiscard]] std::string_view assumedText(std::string_view name,
                                               std::string_view byDefault) const;
};

[[nodiscard]] bool hasVariants(const core::Measurement& m);

[[nodiscard]] Subject subjectOf(const core::Experiment& experiment, const Catalogs& catalogs);

} // namespace outlay::pricing
