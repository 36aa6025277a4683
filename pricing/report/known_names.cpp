// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/known_names.h"

#include "core/base/text.h"
#include "pricing/stack.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using core::OfferChoice;
using core::Result;

/// "did you mean us-east-1?", or how to see what there is.
std::string remedyFor(const std::string& name, const std::vector<std::string>& known)
{
    const std::vector<std::string_view> names(known.begin(), known.end());
    const auto near = core::nearest(name, names);
    return near ? "did you mean " + std::string(*near) + "?"
                : "`outlay prices list` shows what there is; `outlay prices import` adds more";
}

std::vector<std::string> providersOf(const PriceBook& book)
{
    std::vector<std::string> names;
    for (const Machine& machine : book.table().machines) {
        if (names.empty() || names.back() != machine.provider)
            names.push_back(machine.provider);
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

/// "aws/us-east-1" or "us-east-1".
bool isKnownRegion(const Catalogs& catalogs, std::string_view region)
{
    const std::size_t slash = region.find('/');
    const bool isQualified = slash != std::string_view::npos;
    const auto rows = catalogs.book().inRegion(isQualified ? region.substr(slash + 1) : region);
    const auto isOfProvider = [&](std::uint32_t row) {
        return catalogs.book().machine(catalogs.book().rows()[row]).provider ==
               region.substr(0, slash);
    };
    const bool isPriced =
        isQualified ? std::any_of(rows.begin(), rows.end(), isOfProvider) : !rows.empty();
    return isPriced || catalogs.carbon().region(region) != nullptr;
}

Result<void> checkRegion(const Catalogs& catalogs, const std::string& region,
                         const std::string& pointer)
{
    if (isKnownRegion(catalogs, region))
        return {};
    return core::inputError("no price and no grid is known of the region " + core::inQuotes(region),
                            remedyFor(region, catalogs.book().table().regions), pointer);
}

Result<void> checkOffer(const Catalogs& catalogs, const std::optional<OfferChoice>& choice,
                        const std::string& pointer)
{
    if (!choice || catalogs.book().find(*choice) != nullptr)
        return {};
    const auto offers = catalogs.book().ofInstance(choice->provider, choice->instance);
    const std::string name = core::inQuotes(choice->provider + " " + choice->instance);
    if (offers.empty())
        return core::inputError("no price is known of " + name,
                                "`outlay prices list` shows what there is; "
                                "`outlay prices import` adds more",
                                pointer);
    std::vector<std::string_view> ways; // of buying it there
    for (const OfferRow& row : offers) {
        if (catalogs.book().isIn(row, choice->region))
            ways.push_back(core::PurchaseNames.at(static_cast<std::size_t>(row.purchase)));
    }
    const std::string there = core::inQuotes(choice->region);
    if (ways.empty())
        return core::inputError(name + " is not sold in the region " + there,
                                "name a region where it is, such as " +
                                    catalogs.book().region(offers.front()),
                                pointer);
    return core::inputError(
        "no price is known of " + name + " as " +
            std::string(core::PurchaseNames.at(static_cast<std::size_t>(choice->purchase))) +
            (choice->region.empty() ? "" : " in " + there),
        "set its purchase to " + core::joined(ways, " or "), pointer);
}

Result<void> checkStacks(const core::Plan& plan)
{
    std::vector<std::string_view> known;
    for (const Stack& stack : stacks())
        known.push_back(stack.id);
    for (std::size_t i = 0; i < plan.stacks.size(); ++i) {
        if (std::find(known.begin(), known.end(), plan.stacks[i]) != known.end())
            continue;
        const auto near = core::nearest(plan.stacks[i], known);
        return core::inputError("nothing is known of the software " +
                                    core::inQuotes(plan.stacks[i]),
                                near ? "did you mean " + std::string(*near) + "?"
                                     : "give some of " + core::joined(known, ", "),
                                "/plan/stacks/" + std::to_string(i));
    }
    return {};
}

} // namespace

Result<void> checkNames(const core::Experiment& experiment, const Catalogs& catalogs)
{
    const core::Plan& plan = experiment.plan;
    for (std::size_t i = 0; i < plan.providers.size(); ++i) {
        if (catalogs.book().ofProvider(plan.providers[i]).empty())
            return core::inputError("no price is known of the provider " +
                                        core::inQuotes(plan.providers[i]),
                                    remedyFor(plan.providers[i], providersOf(catalogs.book())),
                                    "/plan/providers/" + std::to_string(i));
    }
    for (std::size_t i = 0; i < plan.regions.size(); ++i) {
        const std::string pointer = "/plan/regions/" + std::to_string(i);
        if (auto known = checkRegion(catalogs, plan.regions[i], pointer); !known)
            return known;
    }
    if (auto known = checkStacks(plan); !known)
        return known;
    if (experiment.site.region) {
        auto known = checkRegion(catalogs, *experiment.site.region, "/site/region");
        if (!known)
            return known;
    }
    if (auto known = checkOffer(catalogs, plan.trainingOffer, "/plan/training_offer"); !known)
        return known;
    return checkOffer(catalogs, plan.servingOffer, "/plan/serving_offer");
}

} // namespace outlay::pricing
