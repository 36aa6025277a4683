// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/json/section_json.h"

namespace outlay::pricing {

using core::Json;

void setMonth(Json& json, const MonthReport& month)
{
    Json items = Json::array();
    for (const MonthItem& item : month.items)
        items.append(Json::Object{{"item", item.item}, {"usd", toJson(item.usd)}});
    Json environments = Json::array();
    for (const EnvironmentRow& row : month.environments)
        environments.append(Json::Object{{"name", row.name},
                                         {"offer", row.offer},
                                         {"hours", row.hours},
                                         {"usd", toJson(row.usd)}});
    Json split = Json::array();
    for (const SplitRow& row : month.split)
        split.append(Json::Object{
            {"provider", row.provider}, {"percent", row.percent}, {"usd", toJson(row.usd)}});
    Json lacking = Json::array();
    for (const std::string& item : month.lacking)
        lacking.append(item);
    json.set("month", std::move(items));
    json.set("month_total", toJson(month.total));
    json.set("month_total_lacks", std::move(lacking));
    json.set("environments", std::move(environments));
    json.set("split", std::move(split));
}

} // namespace outlay::pricing
