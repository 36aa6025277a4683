// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Mutates real files and feeds them to every reader. Whatever comes in, a reader gives a value or one
// sentence; whatever it accepts makes a Report, and survives being written and read again.
#include "core/base/file.h"
#include "core/experiment/presets.h"
#include "core/model/import/huggingface.h"
#include "core/model/import/keras.h"
#include "core/workload/parameters.h"
#include "pricing/report/make_report.h"
#include "tests/fuzz/mutator.h"

#include <cmath>
#include <filesystem>

using namespace outlay::core;
using outlay::fuzz::checkError;
using outlay::fuzz::fail;

namespace {

void checkModel(const Model& model, const std::string& input)
{
    if (!checkSize(expand(model)))
        return;
    Experiment experiment;
    experiment.model = model;
    // Without offers: what they do is tested elsewhere, and a thousand Reports a minute say more here.
    static const auto catalogs = [] {
        const auto loaded = outlay::pricing::loadCatalogs("2026-11-20", {});
        return loaded->with(outlay::pricing::PriceBook());
    }();
    const auto report = outlay::pricing::makeReport(experiment, catalogs);
    if (report.model.parameters < 0 || !readJson(writeJson(toJson(report, catalogs))))
        fail("a Report is broken", input);
    for (const auto& layer : report.model.layers) {
        if (!std::isfinite(layer.flops) || !std::isfinite(layer.bytes))
            fail("a layer's work is not finite", input);
    }
    if (const auto again = readExperiment(toJson(experiment)); !again)
        fail("a model can't be saved and read: " + again.error().sentence(), input);
}

void checkExperiment(const Json& json, const std::string& input)
{
    const auto reading = readExperiment(json);
    if (!reading)
        return checkError(reading.error(), input);
    checkModel(reading->experiment.model, input);
    const auto again = readExperiment(toJson(reading->experiment));
    if (!again)
        fail("what was read can't be read again: " + again.error().sentence(), input);
    Experiment back = again->experiment;
    back.document = reading->experiment.document;
    if (!(back == reading->experiment))
        fail("saving changed the experiment", input);
}

void feed(const std::string& input)
{
    const auto json = readJson(input);
    if (!json)
        return checkError(json.error(), input);
    const auto again = readJson(writeJson(*json));
    if (!again || !(*again == *json))
        fail("writing changed the JSON", input);
    checkExperiment(*json, input);
    for (const auto& imported : {importHuggingFace(*json), importKeras(*json)}) {
        if (imported)
            checkModel(imported->model, input);
        else
            checkError(imported.error(), input);
    }
}

const std::vector<std::string> Tokens{"0",
                                      "-1",
                                      "1e18",
                                      "1e400",
                                      "null",
                                      "true",
                                      "\"\"",
                                      "[]",
                                      "{}",
                                      "NaN",
                                      "9223372036854775807",
                                      "\"lstm\"",
                                      "\"transformer\"",
                                      "0.5",
                                      "[[[",
                                      "}",
                                      "\"model\"",
                                      "65536",
                                      "2147483647",
                                      "\\u0000"};

std::vector<std::string> corpus(const std::string& folder)
{
    std::vector<std::string> texts;
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        constexpr std::uintmax_t Small = 10'000;
        if (entry.is_regular_file() && entry.file_size() < Small)
            paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    for (const auto& path : paths)
        texts.push_back(loadFile(path.string()).value_or(""));
    for (const Preset& row : *presets())
        texts.push_back(writeJson(toJson(row.experiment)));
    for (const std::string_view name : huggingFaceArchitectures())
        texts.push_back("{\"model_type\":\"" + std::string(name) +
                        "\",\"hidden_size\":64,\n\"num_hidden_layers\":2,\"num_attention_heads\":4,"
                        "\"vocab_size\":100,\"head_dim\":16,\"sliding_window\":8,\"alibi\":true}");
    return texts;
}

} // namespace

int main(int argc, char* argv[])
{
    return outlay::fuzz::run({"fuzz_readers", Tokens, corpus, feed}, argc, argv);
}
