// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/json/option_list.h"

#include "core/base/units.h"

#include <algorithm>
#include <set>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula HoursFormula{"hours", "{0} s / 3,600"};

template <typename T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json();
}

Json offerJson(const Offer& offer)
{
    const Machine& m = offer.machine;
    return Json::Object{{"provider", m.provider},
                        {"instance", m.instance},
                        {"region", offer.region},
                        {"accelerator", m.accelerator.empty() ? Json() : Json(m.accelerator)},
                        {"accelerators", m.accelerators},
                        {"vcpus", orNull(m.vcpus)},
                        {"memory_gb", orNull(m.memoryGb)},
                        {"purchase", PurchaseNames.at(static_cast<std::size_t>(offer.purchase))},
                        {"as_of", offer.source.asOf.empty() ? Json() : Json(offer.source.asOf)},
                        {"source", offer.source.name}};
}

Json sentences(const std::vector<std::string>& all)
{
    Json list = Json::array();
    for (const std::string& sentence : all)
        list.append(sentence);
    return list;
}

/// Of each machine and way of buying the first region, or every region that the plan names.
std::vector<const Option*> allOptions(const std::vector<Option>& options, const Plan& plan,
                                      const PriceBook& book)
{
    std::vector<const Option*> listed;
    std::vector<bool> isSeen(book.table().machines.size() * PurchaseNames.size(), false);
    for (const Option& option : options) {
        const OfferRow& row = book.rows()[option.row];
        const std::size_t at =
            row.machine * PurchaseNames.size() + static_cast<std::size_t>(row.purchase);
        const bool isNamed = !plan.regions.empty() && option.isAllowed;
        if (isNamed || !isSeen[at])
            listed.push_back(&option);
        isSeen[at] = true;
    }
    return listed;
}

constexpr std::size_t MostMachines = 24;

std::vector<const Option*> shortlist(const std::vector<Option>& options,
                                     const Recommendation& recommended, const PriceBook& book)
{
    std::vector<const Option*> listed;
    std::set<std::uint32_t> machines;
    std::set<std::pair<std::string_view, Purchase>> ways;
    for (const Option& option : options) {
        const bool isChosen = recommended.chosen && recommended.chosen->row == option.row;
        if (!isChosen && !isUsable(option))
            continue;
        const OfferRow& row = book.rows()[option.row];
        const bool isNewWay = ways.emplace(book.machine(row).provider, row.purchase).second;
        const bool isNewMachine =
            machines.size() < MostMachines && machines.insert(row.machine).second;
        if (isChosen || isNewWay || isNewMachine)
            listed.push_back(&option);
    }
    if (listed.empty()) {
        for (std::size_t i = 0; i < std::min(MostMachines, options.size()); ++i)
            listed.push_back(&options[i]);
    }
    return listed;
}

} // namespace

std::vector<const Option*> listedOptions(const std::vector<Option>& options,
                                         const Recommendation& recommended, const Plan& plan,
                                         const PriceBook& book, Listed listed)
{
    return listed == Listed::All ? allOptions(options, plan, book)
                                 : shortlist(options, recommended, book);
}

Json fitsJson(Fits fits)
{
    return fits == Fits::Unknown ? Json() : Json(fits == Fits::Yes);
}

Quantity hoursOf(const Quantity& seconds)
{
    if (!seconds.isAvailable())
        return Quantity::unavailable(Unit::Hours, seconds.how().note);
    return Quantity::within(seconds.value() / SecondsPerHour, seconds.low() / SecondsPerHour,
                            seconds.high() / SecondsPerHour, Unit::Hours, seconds.basis(),
                            how(HoursFormula, {seconds.value()}, seconds.how().sentence()));
}

Json toJson(const OptionText& option)
{
    Json json =
        Json::Object{{"offer", offerJson(option.offer)},
                     {"hours", toJson(option.hours)},
                     {"usd", toJson(option.usd)},
                     {"kwh", toJson(option.kwh)},
                     {"idle_kwh", toJson(option.idleKwh)},
                     {"kg_co2e", toJson(option.kgCo2e)},
                     {"memory", toJson(option.memory)},
                     {"fits", option.fits == "unknown" ? Json() : Json(option.fits == "yes")},
                     {"meets_deadline", option.meetsDeadline},
                     {"why", sentences(option.why)}};
    const Layout& layout = option.layout;
    if (layout.sharding != Sharding::None)
        json.set("sharding", ShardingNames.at(static_cast<std::size_t>(layout.sharding)));
    if (option.hostMemory) {
        json.set("offload", OffloadNames.at(static_cast<std::size_t>(layout.offload)));
        json.set("host_memory", toJson(*option.hostMemory));
    }
    if (!layout.isPlain())
        json.set("layout", Json::Object{{"tensor_parallel", layout.tensor},
                                        {"pipeline_stages", layout.stages},
                                        {"chunks", layout.chunks},
                                        {"context_parallel", layout.context},
                                        {"expert_parallel", layout.experts}});
    if (option.instances.isAvailable())
        json.set("instances", toJson(option.instances));
    return json;
}

Json toJson(const Recommendation& r)
{
    return Json::Object{{"option", r.option ? toJson(*r.option) : Json()},
                        {"alternative", r.alternative ? toJson(*r.alternative) : Json()},
                        {"reasons", sentences(r.reasons)},
                        {"risk", r.risk}};
}

} // namespace outlay::pricing
