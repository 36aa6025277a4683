// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/json/section_json.h"

namespace outlay::pricing {
namespace {

using core::Json;

Json equivalentJson(const core::Equivalent& row)
{
    return Json::Object{{"id", row.id},
                        {"name", row.name},
                        {"what", row.what},
                        {"amount", toJson(row.amount)},
                        {"small_name", row.smallName ? Json(*row.smallName) : Json()},
                        {"small_amount", row.smallAmount ? toJson(*row.smallAmount) : Json()},
                        {"recommended", row.isRecommended}};
}

} // namespace

Json carbonJson(const CarbonReport& carbon)
{
    Json equivalents = Json::array();
    for (const core::Equivalent& row : carbon.equivalents)
        equivalents.append(equivalentJson(row));
    Json lacks = Json::array();
    for (const std::string& item : carbon.monthLacks)
        lacks.append(item);
    Json places = Json::array();
    for (const core::RegionCarbon& row : carbon.elsewhere)
        places.append(Json::Object{{"region", row.region},
                                   {"location", row.location},
                                   {"grid", toJson(row.grid)},
                                   {"kg_co2e", toJson(row.kg)}});
    Json hours = Json::array();
    for (const core::HourCarbon& row : carbon.hours)
        hours.append(Json::Object{{"hour", row.hour}, {"kg_co2e", toJson(row.kg)}});
    return Json::Object{{"kwh", toJson(carbon.kwh)},
                        {"kg_co2e", toJson(carbon.kgCo2e)},
                        {"place", carbon.place},
                        {"month_kg_co2e", toJson(carbon.monthKgCo2e)},
                        {"month_lacks", std::move(lacks)},
                        {"offset_usd", toJson(carbon.offsetUsd)},
                        {"embodied_kg_co2e", toJson(carbon.embodiedKgCo2e)},
                        {"basis_of_grid", carbon.gridBasis},
                        {"equivalents", std::move(equivalents)},
                        {"elsewhere", std::move(places)},
                        {"hours", std::move(hours)}};
}

} // namespace outlay::pricing
