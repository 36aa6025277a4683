// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/tariffs.h"

#include "core/base/resources.h"
#include "core/base/units.h"
#include "pricing/date.h"
#include "pricing/provider.h"
#include "pricing/trust.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula TariffFormula{"tariff", "{0} units at {1} USD for the first"};

auto serviceKey(const Tariff& t)
{
    return std::tuple<TariffKind, std::string_view, std::string_view>(t.kind, t.provider,
                                                                      t.service);
}

double endOf(const Tariff& t)
{
    return t.upTo.value_or(std::numeric_limits<double>::infinity());
}

struct SourceList {
    std::vector<PriceSource> sources;
    std::vector<Tariff> tariffs;
};

struct SourceFields {
    PriceSource& source;
};

void describe(FieldVisitor& v, SourceFields& s)
{
    v.text({.key = "name", .what = "name of the source", .presence = Presence::Required},
           s.source.name);
    v.text({"as_of", "date of the source"}, s.source.asOf);
}

Result<SourceList> readList(const Json& json)
{
    SourceList list;
    const Json* sources = json.find("sources");
    const Json* tariffs = json.find("tariffs");
    if (sources == nullptr || sources->asArray() == nullptr || tariffs == nullptr ||
        tariffs->asArray() == nullptr)
        return inputError("these are not tariffs", "install the program again");
    for (const Json& row : *sources->asArray()) {
        SourceFields fields{list.sources.emplace_back()};
        FieldReader reader(row, childPointer("/sources", list.sources.size() - 1));
        describe(reader, fields);
        if (const auto outcome = reader.outcome(); !outcome)
            return failureOf(outcome);
    }
    for (const Json& row : *tariffs->asArray()) {
        Tariff& tariff = list.tariffs.emplace_back();
        FieldReader reader(row, childPointer("/tariffs", list.tariffs.size() - 1));
        describe(reader, tariff);
        if (tariff.source >= static_cast<std::int64_t>(list.sources.size()))
            reader.fail("source", "there is no such source", "name one of the list");
        if (const auto outcome = reader.outcome(); !outcome)
            return failureOf(outcome);
    }
    return list;
}

/// USD for `amount`, each step's part at its own price.
double usdOf(std::span<const Tariff> steps, double amount)
{
    double usd = 0;
    double from = 0;
    for (const Tariff& step : steps) {
        const double to = std::min(amount, endOf(step));
        usd += std::max(to - from, 0.0) * step.usd;
        from = std::max(from, to);
    }
    // Beyond a last step that ends, its price goes on: nothing is known of a lower one.
    return usd + std::max(amount - from, 0.0) * steps.back().usd;
}

} // namespace

void describe(FieldVisitor& v, Tariff& t)
{
    constexpr double Most = 1e15;
    v.choice(Field{"kind", "kind of tariff", 0, 0, Presence::Required}, t.kind, TariffKindNames);
    v.text({.key = "provider", .what = "provider", .presence = Presence::Required}, t.provider);
    v.text({.key = "service", .what = "service", .presence = Presence::Required}, t.service);
    v.text({"region", "region"}, t.region);
    v.text({.key = "unit", .what = "unit", .presence = Presence::Required}, t.unit);
    v.number({"usd", "price of a unit in USD", 0, 1e6, Presence::Required}, t.usd);
    v.number({"up_to", "units in a month that it holds for", 0, Most}, t.upTo);
    v.text({"note", "what to know about it"}, t.note);
    v.integer({"source", "index of its source", 0, 1e6, Presence::Required}, t.source);
}

Result<Tariffs> Tariffs::create(std::string_view json)
{
    const auto document = readJson(json);
    if (!document)
        return failureOf(document);
    auto list = readList(*document);
    if (!list)
        return failureOf(list);
    Tariffs tariffs;
    tariffs.m_sources = std::move(list->sources);
    tariffs.m_tariffs = std::move(list->tariffs);
    const auto key = [](const Tariff& t) {
        return std::tuple_cat(serviceKey(t),
                              std::tuple<std::string_view, double>(t.region, endOf(t)));
    };
    std::sort(tariffs.m_tariffs.begin(), tariffs.m_tariffs.end(),
              [&](const Tariff& a, const Tariff& b) { return key(a) < key(b); });
    return tariffs;
}

Result<Tariffs> Tariffs::load()
{
    auto tariffs = create(resource("tariffs.json"));
    if (!tariffs)
        return tl::unexpected<Error>(tariffs.error().in("tariffs.json"));
    return tariffs;
}

const PriceSource& Tariffs::source(const Tariff& tariff) const
{
    return m_sources[static_cast<std::size_t>(tariff.source)];
}

std::span<const Tariff> Tariffs::steps(const TariffChoice& choice) const
{
    const std::tuple key(choice.kind, choice.provider, choice.service);
    const auto first =
        std::lower_bound(m_tariffs.begin(), m_tariffs.end(), key,
                         [](const Tariff& t, const auto& k) { return serviceKey(t) < k; });
    const auto last =
        std::upper_bound(first, m_tariffs.end(), key,
                         [](const auto& k, const Tariff& t) { return k < serviceKey(t); });
    if (first == last)
        return {};
    const auto isHere = [&](const Tariff& t) { return t.region == choice.region; };
    auto begin = std::find_if(first, last, isHere);
    if (begin == last)
        begin = first;
    const auto end =
        std::find_if(begin, last, [&](const Tariff& t) { return t.region != begin->region; });
    return {begin, end};
}

Quantity Tariffs::cost(const TariffChoice& choice, double amount, std::string_view today,
                       const Drift& drift) const
{
    const std::span<const Tariff> found = steps(choice);
    if (found.empty())
        return Quantity::unavailable(Unit::Usd, "no price of '" + std::string(choice.service) +
                                                    "' is listed for " +
                                                    std::string(providerTitle(choice.provider)));
    const PriceSource& origin = source(found.front());
    const double usd = usdOf(found, amount);
    PriceRange range;
    const int days = daysBetween(origin.asOf, today).value_or(0);
    if (isStale(origin.asOf, today))
        range = drift.after(days / DaysPerYear, Purchase::OnDemand, false);
    const bool isElsewhere = found.front().region != choice.region;
    std::string note =
        found.front().service + " in " + found.front().region + ", a " + found.front().unit;
    if (isElsewhere)
        note += ", because none is listed for " + std::string(choice.region);
    note += "; " + origin.name + ", " + (origin.asOf.empty() ? "undated" : origin.asOf);
    return Quantity::within(usd, usd * range.lowFactor, usd * range.highFactor, Unit::Usd,
                            isElsewhere ? Basis::Assumed : Basis::Listed,
                            how(TariffFormula, {amount, found.front().usd}, std::move(note)));
}

} // namespace outlay::pricing
