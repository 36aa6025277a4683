// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/json/section_json.h"

namespace outlay::pricing {
namespace {

using core::Json;

Json layersJson(const std::vector<LayerRow>& layers)
{
    Json list = Json::array();
    for (const LayerRow& row : layers) {
        list.append(Json::Object{
            {"name", row.name},
            {"kind", row.kind},
            {"parameters", row.parameters},
            {"flops", row.flops},
            {"bytes", row.bytes},
            {"activation_bytes", row.activationBytes ? Json(*row.activationBytes) : Json()}});
    }
    return list;
}

Json modelJson(const ModelReport& model)
{
    Json weights = Json::object();
    for (const WeightMemory& row : model.weights)
        weights.set(row.precision, toJson(row.bytes));
    return Json::Object{{"family", model.family},
                        {"convention", model.convention},
                        {"parameters", model.parameters},
                        {"trainable_parameters", model.trainable},
                        {"class", Json::Object{{"size", model.sizeClass}, {"weights", weights}}},
                        {"layers", layersJson(model.layers)}};
}

Json assumptionsJson(const std::vector<AssumptionRow>& rows)
{
    Json list = Json::array();
    for (const AssumptionRow& row : rows) {
        list.append(
            Json::Object{{"pointer", row.pointer}, {"value", row.value}, {"source", row.source}});
    }
    return list;
}

Json provenanceJson(const Provenance& provenance)
{
    Json data = Json::array();
    for (const DataRow& row : provenance.data)
        data.append(Json::Object{{"name", row.name},
                                 {"as_of", row.asOf.empty() ? Json() : Json(row.asOf)},
                                 {"hash", row.hash}});
    return Json::Object{
        {"method", provenance.method},
        {"program", provenance.program},
        {"date", provenance.date},
        {"measurement", provenance.measurement.empty() ? Json() : Json(provenance.measurement)},
        {"data", std::move(data)}};
}

} // namespace

Json toJson(const core::Quantity& figure)
{
    const bool isThere = figure.isAvailable();
    return Json::Object{{"value", isThere ? Json(figure.value()) : Json()},
                        {"low", isThere ? Json(figure.low()) : Json()},
                        {"high", isThere ? Json(figure.high()) : Json()},
                        {"unit", core::symbol(figure.unit())},
                        {"basis", core::name(figure.basis())},
                        {"how", figure.how().sentence()}};
}

Json toJson(const Report& report, const Catalogs& catalogs, Listed listed)
{
    Json json = Json::Object{{"format", "outlay-report"},
                             {"version", 1},
                             {"name", report.name},
                             {"model", modelJson(report.model)},
                             {"training", trainingJson(report, catalogs, listed)},
                             {"serving", servingJson(report, catalogs, listed)}};
    json.set("scaling", scalingJson(report.scaling));
    setMonth(json, report.month);
    json.set("carbon", carbonJson(report.carbon));
    json.set("efficiency", efficiencyJson(report.efficiency));
    json.set("benchmarks", benchmarksJson(report.benchmarks));
    json.set("probe", probeJson(report.probe));
    json.set("hosts", hostsJson(report.hosts));
    json.set("variants", variantsJson(report.variants));
    json.set("advice", adviceJson(report.advice));
    json.set("alerts", alertsJson(report.alerts));
    json.set("risks", risksJson(report.risks));
    json.set("assumptions", assumptionsJson(report.assumptions));
    json.set("provenance", provenanceJson(report.provenance));
    return json;
}

} // namespace outlay::pricing
