// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/cheapest.h"

#include "core/base/text.h"
#include "core/base/units.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using core::Quantity;
using core::Unit;

bool isBoughtSo(const Option& option, const OptionList& list)
{
    return isUsable(option) &&
           (!list.purchase || *list.purchase == list.catalogs.book().rows()[option.row].purchase);
}

std::string times(double instances)
{
    return instances > 1 ? core::plainNumber(instances) + " x " : std::string();
}

} // namespace

const Option* cheapest(const OptionList& list, std::string_view provider)
{
    const PriceBook& book = list.catalogs.book();
    const auto found =
        std::find_if(list.options.begin(), list.options.end(), [&](const Option& option) {
            const std::string& its = book.machine(book.rows()[option.row]).provider;
            return isBoughtSo(option, list) && (provider.empty() || its == provider);
        });
    return found == list.options.end() ? nullptr : &*found;
}

std::vector<const Option*> cheapestMachines(const OptionList& list, std::size_t most)
{
    std::vector<const Option*> first;
    std::vector<std::uint32_t> machines;
    for (const Option& option : list.options) {
        const std::uint32_t machine = list.catalogs.book().rows()[option.row].machine;
        if (first.size() == most)
            break;
        if (!isBoughtSo(option, list) ||
            std::find(machines.begin(), machines.end(), machine) != machines.end())
            continue;
        first.push_back(&option);
        machines.push_back(machine);
    }
    return first;
}

Offer offerOf(const Option& option, const Catalogs& catalogs)
{
    return offerOf(catalogs.book().table(), catalogs.book().rows()[option.row]);
}

std::string purchaseName(core::Purchase purchase)
{
    std::string name(core::PurchaseNames.at(static_cast<std::size_t>(purchase)));
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::string nameOf(const Offer& offer)
{
    return offer.machine.provider + " " + offer.machine.instance + " in " + offer.region + ", " +
           purchaseName(offer.purchase);
}

std::string timesInstances(const OptionText& option)
{
    return option.instances.isAvailable() ? times(option.instances.value()) : std::string();
}

std::string timesInstances(const Option& option, const TrainingReport& training)
{
    const bool isKnown = option.forecast < training.forecasts.size();
    return isKnown ? times(core::real(training.forecasts[option.forecast].machines))
                   : std::string();
}

Quantity usdOf(const Option& option, const Catalogs& catalogs)
{
    const Offer offer = offerOf(option, catalogs);
    const std::string name = nameOf(offer);
    if (!std::isfinite(option.usd.value) || option.usd.value <= 0)
        return Quantity::unavailable(Unit::Usd, name + " has no price");
    return Quantity::within(option.usd.value, option.usd.low, option.usd.high, Unit::Usd,
                            core::Basis::Forecast,
                            {.note = name + ", price of " + offer.source.asOf});
}

Quantity paidHoursOf(const Option& option, const TrainingReport& training, const Catalogs& catalogs)
{
    if (option.forecast >= training.forecasts.size())
        return Quantity::unavailable(Unit::Hours, "this machine has no forecast");
    const core::Purchase purchase = catalogs.book().rows()[option.row].purchase;
    const core::TrainingForecast& f = training.forecasts[option.forecast];
    return training.runHours.paid(training.runHours.hours(f.runSeconds, purchase, f.machines),
                                  purchase, 1);
}

} // namespace outlay::pricing
