// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/own_factor.h"

#include "core/base/fields.h"
#include "core/base/text.h"

namespace outlay::pricing {

using namespace outlay::core;

namespace {

constexpr Formula OwnFactorFormula{"forecast.own", "{0} forecast x {1}"};

std::string_view ownFactorKey(RunPlace place)
{
    return OwnFactorNames.at(static_cast<std::size_t>(place));
}

} // namespace

void describe(FieldVisitor& v, OwnFactor& f)
{
    v.number({"value", "factor"}, f.value);
    v.number({"low", "lower end of its 80 % interval"}, f.low);
    v.number({"high", "upper end of its 80 % interval"}, f.high);
    v.integer({"runs", "runs that it was got from"}, f.runs);
}

std::optional<OwnFactor> ownFactorOf(const Experiment& experiment, RunPlace place)
{
    const Json* given = experiment.assumptions.find(ownFactorKey(place));
    if (given == nullptr)
        return std::nullopt;
    OwnFactor factor;
    if (given->isNumber()) {
        factor = {given->number(), given->number(), given->number(), 0};
    } else {
        FieldReader reader(*given, "");
        if (!reader.outcome())
            return std::nullopt;
        describe(reader, factor);
        if (!reader.outcome())
            return std::nullopt;
    }
    const bool isSound =
        factor.low > 0 && factor.low <= factor.value && factor.value <= factor.high;
    return isSound ? std::optional(factor) : std::nullopt;
}

Quantity times(const Quantity& forecast, const OwnFactor& factor)
{
    if (!forecast.isAvailable())
        return forecast;
    std::string note = factor.runs > 0
                           ? std::to_string(factor.runs) + " of your own runs took that many times "
                                                           "their forecasts"
                           : std::string("given in the experiment");
    return Quantity::within(forecast.value() * factor.value, forecast.low() * factor.low,
                            forecast.high() * factor.high, forecast.unit(), Basis::Forecast,
                            how(OwnFactorFormula, {forecast.value(), factor.value},
                                note + "; " + forecast.how().sentence()));
}

std::string sourceOf(const OwnFactor& factor, RunPlace place)
{
    if (factor.runs == 0)
        return "given in the experiment";
    return "your own runs (" + std::to_string(factor.runs) +
           (place == RunPlace::Here ? " on this machine" : " on planned machines") + ", " +
           plainNumber(factor.low) + " to " + plainNumber(factor.high) +
           " in 80 of 100 cases; taken on the page Track record)";
}

Json patchWith(const std::optional<OwnFactor>& factor, RunPlace place)
{
    Json step = Json::object();
    step.set("op", Json(factor ? "add" : "remove"));
    step.set("path", Json(childPointer("/assumptions", ownFactorKey(place))));
    if (factor)
        step.set("value", fieldsOf(*factor));
    Json patch = Json::array();
    patch.append(std::move(step));
    return patch;
}

} // namespace outlay::pricing
