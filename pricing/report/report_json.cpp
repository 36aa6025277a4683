// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/report.h"

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
                        {"class", Json::Object{{"size", model.sizeClass}, {"weights", weights}}},
                        {"layers", layersJson(model.layers)}};
}

Json trainingJson(const TrainingReport& training)
{
    return Json::Object{{"steps", training.steps},
                        {"samples", training.samples},
                        {"flops", training.flops},
                        {"flops_per_step", training.flopsPerStep},
                        {"here", toJson(training.here)},
                        {"memory", Json::Object{{"parameters", toJson(training.parameters)},
                                                {"gradients", toJson(training.gradients)},
                                                {"optimizer", toJson(training.optimizer)},
                                                {"activations", toJson(training.activations)},
                                                {"total", toJson(training.memory)}}}};
}

Json servingJson(const ServingReport& serving)
{
    return Json::Object{{"prompt_flops", serving.promptFlops},
                        {"token_flops", toJson(serving.tokenFlops)},
                        {"memory", toJson(serving.memory)}};
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

Json toJson(const Report& report)
{
    return Json::Object{{"format", "outlay-report"},
                        {"version", 1},
                        {"name", report.name},
                        {"model", modelJson(report.model)},
                        {"training", trainingJson(report.training)},
                        {"serving", servingJson(report.serving)},
                        {"assumptions", assumptionsJson(report.assumptions)},
                        {"provenance", Json::Object{{"method", report.provenance.method},
                                                    {"program", report.provenance.program},
                                                    {"date", report.provenance.date}}}};
}

} // namespace outlay::pricing
