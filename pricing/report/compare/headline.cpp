// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/compare/headline.h"

#include "pricing/report/offers/cheapest.h"

namespace outlay::pricing {
namespace {

using core::Quantity;
using core::Unit;

constexpr core::Formula ParametersFormula{"parameters", "the sum over {0} layers"};

/// A figure that nobody has filled in still needs its unit and a reason.
Quantity explained(const Quantity& figure, Unit unit)
{
    if (figure.isAvailable() || !figure.how().note.empty())
        return figure;
    return Quantity::unavailable(unit, "not known for this experiment");
}

Quantity plannedUsd(const Report& report, const Catalogs& catalogs)
{
    const auto& option = report.training.recommended.chosen;
    return option ? usdOf(*option, catalogs)
                  : Quantity::unavailable(Unit::Usd, "no offer of the plan fits and has a price");
}

Quantity plannedHours(const Report& report, const Catalogs& catalogs)
{
    const auto& option = report.training.recommended.chosen;
    if (!option)
        return Quantity::unavailable(Unit::Hours, "no offer of the plan fits and has a price");
    const Quantity each = paidHoursOf(*option, report.training, catalogs);
    const auto machines = report.training.forecasts[option->forecast].machines;
    return machines > 1 ? each * static_cast<double>(machines) : each;
}

} // namespace

std::vector<Headline> headlinesOf(const Report& report, const Catalogs& catalogs)
{
    const TrainingReport& t = report.training;
    const ServingReport& s = report.serving;
    const auto layers = static_cast<double>(report.model.layers.size());
    const auto parameters = static_cast<double>(report.model.parameters);
    // What is asked for first comes first.
    return {
        {"month_usd", "month, cost", explained(report.month.total, Unit::Usd)},
        {"cheapest_usd", "training as planned, cost", plannedUsd(report, catalogs)},
        {"cheapest_hours", "training as planned, time paid for", plannedHours(report, catalogs)},
        {"month_kg_co2e", "month, carbon",
         report.carbon.monthLacks.empty()
             ? explained(report.carbon.monthKgCo2e, Unit::KilogramsCo2e)
             : Quantity::unavailable(Unit::KilogramsCo2e, "what it draws to serve isn't known")},
        {"efficiency", "efficiency score", explained(report.efficiency.score, Unit::One)},
        {"here_seconds", "training here, time", explained(t.here, Unit::Seconds)},
        {"here_kwh", "training here, energy", explained(t.hereKwh, Unit::KilowattHours)},
        {"here_usd", "training here, cost", explained(t.hereUsd, Unit::Usd)},
        {"here_kg_co2e", "training here, carbon", explained(t.hereKgCo2e, Unit::KilogramsCo2e)},
        {"training_memory", "training, memory", explained(t.bestMemory(), Unit::Bytes)},
        {"serving_memory", "serving, memory", explained(s.memory, Unit::Bytes)},
        {"latency_ms", "serving here, latency", explained(s.latencyMs, Unit::Milliseconds)},
        {"p95_ms", "serving as planned, p95 latency",
         explained(s.plannedP95Ms(), Unit::Milliseconds)},
        {"requests_per_s", "serving here, requests a second",
         explained(s.throughputPerS, Unit::One)},
        {"usd_per_million", "serving, cost of a million requests",
         explained(s.usdPerMillion, Unit::Usd)},
        {"parameters", "parameters",
         Quantity::exact(parameters, Unit::One, core::how(ParametersFormula, {layers}))},
    };
}

} // namespace outlay::pricing
