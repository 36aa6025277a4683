// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/import.h"
#include "gui/commands/output_file.h"

#include <filesystem>

namespace outlay::gui {
namespace {

constexpr CommandOption AdapterOption{"--adapter", "FILE",
                                      "train the adapters of a PEFT adapter_config.json"};

core::Result<void> runImport(const Arguments& arguments, const Streams& streams)
{
    const std::string& file = arguments.files().front();
    const auto output = arguments.value(OutputOption.name);
    std::error_code none;
    if (output && std::filesystem::equivalent(file, *output, none))
        return core::usageError("the experiment would replace the file that it is made from",
                                "give another name with -o");
    const auto adapter = arguments.value(AdapterOption.name);
    auto reading = core::importModel(file, adapter);
    if (!reading)
        return core::failureOf(reading);
    warn(streams, file, reading->notes);
    return writeNew(std::move(reading->experiment), arguments, streams);
}

} // namespace

Command importCommand()
{
    return {{.name = "import",
             .synopsis = "FILE [--adapter FILE] [-o FILE]",
             .summary =
                 "Makes an experiment of a Hugging Face config.json, a Keras model JSON or a "
                 "safetensors file.",
             .options = {AdapterOption, OutputOption},
             .leastFiles = 1,
             .mostFiles = 1},
            runImport};
}

} // namespace outlay::gui
