// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/json/option_list.h"
#include "pricing/report/json/section_json.h"
#include "pricing/report/sections.h"

namespace outlay::pricing {
namespace {

using core::Json;

Json onJson(const std::vector<ServingOn>& rows)
{
    Json list = Json::array();
    for (const ServingOn& row : rows) {
        const core::ServingForecast& f = row.forecast;
        list.append(Json::Object{{"accelerator", row.accelerator},
                                 {"count", row.count},
                                 {"copies", f.copies},
                                 {"first_token_ms", toJson(f.firstTokenMs)},
                                 {"token_ms", toJson(f.tokenMs)},
                                 {"latency_ms", toJson(f.latencyMs)},
                                 {"throughput_per_s", toJson(f.requestsPerS)},
                                 {"tokens_per_second", toJson(f.tokensPerS)},
                                 {"kwh_per_request", toJson(f.kwhPerRequest)},
                                 {"memory", toJson(f.memory)},
                                 {"fits", fitsJson(f.fits)},
                                 {"note", f.note.text()}});
    }
    return list;
}

Json scalingJson(const std::vector<ScalingRow>& rows)
{
    Json list = Json::array();
    for (const ScalingRow& row : rows)
        list.append(Json::Object{{"requests_per_day", row.requestsPerDay},
                                 {"instance", row.instance},
                                 {"instances", toJson(row.instances)},
                                 {"load_balancer", row.needsLoadBalancer},
                                 {"p95_ms", toJson(row.p95Ms)},
                                 {"usd_per_month", toJson(row.usdPerMonth)},
                                 {"load_balancer_usd", toJson(row.loadBalancerUsd)}});
    return list;
}

Json waysJson(const std::vector<ServingWay>& rows)
{
    Json list = Json::array();
    for (const ServingWay& row : rows)
        list.append(Json::Object{{"name", row.name},
                                 {"usd_per_month", toJson(row.usdPerMonth)},
                                 {"usd_per_million", toJson(row.usdPerMillion)},
                                 {"why", row.why}});
    return list;
}

/// On the recommended machines, at the peak; null where none serve.
Json plannedJson(const Capacity* capacity)
{
    if (capacity == nullptr)
        return {};
    return Json::Object{{"instances", toJson(capacity->instances)},
                        {"hours", toJson(capacity->hours)},
                        {"in_flight", toJson(capacity->inFlight)},
                        {"p95_ms", toJson(capacity->p95Ms)},
                        {"first_token_p95_ms", toJson(capacity->firstTokenP95Ms)},
                        {"token_p95_ms", toJson(capacity->tokenP95Ms)},
                        {"holds_promises", capacity->holdsLatency}};
}

Json hostedJson(const HostedReport& hosted)
{
    constexpr std::array<std::string_view, 3> Words{"fresh", "stale", "doubtful"};
    Json rows = Json::array();
    for (const HostedRow& row : hosted.rows)
        rows.append(Json::Object{{"provider", row.provider},
                                 {"model", row.model},
                                 {"weights", row.weights},
                                 {"checked", row.checked},
                                 {"trust", Words.at(static_cast<std::size_t>(row.trust))},
                                 {"usd_per_month", toJson(row.usdPerMonth)},
                                 {"usd_per_request", toJson(row.usdPerRequest)}});
    return Json::Object{{"rows", std::move(rows)},
                        {"why", hosted.why},
                        {"crossing_per_day", toJson(hosted.crossingPerDay)},
                        {"crossing_share", toJson(hosted.crossingShare)}};
}

} // namespace

Json servingJson(const Report& report, const Catalogs& catalogs, Listed listed)
{
    const ServingReport& s = report.serving;
    Json options = Json::array();
    for (const Option* option :
         listedOptions(s.options, s.recommended, report.plan, catalogs.book(), listed))
        options.append(toJson(servingOptionText(report, catalogs, *option)));
    return Json::Object{{"prompt_flops", s.promptFlops},
                        {"token_flops", toJson(s.tokenFlops)},
                        {"memory", toJson(s.memory)},
                        {"requests_per_month", s.requestsPerMonth},
                        {"hours_per_month", s.hoursPerMonth},
                        {"latency_ms", toJson(s.latencyMs)},
                        {"p95_ms", toJson(s.p95Ms)},
                        {"throughput_per_s", toJson(s.throughputPerS)},
                        {"usd_per_million", toJson(s.usdPerMillion)},
                        {"recommended", toJson(s.recommended)},
                        {"planned", plannedJson(s.plannedCapacity())},
                        {"on", onJson(s.on)},
                        {"ways", waysJson(s.ways)},
                        {"hosted", hostedJson(s.hosted)},
                        {"scaling", scalingJson(s.scaling)},
                        {"options", std::move(options)}};
}

} // namespace outlay::pricing
