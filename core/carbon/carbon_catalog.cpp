// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/carbon/carbon_catalog.h"

#include "core/base/data_file.h"
#include "core/base/resources.h"

#include <algorithm>

namespace outlay::core {
namespace {

constexpr std::size_t HoursPerDay = 24;

/// Letters, digits and the slash, in lower case: "azure/norway-east" is "azure/norwayeast".
std::string plain(std::string_view name)
{
    std::string result;
    for (const char c : name) {
        if (c >= 'A' && c <= 'Z')
            result += static_cast<char>(c - 'A' + 'a');
        else if (c != '-' && c != '_' && c != ' ')
            result += c;
    }
    return result;
}

template <typename T, typename Names>
NamedRows namesOf(const std::vector<T>& rows, const Names& names)
{
    std::vector<std::pair<std::string, std::size_t>> all;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (const std::string& name : names(rows[i]))
            all.emplace_back(name, i);
    }
    return NamedRows(std::move(all));
}

template <typename T>
const T* rowNamed(const std::vector<T>& rows, const NamedRows& names, std::string_view name)
{
    const auto index = names.find(name);
    return index ? &rows[*index] : nullptr;
}

/// Takes a list out of a file, and keeps the first error.
template <typename T>
void take(const DataFile& file, std::string_view key, std::vector<T>& into,
          std::optional<Error>& error)
{
    auto rows = file.list<T>(key);
    if (rows)
        into = std::move(*rows);
    else if (!error)
        error = rows.error();
}

template <typename T>
void take(const DataFile& file, std::string_view key, T& into, std::optional<Error>& error)
{
    auto row = file.object<T>(key);
    if (row)
        into = std::move(*row);
    else if (!error)
        error = row.error();
}

bool isWholeDay(const DayShape& shape)
{
    return shape.relative.size() == HoursPerDay && shape.low.size() == HoursPerDay &&
           shape.high.size() == HoursPerDay && shape.direct.size() == HoursPerDay;
}

} // namespace

NamedRows::NamedRows(std::vector<std::pair<std::string, std::size_t>> names)
    : m_names(std::move(names))
{
    for (auto& [name, row] : m_names)
        name = plain(name);
    std::sort(m_names.begin(), m_names.end());
}

std::optional<std::size_t> NamedRows::find(std::string_view name) const
{
    const std::string wanted = plain(name);
    const auto found =
        std::lower_bound(m_names.begin(), m_names.end(), wanted,
                         [](const auto& row, const auto& n) { return row.first < n; });
    const bool isThere = !wanted.empty() && found != m_names.end() && found->first == wanted;
    return isThere ? std::optional(found->second) : std::nullopt;
}

Result<CarbonCatalog> CarbonCatalog::create(std::string_view grid, std::string_view equivalents)
{
    const auto gridFile = DataFile::create(grid, "grid.json", "outlay-grid");
    if (!gridFile)
        return failureOf(gridFile);
    const auto equivalentsFile =
        DataFile::create(equivalents, "equivalents.json", "outlay-equivalents");
    if (!equivalentsFile)
        return failureOf(equivalentsFile);
    CarbonCatalog c;
    std::optional<Error> error;
    take(*gridFile, "regions", c.m_regions, error);
    take(*gridFile, "countries", c.m_countries, error);
    take(*gridFile, "pue", c.m_pues, error);
    take(*gridFile, "electricity", c.m_prices, error);
    take(*gridFile, "hours", c.m_shapes, error);
    take(*equivalentsFile, "equivalents", c.m_equivalents, error);
    take(*equivalentsFile, "offset", c.m_offset, error);
    take(*equivalentsFile, "embodied", c.m_embodied, error);
    if (error)
        return tl::unexpected<Error>(std::move(*error));
    if (!std::all_of(c.m_shapes.begin(), c.m_shapes.end(), isWholeDay))
        return inputError("a day has not 24 hours", "give 24 numbers in each list", "/hours");
    c.m_gridAsOf = gridFile->asOf();
    c.m_regionNames = namesOf(c.m_regions, [](const GridRegion& r) { return std::array{r.id}; });
    c.m_countryNames = namesOf(c.m_countries, [](const GridCountry& row) {
        return std::array{row.code, row.code3, row.name};
    });
    c.m_pueNames = namesOf(c.m_pues, [](const PueRecord& p) { return std::array{p.provider}; });
    c.m_priceNames = namesOf(c.m_prices, [](const ElectricityPrice& p) {
        return std::array{p.place, p.code};
    });
    c.m_shapeNames = namesOf(c.m_shapes, [](const DayShape& s) { return std::array{s.zone}; });
    return c;
}

const GridRegion* CarbonCatalog::region(std::string_view id) const
{
    return rowNamed(m_regions, m_regionNames, id);
}

const GridCountry* CarbonCatalog::country(std::string_view nameOrCode) const
{
    return rowNamed(m_countries, m_countryNames, nameOrCode);
}

const PueRecord* CarbonCatalog::pue(std::string_view provider) const
{
    return rowNamed(m_pues, m_pueNames, provider);
}

const ElectricityPrice* CarbonCatalog::price(std::string_view placeOrCode) const
{
    return rowNamed(m_prices, m_priceNames, placeOrCode);
}

const DayShape* CarbonCatalog::shape(std::string_view zone) const
{
    return rowNamed(m_shapes, m_shapeNames, zone);
}

const Result<CarbonCatalog>& carbonCatalog()
{
    static const Result<CarbonCatalog> Catalog =
        CarbonCatalog::create(resource("grid.json"), resource("equivalents.json"));
    return Catalog;
}

} // namespace outlay::core
