// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/environments.h"

#include "core/base/text.h"
#include "pricing/report/offers/offer_rank.h"
#include "pricing/report/plan_hours.h"
#include "pricing/report/run_hours.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula EnvironmentFormula{"environment", "{0} x {1} USD an hour x {2} h x {3} days"};
constexpr Formula CommittedFormula{"environment.committed",
                                   "{0} x {1} USD an hour x {2} h, used or not"};

struct Wanted {
    std::string provider; // empty: any
    std::string instance;
    std::string region; // empty: any that the plan allows
    Purchase purchase = Purchase::OnDemand;
};

std::optional<Purchase> purchaseNamed(std::string_view name)
{
    const auto* const found = std::find(PurchaseNames.begin(), PurchaseNames.end(), name);
    return found == PurchaseNames.end()
               ? std::nullopt
               : std::optional(static_cast<Purchase>(found - PurchaseNames.begin()));
}

Wanted wantedBy(const std::string& offer, const PriceBook& book, Purchase usual)
{
    std::vector<std::string> parts = split(offer, '/');
    Wanted wanted{.purchase = usual};
    const auto& machines = book.table().machines;
    const bool isProvider =
        parts.size() > 1 && std::any_of(machines.begin(), machines.end(), [&](const Machine& m) {
            return m.provider == parts.front();
        });
    if (isProvider) {
        wanted.provider = parts.front();
        parts.erase(parts.begin());
    }
    if (const auto purchase = parts.empty() ? std::nullopt : purchaseNamed(parts.back())) {
        wanted.purchase = *purchase;
        parts.pop_back();
    }
    wanted.instance = parts.empty() ? "" : parts.front();
    // What is behind the region is no way of buying: no region is called so.
    for (std::size_t i = 1; i < parts.size(); ++i)
        wanted.region += (i > 1 ? "/" : "") + parts[i];
    return wanted;
}

/// The row that is cheapest among those to be trusted most; nothing if there is none.
std::optional<std::uint32_t> rowFor(const Subject& subject, const Wanted& wanted)
{
    const PriceBook& book = subject.catalogs.book();
    const PricesOn& prices = subject.catalogs.prices();
    const Allowed allowed(subject.experiment.plan, book);
    std::vector<std::uint32_t> rows;
    std::vector<Candidate> candidates;
    for (std::uint32_t i = 0; i < book.rows().size(); ++i) {
        const OfferRow& row = book.rows()[i];
        const Machine& machine = book.machine(row);
        if (machine.instance != wanted.instance || row.purchase != wanted.purchase)
            continue;
        const bool isProvider = wanted.provider.empty() || machine.provider == wanted.provider;
        const bool isRegion =
            wanted.region.empty() ? allowed.isPlaceAllowed(row) : book.region(row) == wanted.region;
        const auto usd = prices.range(i);
        if (!isProvider || !isRegion || !usd)
            continue;
        rows.push_back(i);
        candidates.push_back({row.purchase, prices.trust(i), 0, usd->value});
    }
    const auto order = ranked(candidates);
    return order.empty() ? std::nullopt : std::optional(rows[order.front()]);
}

} // namespace

Quantity environmentUsd(const Environment& environment, const Quantity& usdPerHour,
                        Purchase purchase)
{
    const auto count = static_cast<double>(environment.count);
    if (isCommitment(purchase))
        return product(usdPerHour, Quantity::exact(count * HoursInMonth, Unit::Hours, {}),
                       Unit::Usd)
            .because(how(CommittedFormula, {count, usdPerHour.value(), HoursInMonth},
                         usdPerHour.how().note));
    const double hours = count * environment.hoursPerDay * environment.daysPerMonth;
    return product(usdPerHour, Quantity::exact(hours, Unit::Hours, {}), Unit::Usd)
        .because(how(EnvironmentFormula,
                     {count, usdPerHour.value(), environment.hoursPerDay, environment.daysPerMonth},
                     usdPerHour.how().note));
}

std::vector<EnvironmentRow> environmentRows(const Subject& subject)
{
    const PriceBook& book = subject.catalogs.book();
    const Plan& plan = subject.experiment.plan;
    std::vector<EnvironmentRow> rows;
    for (const Environment& e : plan.environments) {
        const auto found = rowFor(subject, wantedBy(e.offer, book, plan.purchase));
        EnvironmentRow row{.name = e.name,
                           .offer = e.offer,
                           .hours = static_cast<double>(e.count) * e.hoursPerDay * e.daysPerMonth};
        if (found) {
            const Offer offer = offerOf(book.table(), book.rows()[*found]);
            row.offer = offer.machine.provider + "/" + offer.machine.instance + "/" + offer.region +
                        "/" +
                        std::string(PurchaseNames.at(static_cast<std::size_t>(offer.purchase)));
            row.choice = OfferChoice{offer.machine.provider, offer.machine.instance, offer.region,
                                     offer.purchase};
            if (isCommitment(offer.purchase))
                row.hours = static_cast<double>(e.count) * HoursInMonth;
            row.usd = environmentUsd(e, subject.catalogs.prices().price(*found), offer.purchase);
        } else if (e.offer.empty()) {
            row.usd = Quantity::unavailable(Unit::Usd, "no machine is chosen for it yet");
        } else {
            row.usd = Quantity::unavailable(
                Unit::Usd, "the price book has no allowed offer '" + printable(e.offer, 60) +
                               "' with a price; `outlay prices list` shows what it has");
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace outlay::pricing
