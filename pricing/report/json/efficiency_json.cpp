// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/json/section_json.h"

namespace outlay::pricing {

using core::Json;

Json efficiencyJson(const EfficiencyReport& efficiency)
{
    Json parts = Json::array();
    for (const EfficiencyPart& part : efficiency.parts)
        parts.append(Json::Object{{"name", part.name},
                                  {"score", toJson(part.score)},
                                  {"weight", part.weight},
                                  {"why", part.why},
                                  {"remedy", part.remedy},
                                  {"with", toJson(part.with)}});
    // The contract's score is a number; its interval and its explanation stand beside it.
    const bool isThere = efficiency.score.isAvailable();
    return Json::Object{{"score", isThere ? Json(efficiency.score.value()) : Json()},
                        {"figure", toJson(efficiency.score)},
                        {"band", efficiency.band},
                        {"parts", std::move(parts)}};
}

Json benchmarksJson(const std::vector<Benchmark>& rows)
{
    Json list = Json::array();
    for (const Benchmark& row : rows)
        list.append(Json::Object{{"metric", row.metric},
                                 {"value", toJson(row.value)},
                                 {"reference", toJson(row.reference)},
                                 {"better", row.isLowerBetter ? "lower" : "higher"},
                                 {"source", row.source}});
    return list;
}

} // namespace outlay::pricing
