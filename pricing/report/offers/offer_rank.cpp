// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/offer_rank.h"

#include "core/hardware/forecast.h"
#include "pricing/provider.h"
#include "pricing/stack.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

Standing standingOf(const Option& option)
{
    if (!option.hasUsd)
        return Standing::Unknown;
    if (option.fits == Fits::No)
        return Standing::TooSmall;
    if (!option.isAllowed || !option.isWorthIt)
        return Standing::NotAllowed;
    if (option.fits == Fits::Unknown)
        return Standing::MayFit;
    return option.meetsDeadline && !option.isTooLong ? Standing::InTime : Standing::Late;
}

struct Offers {
    const PriceBook& book;
    const PricesOn& prices;
    const MachineDevices& devices;
    const Allowed& allowed;
    const Plan& plan;
    std::span<const JobOn> jobs;
    const Calibration& calibration;

    /// In place, which is twice as fast as to copy what was just written byte by byte.
    void fill(Option& option, std::uint32_t index) const
    {
        const OfferRow& row = book.rows()[index];
        option.row = index;
        option.forecast = devices.kindOf(row.machine);
        const JobOn& job = jobs[option.forecast];
        option.fits = job.hostBytes && job.fits == Fits::Yes
                          ? fitsBeside(*job.hostBytes, book.machine(row).memoryGb, calibration)
                          : job.fits;
        option.trust = prices.trust(index);
        option.isAllowed = allowed.isAllowed(row);
        const auto usd = prices.range(index);
        if (!usd || !job.hasTime)
            return;
        const bool isSpot = row.purchase == Purchase::Spot;
        const bool isCommitted = isCommitment(row.purchase);
        const HoursRange& hours = isSpot        ? job.spotHours
                                  : isCommitted ? job.committedHours
                                                : job.hours;
        option.isWorthIt = !isCommitted || job.fillsCommitment || row.purchase == plan.purchase;
        option.hasUsd = true;
        option.lateness = static_cast<float>(job.lateness);
        option.usd = {hours.value * usd->value, hours.low * usd->low, hours.high * usd->high};
        option.meetsDeadline = isSpot ? job.meetsDeadlineOnSpot : job.meetsDeadline;
        option.isTooLong = isSpot ? job.isTooLongOnSpot : job.isTooLong;
        option.isWithinBudget =
            !plan.budgetUsd || judged(option.usd, plan.risk) + job.besidesUsd <= *plan.budgetUsd;
    }
};

bool has(const std::vector<std::string>& list, std::string_view word)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

} // namespace

Allowed::Allowed(const Plan& plan, const PriceBook& book)
    : m_plan(plan), m_book(book), m_isAnyPlace(plan.providers.empty() && plan.regions.empty())
{
    std::vector<const Stack*> allowed;
    for (const Stack& stack : stacks()) {
        if (allowsStack(plan, stack))
            allowed.push_back(&stack);
    }
    const auto machines = static_cast<std::uint32_t>(book.table().machines.size());
    for (std::uint32_t machine = 0; machine < machines; ++machine)
        m_isStackAllowed.push_back(
            std::find(allowed.begin(), allowed.end(), &book.stack(machine)) != allowed.end());
    if (m_isAnyPlace)
        return;
    for (const Machine& machine : book.table().machines)
        m_isProviderAllowed.push_back(plan.providers.empty() ||
                                      isAmong(plan.providers, machine.provider));
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

bool Allowed::isPlaceAllowed(const OfferRow& row) const
{
    if (m_isAnyPlace)
        return true;
    if (!m_isProviderAllowed[row.machine] || m_regions[row.region] == Regions::None)
        return false;
    return m_regions[row.region] == Regions::All ||
           has(m_plan.regions, m_book.machine(row).provider + "/" + m_book.region(row));
}

std::span<const Option> optionsOf(std::span<const Option> ranked, Standing standing)
{
    const auto from = std::partition_point(
        ranked.begin(), ranked.end(), [&](const Option& o) { return standingOf(o) < standing; });
    const auto to = std::partition_point(
        from, ranked.end(), [&](const Option& o) { return standingOf(o) <= standing; });
    return {from, to};
}

std::vector<Option> rankedOptions(const Subject& subject, std::span<const JobOn> jobs)
{
    const PriceBook& book = subject.catalogs.book();
    const Allowed allowed(subject.experiment.plan, book);
    const Offers offers{book,
                        subject.catalogs.prices(),
                        subject.catalogs.devices(),
                        allowed,
                        subject.experiment.plan,
                        jobs,
                        subject.catalogs.calibration()};
    const auto count = static_cast<std::uint32_t>(book.rows().size());
    std::vector<Candidate> candidates(count);
    std::vector<Option> inBook(count);
    for (std::uint32_t row = 0; row < count; ++row) {
        Option& option = inBook[row];
        offers.fill(option, row);
        candidates[row] = {
            book.rows()[row].purchase, option.trust, static_cast<std::uint8_t>(standingOf(option)),
            judged(option.usd, subject.experiment.plan.risk) + jobs[option.forecast].besidesUsd};
    }
    std::vector<Option> options;
    options.reserve(count);
    for (const std::uint32_t row : ranked(candidates))
        options.push_back(inBook[row]);
    return options;
}

} // namespace outlay::pricing
