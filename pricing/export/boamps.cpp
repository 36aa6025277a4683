// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "core/base/version.h"
#include "pricing/export/export.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace core;

constexpr double ParametersPerBillion = 1e9;

/// "2026-11-20T13:00:00Z" -> "2026-11-20 13:00:00".
std::string dateTime(std::string now)
{
    std::replace(now.begin(), now.end(), 'T', ' ');
    return now.substr(0, now.find('Z'));
}

bool isText(const Experiment& experiment)
{
    const Json model = fieldsOf(experiment.model);
    const Json* vocabulary = model.find("vocabulary");
    return vocabulary != nullptr && vocabulary->isNumber() && vocabulary->number() > 0;
}

Json taskOf(const ExportInput& input)
{
    const Experiment& e = input.experiment;
    const Report& r = input.report;
    const double tokens = r.training.samples * static_cast<double>(e.training.sequence);
    const Json algorithm = Json::Object{
        {"algorithmType", "neural network"},
        {"algorithmName", r.model.family},
        {"parametersNumber", static_cast<double>(r.model.parameters) / ParametersPerBillion},
        {"layersNumber", static_cast<std::int64_t>(r.model.layers.size())},
        {"epochsNumber", e.training.epochs},
        {"optimizer", OptimizerNames.at(static_cast<std::size_t>(e.training.optimizer))},
        {"quantization", PrecisionNames.at(static_cast<std::size_t>(e.training.precision))}};
    const Json dataset = Json::Object{{"dataUsage", "input"},
                                      {"dataType", isText(e) ? "token" : "other"},
                                      {"dataSize", e.training.datasetGb},
                                      {"dataQuantity", isText(e) ? tokens : r.training.samples}};
    return Json::Object{{"taskStage", "training"},
                        {"taskFamily", isText(e) ? "natural language processing" : "other"},
                        {"algorithms", Json::Array{algorithm}},
                        {"dataset", Json::Array{dataset}},
                        {"taskDescription", r.name}};
}

Json measureOf(const ExportInput& input, const Quantity& kwh)
{
    Json measure = Json::Object{{"measurementMethod", "outlay: " + std::string(name(kwh.basis())) +
                                                          ", " + kwh.how().sentence()},
                                {"manufacturer", "outlay"},
                                {"version", ProgramVersion},
                                {"powerConsumption", kwh.value()},
                                {"measurementDateTime", dateTime(input.now)}};
    if (input.report.training.here.isAvailable())
        measure.set("measurementDuration", input.report.training.here.value());
    return measure;
}

Json component(const char* type, const std::string& name, std::int64_t count)
{
    Json json = Json::Object{{"componentType", type}, {"nbComponent", count}};
    if (!name.empty())
        json.set("componentName", name);
    return json;
}

Json infrastructureHere(const core::HostMachine& here)
{
    Json memory = component("ram", {}, 1);
    if (here.memoryBytes > 0)
        memory.set("memorySize",
                   static_cast<std::int64_t>(std::llround(here.memoryBytes / BytesPerGb)));
    return Json::Object{{"infraType", "onPremise"},
                        {"components", Json::Array{component("cpu", here.processor, 1), memory}}};
}

/// Of the machine that is recommended in the cloud, or of this one.
Json infrastructureOf(const ExportInput& input)
{
    if (!input.experiment.site.region)
        return infrastructureHere(input.catalogs.here());
    const auto& recommended = input.report.training.recommended.option;
    Json json = Json::Object{{"infraType", "publicCloud"},
                             {"cloudProvider", cloudPlaceOf(input.experiment.site).provider}};
    const Machine machine = recommended ? recommended->offer.machine : Machine{};
    if (!machine.instance.empty())
        json.set("cloudInstance", machine.instance);
    if (machine.accelerators >= 1)
        json.set("components",
                 Json::Array{component("gpu", machine.accelerator,
                                       static_cast<std::int64_t>(machine.accelerators *
                                                                 recommended->instances.value()))});
    else
        json.set("components", Json::Array{component("cpu", {}, 1)});
    return json;
}

Json environmentOf(const ExportInput& input)
{
    const CarbonCatalog& catalog = input.catalogs.carbon();
    const Site& site = input.experiment.site;
    const GridRegion* region = site.region ? catalog.region(*site.region) : nullptr;
    const std::string place = site.country.value_or(region == nullptr ? "" : region->country);
    const GridCountry* country = catalog.country(place);
    if (country == nullptr)
        return {};
    Json json = Json::Object{{"country", country->name}};
    if (region != nullptr)
        json.set("location", region->location);
    const Quantity grid = gridIntensity(catalog, site, input.report.gridBasis);
    if (grid.isAvailable())
        json.set("powerSourceCarbonIntensity", grid.value());
    return json;
}

/// BoAmps's own bands of error; beyond the last one nothing is claimed.
std::optional<std::string_view> qualityOf(const Quantity& kwh)
{
    struct Band {
        double share;
        std::string_view name;
    };
    const double miss = std::max(kwh.high() - kwh.value(), kwh.value() - kwh.low()) / kwh.value();
    for (const Band& band : {Band{0.1, "high"}, Band{0.25, "medium"}, Band{0.5, "low"}}) {
        if (miss <= band.share)
            return band.name;
    }
    return std::nullopt;
}

} // namespace

Result<std::string> boampsReport(const ExportInput& input)
{
    const Quantity kwh = runFootprint(input.report).kwh;
    if (!kwh.isAvailable() || kwh.value() <= 0)
        return inputError("the energy of a training run is unavailable, and a BoAmps report can't "
                          "be without it",
                          "probe the design, or give --training-time and /site/power_w");
    const std::string experiment = writeJson(core::toJson(input.experiment), JsonStyle::Compact);
    Json json = Json::Object{
        {"header", Json::Object{{"formatVersion", "1.1.0"},
                                {"reportId", uuidOf(experiment, input.now)},
                                {"reportDatetime", dateTime(input.now)},
                                {"reportStatus", "draft"},
                                {"publisher", Json::Object{{"projectName", input.report.name},
                                                           {"confidentialityLevel", "internal"}}}}},
        {"task", taskOf(input)},
        {"measures", Json::Array{measureOf(input, kwh)}},
        {"infrastructure", infrastructureOf(input)}};
    if (Json environment = environmentOf(input); !environment.isNull())
        json.set("environment", std::move(environment));
    if (const auto quality = qualityOf(kwh))
        json.set("quality", *quality);
    return writeJson(json) + "\n";
}

} // namespace outlay::pricing
