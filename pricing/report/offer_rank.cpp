// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offer_rank.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

std::uint8_t groupOf(const Option& option)
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

Allowed::Allowed(const Plan& plan, const PriceBook& book)
    : m_plan(plan), m_book(book), m_isEverything(plan.providers.empty() && plan.regions.empty())
{
    if (m_isEverything)
        return;
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
    if (m_isEverything)
        return true;
    if (!m_isProviderAllowed[row.machine] || m_regions[row.region] == Regions::None)
        return false;
    return m_regions[row.region] == Regions::All ||
           has(m_plan.regions, m_book.machine(row).provider + "/" + m_book.region(row));
}

void rank(std::vector<Option>& options, const PriceBook& book)
{
    std::vector<Candidate> candidates(options.size());
    std::transform(options.begin(), options.end(), candidates.begin(), [&](const Option& option) {
        return Candidate{book.rows()[option.row].purchase, option.trust, groupOf(option),
                         option.usd.value};
    });
    std::vector<Option> sorted;
    sorted.reserve(options.size());
    for (const std::uint32_t place : ranked(candidates))
        sorted.push_back(options[place]);
    options = std::move(sorted);
}

} // namespace outlay::pricing
