// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/json/section_json.h"

namespace outlay::pricing {
namespace {

using core::Json;

Json levelJson(Level level)
{
    return LevelNames.at(static_cast<std::size_t>(level));
}

/// The weakest figure that the advice stands on; what isn't available says nothing.
core::Basis basisOf(const AdviceRow& row)
{
    core::Basis basis = core::Basis::Unavailable;
    for (const core::Quantity* figure :
         {&row.savingUsd, &row.savingPercent, &row.savingKgCo2e, &row.savingTimeS}) {
        if (figure->isAvailable())
            return figure->basis();
    }
    return basis;
}

Json adviceRowJson(const AdviceRow& row)
{
    return Json::Object{
        {"id", row.id},
        {"title", row.title},
        {"category", AdviceCategoryNames.at(static_cast<std::size_t>(row.category))},
        {"priority", levelJson(row.priority)},
        {"effort", levelJson(row.effort)},
        {"saving_usd", toJson(row.savingUsd)},
        {"saving_percent", toJson(row.savingPercent)},
        {"saving_kg_co2e", toJson(row.savingKgCo2e)},
        {row.isTimeOfRequest ? "saving_request_s" : "saving_run_s", toJson(row.savingTimeS)},
        {"saving_time_percent", toJson(row.savingTimePercent)},
        {"enables", EnablesNames.at(static_cast<std::size_t>(row.enables))},
        {"saves_most", SavedThingNames.at(static_cast<std::size_t>(row.most))},
        {"basis", core::name(basisOf(row))},
        {"why", row.why},
        {"patch", row.patch},
        {"code", Json::Object{{"cpp", row.codeCpp}, {"python", row.codePython}}}};
}

} // namespace

Json adviceJson(const std::vector<AdviceRow>& rows)
{
    Json list = Json::array();
    for (const AdviceRow& row : rows)
        list.append(adviceRowJson(row));
    return list;
}

Json alertsJson(const std::vector<AlertRow>& rows)
{
    Json list = Json::array();
    for (const AlertRow& row : rows)
        list.append(Json::Object{{"name", row.name},
                                 {"threshold", toJson(row.threshold)},
                                 {"projected", toJson(row.projected)},
                                 {"state", row.state},
                                 {"what_to_do", row.whatToDo}});
    return list;
}

Json risksJson(const std::vector<RiskRow>& rows)
{
    Json list = Json::array();
    for (const RiskRow& row : rows)
        list.append(Json::Object{{"name", row.name},
                                 {"why", row.why},
                                 {"level", levelJson(row.level)},
                                 {"what_to_do", row.whatToDo}});
    return list;
}

} // namespace outlay::pricing
