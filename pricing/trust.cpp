// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/trust.h"

#include "core/base/text.h"
#include "pricing/cheapest_first.h"
#include "pricing/date.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace outlay::pricing {
namespace {

using core::Purchase;

/// A median of fewer prices says nothing.
constexpr std::size_t LeastPeers = 3;

std::size_t indexOf(Purchase purchase)
{
    return static_cast<std::size_t>(purchase);
}

double medianOf(std::vector<double>& values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// With little memory: burstable machines cost a tenth of others with as many vCPUs, and rightly so.
bool isLean(const Machine& machine)
{
    constexpr double LeanGbPerVcpu = 1.5;
    return machine.memoryGb && machine.vcpus && *machine.memoryGb < LeanGbPerVcpu * *machine.vcpus;
}

/// A candidate beside its price, so that merging reads memory in order.
struct Entry {
    double usd = 0;
    std::size_t index = 0;
};

/// What a purchase kind has left, fresh ones before stale ones, each cheapest first.
struct Queue {
    std::vector<Entry> entries;
    std::size_t next = 0;
    double usd = 0; // of the next; infinite when all are taken

    void look()
    {
        usd = next < entries.size() ? entries[next].usd : std::numeric_limits<double>::infinity();
    }
    std::size_t take()
    {
        const std::size_t index = entries[next++].index;
        look();
        return index;
    }
};
using Queues = std::array<Queue, core::PurchaseNames.size()>;

} // namespace

Peers::Peers(const OfferTable& table)
{
    using Key = std::tuple<std::string_view, double, bool>;
    std::map<Key, std::uint32_t> groups;
    for (const Machine& machine : table.machines) {
        const Key key = machine.accelerator.empty()
                            ? Key{"", machine.vcpus.value_or(0), isLean(machine)}
                            : Key{machine.accelerator, machine.accelerators, false};
        if (!isKnown(machine))
            m_groupOfMachine.push_back(None);
        else
            m_groupOfMachine.push_back(
                groups.try_emplace(key, static_cast<std::uint32_t>(groups.size())).first->second);
    }
    std::vector<std::array<std::vector<double>, core::PurchaseNames.size()>> prices(groups.size());
    for (const OfferRow& row : table.rows) {
        const std::uint32_t group = m_groupOfMachine[row.machine];
        if (group != None && row.usdPerHour.value_or(0) > 0)
            prices[group].at(indexOf(row.purchase)).push_back(*row.usdPerHour);
    }
    m_usual.resize(groups.size());
    for (std::size_t group = 0; group < prices.size(); ++group) {
        for (std::size_t kind = 0; kind < prices[group].size(); ++kind) {
            std::vector<double>& values = prices[group].at(kind);
            if (!values.empty())
                m_usual[group].at(kind) = {medianOf(values), values.size()};
        }
    }
}

std::optional<Peers::Usual> Peers::usualOf(std::uint32_t machine, Purchase purchase) const
{
    const std::uint32_t group = m_groupOfMachine.at(machine);
    if (group == None)
        return std::nullopt;
    return m_usual[group].at(indexOf(purchase));
}

Peers Peers::only(std::span<const std::uint32_t> machines) const
{
    Peers part = *this;
    part.m_groupOfMachine.clear();
    for (const std::uint32_t machine : machines)
        part.m_groupOfMachine.push_back(m_groupOfMachine.at(machine));
    return part;
}

Doubt doubtOf(const OfferRow& row, const OfferTable& table, const Peers& peers)
{
    if (!row.usdPerHour)
        return Doubt::NoPrice;
    if (*row.usdPerHour <= 0)
        return Doubt::Zero;
    const auto usual = peers.usualOf(row.machine, row.purchase);
    if (usual && usual->count >= LeastPeers) {
        const double ratio = *row.usdPerHour / usual->medianUsdPerHour;
        if (ratio > FarOffPeers || ratio < 1 / FarOffPeers)
            return Doubt::OffPeers;
    }
    const PriceSource& source = table.sources[row.source];
    if (!source.doubt.empty())
        return Doubt::SourceItself;
    return dayOf(source.asOf) ? Doubt::None : Doubt::Undated;
}

std::string reasonOf(Doubt doubt, const OfferRow& row, const OfferTable& table, const Peers& peers)
{
    const Machine& machine = table.machines[row.machine];
    const std::string kind(core::PurchaseNames.at(indexOf(row.purchase)));
    switch (doubt) {
    case Doubt::None: return {};
    case Doubt::NoPrice: return "the source has no " + kind + " price for it";
    case Doubt::Zero: return "the source says that it costs nothing";
    case Doubt::Undated: return "the source doesn't say when the price was valid";
    case Doubt::SourceItself: return table.sources[row.source].doubt;
    case Doubt::OffPeers: break;
    }
    const auto usual = peers.usualOf(row.machine, row.purchase).value_or(Peers::Usual{});
    const double price = row.usdPerHour.value_or(0);
    const bool isAbove = price > usual.medianUsdPerHour;
    const std::string factor = core::plainNumber(isAbove ? price / usual.medianUsdPerHour
                                                         : usual.medianUsdPerHour / price);
    const std::string group =
        machine.accelerator.empty()
            ? core::plainNumber(machine.vcpus.value_or(0)) + " vCPUs"
            : core::plainNumber(machine.accelerators) + " x " + machine.accelerator;
    return core::plainNumber(price) + " USD/h is " + factor + " times " +
           (isAbove ? "above" : "below") + " the median of " + std::to_string(usual.count) + " " +
           kind + " prices for " + group + ", " + core::plainNumber(usual.medianUsdPerHour) +
           " USD/h";
}

bool isStale(std::string_view asOf, std::string_view today)
{
    const auto age = daysBetween(asOf, today);
    return age && *age > FreshDays;
}

std::vector<std::size_t> ranked(std::span<const Candidate> candidates)
{
    std::vector<double> usd;
    usd.reserve(candidates.size());
    for (const Candidate& candidate : candidates)
        usd.push_back(candidate.usd);
    Queues queues;
    std::array<std::vector<Entry>, core::PurchaseNames.size()> stale;
    std::vector<std::size_t> doubtful;
    for (const std::uint32_t i : cheapestFirst(usd)) {
        const std::size_t kind = indexOf(candidates[i].purchase);
        switch (candidates[i].trust) {
        case Trust::Fresh: queues.at(kind).entries.push_back({usd[i], i}); break;
        case Trust::Stale: stale.at(kind).push_back({usd[i], i}); break;
        case Trust::Doubtful: doubtful.push_back(i); break;
        }
    }
    for (std::size_t kind = 0; kind < stale.size(); ++kind) {
        Queue& queue = queues.at(kind);
        queue.entries.insert(queue.entries.end(), stale.at(kind).begin(), stale.at(kind).end());
        queue.look();
    }
    std::vector<std::size_t> order;
    order.reserve(candidates.size());
    const auto isCheaper = [](const Queue& a, const Queue& b) { return a.usd < b.usd; };
    for (std::size_t left = candidates.size() - doubtful.size(); left > 0; --left)
        order.push_back(std::min_element(queues.begin(), queues.end(), isCheaper)->take());
    order.insert(order.end(), doubtful.begin(), doubtful.end());
    return order;
}

} // namespace outlay::pricing
