// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Azure Retail Prices: a page of the service's answer, several pages in a list, or their items alone.
#include "core/base/json_scanner.h"
#include "core/base/text.h"
#include "pricing/date.h"
#include "pricing/import/importers.h"
#include "pricing/import/offer_collector.h"

#include <istream>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr double HoursPerYear = 8760;

struct Item {
    std::string currency;
    std::string price;
    std::string region;
    std::string since; // "2020-08-01T00:00:00Z"
    std::string product;
    std::string sku;
    std::string service;
    std::string unit;
    std::string type;
    std::string term; // of a reservation: "1 Year"
    std::string instance;
};

std::string* fieldNamed(std::string_view key, Item& item)
{
    struct Row {
        std::string_view key;
        std::string Item::*value;
    };
    static constexpr std::array Rows{
        Row{"currencyCode", &Item::currency},
        Row{"retailPrice", &Item::price},
        Row{"armRegionName", &Item::region},
        Row{"effectiveStartDate", &Item::since},
        Row{"productName", &Item::product},
        Row{"skuName", &Item::sku},
        Row{"serviceName", &Item::service},
        Row{"unitOfMeasure", &Item::unit},
        Row{"type", &Item::type},
        Row{"reservationTerm", &Item::term},
        Row{"armSkuName", &Item::instance},
    };
    for (const Row& row : Rows) {
        if (row.key == key)
            return &(item.*row.value);
    }
    return nullptr;
}

bool has(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

/// Why it is no machine of ours; empty if it is.
std::string_view whyNotMachine(const Item& item)
{
    if (!item.service.empty() && item.service != "Virtual Machines")
        return "it is no virtual machine";
    if (item.instance.empty())
        return "it names no instance";
    if (item.region.empty())
        return "it names no region";
    if (has(item.product, "Windows"))
        return "its operating system isn't Linux";
    if (has(item.product, "Cloud Services") || has(item.product, "CloudServices"))
        return "it is no virtual machine";
    return has(item.sku, "Low Priority") ? "it is the old low priority kind" : "";
}

std::string_view whyNotPrice(const Item& item)
{
    if (!item.currency.empty() && item.currency != "USD")
        return "its price isn't in USD";
    if (item.type == "DevTestConsumption")
        return "it is for development and test only";
    if (!item.unit.empty() && item.unit != "1 Hour")
        return "it isn't paid by the hour";
    if (item.type == "Reservation" && item.term != "1 Year" && item.term != "3 Years")
        return "its term isn't one or three years";
    return {};
}

class Azure {
public:
    Azure(JsonScanner& json, const ImportOptions& options)
        : m_json(json), m_options(options), m_offers({"Azure Retail Prices", options.asOf, {}})
    {
    }

    Result<PriceImport> run()
    {
        if (m_json.kind() == JsonScanner::Kind::Array)
            readList();
        else
            readEntry();
        if (const auto outcome = m_json.outcome(); !outcome)
            return failureOf(outcome);
        // The answer has no date of its own. It is at least as new as its newest price.
        if (m_options.asOf.empty())
            m_offers.setAsOf(m_newest);
        return PriceImport{"Azure Retail Prices", m_offers.take(), std::move(m_account)};
    }

private:
    void readList()
    {
        m_json.enterArray();
        while (m_json.nextItem())
            readEntry();
    }

    /// A page or an item: what it is shows only when its keys are read.
    void readEntry()
    {
        Item item;
        bool isPage = false;
        m_json.enterObject();
        while (m_json.nextKey()) {
            if (m_json.key() == "Items") {
                isPage = true;
                readList();
            } else if (std::string* field = fieldNamed(m_json.key(), item)) {
                *field = m_json.text();
            } else {
                m_json.skip();
            }
        }
        if (!isPage && !m_json.isBroken())
            account(item);
    }

    void account(const Item& item)
    {
        ++m_account.rows;
        const std::string_view why = take(item);
        if (why.empty())
            ++m_account.imported;
        else
            m_account.leaveOut(m_account.rows, why);
    }

    std::string_view take(const Item& item)
    {
        for (const std::string_view why : {whyNotMachine(item), whyNotPrice(item)}) {
            if (!why.empty())
                return why;
        }
        if (isNewer(item.since, m_options.today))
            return "its price isn't in force yet";
        const ListedPrice price = priceIn(item.price);
        if (!price.usdPerHour)
            return price.whyNot;
        if (isNewer(item.since, m_newest))
            m_newest = item.since;
        add(item, *price.usdPerHour);
        return {};
    }

    void add(const Item& item, double usd)
    {
        Machine machine;
        machine.provider = "azure";
        machine.instance = item.instance;
        Purchase purchase = has(item.sku, "Spot") ? Purchase::Spot : Purchase::OnDemand;
        if (item.type == "Reservation") {
            // Its price is that of the whole term, whatever its unit says.
            const bool isLong = item.term == "3 Years";
            purchase = isLong ? Purchase::Reserved3y : Purchase::Reserved1y;
            usd /= HoursPerYear * (isLong ? 3 : 1);
        }
        m_offers.add(machine, item.region, purchase, usd);
    }

    JsonScanner& m_json;
    const ImportOptions& m_options;
    OfferCollector m_offers;
    ImportAccount m_account;
    std::string m_newest;
};

} // namespace

bool looksLikeAzure(std::string_view start)
{
    return (start.starts_with('{') || start.starts_with('[')) &&
           (start.find("\"armRegionName\"") != std::string_view::npos ||
            start.find("\"BillingCurrency\"") != std::string_view::npos);
}

Result<PriceImport> importAzure(std::istream& file, const ImportOptions& options)
{
    ByteWindow window(file);
    JsonScanner json(window);
    return Azure(json, options).run();
}

} // namespace outlay::pricing
