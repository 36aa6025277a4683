// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/price_book.h"

#include "core/base/resources.h"
#include "pricing/offer_table.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace outlay::pricing {
namespace {

OfferTable merged(const OfferTable& program, const OfferTable& user)
{
    OfferTableBuilder builder(program);
    for (const OfferRow& row : user.rows)
        builder.add(offerOf(user, row));
    return builder.take();
}

} // namespace

PriceBook::PriceBook() : PriceBook(PriceFile{}, OfferTable{}) {}

PriceBook::PriceBook(const PriceFile& program, const OfferTable& user)
    : m_table(merged(program.offers, user)), m_peers(m_table),
      m_drift(program.offers, program.earlier), m_rowsOfRegion(m_table.regions.size())
{
    m_doubts.reserve(m_table.rows.size());
    for (std::size_t i = 0; i < m_table.rows.size(); ++i) {
        const OfferRow& row = m_table.rows[i];
        m_doubts.push_back(doubtOf(row, m_table, m_peers));
        m_rowsOfRegion[row.region].push_back(static_cast<std::uint32_t>(i));
    }
    for (const Machine& machine : m_table.machines)
        m_stacks.push_back(&stackOf(machine));
}

PriceBook PriceBook::only(std::span<const std::uint32_t> rows) const
{
    PriceBook part;
    part.m_table.regions = m_table.regions;
    part.m_table.sources = m_table.sources;
    part.m_rowsOfRegion.resize(m_table.regions.size());
    part.m_drift = m_drift;
    std::vector<std::uint32_t> machines;
    for (const std::uint32_t index : rows) {
        OfferRow row = m_table.rows[index];
        if (machines.empty() || machines.back() != row.machine) {
            machines.push_back(row.machine);
            part.m_table.machines.push_back(m_table.machines[row.machine]);
            part.m_stacks.push_back(m_stacks[row.machine]);
        }
        row.machine = static_cast<std::uint32_t>(machines.size() - 1);
        part.m_rowsOfRegion[row.region].push_back(
            static_cast<std::uint32_t>(part.m_table.rows.size()));
        part.m_doubts.push_back(m_doubts[index]);
        part.m_table.rows.push_back(row);
    }
    part.m_peers = m_peers.only(machines);
    return part;
}

core::Result<PriceBook> PriceBook::load(const OfferTable& user)
{
    core::ByteWindow text(core::resource("prices.json"));
    const auto program = readPriceFile(text);
    if (!program)
        return tl::unexpected<core::Error>(program.error().in("prices.json"));
    return PriceBook(*program, user);
}

const Machine& PriceBook::machine(const OfferRow& row) const
{
    return m_table.machines[row.machine];
}

const std::string& PriceBook::region(const OfferRow& row) const
{
    return m_table.regions[row.region];
}

const PriceSource& PriceBook::source(const OfferRow& row) const
{
    return m_table.sources[row.source];
}

std::span<const OfferRow> PriceBook::ofMachines(std::size_t first, std::size_t last) const
{
    const auto isBefore = [](const OfferRow& row, std::size_t machine) {
        return row.machine < machine;
    };
    const auto begin = std::lower_bound(m_table.rows.begin(), m_table.rows.end(), first, isBefore);
    const auto end = std::lower_bound(begin, m_table.rows.end(), last, isBefore);
    return {begin, end};
}

std::span<const OfferRow> PriceBook::ofMachine(std::uint32_t machine) const
{
    return ofMachines(machine, machine + std::size_t{1});
}

std::span<const OfferRow> PriceBook::ofProvider(std::string_view provider) const
{
    const auto& machines = m_table.machines;
    const auto begin =
        std::lower_bound(machines.begin(), machines.end(), provider,
                         [](const Machine& m, std::string_view name) { return m.provider < name; });
    const auto end =
        std::upper_bound(begin, machines.end(), provider,
                         [](std::string_view name, const Machine& m) { return name < m.provider; });
    return ofMachines(static_cast<std::size_t>(begin - machines.begin()),
                      static_cast<std::size_t>(end - machines.begin()));
}

std::span<const OfferRow> PriceBook::ofInstance(std::string_view provider,
                                                std::string_view instance) const
{
    const auto& machines = m_table.machines;
    const std::tuple name(provider, instance);
    const auto place =
        std::lower_bound(machines.begin(), machines.end(), name, [](const Machine& m, auto key) {
            return std::tuple<std::string_view, std::string_view>(m.provider, m.instance) < key;
        });
    if (place == machines.end() || place->provider != provider || place->instance != instance)
        return {};
    const auto index = static_cast<std::size_t>(place - machines.begin());
    return ofMachine(static_cast<std::uint32_t>(index));
}

std::span<const std::uint32_t> PriceBook::inRegion(std::string_view region) const
{
    const auto& regions = m_table.regions;
    const auto place = std::lower_bound(regions.begin(), regions.end(), region);
    if (place == regions.end() || *place != region)
        return {};
    return m_rowsOfRegion[static_cast<std::size_t>(place - regions.begin())];
}

bool PriceBook::isIn(const OfferRow& row, std::string_view asked) const
{
    return asked.empty() || region(row) == asked;
}

const OfferRow* PriceBook::find(const core::OfferChoice& choice) const
{
    for (const OfferRow& row : ofInstance(choice.provider, choice.instance)) {
        if (row.purchase == choice.purchase && isIn(row, choice.region))
            return &row;
    }
    return nullptr;
}

std::size_t PriceBook::indexOf(const OfferRow& row) const
{
    assert(&row >= m_table.rows.data() && &row < m_table.rows.data() + m_table.rows.size());
    return static_cast<std::size_t>(&row - m_table.rows.data());
}

std::string PriceBook::doubtReason(std::size_t row) const
{
    return reasonOf(m_doubts[row], m_table.rows[row], m_table, m_peers);
}

} // namespace outlay::pricing
