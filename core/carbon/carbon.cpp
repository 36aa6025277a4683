// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/carbon/carbon.h"

#include "core/base/text.h"
#include "core/base/units.h"

#include <algorithm>

namespace outlay::core {
namespace {

constexpr Formula BillFormula{"carbon.energy_cost", "{0} kWh x {1} USD/kWh"};
constexpr Formula CarbonFormula{"carbon.use", "{0} kWh x PUE {1} x {2} g/kWh / 1,000"};
constexpr Formula EmbodiedFormula{
    "carbon.embodied", "({0} kg of a server + {1} accelerators x {2} kg + {3} kg of memory) x "
                       "{4} h / {5} h of life"};
constexpr Formula OffsetFormula{"carbon.offset", "{0} kg / 1,000 x {1} USD/t"};
constexpr Formula EquivalentFormula{"carbon.equivalent", "{0} kg / {1} kg"};
constexpr Formula SmallFormula{"carbon.equivalent.small", "{0} x {1}"};
constexpr Formula HourFormula{"carbon.hour", "{0} kg x {1}"};
constexpr Formula GivenFormula{"carbon.given", "{0}"};

constexpr double KgPerTonne = 1000;

// From one year to the next, four of five zones of the cloud regions changed by less (1,019 pairs of
// years, 2015 to 2024).
constexpr double YearToYear = 0.14;
// Grids run from water power to brown coal; the world's mean says little of an unknown place.
constexpr double CleanestGrams = 20;
constexpr double DirtiestGrams = 750;

Quantity given(double value, Unit unit, std::string note)
{
    return Quantity::within(value, value, value, unit, Basis::Assumed,
                            how(GivenFormula, {value}, std::move(note)));
}

Quantity listedGrid(double grams, std::int64_t year, const std::string& where,
                    const std::string& source)
{
    return Quantity::within(
        grams, grams / (1 + YearToYear), grams * (1 + YearToYear), Unit::GramsPerKilowattHour,
        Basis::Listed,
        how(GivenFormula, {grams}, where + ", " + std::to_string(year) + "; " + source));
}

Quantity noGrid(Note reason)
{
    return Quantity::unavailable(Unit::GramsPerKilowattHour, std::move(reason));
}

Quantity gridOf(const GridRegion& region, GridBasis basis)
{
    const std::string of =
        region.id + (region.scope == "country" ? " (its country's mix)" : " (" + region.zone + ")");
    switch (basis) {
    case GridBasis::Location:
        if (region.lifecycleGrams)
            return listedGrid(*region.lifecycleGrams, region.year, of + ", lifecycle",
                              region.source);
        break;
    case GridBasis::Direct:
        if (region.directGrams)
            return listedGrid(*region.directGrams, region.year, of + ", direct", region.source);
        break;
    case GridBasis::Market:
        if (region.marketGrams)
            return listedGrid(*region.marketGrams, region.marketYear.value_or(region.year),
                              region.id + ", grid x (1 - carbon-free score)", region.marketBy);
        return noGrid("no market-based figure by the hour is published for " + region.id);
    }
    return noGrid("no " + std::string(GridBasisNames.at(static_cast<std::size_t>(basis))) +
                  "-based figure is known for " + region.id);
}

Quantity gridOf(const GridCountry& country, GridBasis basis)
{
    if (basis == GridBasis::Market)
        return noGrid("a market-based figure belongs to a provider, and " + country.name +
                      " is a country");
    const auto& grams = basis == GridBasis::Location ? country.lifecycleGrams : country.directGrams;
    if (!grams)
        return noGrid("no figure of this basis is known for " + country.name);
    return listedGrid(*grams, country.year,
                      country.name + (basis == GridBasis::Direct ? ", direct" : ", lifecycle"),
                      country.source);
}

Quantity worldGrid(const CarbonCatalog& catalog, GridBasis basis)
{
    const GridCountry* world = catalog.country("world");
    if (basis != GridBasis::Location || world == nullptr || !world->lifecycleGrams)
        return noGrid("no place is given; give `site.country`");
    return Quantity::within(
        *world->lifecycleGrams, CleanestGrams, DirtiestGrams, Unit::GramsPerKilowattHour,
        Basis::Assumed,
        how(GivenFormula, {*world->lifecycleGrams},
            "no place is given, so the world's mean; give `site.country`; " + world->source));
}

std::string providerOf(const Site& site)
{
    return site.region ? site.region->substr(0, site.region->find('/')) : "here";
}

/// The country of a site by its code, from the region if none is given.
std::string countryOf(const CarbonCatalog& catalog, const Site& site)
{
    if (site.country)
        return *site.country;
    const GridRegion* region = site.region ? catalog.region(*site.region) : nullptr;
    return region == nullptr ? "" : region->country;
}

const DayShape* shapeOf(const CarbonCatalog& catalog, const Site& site)
{
    if (const GridRegion* region = site.region ? catalog.region(*site.region) : nullptr) {
        const DayShape* shape = catalog.shape(region->zone);
        return shape != nullptr ? shape : catalog.shape(region->country);
    }
    const GridCountry* country = site.country ? catalog.country(*site.country) : nullptr;
    return country == nullptr ? nullptr : catalog.shape(country->code);
}

} // namespace

Quantity energyCost(const Quantity& kwh, const Quantity& usdPerKwh)
{
    return product(kwh, usdPerKwh, Unit::Usd)
        .because(how(BillFormula, {kwh.value(), usdPerKwh.value()}, usdPerKwh.how().note));
}

Quantity gridIntensity(const CarbonCatalog& catalog, const Site& site, GridBasis basis)
{
    if (site.gridGramsPerKwh)
        return given(*site.gridGramsPerKwh, Unit::GramsPerKilowattHour,
                     "g/kWh, given in `site.grid_g_per_kwh`");
    if (site.region) {
        const GridRegion* region = catalog.region(*site.region);
        return region == nullptr
                   ? noGrid("the grid of " + printable(*site.region, 60) + " is not known")
                   : gridOf(*region, basis);
    }
    if (!site.country)
        return worldGrid(catalog, basis);
    const GridCountry* country = catalog.country(*site.country);
    return country == nullptr ? noGrid("the grid of " + inQuotes(*site.country) + " is not known")
                              : gridOf(*country, basis);
}

Quantity overheadOf(const CarbonCatalog& catalog, const Site& site)
{
    if (site.pue)
        return given(*site.pue, Unit::One, "given in `site.pue`");
    const std::string provider = providerOf(site);
    if (const PueRecord* record = catalog.pue(provider))
        return Quantity::within(record->value, record->low, record->high, Unit::One, Basis::Listed,
                                how(GivenFormula, {record->value},
                                    record->provider + " " + record->year + "; " + record->source));
    // Data centres that publish nothing: the mean of surveys, to the best of the large providers.
    constexpr double Usual = 1.56;
    constexpr double Least = 1.1;
    constexpr double Most = 2;
    return Quantity::within(Usual, Least, Most, Unit::One, Basis::Assumed,
                            how(GivenFormula, {Usual},
                                "PUE of " + printable(provider, 60) +
                                    " is not known; the mean of data centres in 2024 (Uptime "
                                    "Institute, as Green Algorithms quotes it)"));
}

Quantity electricityPrice(const CarbonCatalog& catalog, const Site& site)
{
    if (site.electricityUsdPerKwh)
        return given(*site.electricityUsdPerKwh, Unit::UsdPerKilowattHour,
                     "USD/kWh, given in `site.electricity_usd_per_kwh`");
    const std::string country = countryOf(catalog, site);
    const ElectricityPrice* price = catalog.price(country);
    const GridCountry* known = catalog.country(country);
    if (price == nullptr && known != nullptr)
        price = catalog.price(known->name);
    const bool isPlace = price != nullptr;
    if (!isPlace)
        price = catalog.price("World average");
    const std::optional<double> usd =
        price == nullptr ? std::nullopt
                         : (price->residentialUsd ? price->residentialUsd : price->commercialUsd);
    if (!usd)
        return Quantity::unavailable(Unit::UsdPerKilowattHour,
                                     "no electricity price is known; give "
                                     "`site.electricity_usd_per_kwh`");
    // A place's own price differs between tariffs; the world's mean says little of a place.
    const double factor = !isPlace ? 2.5 : price->isDoubtful ? 1.5 : 1.25;
    return Quantity::within(
        *usd, *usd / factor, *usd * factor, Unit::UsdPerKilowattHour,
        isPlace && !price->isDoubtful ? Basis::Listed : Basis::Assumed,
        how(GivenFormula, {*usd},
            "USD/kWh for homes, " + price->place + ", " + price->asOf + "; " + price->source));
}

Quantity carbonOf(const Quantity& kwh, const Quantity& pue, const Quantity& grid)
{
    const Quantity drawn = product(kwh, pue, Unit::KilowattHours);
    return product(drawn, grid * (1 / GramsPerKg), Unit::KilogramsCo2e)
        .because(how(CarbonFormula, {kwh.value(), pue.value(), grid.value()}, grid.how().note));
}

Quantity carbonOf(const CarbonCatalog& catalog, const Site& site, GridBasis basis,
                  const Quantity& kwh)
{
    return carbonOf(kwh, overheadOf(catalog, site), gridIntensity(catalog, site, basis));
}

Quantity embodiedCarbon(const CarbonCatalog& catalog, const Quantity& hours, double accelerators,
                        double memoryGb)
{
    const EmbodiedRecord& e = catalog.embodied();
    const double memoryKg = memoryGb * e.memoryKgPerGb;
    const double allKg = e.serverKg + accelerators * e.acceleratorKg + memoryKg;
    const Quantity made =
        Quantity::within(allKg, allKg / 2, allKg * 2, Unit::KilogramsCo2e, Basis::Assumed, {});
    return product(made, hours * (1 / e.lifeHours), Unit::KilogramsCo2e)
        .because(
            how(EmbodiedFormula,
                {e.serverKg, accelerators, e.acceleratorKg, memoryKg, hours.value(), e.lifeHours},
                e.source));
}

Quantity offsetCost(const CarbonCatalog& catalog, const Quantity& kg,
                    std::optional<double> usdPerTonne)
{
    const OffsetRecord& o = catalog.offset();
    const Quantity price =
        usdPerTonne ? given(*usdPerTonne, Unit::Usd, "USD/t, given")
                    : Quantity::within(o.usdPerTonne, o.low, o.high, Unit::Usd, Basis::Assumed,
                                       how(GivenFormula, {o.usdPerTonne}, o.source));
    return product(kg * (1 / KgPerTonne), price, Unit::Usd)
        .because(how(OffsetFormula, {kg.value(), price.value()}, price.how().note));
}

std::vector<Equivalent> equivalentsOf(const CarbonCatalog& catalog, const Quantity& kg)
{
    std::vector<Equivalent> all;
    for (const EquivalentRecord& record : catalog.equivalents()) {
        const Quantity one = Quantity::within(record.kgPerUnit, record.kgPerUnit, record.kgPerUnit,
                                              Unit::KilogramsCo2e, Basis::Listed, {});
        Equivalent e{.id = record.id,
                     .name = record.name,
                     .what = record.what,
                     .amount = quotient(kg, one, Unit::One)
                                   .because(how(EquivalentFormula, {kg.value(), record.kgPerUnit},
                                                record.source + ", " + record.asOf)),
                     .isRecommended = record.isRecommended};
        if (e.amount.isAvailable() && e.amount.value() < 1 && record.smallPerUnit) {
            e.smallName = record.smallName;
            e.smallAmount =
                (e.amount * *record.smallPerUnit)
                    .because(how(SmallFormula, {e.amount.value(), *record.smallPerUnit}));
        }
        all.push_back(std::move(e));
    }
    return all;
}

std::vector<RegionCarbon> elsewhere(const CarbonCatalog& catalog, const Quantity& kwh,
                                    GridBasis basis)
{
    std::vector<RegionCarbon> rows;
    rows.reserve(catalog.regions().size());
    for (const GridRegion& region : catalog.regions()) {
        const Quantity grid = gridOf(region, basis);
        Site site;
        site.region = region.id;
        rows.push_back(
            {region.id, region.location, grid, carbonOf(kwh, overheadOf(catalog, site), grid)});
    }
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        if (a.kg.isAvailable() != b.kg.isAvailable())
            return a.kg.isAvailable();
        return a.kg.value() < b.kg.value();
    });
    return rows;
}

std::vector<HourCarbon> byHour(const CarbonCatalog& catalog, const Site& site, GridBasis basis,
                               const Quantity& kg)
{
    const DayShape* shape = basis == GridBasis::Market ? nullptr : shapeOf(catalog, site);
    const Note note =
        shape == nullptr
            ? Note("no hourly figures are known for this grid on this basis")
            : Note(shape->zone + ", " + std::to_string(shape->year) + "; " + shape->source);
    std::vector<HourCarbon> hours;
    hours.reserve(24);
    for (int hour = 0; hour < 24; ++hour) {
        if (shape == nullptr) {
            hours.push_back({hour, Quantity::unavailable(Unit::KilogramsCo2e, note)});
            continue;
        }
        const auto at = static_cast<std::size_t>(hour);
        const auto share = [](std::int64_t permille) {
            return static_cast<double>(permille) / 1000;
        };
        const bool isDirect = basis == GridBasis::Direct;
        const double relative = share(isDirect ? shape->direct[at] : shape->relative[at]);
        const Quantity factor = Quantity::within(
            relative, isDirect ? relative : share(shape->low[at]),
            isDirect ? relative : share(shape->high[at]), Unit::One, Basis::Listed, {});
        hours.push_back({hour, product(kg, factor, Unit::KilogramsCo2e)
                                   .because(how(HourFormula, {kg.value(), relative}, note))});
    }
    return hours;
}

} // namespace outlay::core
