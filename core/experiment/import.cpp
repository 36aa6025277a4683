// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/import.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/experiment/adapter.h"
#include "core/model/import/huggingface.h"
#include "core/model/import/keras.h"
#include "core/model/import/keras_graph.h"
#include "core/model/import/safetensors.h"
#include "core/workload/parameters.h"
#include "core/workload/serving_work.h"
#include "core/workload/trained.h"

#include <algorithm>
#include <filesystem>

namespace outlay::core {
namespace {

Result<Imported> importJson(const std::string& path)
{
    const auto json = loadJson(path);
    if (!json)
        return failureOf(json);
    if (looksLikeKeras(*json))
        return importKeras(*json);
    if (looksLikeHuggingFace(*json))
        return importHuggingFace(*json);
    const Json* format = json->find("format");
    if (format != nullptr && *format == Json(ExperimentFormat))
        return inputError("this is an Outlay experiment already", "open it as it is");
    if (json->find("weight_map") != nullptr)
        return inputError("this is the index of a model in several safetensors files",
                          "import the config.json beside it, or one of the files");
    if (looksLikeAdapter(*json))
        return inputError("these are adapters, without the model that they belong to",
                          "import its config.json, with `--adapter` and this file");
    return inputError(
        "the file is neither a Hugging Face config nor a Keras model",
        "give a config.json with `model_type`, a Keras model JSON or a safetensors file");
}

/// Stored types, as both libraries write them, to our precisions.
void setPrecision(std::string_view type, Experiment& experiment)
{
    if (type == "bfloat16" || type == "BF16") {
        experiment.serving.precision = ServingPrecision::Bf16;
        experiment.training.precision = Precision::Bf16;
    } else if (type == "float16" || type == "F16") {
        experiment.serving.precision = ServingPrecision::Fp16;
        experiment.training.precision = Precision::Fp16;
    } else if (type == "int4") {
        experiment.serving.precision = ServingPrecision::Int4;
    } else if (type == "mxfp4") {
        experiment.serving.precision = ServingPrecision::Int4;
        experiment.serving.weightFormat = WeightFormat::Mxfp4;
    } else if (type == "fp8" || type == "F8_E4M3" || type == "F8_E5M2") {
        experiment.serving.precision = ServingPrecision::Fp8;
    } else if (type == "int8" || type == "I8") {
        experiment.serving.precision = ServingPrecision::Int8;
    }
}

/// Long samples fill a device with fewer than a step has: a pass then takes what fits, as people would.
void divideSteps(ImportReading& reading)
{
    Training& training = reading.experiment.training;
    if (!std::holds_alternative<TransformerDesign>(reading.experiment.model.design) ||
        training.batch == 1)
        return;
    training.globalBatch = training.batch;
    reading.notes.push_back("/training/global_batch is set to " + grouped(training.batch) +
                            " samples a step, in smaller passes where a device holds fewer.");
}

/// Beyond a billion weights nobody trains 32 samples at once in fp32. What is taken instead is told.
void setUsualOfLarge(ImportReading& reading)
{
    constexpr double Large = 1e9;
    constexpr double TunedTokens = 1e7;
    Experiment& e = reading.experiment;
    if (sizeOf(e.model) <= Large)
        return;
    e.training.batch = 1;
    e.training.checkpointing = true;
    e.training.optimizer = Optimizer::AdamW;
    std::string note = "a model of this size: /training/batch is set to 1, /training/checkpointing "
                       "to true, /training/optimizer to adamw";
    Training tuned = e.training;
    tuned.method = Method::Lora;
    if (checkTrained(e.model, tuned)) {
        e.training.method = Method::Lora;
        e.training.tokens = TunedTokens;
        note += ", /training/method to lora (adapters of rank " + grouped(e.training.adapterRank) +
                ") on 10 M tokens";
    }
    if (e.training.precision == Precision::Fp32) {
        e.training.precision = Precision::Bf16;
        note += ", /training/precision to bf16";
    }
    if (e.serving.precision == ServingPrecision::Fp32) {
        e.serving.precision = ServingPrecision::Bf16;
        note += ", /serving/precision to bf16";
    }
    reading.notes.push_back(note + ".");
}

/// Who talks with a model waits longer for an answer than who has a line completed.
void setUsualOfTalking(ImportReading& reading)
{
    constexpr double Talking = 2e8;
    constexpr double LatencyMs = 20'000;
    const Model& model = reading.experiment.model;
    const bool isTransformer = std::holds_alternative<TransformerDesign>(model.design);
    if (!generates(model) || (!isTransformer && sizeOf(model) <= Talking))
        return;
    reading.experiment.serving.latencyP95Ms = LatencyMs;
    reading.notes.push_back("/serving/latency_p95_ms is set to " +
                            grouped(static_cast<std::int64_t>(LatencyMs)) +
                            ", assumed: so long may a whole answer take.");
}

/// Where PEFT's file lies beside the one of the base model.
std::optional<std::string> adapterBeside(const std::string& path)
{
    const std::filesystem::path file(path);
    std::error_code none;
    const std::filesystem::path beside = file.parent_path() / "adapter_config.json";
    if (file.filename() != "config.json" || !std::filesystem::exists(beside, none))
        return std::nullopt;
    return beside.string();
}

Result<void> addAdapter(const std::string& path, ImportReading& reading)
{
    const auto json = loadJson(path);
    if (!json)
        return failureOf(json);
    Training& training = reading.experiment.training;
    auto notes = applyAdapter(*json, training);
    if (!notes)
        return tl::unexpected<Error>(notes.error().in(path));
    if (const auto checked = checkTrained(reading.experiment.model, training); !checked)
        return tl::unexpected<Error>(checked.error().in(path));
    reading.notes.push_back("/training/method is lora as " + path + " says: rank " +
                            grouped(training.adapterRank) + ".");
    for (std::string& note : *notes)
        reading.notes.push_back(std::move(note));
    return {};
}

} // namespace

Result<ImportReading> importModel(const std::string& path,
                                  const std::optional<std::string>& adapter)
{
    constexpr std::uint64_t EnoughToTell = 16;
    const auto start = loadFileStart(path, EnoughToTell);
    if (!start)
        return failureOf(start);
    const bool isSafetensors = looksLikeSafetensors(start->bytes) || path.ends_with(".safetensors");
    auto imported = isSafetensors ? importSafetensors(path) : importJson(path);
    if (!imported)
        return tl::unexpected<Error>(imported.error().in(path));
    if (const auto size = checkSize(imported->model); !size)
        return tl::unexpected<Error>(size.error().in(path));
    ImportReading reading;
    reading.experiment.name = printable(imported->name, 200);
    reading.experiment.model = std::move(imported->model);
    setPrecision(imported->weightType, reading.experiment);
    if (imported->sequence) {
        constexpr std::int64_t LongestUsual = 1024;
        reading.experiment.training.sequence = std::min(*imported->sequence, LongestUsual);
        if (*imported->sequence > LongestUsual)
            imported->notes.push_back("/training/sequence is set to " + grouped(LongestUsual) +
                                      " of the " + grouped(*imported->sequence) +
                                      " tokens that the model takes.");
    }
    reading.notes = std::move(imported->notes);
    // What reads samples of one length answers for such samples, too.
    const Model& model = reading.experiment.model;
    const bool isTransformer = std::holds_alternative<TransformerDesign>(model.design);
    if (imported->sequence && !isTransformer && !generates(model)) {
        reading.experiment.serving.inputTokens = *imported->sequence;
        reading.notes.push_back("/serving/input_tokens is set to " + grouped(*imported->sequence) +
                                ", as long as the model's samples are.");
    }
    setUsualOfLarge(reading);
    divideSteps(reading);
    setUsualOfTalking(reading);
    if (const auto file = adapter ? adapter : adapterBeside(path)) {
        if (const auto added = addAdapter(*file, reading); !added)
            return failureOf(added);
    }
    // What is written must be readable: the importers' limits are not allowed to be wider.
    if (const auto again = readExperiment(toJson(reading.experiment)); !again)
        return tl::unexpected<Error>(again.error().in(path));
    return reading;
}

} // namespace outlay::core
