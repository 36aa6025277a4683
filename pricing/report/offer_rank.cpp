// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offer_rank.h"

#include <algorithm>
#include <array>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr std::size_t Groups = 6;

std::size_t groupOf(const Option& option)
{
    if (!option.hasUsd)
        return 5;
    if (option.fits == Fits::No)
        return 4;
    if (!option.isAllowed)
        return 3;
    if (option.fits == Fits::Unknown)
        return 2;
    return option.meetsDeadline ? 0 : 1;
}

bool has(const std::vector<std::string>& list, std::string_view word)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

} // namespace

Allowed::Allowed(const Plan& plan, const PriceBook& book) : m_plan(plan), m_book(book)
{
    for (const Machine& machine : book.table().machines)
        m_isProviderAllowed.push_back(plan.providers.empty() ||
                                      has(plan.providers, machine.provider));
    for (const std::string& region : book.table().regions) {
        const std::string ending = "/" + region;
        const bool isWithProvider =
            std::any_of(plan.regions.begin(), plan.regions.end(),
                        [&](const std::string& r) { return r.ends_with(ending); });
        const bool isPlain = plan.regions.empty() || has(plan.regions, region);
        m_regions.push_back(isPlain          ? Regions::All
                            : isWithProvider ? Regions::OfProviders
                                             : Regions::None);
    }
}

bool Allowed::isAllowed(const OfferRow& row) const
{
    if (!m_isProviderAllowed[row.machine] || m_regions[row.region] == Regions::None)
        return false;
    return m_regions[row.region] == Regions::All ||
           has(m_plan.regions, m_book.machine(row).provider + "/" + m_book.region(row));
}

void rank(std::vector<Option>& options, const PriceBook& book)
{
    std::array<std::vector<std::uint32_t>, Groups> groups;
    for (std::size_t i = 0; i < options.size(); ++i)
        groups.at(groupOf(options[i])).push_back(static_cast<std::uint32_t>(i));
    std::vector<Option> sorted;
    sorted.reserve(options.size());
    std::vector<Candidate> candidates;
    for (const std::vector<std::uint32_t>& group : groups) {
        candidates.clear();
        for (const std::uint32_t i : group)
            candidates.push_back(
                {book.rows()[options[i].row].purchase, options[i].trust, options[i].usd.value});
        for (const std::size_t place : ranked(candidates))
            sorted.push_back(options[group[place]]);
    }
    options = std::move(sorted);
}

} // namespace outlay::pricing
