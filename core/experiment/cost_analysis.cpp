// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/cost_analysis.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/experiment/assumption_keys.h"
#include "core/model/limits.h"

#include <cmath>

namespace outlay::core {
namespace {

constexpr double BytesPerWeight = 4;

/// The number at a pointer; nothing where there is none above zero.
std::optional<double> numberAt(const Json& json, std::string_view pointer)
{
    const Json* found = valueAt(json, pointer);
    if (found == nullptr || !found->isNumber() || found->number() <= 0)
        return std::nullopt;
    return found->number();
}

Result<double> weightsIn(const Json& analysis, std::vector<std::string>& warnings)
{
    const std::string resources = "/cost_breakdown/resources";
    const auto given = numberAt(analysis, resources + "/parameters");
    const auto megabytes = numberAt(analysis, resources + "/model_size_mb");
    const double count =
        std::round(given ? *given : megabytes.value_or(0) * BytesPerMb / BytesPerWeight);
    if (count < 1)
        return inputError("there is neither an experiment nor a number of parameters in this file",
                          "give a cost analysis with one of `experiment`, `parameters` and "
                          "`model_size_mb`",
                          resources);
    if (count > static_cast<double>(MostParameters))
        return inputError("a model of " + plainNumber(count) + " parameters is too large",
                          "give at most " + plainNumber(static_cast<double>(MostParameters)),
                          resources);
    if (!given)
        warnings.push_back(resources +
                           "/parameters: missing; taken from model_size_mb as weights of 4 B.");
    warnings.emplace_back(
        "/experiment: missing; the model is taken as " + plainNumber(count) +
        " weights that each multiply every token, because its layers are unknown.");
    return count;
}

} // namespace

bool isCostAnalysis(const Json& json)
{
    const Json* format = json.find("format");
    return json.find("cost_breakdown") != nullptr &&
           (format == nullptr || *format != Json(ExperimentFormat));
}

Result<CostAnalysisReading> experimentIn(const Json& analysis)
{
    if (const Json* experiment = analysis.find("experiment"); experiment != nullptr)
        return CostAnalysisReading{*experiment, {}};
    CostAnalysisReading document;
    const auto weights = weightsIn(analysis, document.warnings);
    if (!weights)
        return failureOf(weights);
    const Json count(static_cast<std::int64_t>(*weights));
    const Json layer = Json::Object{
        {"name", "weights"}, {"kind", "weights"}, {"elements", count}, {"matrix_elements", count}};
    document.experiment =
        Json::Object{{"format", ExperimentFormat},
                     {"version", ExperimentVersion},
                     {"model", Json::Object{{"family", "layers"}, {"layers", Json::Array{layer}}}}};
    if (const Json* name = analysis.find("name"); name != nullptr && name->asString() != nullptr)
        document.experiment.set("name", *name);
    const char* const hours = "/cost_breakdown/training/time_hours";
    if (const auto time = numberAt(analysis, hours))
        document.experiment.set(
            "assumptions", Json::Object{{std::string(TrainingSecondsKey), *time * SecondsPerHour}});
    else
        document.warnings.emplace_back(std::string(hours) +
                                       ": missing; the time of a training run is not known.");
    document.warnings.emplace_back(
        "/cost_breakdown: its other figures are results; they are worked out anew.");
    return document;
}

Result<ExperimentReading> loadAnyExperiment(const std::string& path)
{
    auto file = loadExperimentFile(path);
    if (!file)
        return failureOf(file);
    if (!isCostAnalysis(file->json)) {
        auto reading = readExperiment(std::move(*file));
        return reading ? reading : tl::unexpected<Error>(reading.error().in(path));
    }
    auto inside = experimentIn(file->json);
    if (!inside)
        return tl::unexpected<Error>(inside.error().in(path));
    auto reading = readExperiment(std::move(inside->experiment));
    if (!reading)
        return tl::unexpected<Error>(reading.error().in(path));
    reading->warnings.insert(reading->warnings.begin(), inside->warnings.begin(),
                             inside->warnings.end());
    return reading;
}

} // namespace outlay::core
