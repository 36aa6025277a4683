// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/trust.h"

#include "core/base/text.h"
#include "pricing/cheapest_first.h"
#include "pricing/date.h"

#include <algorithm>
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

/// Whose list it is, of whatever day: "aws/karpenter-provider-aws" of what is read at one of its commits.
std::string_view originOf(const PriceSource& source)
{
    const std::string_view name = source.name;
    return name.substr(0, name.find_first_of("@ "));
}

/// Of one way of buying.
struct Listed {
    std::vector<double> values;
    std::string_view firstOrigin;
    std::size_t sources = 0; // one, or more

    void add(const OfferRow& row, std::string_view origin)
    {
        if (values.empty())
            firstOrigin = origin;
        sources = std::max(sources, origin == firstOrigin ? std::size_t{1} : std::size_t{2});
        values.push_back(*row.usdPerHour);
    }
};
using Prices = std::array<Listed, core::PurchaseNames.size()>;

/// Where at least so many sources have them.
std::vector<std::array<Peers::Usual, core::PurchaseNames.size()>> usualIn(
    std::vector<Prices>& prices, std::size_t sources)
{
    std::vector<std::array<Peers::Usual, core::PurchaseNames.size()>> usual(prices.size());
    for (std::size_t i = 0; i < prices.size(); ++i) {
        for (std::size_t kind = 0; kind < prices[i].size(); ++kind) {
            Listed& listed = prices[i].at(kind);
            if (listed.sources >= sources)
                usual[i].at(kind) = {medianOf(listed.values), listed.values.size()};
        }
    }
    return usual;
}

bool isFarOff(double usdPerHour, const std::optional<Peers::Usual>& usual, double factor)
{
    const double ratio = usdPerHour / usual->medianUsdPerHour;
    return ratio > factor || ratio < 1 / factor;
}

bool saysSomething(const std::optional<Peers::Usual>& usual)
{
    return usual && usual->count >= LeastPeers;
}

/// As the same machine costs elsewhere; bought otherwise, less than that on demand, and not far below.
bool isLikeItself(const OfferRow& row, const Peers& peers)
{
    const double usd = *row.usdPerHour;
    const auto own = peers.ownOf(row.machine, row.purchase);
    if (saysSomething(own))
        return !isFarOff(usd, own, FarOffItself);
    const auto onDemand = peers.ownOf(row.machine, Purchase::OnDemand);
    return saysSomething(onDemand) && usd < onDemand->medianUsdPerHour &&
           usd * FarOffPeers > onDemand->medianUsdPerHour;
}

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
    std::vector<Prices> ofGroups(groups.size());
    std::vector<Prices> ofMachines(table.machines.size());
    for (const OfferRow& row : table.rows) {
        const std::uint32_t group = m_groupOfMachine[row.machine];
        if (group == None || row.usdPerHour.value_or(0) <= 0)
            continue;
        const std::string_view origin = originOf(table.sources[row.source]);
        ofGroups[group].at(indexOf(row.purchase)).add(row, origin);
        ofMachines[row.machine].at(indexOf(row.purchase)).add(row, origin);
    }
    m_usual = usualIn(ofGroups, 1);
    m_own = usualIn(ofMachines, 2);
}

std::optional<Peers::Usual> Peers::usualOf(std::uint32_t machine, Purchase purchase) const
{
    const std::uint32_t group = m_groupOfMachine.at(machine);
    if (group == None)
        return std::nullopt;
    return m_usual[group].at(indexOf(purchase));
}

std::optional<Peers::Usual> Peers::ownOf(std::uint32_t machine, Purchase purchase) const
{
    const Usual& own = m_own.at(machine).at(indexOf(purchase));
    return own.count > 0 ? std::optional(own) : std::nullopt;
}

Peers Peers::only(std::span<const std::uint32_t> machines) const
{
    Peers part = *this;
    part.m_groupOfMachine.clear();
    part.m_own.clear();
    for (const std::uint32_t machine : machines) {
        part.m_groupOfMachine.push_back(m_groupOfMachine.at(machine));
        part.m_own.push_back(m_own.at(machine));
    }
    return part;
}

Doubt doubtOf(const OfferRow& row, const OfferTable& table, const Peers& peers)
{
    if (!row.usdPerHour)
        return Doubt::NoPrice;
    if (*row.usdPerHour <= 0)
        return Doubt::Zero;
    const auto usual = peers.usualOf(row.machine, row.purchase);
    if (saysSomething(usual) && isFarOff(*row.usdPerHour, usual, FarOffPeers) &&
        !isLikeItself(row, peers))
        return Doubt::OffPeers;
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
    const double usdPerHour = row.usdPerHour.value_or(0);
    const bool isAbove = usdPerHour > usual.medianUsdPerHour;
    const std::string factor = core::plainNumber(isAbove ? usdPerHour / usual.medianUsdPerHour
                                                         : usual.medianUsdPerHour / usdPerHour);
    const std::string group =
        machine.accelerator.empty()
            ? core::plainNumber(machine.vcpus.value_or(0)) + " vCPUs"
            : core::plainNumber(machine.accelerators) + " x " + machine.accelerator;
    return core::plainNumber(usdPerHour) + " USD/h is " + factor + " times " +
           (isAbove ? "above" : "below") + " the median of " + std::to_string(usual.count) + " " +
           kind + " prices for " + group + ", " + core::plainNumber(usual.medianUsdPerHour) +
           " USD/h";
}

bool isStale(std::string_view asOf, std::string_view today)
{
    const auto age = daysBetween(asOf, today);
    return age && *age > FreshDays;
}

std::vector<std::uint32_t> ranked(std::span<const Candidate> candidates)
{
    using ByKind = std::array<std::size_t, core::PurchaseNames.size()>;
    std::array<ByKind, Candidate::Groups> freshLeft{};
    for (const Candidate& c : candidates)
        freshLeft.at(c.group).at(indexOf(c.purchase)) += c.trust == Trust::Fresh ? 1 : 0;
    std::vector<std::uint32_t> order(candidates.size());
    auto next = order.begin();
    // A stale one that is cheaper than some fresh one of its kind waits, and comes right after that.
    std::array<std::vector<std::uint32_t>, core::PurchaseNames.size()> waiting;
    for (const std::uint32_t i : cheapestFirst(candidates)) {
        const Candidate& c = candidates[i];
        const std::size_t kind = indexOf(c.purchase);
        std::size_t& left = freshLeft[c.group].at(kind);
        if (c.trust == Trust::Stale && left > 0) {
            waiting.at(kind).push_back(i);
            continue;
        }
        *next++ = i;
        if (c.trust != Trust::Fresh || --left > 0)
            continue;
        next = std::copy(waiting.at(kind).begin(), waiting.at(kind).end(), next);
        waiting.at(kind).clear();
    }
    return order;
}

} // namespace outlay::pricing
