// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/presets.h"
#include "gui/commands/output_file.h"

namespace outlay::gui {
namespace {

constexpr CommandOption PresetOption{"--preset", "NAME",
                                     "the starter design; `outlay presets` lists them"};

core::Result<void> runNew(const Arguments& arguments, const Streams& streams)
{
    const auto id = arguments.value(PresetOption.name);
    if (!id)
        return core::usageError("no preset is named",
                                "give --preset NAME; `outlay presets` lists them");
    auto preset = core::preset(*id);
    if (!preset)
        return core::failureOf(preset);
    return writeNew(std::move(preset->experiment), arguments, streams);
}

} // namespace

Command newCommand()
{
    return {{.name = "new",
             .synopsis = "--preset NAME [-o FILE]",
             .summary = "Writes an experiment with a starter design.",
             .options = {PresetOption, OutputOption}},
            runNew};
}

} // namespace outlay::gui
