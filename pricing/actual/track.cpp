// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/actual/track.h"

#include "core/base/units.h"
#include "core/probe/statistics.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {

using namespace outlay::core;

namespace {

std::optional<Foretold> foretoldOf(const Quantity& q, double unit = 1)
{
    return q.isAvailable()
               ? std::optional(Foretold{q.value() * unit, q.low() * unit, q.high() * unit})
               : std::nullopt;
}

/// Of Student's distribution beyond which a tenth lies, by degrees of freedom from 4 on.
double tenthOf(std::size_t freedom)
{
    constexpr std::array Few{1.533, 1.476, 1.440, 1.415, 1.397, 1.383, 1.372};
    constexpr double Normal = 1.2816;
    constexpr std::size_t First = 4;
    if (freedom < First + Few.size())
        return Few.at(freedom - First);
    return Normal * (1 + 0.665 / static_cast<double>(freedom)); // within 0.1 % from 11 on
}

/// The ratios spread evenly in their logarithms.
Foretold factorOf(const std::vector<double>& logs)
{
    const double count = static_cast<double>(logs.size());
    double mean = 0;
    for (const double log : logs)
        mean += log / count;
    double squares = 0;
    for (const double log : logs)
        squares += (log - mean) * (log - mean);
    const double error = std::sqrt(squares / (count - 1) / count);
    const double reach = tenthOf(logs.size() - 1) * error;
    return {std::exp(mean), std::exp(mean - reach), std::exp(mean + reach)};
}

Track trackOf(const std::vector<Actual>& actuals, TrackedThing thing)
{
    Track track{.thing = thing};
    std::vector<double> logs;
    std::vector<double> misses;
    for (const Actual& actual : actuals) {
        const auto pair = pairOf(actual, thing);
        if (!pair)
            continue;
        ++track.runs;
        track.inside += pair->isInside() ? 1U : 0U;
        misses.push_back(std::abs(pair->foretold.value / pair->found - 1));
        // As it would have been without the factor that was in it.
        logs.push_back(std::log(pair->found / pair->foretold.value * actual.ownFactor.value_or(1)));
    }
    track.medianMiss = median(misses);
    if (logs.size() >= EnoughForFactor)
        track.factor = factorOf(logs);
    return track;
}

} // namespace

void describe(FieldVisitor& v, Foretold& f)
{
    v.number({"value", "value"}, f.value);
    v.number({"low", "lower end of the 80 % interval"}, f.low);
    v.number({"high", "upper end of the 80 % interval"}, f.high);
}

void describe(FieldVisitor& v, Actual& a)
{
    v.text({"kind", "what kept it"}, a.kind);
    v.text({"file", "name of the file"}, a.file);
    v.text({"sha256", "hash of the file"}, a.sha256);
    v.text({"attached", "time when it was attached"}, a.attached);
    v.text({"began", "begin of the run"}, a.began);
    v.flag({"here", "on this machine"}, a.isHere);
    v.number({"own_factor", "factor of own runs in what was foretold"}, a.ownFactor);
    v.number({"seconds", "time"}, a.seconds);
    v.number({"usd", "money"}, a.usd);
    v.number({"kwh", "energy"}, a.kwh);
    v.number({"kg_co2e", "emissions"}, a.kgCo2e);
    v.object({"foretold_seconds", "time as it was foretold"}, a.seconds80);
    v.object({"foretold_usd", "money as it was foretold"}, a.usd80);
    v.object({"foretold_kwh", "energy as it was foretold"}, a.kwh80);
    v.object({"foretold_kg_co2e", "emissions as they were foretold"}, a.kgCo2e80);
}

Actual actualOf(const Record& record, const Experiment& experiment, const Report& report,
                bool isHere)
{
    Actual a{.kind = record.kind,
             .began = record.began,
             .isHere = isHere,
             .seconds = record.seconds,
             .usd = record.usd,
             .kwh = record.kwh,
             .kgCo2e = record.kgCo2e};
    const TrainingReport& t = report.training;
    if (const auto own = ownFactorOf(experiment, isHere ? RunPlace::Here : RunPlace::Planned))
        a.ownFactor = own->value;
    if (isHere) {
        a.seconds80 = foretoldOf(t.here);
        a.usd80 = foretoldOf(t.hereUsd);
        a.kwh80 = foretoldOf(t.hereKwh);
        a.kgCo2e80 = foretoldOf(t.hereKgCo2e);
    } else if (const auto& option = t.recommended.option) {
        a.seconds80 = foretoldOf(option->hours, SecondsPerHour);
        a.usd80 = foretoldOf(option->usd);
        a.kwh80 = foretoldOf(report.carbon.kwh);
        a.kgCo2e80 = foretoldOf(report.carbon.kgCo2e);
    }
    return a;
}

Json toJson(const Actual& actual)
{
    return fieldsOf(actual);
}

std::vector<Actual> actualsOf(const Json& list)
{
    std::vector<Actual> actuals;
    if (list.asArray() == nullptr)
        return actuals;
    for (const Json& row : *list.asArray()) {
        Actual actual;
        FieldReader reader(row, "");
        if (!reader.outcome())
            continue;
        describe(reader, actual);
        if (reader.outcome())
            actuals.push_back(std::move(actual));
    }
    return actuals;
}

std::optional<double> foundOf(const Actual& a, TrackedThing thing)
{
    switch (thing) {
    case TrackedThing::Time: return a.seconds;
    case TrackedThing::Money: return a.usd;
    case TrackedThing::Energy: return a.kwh;
    case TrackedThing::Carbon: return a.kgCo2e;
    }
    return std::nullopt;
}

std::optional<Pair> pairOf(const Actual& a, TrackedThing thing)
{
    const auto pair = [](const std::optional<double>& found, const std::optional<Foretold>& told) {
        const bool areKnown = found && told && *found > 0 && told->value > 0;
        return areKnown ? std::optional(Pair{*told, *found}) : std::nullopt;
    };
    switch (thing) {
    case TrackedThing::Time: return pair(a.seconds, a.seconds80);
    case TrackedThing::Money: return pair(a.usd, a.usd80);
    case TrackedThing::Energy: return pair(a.kwh, a.kwh80);
    case TrackedThing::Carbon: return pair(a.kgCo2e, a.kgCo2e80);
    }
    return std::nullopt;
}

std::array<Track, TrackedThingNames.size()> trackOf(const std::vector<Actual>& actuals)
{
    return {trackOf(actuals, TrackedThing::Time), trackOf(actuals, TrackedThing::Money),
            trackOf(actuals, TrackedThing::Energy), trackOf(actuals, TrackedThing::Carbon)};
}

Track trackOf(const std::vector<Actual>& actuals, TrackedThing thing, RunPlace place)
{
    std::vector<Actual> there;
    std::copy_if(actuals.begin(), actuals.end(), std::back_inserter(there),
                 [&](const Actual& a) { return a.isHere == (place == RunPlace::Here); });
    return trackOf(there, thing);
}

std::optional<OwnFactor> ownFactorFrom(const std::vector<Actual>& actuals, RunPlace place)
{
    const Track track = trackOf(actuals, TrackedThing::Time, place);
    if (!track.factor)
        return std::nullopt;
    return OwnFactor{track.factor->value, track.factor->low, track.factor->high,
                     static_cast<std::int64_t>(track.runs)};
}

} // namespace outlay::pricing
