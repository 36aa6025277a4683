// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/presets.h"
#include "core/workload/parameters.h"
#include "gui/commands/command.h"

#include <algorithm>
#include <iomanip>
#include <ostream>

namespace outlay::gui {
namespace {

core::Result<void> runPresets(const Arguments&, const Streams& streams)
{
    const auto& presets = core::presets();
    if (!presets)
        return core::failureOf(presets);
    std::size_t widest = 0;
    for (const core::Preset& preset : *presets)
        widest = std::max(widest, preset.id.size());
    constexpr int FamilyWidth = 13;
    constexpr int CountWidth = 12;
    for (const core::Preset& preset : *presets) {
        const core::Model& model = preset.experiment.model;
        streams.out << std::left << std::setw(static_cast<int>(widest) + 2) << preset.id
                    << std::setw(FamilyWidth) << core::familyOf(model) << std::right
                    << std::setw(CountWidth) << core::parametersOf(core::expand(model)) << '\n';
    }
    return {};
}

} // namespace

Command presetsCommand()
{
    return {{.name = "presets", .summary = "Lists the starter designs: name, family, parameters."},
            runPresets};
}

} // namespace outlay::gui
