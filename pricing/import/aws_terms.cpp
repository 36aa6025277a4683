// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/import/aws_terms.h"

namespace outlay::pricing {
namespace {

using core::Purchase;

/// What isn't said is taken to be as it should.
bool isOther(const std::string& value, std::string_view wanted)
{
    return !value.empty() && value != wanted;
}

std::string familyOf(const std::string& instanceFamily)
{
    if (instanceFamily.starts_with("GPU") || instanceFamily.starts_with("Machine Learning"))
        return "accelerated";
    if (instanceFamily.starts_with("Compute"))
        return "compute";
    if (instanceFamily.starts_with("Memory"))
        return "memory";
    return instanceFamily.starts_with("General") ? "general" : "";
}

/// "61 GiB" or "1,952 GiB".
std::optional<double> gibIn(const std::string& memory)
{
    std::string digits;
    for (const char c : memory.substr(0, memory.find(' '))) {
        if (c != ',')
            digits += c;
    }
    return amountIn(digits);
}

} // namespace

std::string_view whyNot(const AwsProduct& product)
{
    if (!product.family.empty() && !product.family.starts_with("Compute Instance"))
        return "it is no compute instance";
    if (product.instance.empty())
        return "it names no instance";
    if (product.region.empty())
        return "it names no region";
    if (isOther(product.operatingSystem, "Linux"))
        return "its operating system isn't Linux";
    if (isOther(product.tenancy, "Shared"))
        return "its tenancy isn't shared";
    if (isOther(product.software, "NA"))
        return "it comes with software";
    if (isOther(product.capacity, "Used"))
        return "it is a capacity reservation";
    return {};
}

Machine machineOf(const AwsProduct& product)
{
    // The list doesn't name accelerators: they are completed from what is known of the instance.
    Machine machine;
    machine.provider = "aws";
    machine.instance = product.instance;
    machine.family = familyOf(product.instanceFamily);
    machine.vcpus = amountIn(product.vcpus);
    machine.memoryGb = gibIn(product.memory);
    return machine;
}

AwsPrice priceOf(const AwsTerm& term)
{
    AwsPrice price;
    if (isOther(term.currency, "USD")) {
        price.whyNot = "its price isn't in USD";
    } else if (isOther(term.unit, "Hrs")) {
        price.whyNot = "it isn't paid by the hour";
    } else if (term.type == "Reserved") {
        if (isOther(term.option, "No Upfront"))
            price.whyNot = "it is paid upfront";
        else if (isOther(term.offeringClass, "standard"))
            price.whyNot = "it is a convertible reservation";
        else if (term.lease != "1yr" && term.lease != "3yr")
            price.whyNot = "its term isn't one or three years";
        price.purchase = term.lease == "3yr" ? Purchase::Reserved3y : Purchase::Reserved1y;
    } else if (term.type != "OnDemand") {
        price.whyNot = "it is neither on demand nor reserved";
    }
    if (!price.whyNot.empty())
        return price;
    const ListedPrice listed = priceIn(term.price);
    price.usdPerHour = listed.usdPerHour.value_or(0);
    price.whyNot = listed.whyNot;
    return price;
}

} // namespace outlay::pricing
