// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/commands/output_file.h"

#include "core/base/clock.h"
#include "core/base/version.h"

#include <ostream>

namespace outlay::gui {

core::Result<void> writeNew(core::Experiment experiment, const Arguments& arguments,
                            const Streams& streams)
{
    experiment.created = core::nowUtc();
    experiment.producer = "outlay " + std::string(core::ProgramVersion);
    if (const auto path = arguments.value(OutputOption.name))
        return core::saveExperiment(experiment, *path);
    streams.out << core::textOf(experiment);
    return {};
}

} // namespace outlay::gui
