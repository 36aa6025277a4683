// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Energy to CO2e on one basis at a time: here, elsewhere, by the hour, and what it compares to.
#pragma once

#include "core/base/quantity.h"
#include "core/carbon/carbon_catalog.h"
#include "core/settings/settings.h"

#include <array>

namespace outlay::core {

/// Location: all emissions of the grid's mix, from mine to plant; direct: those of the plants alone;
/// market: what is left after a provider's purchases of clean energy. Never mixed in one list.
enum class GridBasis { Location, Market, Direct };
inline constexpr std::array<std::string_view, 3> GridBasisNames{"location", "market", "direct"};

[[nodiscard]] Quantity energyCost(const Quantity& kwh, const Quantity& usdPerKwh);

/// What the site gives itself; else its region's, its country's, or the world's, which is assumed.
[[nodiscard]] Quantity gridIntensity(const CarbonCatalog& catalog, const Site& site,
                                     GridBasis basis);
/// Overhead of the site: of the provider's fleet, or none here.
[[nodiscard]] Quantity overheadOf(const CarbonCatalog& catalog, const Site& site);
[[nodiscard]] Quantity electricityPrice(const CarbonCatalog& catalog, const Site& site);

/// kg = kWh x PUE x grid.
[[nodiscard]] Quantity carbonOf(const Quantity& kwh, const Quantity& pue, const Quantity& grid);
[[nodiscard]] Quantity carbonOf(const CarbonCatalog& catalog, const Site& site, GridBasis basis,
                                const Quantity& kwh);

/// The share of making the hardware that falls on `hours` of a server with so many accelerators;
/// always apart from the emissions of use.
[[nodiscard]] Quantity embodiedCarbon(const CarbonCatalog& catalog, const Quantity& hours,
                                      double accelerators, double memoryGb);

[[nodiscard]] Quantity offsetCost(const CarbonCatalog& catalog, const Quantity& kg,
                                  std::optional<double> usdPerTonne);

/// "0.0623 miles driven"; where that is less than one, also in a smaller unit.
struct Equivalent {
    std::string id;
    std::string name;
    std::string what; // the definition of one
    Quantity amount;
    std::optional<std::string> smallName;
    std::optional<Quantity> smallAmount;
    bool isRecommended = false;
};
[[nodiscard]] std::vector<Equivalent> equivalentsOf(const CarbonCatalog& catalog,
                                                    const Quantity& kg);

struct RegionCarbon {
    std::string region;
    std::string location;
    Quantity grid;
    Quantity kg;
};
/// The same energy of the hardware in every region, cleanest first, those without a figure last.
[[nodiscard]] std::vector<RegionCarbon> elsewhere(const CarbonCatalog& catalog, const Quantity& kwh,
                                                  GridBasis basis);

struct HourCarbon {
    int hour = 0; // local standard time
    Quantity kg;
};
/// `kg` if it were all emitted in one hour of the day; unavailable in each where the zone's shape isn't
/// known, or on the market basis.
[[nodiscard]] std::vector<HourCarbon> byHour(const CarbonCatalog& catalog, const Site& site,
                                             GridBasis basis, const Quantity& kg);

} // namespace outlay::core
