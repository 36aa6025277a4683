// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Other people's models: configs, Keras JSON, safetensors, and whichever of them a file is.
#include "core/base/file.h"
#include "core/experiment/import.h"
#include "core/model/import/huggingface.h"
#include "core/model/import/keras.h"
#include "core/model/import/safetensors.h"
#include "core/workload/parameters.h"
#include "tests/fuzz/foreign_file.h"
#include "tests/fuzz/target.h"

namespace outlay::fuzz {
namespace {

using namespace outlay::core;

/// It may be too large to be a design, and then that is said; else it can be kept.
void checkModel(const Imported& imported)
{
    if (!checkSize(imported.model))
        return;
    Experiment experiment;
    experiment.model = imported.model;
    if (const auto again = readExperiment(toJson(experiment)); !again)
        fail("a model can't be saved and read: " + again.error().sentence());
}

void feedHuggingFace(const std::string& input)
{
    withJson(input, [](const Json& json) { checkOutcome(importHuggingFace(json), checkModel); });
}

void feedKeras(const std::string& input)
{
    withJson(input, [](const Json& json) { checkOutcome(importKeras(json), checkModel); });
}

void feedSafetensors(const std::string& input)
{
    static const ForeignFile File;
    checkOutcome(importSafetensors(File.with(input)), checkModel);
}

void feedAny(const std::string& input)
{
    static const ForeignFile File;
    checkOutcome(importModel(File.with(input)), [](const ImportReading& reading) {
        if (!readExperiment(toJson(reading.experiment)))
            fail("an import can't be saved and read");
    });
}

std::vector<std::string> configs()
{
    std::vector<std::string> texts;
    for (const std::string_view name : huggingFaceArchitectures())
        texts.push_back("{\"model_type\":\"" + std::string(name) +
                        "\",\"hidden_size\":64,\n\"num_hidden_layers\":2,\"num_attention_heads\":4,"
                        "\"vocab_size\":100,\"head_dim\":16,\"sliding_window\":8,\"alibi\":true}");
    return texts;
}

/// Two tensors behind a header.
std::string safetensors(const std::string& type)
{
    const std::string header =
        R"({"__metadata__":{"format":"pt"},"wte.weight":{"dtype":")" + type +
        R"(","shape":[4,2],"data_offsets":[0,16]},"h.0.attn.weight":{"dtype":")" + type +
        R"(","shape":[2,2],"data_offsets":[16,24]}})";
    std::string text(8, '\0');
    text[0] = static_cast<char>(header.size());
    return text + header + std::string(24, 'x');
}

std::vector<std::string> weightFiles()
{
    return {safetensors("F16"), safetensors("BF16"), safetensors("F32")};
}

std::vector<std::string> all()
{
    std::vector<std::string> texts = configs();
    for (std::string& text : weightFiles())
        texts.push_back(std::move(text));
    return texts;
}

const std::vector<std::string> KerasWords{"\"LSTM\"",  "\"Dense\"", "\"Embedding\"",
                                          "\"GRU\"",   "\"units\"", "\"inbound_nodes\"",
                                          "\"layers\""};

} // namespace

std::vector<Target> modelTargets()
{
    return {{"huggingface", feedHuggingFace, {}, configs(), {"\"llama\"", "\"gpt2\"", "\"t5\""}},
            {"keras", feedKeras, {"keras"}, {}, KerasWords},
            {"safetensors", feedSafetensors, {}, weightFiles(), {"\"F8_E4M3\"", "\"F4\"", "[]"}},
            {"import", feedAny, {"keras", "experiments"}, all(), KerasWords}};
}

} // namespace outlay::fuzz
