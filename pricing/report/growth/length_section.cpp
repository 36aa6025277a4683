// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/experiment/assumption_keys.h"
#include "core/workload/twin.h"
#include "pricing/report/here/here.h"
#include "pricing/report/offers/chosen_machine.h"
#include "pricing/report/sections.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

LengthCost costOf(const TrainingDemand& demand, const ChosenMachine& machine)
{
    LengthCost cost;
    if (!machine.why().empty()) {
        cost.memory = demand.memory.total;
        cost.hours = Quantity::unavailable(Unit::Hours, machine.why());
        cost.usd = Quantity::unavailable(Unit::Usd, machine.why());
        return cost;
    }
    const TrainingForecast forecast = machine.forecastOn(demand, machine.machines());
    cost.memory = forecast.memory;
    cost.fits = forecast.fits;
    if (cost.fits == Fits::No) {
        const std::string why = "it needs " + plainNumber(cost.memory.value() / BytesPerGb) +
                                " GB on a device of " +
                                plainNumber(machine.kind().device.memoryGb.value_or(0)) + " GB";
        cost.hours = Quantity::unavailable(Unit::Hours, why);
        cost.usd = Quantity::unavailable(Unit::Usd, why);
        return cost;
    }
    cost.hours = machine.hours(forecast.runSeconds, forecast.machines);
    cost.usd = machine.usd(cost.hours, forecast.machines);
    return cost;
}

std::vector<std::int64_t> lengthsAround(std::int64_t own)
{
    std::vector<std::int64_t> lengths{64, 128, 256, 512, 1024, 2048, 4096, 8192, 16'384};
    const auto place = std::lower_bound(lengths.begin(), lengths.end(), own);
    if (place == lengths.end() || *place != own)
        lengths.insert(place, own);
    return lengths;
}

} // namespace

void addLengths(const Subject& subject, Report& report)
{
    LengthReport& lengths = report.scaling.lengths;
    if (!subject.training.hasTokens) {
        lengths.why = "this design has no tokens";
        return;
    }
    const ChosenMachine machine(subject, report);
    lengths.machine = machine.name();
    const Twins twins = twinsOf(subject.layers);
    const LayerKinds& twin = twins.own == Mixing::Recurrent ? twins.attention : twins.recurrent;
    Experiment changed = subject.experiment;
    Subject other{.experiment = changed,
                  .catalogs = subject.catalogs,
                  .kinds = subject.kinds,
                  .measured = subject.measured,
                  .gridBasis = subject.gridBasis};
    Training& training = changed.training;
    for (const std::int64_t tokens : lengthsAround(training.sequence)) {
        training.sequence = tokens;
        // A time that the user gives is that of the design's own length.
        changed.assumptions = subject.experiment.assumptions;
        if (tokens != subject.experiment.training.sequence)
            changed.assumptions.erase(TrainingSecondsKey);
        other.training = trainingDemand(subject.kinds, training);
        LengthRow row{.tokens = static_cast<double>(tokens),
                      .isOwn = tokens == subject.experiment.training.sequence,
                      .here = trainingHere(other),
                      .design = costOf(other.training, machine)};
        if (twins.own) {
            Training ofTwin = training;
            if (twins.own == Mixing::Recurrent)
                ofTwin.attention.reset(); // the design itself has none that could be asked for
            row.twin = costOf(trainingDemand(twin, ofTwin), machine);
        }
        lengths.rows.push_back(std::move(row));
    }
}

} // namespace outlay::pricing
