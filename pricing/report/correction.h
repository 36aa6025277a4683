// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a measurement tells of forecasts elsewhere: how far this code is from what its machine allows.
#pragma once

#include "core/hardware/serving_forecast.h"
#include "pricing/report/own_factor.h"
#include "pricing/report/subject.h"

namespace outlay::pricing {

/// Measured over roofline time here; it corrects forecasts for devices of the same kind.
struct Correction {
    double ratio = 1;
    double spread = 1; // for what lies between the design measured and this one
    bool isKnown = false;
    core::Note note;
};

/// Of processors and of accelerators, each from machines of its kind whose rates were measured: from just these
/// steps, here or else elsewhere; from the nearest in the same precision where the design has changed since, for it
/// is the same code.
struct Corrections {
    Correction processors;
    Correction accelerators;
    std::optional<OwnFactor> own; // of trainings, behind these

    [[nodiscard]] const Correction& of(const core::Device& device) const;
};
[[nodiscard]] Corrections correctionsFrom(const Subject& subject);

struct MeasuredBesideForecast {
    double measuredS = 0;
    double attainableS = 0;
    double folds = 0; // from what was measured to what is asked about
};
/// `of` is what took the time: "a step".
[[nodiscard]] Correction correctionOver(const core::ScaledSpread& scaled,
                                        const MeasuredBesideForecast& times,
                                        const core::Measurement& measured, std::string_view of);

/// Time and energy times the ratio, rates divided by it; the interval holds both the corrected forecast's
/// and the plain one's, for the ratio was seen on another machine, and is the wider, the further the design is from
/// the one that was measured.
void correct(core::TrainingForecast& forecast, const Correction& correction);
/// By the one for that device, and the person's own factor.
void correct(core::TrainingForecast& forecast, const Corrections& corrections,
             const core::Device& device);
void correct(core::ServingForecast& forecast, const Correction& correction);

} // namespace outlay::pricing
