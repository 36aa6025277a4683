// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/json/option_list.h"
#include "pricing/report/json/section_json.h"
#include "pricing/report/sections.h"

namespace outlay::pricing {
namespace {

using core::Json;

Json memoryJson(const TrainingReport& training)
{
    return Json::Object{
        {"parameters", toJson(training.parameters)}, {"gradients", toJson(training.gradients)},
        {"optimizer", toJson(training.optimizer)},   {"activations", toJson(training.activations)},
        {"total", toJson(training.memory)},          {"here", toJson(training.memoryHere)}};
}

Json onJson(const std::vector<TrainingOn>& rows)
{
    Json list = Json::array();
    for (const TrainingOn& row : rows) {
        const core::TrainingForecast& f = row.forecast;
        list.append(Json::Object{{"accelerator", row.accelerator},
                                 {"count", row.count},
                                 {"hours", toJson(hoursOf(f.runSeconds))},
                                 {"device_hours", toJson(f.deviceHours)},
                                 {"kwh", toJson(f.kwh)},
                                 {"kg_co2e", toJson(row.kgCo2e)},
                                 {"tokens_per_second", toJson(f.tokensPerS)},
                                 {"memory", toJson(f.memory)},
                                 {"fits", fitsJson(f.fits)},
                                 {"note", f.note.text()}});
    }
    return list;
}

Json managedJson(const std::vector<ManagedRow>& rows)
{
    Json list = Json::array();
    for (const ManagedRow& row : rows)
        list.append(Json::Object{{"service", row.service},
                                 {"managed_usd", toJson(row.managedUsd)},
                                 {"plain_usd", toJson(row.plainUsd)},
                                 {"more_percent", toJson(row.morePercent)}});
    return list;
}

Json placementJson(const core::PlacementAdvice& placement)
{
    constexpr std::array<std::string_view, 3> Leanings{"cpu", "neither", "gpu"};
    const auto leaning = [&](core::Leaning l) { return Leanings.at(static_cast<std::size_t>(l)); };
    Json factors = Json::array();
    for (const core::Factor& factor : placement.factors)
        factors.append(Json::Object{{"id", factor.id},
                                    {"name", factor.name},
                                    {"value", toJson(factor.value)},
                                    {"leaning", leaning(factor.leaning)},
                                    {"why", factor.why}});
    return Json::Object{{"workload", core::name(placement.workload)},
                        {"asks_of_a_gpu", core::asksOf(placement.workload)},
                        {"recommended", leaning(placement.recommended)},
                        {"why", placement.sentence},
                        {"factors", factors}};
}

} // namespace

Json trainingJson(const Report& report, const Catalogs& catalogs, Listed listed)
{
    const TrainingReport& t = report.training;
    Json options = Json::array();
    for (const Option* option :
         listedOptions(t.options, t.recommended, report.plan, catalogs.book(), listed))
        options.append(toJson(trainingOptionText(report, catalogs, *option)));
    return Json::Object{{"steps", t.steps},
                        {"samples", t.samples},
                        {"flops", t.flops},
                        {"flops_per_step", t.flopsPerStep},
                        {"here", toJson(t.here)},
                        {"here_processor", toJson(t.hereProcessor)},
                        {"here_kwh", toJson(t.hereKwh)},
                        {"here_usd", toJson(t.hereUsd)},
                        {"here_kg_co2e", toJson(t.hereKgCo2e)},
                        {"memory", memoryJson(t)},
                        {"recommended", toJson(t.recommended)},
                        {"on", onJson(t.on)},
                        {"managed", managedJson(t.managed)},
                        {"placement", placementJson(t.placement)},
                        {"options", std::move(options)}};
}

} // namespace outlay::pricing
