// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/mixes.h"

#include "core/base/log_normal.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/experiment/field_meaning.h"
#include "core/experiment/patch.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {
namespace {

/// What a file says of a length.
struct Counted {
    double median = 0;
    double p90 = 0;
};

void describe(FieldVisitor& v, Counted& counted)
{
    v.number({.key = "median", .what = "median", .presence = Presence::Required}, counted.median);
    v.number({.key = "p90", .what = "90th percentile", .presence = Presence::Required},
             counted.p90);
}

MixLength lengthOf(const std::optional<Counted>& counted)
{
    return counted ? mixLength(counted->median, counted->p90) : MixLength{};
}

Result<TrafficMix> readMix(const Json& row)
{
    TrafficMix mix;
    FieldReader reader(row, "");
    reader.text({.key = "id", .what = "id", .presence = Presence::Required}, mix.id);
    reader.text({.key = "title", .what = "title", .presence = Presence::Required}, mix.title);
    reader.text({.key = "summary", .what = "summary", .presence = Presence::Required}, mix.summary);
    reader.text({.key = "source", .what = "source", .presence = Presence::Required}, mix.source);
    reader.number({.key = "first_token_p95_ms", .what = "first token"}, mix.firstTokenP95Ms);
    reader.number({.key = "token_p95_ms", .what = "token"}, mix.tokenP95Ms);
    reader.flag({.key = "at_once", .what = "all at once"}, mix.isAtOnce);
    std::optional<Counted> input;
    std::optional<Counted> output;
    reader.object({.key = "input", .what = "tokens read"}, input);
    reader.object({.key = "output", .what = "tokens generated"}, output);
    if (const auto outcome = reader.outcome(); !outcome)
        return failureOf(outcome);
    mix.input = lengthOf(input);
    mix.output = lengthOf(output);
    if (mix.input.mean <= 0 || mix.output.mean <= 0)
        return internalError("a mix of requests has no length", "install the program again");
    return mix;
}

Result<std::vector<TrafficMix>> readMixes()
{
    const auto json = readJson(resource("mixes.json"));
    if (!json)
        return tl::unexpected<Error>(json.error().in("mixes.json"));
    const Json* list = json->find("mixes");
    if (list == nullptr || list->asArray() == nullptr)
        return internalError("the mixes of this program can't be read", "install it again");
    std::vector<TrafficMix> rows;
    for (const Json& row : *list->asArray()) {
        auto mix = readMix(row);
        if (!mix)
            return tl::unexpected<Error>(mix.error().in("mixes.json"));
        rows.push_back(std::move(*mix));
    }
    return rows;
}

/// No promise of its own: as long as the longest of 95 in 100 may take by the other two.
double wholeAnswerMs(const TrafficMix& mix)
{
    constexpr double Round = 10'000;
    const double tokens =
        LogNormal(static_cast<double>(mix.output.mean), mix.output.spread).at(At95);
    return std::ceil((*mix.firstTokenP95Ms + tokens * *mix.tokenP95Ms) / Round) * Round;
}

bool hasLength(const MixLength& length, std::int64_t tokens, double spread)
{
    return length.mean == tokens && length.spread == spread;
}

Result<TrafficMix> mixNamed(std::string_view id)
{
    const auto& rows = trafficMixes();
    if (!rows)
        return failureOf(rows);
    std::vector<std::string_view> ids;
    for (const TrafficMix& row : *rows) {
        if (row.id == id)
            return row;
        ids.push_back(row.id);
    }
    return usageError("there is no mix of requests " + inQuotes(id),
                      "choose of " + joined(ids, ", "));
}

Json patchOf(const TrafficMix& mix, const Experiment& experiment)
{
    Json patch = Json::array();
    const auto set = [&](std::string_view pointer, Json value) {
        patch.append(setting(pointer, std::move(value)));
    };
    set("/serving/input_tokens", Json(mix.input.mean));
    set("/serving/input_spread", Json(mix.input.spread));
    set("/serving/output_tokens", Json(mix.output.mean));
    set("/serving/output_spread", Json(mix.output.spread));
    if (mix.firstTokenP95Ms && mix.tokenP95Ms) {
        set("/serving/first_token_p95_ms", Json(*mix.firstTokenP95Ms));
        set("/serving/token_p95_ms", Json(*mix.tokenP95Ms));
        set("/serving/latency_p95_ms", Json(wholeAnswerMs(mix)));
    }
    const bool wasAtOnce = experiment.plan.running == Running::AtOnce;
    if (mix.isAtOnce != wasAtOnce)
        set("/plan/running", Json(RunningNames.at(static_cast<std::size_t>(
                                 mix.isAtOnce ? Running::AtOnce : Running::Always))));
    return patch;
}

} // namespace

MixLength mixLength(double median, double p90)
{
    constexpr double At90 = 1.2816;
    constexpr double Hundredth = 100;
    if (median <= 0 || p90 < median)
        return {};
    const double sigma = std::log(p90 / median) / At90;
    const double spread = std::sqrt(std::expm1(sigma * sigma));
    return {std::llround(median * std::exp(sigma * sigma / 2)),
            std::round(spread * Hundredth) / Hundredth};
}

const Result<std::vector<TrafficMix>>& trafficMixes()
{
    static const Result<std::vector<TrafficMix>> Rows = readMixes();
    return Rows;
}

bool takesMix(const Experiment& experiment)
{
    return hasMeaning("/serving/output_tokens", experiment);
}

Result<Experiment> withMix(const Experiment& experiment, std::string_view id)
{
    const auto mix = mixNamed(id);
    if (!mix)
        return failureOf(mix);
    if (!takesMix(experiment))
        return usageError("this design generates nothing, so its requests are no mix",
                          "leave it out");
    return edited(experiment, patchOf(*mix, experiment));
}

const TrafficMix* mixOf(const Experiment& experiment)
{
    const auto& rows = trafficMixes();
    if (!rows)
        return nullptr;
    const Serving& s = experiment.serving;
    const auto found = std::find_if(rows->begin(), rows->end(), [&](const TrafficMix& mix) {
        return mix.isAtOnce == (experiment.plan.running == Running::AtOnce) &&
               hasLength(mix.input, s.inputTokens, s.inputSpread) &&
               hasLength(mix.output, s.outputTokens, s.outputSpread);
    });
    return found == rows->end() ? nullptr : &*found;
}

} // namespace outlay::core
