// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/json/section_json.h"

namespace outlay::pricing {

using namespace outlay::core;

Json probeJson(const ProbeReport& probe)
{
    if (probe.training == nullptr)
        return {};
    const Measurement& m = *probe.training;
    return Json::Object{{"created", m.created},
                        {"worker", m.worker},
                        {"machine", m.machine.processor},
                        {"threads", m.threads},
                        {"is_here", probe.isHere},
                        {"is_current", probe.isCurrent},
                        {"verdict", name(m.training.step.verdict)},
                        {"remedy", remedy(m.training.step.verdict)},
                        {"steps", m.training.step.count},
                        {"step", toJson(probe.step)}};
}

Json hostsJson(const std::vector<HostRow>& rows)
{
    Json list = Json::array();
    for (const HostRow& row : rows) {
        const Measurement& m = *row.measurement;
        list.append(Json::Object{{"name", row.name},
                                 {"machine", m.machine.processor},
                                 {"device", m.machine.device},
                                 {"worker", m.worker},
                                 {"created", m.created},
                                 {"is_of_design", row.isOfDesign},
                                 {"step", toJson(row.step)},
                                 {"run", toJson(row.run)},
                                 {"usd", toJson(row.usd)}});
    }
    return list;
}

Json variantsJson(const std::vector<VariantRow>& rows)
{
    Json list = Json::array();
    for (const VariantRow& row : rows) {
        list.append(Json::Object{{"variant", row.variant},
                                 {"what", row.what},
                                 {"name", row.name},
                                 {"subject", row.subject},
                                 {"time_ratio", toJson(row.timeRatio)},
                                 {"memory_ratio", toJson(row.memoryRatio)},
                                 {"difference", row.difference ? Json(*row.difference) : Json()},
                                 {"proof", row.proof}});
    }
    return list;
}

} // namespace outlay::pricing
