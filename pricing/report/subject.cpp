// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/subject.h"

#include "core/experiment/assumption_keys.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace core;

GridBasis gridBasisOf(const Json& assumptions)
{
    const Json* given = assumptions.find(GridBasisKey);
    if (given == nullptr || given->asString() == nullptr)
        return GridBasis::Location;
    const auto* const found =
        std::find(GridBasisNames.begin(), GridBasisNames.end(), *given->asString());
    return found == GridBasisNames.end() ? GridBasis::Location
                                         : static_cast<GridBasis>(found - GridBasisNames.begin());
}

} // namespace

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

ServedBy Subject::servedBy() const
{
    const auto* const found = std::find(ServingWayNames.begin(), ServingWayNames.end(),
                                        assumedText(ServingWayKey, ServingWayNames.front()));
    return found == ServingWayNames.end() ? ServedBy::Machines
                                          : static_cast<ServedBy>(found - ServingWayNames.begin());
}

Subject subjectOf(const Experiment& experiment, const Catalogs& catalogs)
{
    Subject subject{.experiment = experiment,
                    .catalogs = catalogs,
                    .layers = expand(experiment.model),
                    .measured = experiment.measurements.on(catalogs.here()),
                    .gridBasis = gridBasisOf(experiment.assumptions)};
    subject.kinds = subject.layers;
    subject.training = trainingDemand(subject.kinds, experiment.training);
    subject.serving = servingDemand(experiment.model, subject.kinds, experiment.serving);
    subject.onProcessors = processorDemand(experiment.model, subject.kinds, experiment.serving);
    return subject;
}

} // namespace outlay::pricing
