// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/subject.h"

#include "pricing/report/same_settings.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace core;

GridBasis gridBasisOf(const Json& assumptions)
{
    const Json* given = assumptions.find("grid_basis");
    if (given == nullptr || given->asString() == nullptr)
        return GridBasis::Location;
    const auto* const found =
        std::find(GridBasisNames.begin(), GridBasisNames.end(), *given->asString());
    return found == GridBasisNames.end() ? GridBasis::Location
                                         : static_cast<GridBasis>(found - GridBasisNames.begin());
}

} // namespace

const Measurement* Subject::measuredHere() const
{
    return measuredHere([](const Measurement&) { return true; });
}

const Measurement* Subject::measuredHere(bool (*holds)(const Measurement&)) const
{
    const auto newest =
        std::find_if(measurements.rbegin(), measurements.rend(), [&](const Measurement& m) {
            return m.training.step.meanS > 0 && holds(m) && isOfSame(m, experiment, StepKeys);
        });
    return newest == measurements.rend() ? nullptr : &*newest;
}

double Subject::assumed(std::string_view name, double byDefault) const
{
    const Json* given = experiment.assumptions.find(name);
    return given != nullptr && given->isNumber() ? given->number() : byDefault;
}

std::string_view Subject::assumedText(std::string_view name, std::string_view byDefault) const
{
    const Json* given = experiment.assumptions.find(name);
    return given != nullptr && given->asString() != nullptr ? std::string_view(*given->asString())
                                                            : byDefault;
}

bool hasVariants(const Measurement& m)
{
    return !m.variants.empty();
}

Subject subjectOf(const Experiment& experiment, const Catalogs& catalogs)
{
    Subject subject{.experiment = experiment,
                    .catalogs = catalogs,
                    .layers = expand(experiment.model),
                    .gridBasis = gridBasisOf(experiment.assumptions)};
    subject.kinds = subject.layers;
    subject.training = trainingDemand(subject.kinds, experiment.training);
    subject.serving = servingDemand(experiment.model, subject.kinds, experiment.serving);
    if (const Json::Array* stored = experiment.measurements.asArray()) {
        for (const Json& row : *stored) {
            if (auto measurement = readMeasurement(row))
                subject.measurements.push_back(std::move(*measurement));
        }
    }
    return subject;
}

} // namespace outlay::pricing
