// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/section_json.h"

namespace outlay::pricing {
namespace {

using core::Json;

Json mixingCostJson(const MixingCost& cost)
{
    return Json::Object{{"flops_per_token", toJson(cost.flopsPerToken)},
                        {"flops_per_sequence", toJson(cost.flopsPerSequence)},
                        {"state_bytes", toJson(cost.stateBytes)},
                        {"activation_bytes", toJson(cost.activationBytes)}};
}

Json mixingJson(const MixingReport& mixing)
{
    Json rows = Json::array();
    for (const MixingRow& row : mixing.rows)
        rows.append(Json::Object{{"tokens", row.tokens},
                                 {"recurrent", mixingCostJson(row.recurrent)},
                                 {"attention", mixingCostJson(row.attention)}});
    Json crossings = Json::array();
    for (const MixingCrossing& crossing : mixing.crossings)
        crossings.append(
            Json::Object{{"measure", crossing.measure}, {"tokens", toJson(crossing.tokens)}});
    return Json::Object{{"own", mixing.own.empty() ? Json() : Json(mixing.own)},
                        {"twin", mixing.twin},
                        {"rows", rows},
                        {"crossings", crossings}};
}

} // namespace

Json scalingJson(const ScalingReport& scaling)
{
    return Json::Object{{"recurrent_attention", mixingJson(scaling.mixing)}};
}

} // namespace outlay::pricing
