// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Grids, overheads, electricity prices, shapes of the day and equivalents, found by name.
#pragma once

#include "core/carbon/carbon_records.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace outlay::core {

/// Rows by their names in any spelling; of two with one name the first.
class NamedRows {
public:
    NamedRows() = default;
    /// A name and the index of its row.
    explicit NamedRows(std::vector<std::pair<std::string, std::size_t>> names);

    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

private:
    std::vector<std::pair<std::string, std::size_t>> m_names; // sorted, as plain letters
};

class CarbonCatalog {
public:
    /// The texts of grid.json and equivalents.json.
    [[nodiscard]] static Result<CarbonCatalog> create(std::string_view grid,
                                                      std::string_view equivalents);

    [[nodiscard]] const std::vector<GridRegion>& regions() const { return m_regions; }
    [[nodiscard]] const std::vector<GridCountry>& countries() const { return m_countries; }
    [[nodiscard]] const std::vector<ElectricityPrice>& prices() const { return m_prices; }
    [[nodiscard]] const std::vector<DayShape>& shapes() const { return m_shapes; }
    [[nodiscard]] const std::vector<EquivalentRecord>& equivalents() const { return m_equivalents; }
    [[nodiscard]] const OffsetRecord& offset() const { return m_offset; }
    [[nodiscard]] const EmbodiedRecord& embodied() const { return m_embodied; }
    [[nodiscard]] const std::string& gridAsOf() const { return m_gridAsOf; }

    /// "aws/us-east-1", in any case and with or without its separators ("azure/norway-east"); null if
    /// unknown.
    [[nodiscard]] const GridRegion* region(std::string_view id) const;
    /// By name or code; null if unknown.
    [[nodiscard]] const GridCountry* country(std::string_view nameOrCode) const;
    [[nodiscard]] const PueRecord* pue(std::string_view provider) const;
    [[nodiscard]] const ElectricityPrice* price(std::string_view placeOrCode) const;
    /// Of a zone ("US-CAL-CISO"), or of a country whose whole grid has one.
    [[nodiscard]] const DayShape* shape(std::string_view zone) const;

private:
    std::vector<GridRegion> m_regions;
    std::vector<GridCountry> m_countries;
    std::vector<PueRecord> m_pues;
    std::vector<ElectricityPrice> m_prices;
    std::vector<DayShape> m_shapes;
    NamedRows m_regionNames;
    NamedRows m_countryNames;
    NamedRows m_pueNames;
    NamedRows m_priceNames;
    NamedRows m_shapeNames;
    std::vector<EquivalentRecord> m_equivalents;
    OffsetRecord m_offset;
    EmbodiedRecord m_embodied;
    std::string m_gridAsOf;
};

/// Of resources/grid.json and resources/equivalents.json; read once.
[[nodiscard]] const Result<CarbonCatalog>& carbonCatalog();

} // namespace outlay::core
