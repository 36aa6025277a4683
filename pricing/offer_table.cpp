// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/offer_table.h"

#include "pricing/date.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace outlay::pricing {
namespace {

constexpr char Between = '\0'; // can't be in a name

std::uint64_t keyOf(const OfferRow& row)
{
    return (std::uint64_t{row.machine} << 32U) | (std::uint64_t{row.region} << 2U) |
           static_cast<std::uint64_t>(row.purchase);
}

/// What is known of the same machine from elsewhere fills the gaps.
void complete(Machine& machine, const Machine& other)
{
    if (machine.family.empty())
        machine.family = other.family;
    if (machine.accelerator.empty()) {
        machine.accelerator = other.accelerator;
        machine.accelerators = other.accelerators;
    }
    if (!machine.acceleratorMemoryGb && machine.accelerator == other.accelerator)
        machine.acceleratorMemoryGb = other.acceleratorMemoryGb;
    if (!machine.vcpus)
        machine.vcpus = other.vcpus;
    if (!machine.memoryGb)
        machine.memoryGb = other.memoryGb;
}

template <typename T>
std::uint32_t indexOf(std::unordered_map<std::string, std::uint32_t>& known, std::string key,
                      std::vector<T>& list, const T& value)
{
    const auto [place, isNew] =
        known.try_emplace(std::move(key), static_cast<std::uint32_t>(list.size()));
    if (isNew)
        list.push_back(value);
    return place->second;
}

/// Sorts a list and says where each of its entries went.
template <typename T, typename Key>
std::vector<std::uint32_t> sortedPlaces(std::vector<T>& list, const Key& key)
{
    std::vector<std::uint32_t> order(list.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return key(list[a]) < key(list[b]); });
    std::vector<std::uint32_t> places(list.size());
    std::vector<T> sorted;
    sorted.reserve(list.size());
    for (const std::uint32_t index : order) {
        places[index] = static_cast<std::uint32_t>(sorted.size());
        sorted.push_back(std::move(list[index]));
    }
    list = std::move(sorted);
    return places;
}

/// Drops the entries of `list` that `row.*index` of no row names.
template <typename T>
void dropUnused(std::vector<T>& list, std::vector<OfferRow>& rows, std::uint32_t OfferRow::*index)
{
    std::vector<bool> isUsed(list.size());
    for (const OfferRow& row : rows)
        isUsed[row.*index] = true;
    std::vector<std::uint32_t> places(list.size());
    std::vector<T> used;
    for (std::size_t i = 0; i < list.size(); ++i) {
        places[i] = static_cast<std::uint32_t>(used.size());
        if (isUsed[i])
            used.push_back(std::move(list[i]));
    }
    list = std::move(used);
    for (OfferRow& row : rows)
        row.*index = places[row.*index];
}

} // namespace

Offer offerOf(const OfferTable& table, const OfferRow& row)
{
    return {table.machines[row.machine], table.regions[row.region], row.purchase, row.usdPerHour,
            table.sources[row.source]};
}

OfferTableBuilder::OfferTableBuilder(const OfferTable& table)
{
    std::vector<std::uint32_t> machines;
    std::vector<std::uint32_t> regions;
    std::vector<std::uint32_t> sources;
    for (const Machine& entry : table.machines)
        machines.push_back(machine(entry));
    for (const std::string& entry : table.regions)
        regions.push_back(region(entry));
    for (const PriceSource& entry : table.sources)
        sources.push_back(source(entry));
    m_table.rows.reserve(table.rows.size());
    m_rows.reserve(table.rows.size());
    for (const OfferRow& row : table.rows)
        add({machines[row.machine], regions[row.region], sources[row.source], row.purchase,
             row.usdPerHour});
}

std::uint32_t OfferTableBuilder::machine(const Machine& machine)
{
    const std::uint32_t index = indexOf(m_machines, machine.provider + Between + machine.instance,
                                        m_table.machines, machine);
    complete(m_table.machines[index], machine);
    return index;
}

std::uint32_t OfferTableBuilder::region(std::string_view name)
{
    return indexOf(m_regions, std::string(name), m_table.regions, std::string(name));
}

std::uint32_t OfferTableBuilder::source(const PriceSource& source)
{
    return indexOf(m_sources, source.name + Between + source.asOf + Between + source.doubt,
                   m_table.sources, source);
}

Added OfferTableBuilder::add(const OfferRow& row)
{
    const auto [place, isNew] =
        m_rows.try_emplace(keyOf(row), static_cast<std::uint32_t>(m_table.rows.size()));
    if (isNew) {
        m_table.rows.push_back(row);
        return Added::New;
    }
    OfferRow& present = m_table.rows[place->second];
    if (present.source != row.source &&
        isNewer(m_table.sources[present.source].asOf, m_table.sources[row.source].asOf))
        return Added::Older;
    present = row;
    return Added::Replaced;
}

Added OfferTableBuilder::add(const Offer& offer)
{
    return add({machine(offer.machine), region(offer.region), source(offer.source), offer.purchase,
                offer.usdPerHour});
}

OfferTable OfferTableBuilder::take()
{
    OfferTable table = std::move(m_table);
    *this = OfferTableBuilder();
    dropUnused(table.machines, table.rows, &OfferRow::machine);
    dropUnused(table.regions, table.rows, &OfferRow::region);
    dropUnused(table.sources, table.rows, &OfferRow::source);
    const auto machines = sortedPlaces(
        table.machines, [](const Machine& m) { return std::tie(m.provider, m.instance); });
    const auto regions =
        sortedPlaces(table.regions, [](const std::string& r) { return std::string_view(r); });
    const auto sources = sortedPlaces(
        table.sources, [](const PriceSource& s) { return std::tie(s.name, s.asOf, s.doubt); });
    for (OfferRow& row : table.rows)
        row = {machines[row.machine], regions[row.region], sources[row.source], row.purchase,
               row.usdPerHour};
    std::sort(table.rows.begin(), table.rows.end(),
              [](const OfferRow& a, const OfferRow& b) { return keyOf(a) < keyOf(b); });
    return table;
}

} // namespace outlay::pricing
