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

/// The first of `rows` for which one of its names is `name`, in any spelling.
template <typename T, typename Names>
const T* findBy(const std::vector<T>& rows, std::string_view name, const Names& names)
{
    const std::string wanted = plain(name);
    if (wanted.empty())
        return nullptr;
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const T& row) {
        const auto all = names(row);
        return std::any_of(all.begin(), all.end(),
                           [&](std::string_view one) { return plain(one) == wanted; });
    });
    return found == rows.end() ? nullptr : &*found;
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
    return c;
}

const GridRegion* CarbonCatalog::region(std::string_view id) const
{
    return findBy(m_regions, id, [](const GridRegion& r) { return std::array{r.id}; });
}

const GridCountry* CarbonCatalog::country(std::string_view nameOrCode) const
{
    return findBy(m_countries, nameOrCode, [](const GridCountry& c) {
        return std::array{c.code, c.code3, c.name};
    });
}

const PueRecord* CarbonCatalog::pue(std::string_view provider) const
{
    return findBy(m_pues, provider, [](const PueRecord& p) { return std::array{p.provider}; });
}

const ElectricityPrice* CarbonCatalog::price(std::string_view placeOrCode) const
{
    return findBy(m_prices, placeOrCode, [](const ElectricityPrice& p) {
        return std::array{p.place, p.code};
    });
}

const DayShape* CarbonCatalog::shape(std::string_view zone) const
{
    return findBy(m_shapes, zone, [](const DayShape& s) { return std::array{s.zone}; });
}

const Result<CarbonCatalog>& carbonCatalog()
{
    static const Result<CarbonCatalog> Catalog =
        CarbonCatalog::create(resource("grid.json"), resource("equivalents.json"));
    return Catalog;
}

} // namespace outlay::core
