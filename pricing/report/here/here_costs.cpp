// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "core/hardware/rates.h"
#include "pricing/report/here/here.h"
#include "pricing/report/here/here_power.h"
#include "pricing/report/own_factor.h"
#include "pricing/report/sections.h"

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula CounterFormula{"here.kwh.counter",
                                 "{0} steps x {1} J / 3,600,000, by {2} s of a counter"};
constexpr Formula DrawnFormula{"here.kwh.drawn", "{0} kWh x PUE {1}"};

/// By a counter of this machine if there was one while just these steps ran, else by the power model.
Quantity energyHere(const Subject& subject, const Quantity& seconds)
{
    const MeasurementPtr m = subject.measuredSteps();
    if (!seconds.isAvailable() || m == nullptr || !m->energy || m->energy->joulesPerStep <= 0)
        return energyOf(powerHere(subject), seconds);
    const double kwh = subject.training.run.steps * m->energy->joulesPerStep / JoulesPerKwh;
    return Quantity::within(
        kwh, kwh * seconds.low() / seconds.value(), kwh * seconds.high() / seconds.value(),
        Unit::KilowattHours, m->part ? Basis::Forecast : Basis::Measured,
        how(CounterFormula,
            {subject.training.run.steps, m->energy->joulesPerStep, m->energy->seconds},
            m->energy->source + "; what the counter doesn't see is not in it"));
}

} // namespace

void addTrainingHere(const Subject& subject, Report& report)
{
    const CarbonCatalog& carbon = subject.catalogs.carbon();
    const Site& site = subject.experiment.site;
    TrainingReport& training = report.training;
    const auto own = ownFactorOf(subject.experiment, RunPlace::Here);
    const auto asOwn = [&](const Quantity& figure) { return own ? times(figure, *own) : figure; };
    const Quantity plain = trainingHere(subject);
    training.here = asOwn(plain);
    training.hereProcessor = trainingProcessorHere(subject);
    training.memoryHere = memoryHere(subject);
    training.hereKwh = asOwn(energyHere(subject, plain));
    const Quantity overhead = overheadOf(carbon, site);
    const Quantity drawn =
        product(training.hereKwh, overhead, Unit::KilowattHours)
            .because(how(DrawnFormula, {training.hereKwh.value(), overhead.value()}));
    training.hereUsd = energyCost(drawn, electricityPrice(carbon, site));
    training.hereKgCo2e = carbonOf(carbon, site, subject.gridBasis, training.hereKwh);
}

} // namespace outlay::pricing
