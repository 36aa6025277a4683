// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "pricing/csv_table.h"
#include "pricing/date.h"
#include "pricing/export/export.h"
#include "pricing/provider.h"
#include "pricing/token_prices.h"

#include <array>
#include <cstdio>

namespace outlay::pricing {
namespace {

using namespace core;

/// The mandatory columns of FOCUS 1.2, then what an estimate knows of the recommended ones.
constexpr std::array<std::string_view, 27> FocusColumns{"BilledCost",
                                                        "BillingAccountId",
                                                        "BillingAccountName",
                                                        "BillingCurrency",
                                                        "BillingPeriodEnd",
                                                        "BillingPeriodStart",
                                                        "ChargeCategory",
                                                        "ChargeClass",
                                                        "ChargeDescription",
                                                        "ChargePeriodEnd",
                                                        "ChargePeriodStart",
                                                        "ContractedCost",
                                                        "EffectiveCost",
                                                        "InvoiceIssuerName",
                                                        "ListCost",
                                                        "PricingQuantity",
                                                        "PricingUnit",
                                                        "ProviderName",
                                                        "PublisherName",
                                                        "ServiceCategory",
                                                        "ServiceName",
                                                        "ChargeFrequency",
                                                        "PricingCategory",
                                                        "RegionId",
                                                        "ResourceType",
                                                        "SkuId",
                                                        "Tags"};

struct Period {
    std::string start;
    std::string end; // exclusive
};

std::string firstOf(std::chrono::year_month month)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02u-01T00:00:00Z", int{month.year()},
                  unsigned{month.month()});
    return text.data();
}

Result<Period> monthOf(std::string_view today)
{
    const auto day = dayOf(today);
    if (!day)
        return internalError("today's date is not a date", "report it");
    const std::chrono::year_month_day date(*day);
    const std::chrono::year_month month = date.year() / date.month();
    return Period{firstOf(month), firstOf(month + std::chrono::months(1))};
}

std::string billingName(const std::string& id)
{
    const Provider& known = provider(id);
    return known.billed.empty() ? id : std::string(known.billed);
}

std::string_view serviceCategory(std::string_view item)
{
    if (item == "storage" || item == "checkpoints")
        return "Storage";
    if (item == "transfer")
        return "Networking";
    return "AI and Machine Learning";
}

std::string_view pricingCategory(Purchase purchase)
{
    switch (purchase) {
    case Purchase::OnDemand: return "Standard";
    case Purchase::Spot: return "Dynamic";
    case Purchase::Reserved1y:
    case Purchase::Reserved3y: return "Committed";
    }
    return "Other";
}

/// What the plan names, else what is recommended; nothing where the work stays here.
std::optional<OfferChoice> machineFor(bool isTraining, const Report& report)
{
    const auto& planned = isTraining ? report.plan.trainingOffer : report.plan.servingOffer;
    const auto& recommended =
        isTraining ? report.training.recommended.option : report.serving.recommended.option;
    if (!recommended)
        return planned;
    const Offer& offer = recommended->offer;
    return OfferChoice{offer.machine.provider, offer.machine.instance, offer.region,
                       offer.purchase};
}

/// What is bought of whom.
struct Charge {
    MonthItem item;
    std::string what; // "training"
    std::string seller = "on-premises";
    std::string region;
    std::optional<Purchase> purchase;
    std::string sku; // of an instance
};

Charge machineCharge(MonthItem item, std::string what, const std::optional<OfferChoice>& machine)
{
    Charge charge{.item = std::move(item), .what = std::move(what)};
    if (!machine)
        return charge;
    charge.seller = billingName(machine->provider);
    charge.region = machine->region;
    charge.purchase = machine->purchase;
    charge.sku = machine->instance;
    return charge;
}

/// Data lie where the training runs; answers leave from where they are made; neither is bought as machines are.
Charge chargeOf(const MonthItem& item, const Report& report)
{
    const bool isData = item.item == "storage" || item.item == "checkpoints";
    const bool isByMachine = report.serving.by == ServedBy::Machines;
    const bool isTransfer = item.item == "transfer";
    Charge charge =
        machineCharge(item, item.item, machineFor(item.item == "training" || isData, report));
    const bool isBeside = isTransfer || item.item == "load balancer";
    if (isData || (isBeside && isByMachine)) {
        charge.sku.clear();
        charge.purchase = Purchase::OnDemand;
        return charge;
    }
    if (item.item == "training" || isByMachine)
        return charge;
    const HostedRow* hosted = report.serving.hosted.best();
    const bool isApi = report.serving.by == ServedBy::Api;
    charge = machineCharge(item, item.item, {});
    charge.purchase = Purchase::OnDemand;
    if (isApi && hosted != nullptr) {
        charge.seller = hostTitle(hosted->provider);
        charge.sku = hosted->model;
    } else if (!isApi) {
        charge.seller = billingName(std::string(functionProvider().id));
        charge.region = std::string(functionProvider().functions->home);
    }
    return charge;
}

void addRow(const Charge& charge, const ExportInput& input, const Period& period, CsvTable& table)
{
    const MonthItem& item = charge.item;
    table.addRow();
    for (const std::string_view column :
         {"BilledCost", "ContractedCost", "EffectiveCost", "ListCost"})
        table.set(column, std::optional(item.usd.value()));
    const auto set = [&](std::string_view column, std::string_view value) {
        table.set(column, value);
    };
    set("BillingAccountId", "outlay-estimate");
    set("BillingCurrency", "USD");
    set("BillingPeriodStart", period.start);
    set("BillingPeriodEnd", period.end);
    set("ChargePeriodStart", period.start);
    set("ChargePeriodEnd", period.end);
    set("ChargeCategory", "Usage");
    set("ChargeDescription", "Estimate, not billed: " + charge.what + " of " +
                                 (input.report.name.empty() ? "an experiment" : input.report.name));
    set("ChargeFrequency", "Usage-Based");
    table.set("PricingQuantity", std::optional(1.0));
    set("PricingUnit", "Months");
    set("ServiceCategory", serviceCategory(item.item));
    set("ServiceName", item.item);
    for (const std::string_view column : {"ProviderName", "PublisherName", "InvoiceIssuerName"})
        set(column, charge.seller);
    if (charge.purchase)
        set("PricingCategory", pricingCategory(*charge.purchase));
    set("RegionId", charge.region);
    if (!charge.sku.empty()) {
        const bool isInstance = !charge.region.empty();
        set("ResourceType", isInstance ? "Instance" : "Model");
        set("SkuId", charge.sku);
    }
    const Json tags = Json::Object{{"outlay/estimate", true},
                                   {"outlay/basis", name(item.usd.basis())},
                                   {"outlay/low_usd", item.usd.low()},
                                   {"outlay/high_usd", item.usd.high()}};
    set("Tags", writeJson(tags, JsonStyle::Compact));
}

} // namespace

Result<std::string> focusRows(const ExportInput& input)
{
    const auto period = monthOf(input.catalogs.today());
    if (!period)
        return failureOf(period);
    CsvTable table(std::vector<std::string_view>(FocusColumns.begin(), FocusColumns.end()));
    bool hasRows = false;
    for (const MonthItem& item : input.report.month.items) {
        if (!item.usd.isAvailable())
            continue;
        hasRows = true;
        if (item.item != "environments") {
            addRow(chargeOf(item, input.report), input, *period, table);
            continue;
        }
        for (const EnvironmentRow& row : input.report.month.environments) {
            if (row.usd.isAvailable())
                addRow(machineCharge({item.item, row.usd}, "environment " + row.name, row.choice),
                       input, *period, table);
        }
    }
    if (!hasRows)
        return inputError("no item of the month has a cost, so focus.csv would have no rows",
                          "name what the training or serving runs on, or leave out focus");
    return table.text();
}

std::vector<std::string> leftOutOfFocus(const Report& report)
{
    std::vector<std::string> sentences;
    for (const EnvironmentRow& row : report.month.environments) {
        if (!row.usd.isAvailable())
            sentences.push_back(
                "environment " + core::printable(row.name) +
                " has no row, because its cost is unavailable: " + row.usd.how().sentence() + ".");
    }
    for (const MonthItem& item : report.month.items) {
        if (!item.usd.isAvailable() && item.item != "environments")
            sentences.push_back(item.item + " has no row, because its cost is unavailable: " +
                                item.usd.how().sentence() + ".");
    }
    return sentences;
}

} // namespace outlay::pricing
