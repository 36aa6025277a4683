// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/edit.h"

#include "core/base/text.h"
#include "core/experiment/presets.h"

#include <algorithm>

namespace outlay::gui {

core::Result<core::Experiment> withFamily(const core::Experiment& experiment,
                                          std::string_view family)
{
    const auto& all = core::presets();
    if (!all)
        return core::failureOf(all);
    const auto found = std::find_if(all->begin(), all->end(), [&](const core::Preset& preset) {
        return core::familyOf(preset.experiment.model) == family;
    });
    if (found == all->end())
        return core::inputError("there is no preset of the family '" + core::printable(family, 60) +
                                    "'",
                                "choose another family, or open a file that has it");
    core::Experiment result = experiment;
    result.model = found->experiment.model;
    return result;
}

core::Experiment withPlace(core::Experiment experiment, const std::string& region)
{
    if (!region.empty() && !experiment.site.region && !experiment.site.country)
        experiment.site.region = region;
    return experiment;
}

core::Experiment withMeasurement(const core::Experiment& experiment, const core::Json& measurement)
{
    core::Experiment result = experiment;
    result.measurements = result.measurements.with(measurement);
    return result;
}

} // namespace outlay::gui
