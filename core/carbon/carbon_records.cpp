// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/carbon/carbon_records.h"

namespace outlay::core {
namespace {

constexpr double MostGrams = 2000;
constexpr double MostUsdPerKwh = 10;

Field needed(std::string_view key, std::string_view what)
{
    return {.key = key, .what = what, .presence = Presence::Required};
}

} // namespace

void describe(FieldVisitor& v, GridRegion& r)
{
    v.text(needed("id", "provider and region"), r.id);
    v.text({.key = "location", .what = "location"}, r.location);
    v.text(needed("country", "country"), r.country);
    v.text({.key = "zone", .what = "zone"}, r.zone);
    v.number({"lifecycle", "lifecycle intensity", 0, MostGrams}, r.lifecycleGrams);
    v.number({"direct", "direct intensity", 0, MostGrams}, r.directGrams);
    v.integer(needed("year", "year"), r.year);
    v.number({"market", "market-based intensity", 0, MostGrams}, r.marketGrams);
    v.integer({.key = "market_year", .what = "year of the market-based one"}, r.marketYear);
    v.text({.key = "market_by", .what = "source of the market-based one"}, r.marketBy);
    v.text({.key = "scope", .what = "scope"}, r.scope);
}

void describe(FieldVisitor& v, GridCountry& c)
{
    v.text({.key = "code", .what = "code of two letters"}, c.code);
    v.text(needed("code3", "code of three letters"), c.code3);
    v.text(needed("name", "name"), c.name);
    v.number({"lifecycle", "lifecycle intensity", 0, MostGrams}, c.lifecycleGrams);
    v.number({"direct", "direct intensity", 0, MostGrams}, c.directGrams);
    v.integer(needed("year", "year"), c.year);
}

void describe(FieldVisitor& v, PueRecord& p)
{
    v.text(needed("provider", "provider"), p.provider);
    v.number({"pue", "power usage effectiveness", 1, 10}, p.value);
    v.number({"low", "lower end", 1, 10}, p.low);
    v.number({"high", "upper end", 1, 10}, p.high);
    v.text({.key = "year", .what = "year"}, p.year);
}

void describe(FieldVisitor& v, ElectricityPrice& p)
{
    v.text(needed("place", "place"), p.place);
    v.text(needed("scope", "scope"), p.scope);
    v.text({.key = "code", .what = "code of the country"}, p.code);
    v.number({"residential", "price for homes", 0, MostUsdPerKwh}, p.residentialUsd);
    v.number({"commercial", "price for businesses", 0, MostUsdPerKwh}, p.commercialUsd);
    v.number({"industrial", "price for industry", 0, MostUsdPerKwh}, p.industrialUsd);
    v.flag({.key = "doubtful", .what = "without a good source"}, p.isDoubtful);
    v.text(needed("as_of", "date"), p.asOf);
}

void describe(FieldVisitor& v, DayShape& s)
{
    v.text(needed("zone", "zone"), s.zone);
    v.integer(needed("year", "year"), s.year);
    v.integer({"utc_offset_h", "offset from UTC", -14, 14}, s.utcOffsetH);
    v.integers(needed("relative_permille", "hours against the mean"), s.relative);
    v.integers(needed("low_permille", "lower ends"), s.low);
    v.integers(needed("high_permille", "upper ends"), s.high);
    v.integers(needed("direct_permille", "hours of direct emissions"), s.direct);
}

void describe(FieldVisitor& v, EquivalentRecord& e)
{
    v.text(needed("id", "id"), e.id);
    v.text(needed("name", "name"), e.name);
    v.text(needed("unit", "unit"), e.unit);
    v.text(needed("what", "definition"), e.what);
    v.number({"kg_per_unit", "kg CO2e of one", 1e-9, 1e9}, e.kgPerUnit);
    v.flag({.key = "recommended", .what = "shown by default"}, e.isRecommended);
    v.text({.key = "small_name", .what = "name of a smaller unit"}, e.smallName);
    v.number({"small_per_unit", "how many smaller ones make one", 1, 1e9}, e.smallPerUnit);
    v.text({.key = "as_of", .what = "date"}, e.asOf);
}

void describe(FieldVisitor& v, OffsetRecord& o)
{
    v.number({"usd_per_tonne", "price", 0, 1e5}, o.usdPerTonne);
    v.number({"low", "lower end", 0, 1e5}, o.low);
    v.number({"high", "upper end", 0, 1e5}, o.high);
    v.text({.key = "as_of", .what = "date"}, o.asOf);
}

void describe(FieldVisitor& v, EmbodiedRecord& e)
{
    v.number({"server_kg", "kg CO2e to make a server", 0, 1e6}, e.serverKg);
    v.number({"accelerator_kg", "kg CO2e to make an accelerator", 0, 1e6}, e.acceleratorKg);
    v.number({"memory_kg_per_gb", "kg CO2e to make a GB of memory", 0, 1e3}, e.memoryKgPerGb);
    v.number({"life_hours", "hours of use", 1, 1e6}, e.lifeHours);
    v.text({.key = "as_of", .what = "date"}, e.asOf);
}

} // namespace outlay::core
