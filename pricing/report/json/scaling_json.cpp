// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/settings.h"
#include "pricing/report/json/option_list.h"
#include "pricing/report/json/section_json.h"

namespace outlay::pricing {
namespace {

using core::Json;
using core::Layout;
using core::ShardingNames;

Json mixingCostJson(const MixingCost& cost)
{
    return Json::Object{{"flops_per_token", toJson(cost.flopsPerToken)},
                        {"flops_per_sequence", toJson(cost.flopsPerSequence)},
                        {"state_bytes", toJson(cost.stateBytes)},
                        {"activation_bytes", toJson(cost.activationBytes)},
                        {"pass_seconds", toJson(cost.passSeconds)},
                        {"pass_bytes", toJson(cost.passBytes)}};
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

Json lengthCostJson(const LengthCost& cost)
{
    return Json::Object{{"hours", toJson(cost.hours)},
                        {"usd", toJson(cost.usd)},
                        {"memory", toJson(cost.memory)},
                        {"fits", fitsJson(cost.fits)}};
}

Json lengthsJson(const LengthReport& lengths)
{
    Json rows = Json::array();
    for (const LengthRow& row : lengths.rows)
        rows.append(Json::Object{{"tokens", row.tokens},
                                 {"is_own", row.isOwn},
                                 {"here", toJson(row.here)},
                                 {"design", lengthCostJson(row.design)},
                                 {"twin", row.twin ? lengthCostJson(*row.twin) : Json()}});
    return Json::Object{{"machine", lengths.machine}, {"why", lengths.why}, {"rows", rows}};
}

Json deviceRowsJson(const std::vector<DevicesRow>& list)
{
    Json rows = Json::array();
    for (const DevicesRow& row : list)
        rows.append(Json::Object{{"devices", row.devices},
                                 {"machines", row.machines},
                                 {"compute_seconds", toJson(row.step.computeSeconds)},
                                 {"exchange_seconds", toJson(row.step.exchangeSeconds)},
                                 {"step_seconds", toJson(row.step.stepSeconds)},
                                 {"speed_up", toJson(row.step.speedUp)},
                                 {"hours", toJson(row.hours)},
                                 {"usd", toJson(row.usd)}});
    return rows;
}

Json hostsJson(const std::vector<std::string>& names)
{
    Json list = Json::array();
    for (const std::string& name : names)
        list.append(Json(name));
    return list;
}

Json devicesJson(const DevicesReport& devices)
{
    return Json::Object{{"device", devices.device},
                        {"machine", devices.machine},
                        {"why", devices.why},
                        {"rows", deviceRowsJson(devices.rows)},
                        {"here_why", devices.hereWhy},
                        {"here", deviceRowsJson(devices.here)},
                        {"hosts", hostsJson(devices.hosts)},
                        {"on_hosts", deviceRowsJson(devices.onHosts)}};
}

Json ladderJson(const LadderReport& ladder)
{
    Json rows = Json::array();
    for (const LadderRow& row : ladder.rows) {
        Json devices = Json::Object{};
        for (std::size_t i = 0; i < row.devices.size(); ++i)
            devices.set(RungNames.at(i), row.devices.at(i) ? Json(*row.devices.at(i)) : Json());
        rows.append(Json::Object{{"accelerator", row.accelerator},
                                 {"memory_gb", row.memoryGb},
                                 {"devices", std::move(devices)}});
    }
    return Json::Object{{"why", ladder.why}, {"rows", rows}};
}

Json partsJson(const std::vector<LayoutPart>& list)
{
    Json parts = Json::object();
    for (const LayoutPart& part : list)
        parts.set(part.name, toJson(part.amount));
    return parts;
}

Json layoutsJson(const LayoutReport& layouts)
{
    Json rows = Json::array();
    for (const LayoutRow& row : layouts.rows) {
        const Layout& layout = row.layout;
        Json json =
            Json::Object{{"tensor_parallel", layout.tensor},
                         {"pipeline_stages", layout.stages},
                         {"pipeline_chunks", layout.chunks},
                         {"context_parallel", layout.context},
                         {"expert_parallel", layout.experts},
                         {"sharding", ShardingNames.at(static_cast<std::size_t>(layout.sharding))},
                         {"copies", layouts.devices / layout.ofCopy()},
                         {"batch", row.batch},
                         {"passes", row.passes},
                         {"fits", fitsJson(row.fits)},
                         {"memory", toJson(row.memory)},
                         {"step_seconds", toJson(row.stepSeconds)},
                         {"waiting_seconds", toJson(row.waitingSeconds)},
                         {"hours", toJson(row.hours)},
                         {"usd", toJson(row.usd)}};
        if (row.hostMemory) {
            json.set("offload", core::OffloadNames.at(static_cast<std::size_t>(layout.offload)));
            json.set("host_memory", toJson(*row.hostMemory));
        }
        rows.append(std::move(json));
    }
    return Json::Object{{"device", layouts.device},          {"devices", layouts.devices},
                        {"machine", layouts.machine},        {"why", layouts.why},
                        {"untried", layouts.untried},        {"rows", std::move(rows)},
                        {"holds", partsJson(layouts.holds)}, {"does", partsJson(layouts.does)}};
}

} // namespace

Json scalingJson(const ScalingReport& scaling)
{
    return Json::Object{{"ladder", ladderJson(scaling.ladder)},
                        {"layouts", layoutsJson(scaling.layouts)},
                        {"recurrent_attention", mixingJson(scaling.mixing)},
                        {"sequence_length", lengthsJson(scaling.lengths)},
                        {"devices", devicesJson(scaling.devices)}};
}

} // namespace outlay::pricing
