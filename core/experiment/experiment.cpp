// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/experiment.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/experiment/field_meaning.h"
#include "core/workload/checkpointed.h"
#include "core/workload/parameters.h"
#include "core/workload/serving_work.h"
#include "core/workload/trained.h"
#include "core/workload/weight_file.h"

#include <cmath>
#include <utility>

namespace outlay::core {

OUTLAY_VALUE_DEFAULTED(Experiment);
bool Experiment::operator==(const Experiment&) const = default;
namespace {

/// A part of the file that has a description of its own.
template <typename Experiment, typename Visit>
void eachPart(Experiment& e, const Visit& visit)
{
    visit("training", e.training);
    visit("serving", e.serving);
    visit("site", e.site);
    visit("plan", e.plan);
}

void describeTop(FieldVisitor& v, Experiment& e)
{
    v.text({"name", "name"}, e.name);
    v.text({"created", "time of creation"}, e.created);
    v.text({"producer", "program that made it"}, e.producer);
    v.text({"notes", "notes"}, e.notes);
}

void warnOf(const UnknownKeys& unknown, std::vector<std::string>& warnings)
{
    for (const std::string& pointer : unknown.named)
        warnings.push_back(pointer + ": the key is unknown; it is kept, and has no effect.");
    if (unknown.unnamed > 0)
        warnings.push_back(grouped(static_cast<std::int64_t>(unknown.unnamed)) +
                           " more keys are unknown; they are kept, and have no effect.");
}

Result<void> checkFormat(const Json& json)
{
    if (json.asObject() == nullptr)
        return inputError("this is " + std::string(json.typeName()) + ", not an experiment",
                          "give a file made by `outlay new` or `outlay import`");
    const Json* format = json.find("format");
    if (format == nullptr || format->asString() == nullptr ||
        *format->asString() != ExperimentFormat)
        return inputError(
            "this is not an Outlay experiment",
            "`\"format\": \"outlay-experiment\"` is missing; other models come in with "
            "`outlay import`",
            "/format");
    const Json* version = json.find("version");
    const bool isNumber = version != nullptr && version->isNumber();
    const double number = isNumber ? version->number() : 0;
    if (number < 1 || number != std::floor(number))
        return inputError("the version is missing or not a whole number from 1 up",
                          "give `\"version\": 1`", "/version");
    if (number > static_cast<double>(ExperimentVersion))
        return inputError("the experiment has version " + plainNumber(number) +
                              ", and this Outlay knows only up to " +
                              std::to_string(ExperimentVersion),
                          "open it with a newer Outlay", "/version");
    return {};
}

/// Free-form parts: kept as they are, once their outer type is right.
Result<void> readFreeForm(const Json& json, Experiment& e)
{
    for (const auto& [key, value] :
         {std::pair{"assumptions", &e.assumptions}, std::pair{"quality", &e.quality}}) {
        const Json* found = json.find(key);
        if (found == nullptr || found->isNull())
            continue;
        if (found->asObject() == nullptr)
            return inputError("this is " + std::string(found->typeName()), "give an object",
                              childPointer("", key));
        *value = *found;
    }
    return {};
}

constexpr const char* MeasurementsKey = "measurements";
constexpr const char* ActualsKey = "actuals";

Result<void> readActuals(const Json& json, Experiment& e)
{
    const Json* found = json.find(ActualsKey);
    if (found == nullptr || found->isNull())
        return {};
    if (found->asArray() == nullptr)
        return inputError("this is " + std::string(found->typeName()), "give a list",
                          childPointer("", ActualsKey));
    e.actuals = *found;
    return {};
}

/// The document keeps their place only.
Result<void> readMeasurements(Measurements measurements, ExperimentReading& reading)
{
    const Json* found = reading.experiment.document.find(MeasurementsKey);
    if (found == nullptr || found->isNull())
        return {};
    if (found->asArray() == nullptr)
        return inputError("this is " + std::string(found->typeName()), "give a list",
                          childPointer("", MeasurementsKey));
    reading.experiment.measurements = std::move(measurements);
    for (const Error& error : reading.experiment.measurements.unread())
        reading.warnings.push_back(childPointer("", MeasurementsKey) + error.place + ": " +
                                   error.what + "; it is kept, and has no effect.");
    return {};
}

Result<void> readParts(const Json& json, ExperimentReading& reading)
{
    std::optional<Error> error;
    eachPart(reading.experiment, [&](const char* key, auto& part) {
        const Json* found = json.find(key);
        if (found == nullptr || found->isNull() || error)
            return;
        FieldReader reader(*found, childPointer("", key));
        if (const auto isObject = reader.outcome(); isObject)
            describe(reader, part);
        if (const auto outcome = reader.outcome(); !outcome)
            error = outcome.error();
        warnOf(reader.unknownKeys(), reading.warnings);
    });
    if (error)
        return tl::unexpected<Error>(*error);
    return check(reading.experiment.training);
}

/// The sizes of a family that the design no longer belongs to; keys of nobody stay.
void dropOtherFamily(Json& model, std::string_view familyName)
{
    const Json* before = model.find("family");
    if (before == nullptr || before->asString() == nullptr || *before->asString() == familyName)
        return;
    for (const std::string& key : keysOf(*before->asString()))
        model.erase(key);
}

Result<void> readModelPart(const Json& json, ExperimentReading& reading)
{
    const Json* model = json.find("model");
    if (model == nullptr)
        return inputError("the model is missing", "add it, as in `outlay new --preset gpt2`",
                          "/model");
    auto read = readCheckedModel(*model, "/model");
    if (!read)
        return failureOf(read);
    warnOf(read->unknownKeys, reading.warnings);
    reading.experiment.model = std::move(read->model);
    return {};
}

/// A format that is asked for and not taken.
void warnOfFormat(const Experiment& experiment, std::vector<std::string>& warnings)
{
    const Serving& serving = experiment.serving;
    if (!serving.weightFormat || !hasMeaning("/serving/weight_format", experiment) ||
        weightFormatOf(experiment.model, serving) == serving.weightFormat)
        return;
    const auto nameOf = [](const auto& names, auto value) {
        return std::string(names.at(static_cast<std::size_t>(value)));
    };
    warnings.push_back(
        "/serving/weight_format: " + nameOf(WeightFormatNames, *serving.weightFormat) +
        " isn't of " + nameOf(ServingPrecisionNames, serving.precision) +
        ", so it is left aside; change it or /serving/precision.");
}

/// Tokens in common that aren't kept, or aren't fewer than all.
void warnOfShared(const Experiment& experiment, std::vector<std::string>& warnings)
{
    const Serving& serving = experiment.serving;
    const std::string place = "/serving/shared_tokens: ";
    if (serving.sharedTokens < 1)
        return;
    if (!hasMeaning("/serving/shared_tokens", experiment))
        warnings.push_back(place +
                           "this engine reads what requests have in common anew in each, so "
                           "machines of one's own take as long; change it or /serving/engine.");
    else if (serving.sharedTokens >= serving.inputTokens)
        warnings.push_back(place + grouped(serving.sharedTokens) +
                           " tokens in common are no part of " + grouped(serving.inputTokens) +
                           ", so all but the last are meant; raise /serving/input_tokens.");
}

/// 8 bits for a design that has nothing in them; blocks of which none is computed again.
void warnOfTraining(const Experiment& experiment, std::vector<std::string>& warnings)
{
    const Training& training = experiment.training;
    const bool isNarrow = training.precision == Precision::Fp8;
    if (!isNarrow && (!recomputes(training) || training.recomputeEvery == 1))
        return;
    const LayerKinds layers = expand(experiment.model);
    if (isNarrow && !maySomeBeNarrow(layers, training))
        warnings.emplace_back("/training/precision: this design has no products of blocks that run "
                              "in fp8, so it trains as in bf16.");
    if (recomputes(training) && training.recomputeEvery > 1 && blocksAgain(layers, training) <= 0)
        warnings.emplace_back("/training/recompute_every: this design has fewer blocks, so none is "
                              "computed again; take a smaller number.");
}

/// Layers that should be trained whole, of which the design has none; an engine that can't check guessed tokens.
void warnOfNothing(const Experiment& experiment, std::vector<std::string>& warnings)
{
    Training training = experiment.training;
    if (training.method == Method::Lora && !training.trainedWhole.empty()) {
        const LayerKinds layers = expand(experiment.model);
        training.trainedWhole.clear();
        const double adapters = trainableOf(layers, training);
        for (const std::string& layer : experiment.training.trainedWhole) {
            training.trainedWhole = {layer};
            if (trainableOf(layers, training) <= adapters)
                warnings.push_back(
                    "/training/trained_whole: this design has no layer of the kind " + layer +
                    ", so nothing is trained for it; take it out.");
        }
    }
    if (experiment.serving.slotCount && !hasMeaning("/serving/slots", experiment))
        warnings.emplace_back("/serving/slots: nothing is taken in as it comes here, so it says "
                              "nothing; take it out, "
                              "or change /serving/engine or /serving/batch.");
    if (experiment.serving.speculatedTokens && !maySpeculate(experiment.model, experiment.serving))
        warnings.emplace_back(
            "/serving/speculated_tokens: this engine checks no guessed tokens of this design, so "
            "they are made one by one; change it or /serving/engine.");
}

} // namespace

std::vector<std::string> warningsOf(const Experiment& experiment)
{
    std::vector<std::string> warnings;
    warnOfFormat(experiment, warnings);
    warnOfShared(experiment, warnings);
    warnOfTraining(experiment, warnings);
    warnOfNothing(experiment, warnings);
    const auto* design = std::get_if<TransformerDesign>(&experiment.model.design);
    if (design == nullptr || design->positionKind() != Positions::Learned)
        return warnings;
    const auto warn = [&](const char* place, std::int64_t length) {
        if (length > design->positionRows())
            warnings.push_back(std::string(place) + ": " + grouped(length) +
                               " tokens are more than the " + grouped(design->positionRows()) +
                               " positions that the model has; raise /model/position_count.");
    };
    const Serving& serving = experiment.serving;
    const bool goesOn = !design->isEncoder() && !design->hasEncoder();
    warn("/training/sequence", experiment.training.sequence);
    warn("/serving/input_tokens", serving.inputTokens + (goesOn ? serving.outputTokens : 0));
    return warnings;
}

namespace {

/// Each of those devices has as many of them as the others.
Result<void> checkExperts(const Model& model, const Training& training)
{
    const std::int64_t devices = training.expertParallel.value_or(1);
    if (devices == 1)
        return {};
    const std::int64_t experts = LayerKinds(expand(model)).divisorOf(&Experts::count);
    if (experts % devices == 0)
        return {};
    return inputError(grouped(experts) + " experts can't be divided evenly among " +
                          grouped(devices) + " devices",
                      "give a divisor of their number, or leave it out",
                      "/training/expert_parallel");
}

} // namespace

Result<ExperimentReading> readExperiment(Json json)
{
    ExperimentFile file{std::move(json), {}};
    Json* rows = file.json.find(MeasurementsKey);
    if (rows != nullptr && rows->asArray() != nullptr)
        file.measurements = Measurements(std::exchange(*rows, Json::array()));
    return readExperiment(std::move(file));
}

Result<ExperimentReading> readExperiment(ExperimentFile file)
{
    if (const auto format = checkFormat(file.json); !format)
        return failureOf(format);
    ExperimentReading reading;
    const Json& json = reading.experiment.document = std::move(file.json);
    FieldReader top(json, "");
    describeTop(top, reading.experiment);
    for (const char* known : {"format", "version", "model", "training", "serving", "site", "plan",
                              "assumptions", "quality", "measurements", "actuals"})
        top.raw(known);
    if (const auto outcome = top.outcome(); !outcome)
        return failureOf(outcome);
    warnOf(top.unknownKeys(), reading.warnings);
    if (const auto outcome = readModelPart(json, reading); !outcome)
        return failureOf(outcome);
    if (const auto outcome = readParts(json, reading); !outcome)
        return failureOf(outcome);
    const Training& training = reading.experiment.training;
    if (training.method != Method::Full) {
        const auto outcome = checkTrained(reading.experiment.model, training);
        if (!outcome)
            return failureOf(outcome);
    }
    if (const auto outcome = checkExperts(reading.experiment.model, training); !outcome)
        return failureOf(outcome);
    if (const auto outcome = readFreeForm(json, reading.experiment); !outcome)
        return failureOf(outcome);
    if (const auto outcome = readActuals(json, reading.experiment); !outcome)
        return failureOf(outcome);
    const auto outcome = readMeasurements(std::move(file.measurements), reading);
    if (!outcome)
        return failureOf(outcome);
    for (std::string& warning : warningsOf(reading.experiment))
        reading.warnings.push_back(std::move(warning));
    return reading;
}

Result<ExperimentFile> loadExperimentFile(const std::string& path)
{
    Measurements::Reader rows;
    auto json =
        loadJson(path, {.key = MeasurementsKey, .row = [&](const Json& row) { rows.add(row); }});
    if (!json)
        return failureOf(json);
    return ExperimentFile{std::move(*json), rows.take()};
}

Result<ExperimentReading> loadExperiment(const std::string& path)
{
    auto file = loadExperimentFile(path);
    if (!file)
        return failureOf(file);
    auto reading = readExperiment(std::move(*file));
    if (!reading)
        return tl::unexpected<Error>(reading.error().in(path));
    return reading;
}

namespace {

/// With the place of the measurements alone.
Json documentOf(const Experiment& experiment)
{
    Json out = experiment.document;
    if (out.find("format") == nullptr)
        out = Json::object();
    out.set("format", Json(ExperimentFormat));
    out.set("version", Json(ExperimentVersion));
    Experiment copy = experiment;
    FieldWriter top;
    describeTop(top, copy);
    Experiment usual;
    FieldWriter usualTop;
    describeTop(usualTop, usual);
    mergeFields(out, top.take(), usualTop.take());
    const auto part = [&](const char* key) -> Json& {
        Json* present = out.find(key);
        const bool isObject = present != nullptr && present->asObject() != nullptr;
        return isObject ? *present : out.set(key, Json::object());
    };
    Json& model = part("model");
    dropOtherFamily(model, familyOf(copy.model));
    mergeFields(model, fieldsOf(copy.model), usualFieldsOf(copy.model));
    eachPart(copy, [&](const char* key, auto& value) {
        using Part = std::remove_reference_t<decltype(value)>;
        Json merged = out.find(key) == nullptr ? Json::object() : *out.find(key);
        if (merged.isNull())
            merged = Json::object();
        mergeFields(merged, fieldsOf(value), fieldsOf(Part{}, FieldContent::Defaults));
        if (out.find(key) != nullptr || !merged.asObject()->empty())
            out.set(key, std::move(merged));
    });
    const auto freeForm = [&](const char* key, const Json& value, const Json& empty) {
        if (out.find(key) != nullptr || value != empty)
            out.set(key, value);
    };
    freeForm("assumptions", experiment.assumptions, Json::object());
    freeForm("quality", experiment.quality, Json::object());
    if (out.find(MeasurementsKey) != nullptr || !experiment.measurements.isEmpty())
        out.set(MeasurementsKey, Json::array());
    freeForm(ActualsKey, experiment.actuals, Json::array());
    return out;
}

} // namespace

Json toJson(const Experiment& experiment)
{
    Json out = documentOf(experiment);
    if (Json* rows = out.find(MeasurementsKey); rows != nullptr)
        *rows = experiment.measurements.stored();
    return out;
}

std::string textOf(const Experiment& experiment)
{
    const Measurements& rows = experiment.measurements;
    return writeJson(documentOf(experiment),
                     {.key = MeasurementsKey,
                      .count = rows.size(),
                      .row = [&](std::size_t row) { return rows.stored(row); }}) +
           "\n";
}

Result<void> saveExperiment(const Experiment& experiment, const std::string& path)
{
    return saveFile(path, textOf(experiment));
}

std::vector<UsedDefault> usedDefaults(const Experiment& experiment)
{
    std::vector<UsedDefault> used;
    Experiment copy = experiment;
    eachPart(copy, [&](const char* key, auto& part) {
        using Part = std::remove_reference_t<decltype(part)>;
        const Json usual = fieldsOf(Part{});
        const Json now = fieldsOf(part);
        const Json* given = experiment.document.find(key);
        for (const JsonMember& member : *usual.asObject()) {
            const bool isNamed = given != nullptr && given->find(member.key) != nullptr;
            const bool isChanged = *now.find(member.key) != member.value;
            const bool isEmpty = member.value.isNull() || (member.value.asArray() != nullptr &&
                                                           member.value.asArray()->empty());
            if (!isNamed && !isChanged && !isEmpty)
                used.push_back({childPointer(childPointer("", key), member.key), member.value});
        }
    });
    if (!experiment.serving.engine) {
        const auto engine =
            static_cast<std::size_t>(engineOf(experiment.model, experiment.serving));
        used.push_back({"/serving/engine", Json(std::string(EngineNames.at(engine)))});
    }
    if (!experiment.serving.slotCount && hasMeaning("/serving/slots", experiment))
        used.push_back(
            {"/serving/slots",
             Json(slotsOf(engineOf(experiment.model, experiment.serving), experiment.serving))});
    if (const auto format = weightFormatOf(experiment.model, experiment.serving);
        format && !experiment.serving.weightFormat)
        used.push_back(
            {"/serving/weight_format",
             Json(std::string(WeightFormatNames.at(static_cast<std::size_t>(*format))))});
    if (!experiment.training.samples && !experiment.training.tokens)
        used.insert(used.begin(),
                    {"/training/samples", Json(*resolved(experiment.training).samples)});
    return used;
}

} // namespace outlay::core
