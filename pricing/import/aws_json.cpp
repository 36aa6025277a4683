// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// AWS's offer files as JSON. They have gigabytes, so only what is an offer of ours is kept: the file
// goes through a window, and of other products one byte.
#include "core/base/json_scanner.h"
#include "pricing/date.h"
#include "pricing/import/aws_terms.h"
#include "pricing/import/importers.h"
#include "pricing/import/offer_collector.h"

#include <istream>
#include <unordered_map>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

/// Where an attribute goes; null pointer for those that aren't needed.
std::string* attributeNamed(std::string_view key, AwsProduct& product)
{
    struct Row {
        std::string_view key;
        std::string AwsProduct::*value;
    };
    static constexpr std::array Rows{
        Row{"instanceType", &AwsProduct::instance},
        Row{"regionCode", &AwsProduct::region},
        Row{"operatingSystem", &AwsProduct::operatingSystem},
        Row{"tenancy", &AwsProduct::tenancy},
        Row{"preInstalledSw", &AwsProduct::software},
        Row{"capacitystatus", &AwsProduct::capacity},
        Row{"instanceFamily", &AwsProduct::instanceFamily},
        Row{"vcpu", &AwsProduct::vcpus},
        Row{"memory", &AwsProduct::memory},
    };
    for (const Row& row : Rows) {
        if (row.key == key)
            return &(product.*row.value);
    }
    return nullptr;
}

class AwsJson {
public:
    AwsJson(std::istream& file, const ImportOptions& options)
        : m_file(file), m_options(options), m_offers({"AWS price list", options.asOf, {}})
    {
    }

    Result<PriceImport> run()
    {
        if (auto outcome = pass(); !outcome)
            return failureOf(outcome);
        if (m_termsWait) {
            // The terms stood before the products that they belong to.
            m_file.clear();
            m_file.seekg(0);
            m_isSecond = true;
            if (auto outcome = pass(); !outcome)
                return failureOf(outcome);
        }
        if (!m_hasProducts || !m_hasTerms)
            return inputError("this AWS offer file has no " +
                                  std::string(m_hasProducts ? "terms" : "products"),
                              "check that it was copied whole");
        return PriceImport{"AWS price list", m_offers.take(), std::move(m_account)};
    }

private:
    Result<void> pass()
    {
        ByteWindow window(m_file);
        JsonScanner json(window);
        json.enterObject();
        while (json.nextKey()) {
            const std::string& key = json.key();
            if (key == "publicationDate" && m_options.asOf.empty()) {
                const std::string published(json.text());
                if (!isNewer(published, m_options.today)) // else its prices stay undated
                    m_offers.setAsOf(published);
            } else if (key == "products" && !m_isSecond)
                readProducts(json);
            else if (key == "terms" && m_hasProducts)
                readTerms(json);
            else {
                m_termsWait = m_termsWait || (key == "terms" && !m_isSecond);
                json.skip();
            }
        }
        return json.outcome();
    }

    void readProducts(JsonScanner& json)
    {
        m_hasProducts = true;
        json.enterObject();
        while (json.nextKey()) {
            const std::size_t sku = std::hash<std::string_view>()(json.key());
            AwsProduct product;
            json.enterObject();
            while (json.nextKey()) {
                if (json.key() == "productFamily")
                    product.family = json.text();
                else if (json.key() == "attributes")
                    readAttributes(json, product);
                else
                    json.skip();
            }
            keep(sku, product);
        }
    }

    static void readAttributes(JsonScanner& json, AwsProduct& product)
    {
        json.enterObject();
        while (json.nextKey()) {
            if (std::string* value = attributeNamed(json.key(), product))
                *value = json.text();
            else
                json.skip();
        }
    }

    void keep(std::size_t sku, const AwsProduct& product)
    {
        const std::string_view why = whyNot(product);
        if (!why.empty()) {
            m_others[sku] = why;
            return;
        }
        const Machine machine = machineOf(product);
        const auto [place, isNew] = m_machineIndex.try_emplace(machine.instance, m_machines.size());
        if (isNew)
            m_machines.push_back(machine);
        m_ours[sku] = {static_cast<std::uint32_t>(place->second), product.region};
    }

    void readTerms(JsonScanner& json)
    {
        m_hasTerms = true;
        json.enterObject();
        while (json.nextKey()) {
            const std::string type = json.key();
            json.enterObject();
            while (json.nextKey()) {
                const std::size_t sku = std::hash<std::string_view>()(json.key());
                json.enterObject();
                while (json.nextKey())
                    readTerm(json, type, sku);
            }
        }
    }

    void readTerm(JsonScanner& json, const std::string& type, std::size_t sku)
    {
        ++m_account.rows;
        const auto ours = m_ours.find(sku);
        if (ours == m_ours.end()) {
            const auto other = m_others.find(sku);
            m_account.leaveOut(m_account.rows,
                               other == m_others.end() ? "it has no product" : other->second);
            return json.skip();
        }
        AwsTerm term;
        term.type = type;
        json.enterObject();
        while (json.nextKey()) {
            if (json.key() == "priceDimensions")
                readDimensions(json, term);
            else if (json.key() == "termAttributes")
                readTermAttributes(json, term);
            else
                json.skip();
        }
        const AwsPrice price = priceOf(term);
        if (!price.whyNot.empty())
            return m_account.leaveOut(m_account.rows, price.whyNot);
        ++m_account.imported;
        m_offers.add(m_machines[ours->second.machine], ours->second.region, price.purchase,
                     price.usdPerHour);
    }

    static void readTermAttributes(JsonScanner& json, AwsTerm& term)
    {
        json.enterObject();
        while (json.nextKey()) {
            if (json.key() == "LeaseContractLength")
                term.lease = json.text();
            else if (json.key() == "PurchaseOption")
                term.option = json.text();
            else if (json.key() == "OfferingClass")
                term.offeringClass = json.text();
            else
                json.skip();
        }
    }

    /// The hourly one, where a term has also one that is paid once.
    static void readDimensions(JsonScanner& json, AwsTerm& term)
    {
        json.enterObject();
        while (json.nextKey()) {
            AwsTerm dimension;
            json.enterObject();
            while (json.nextKey()) {
                if (json.key() == "unit")
                    dimension.unit = json.text();
                else if (json.key() == "pricePerUnit")
                    readPrice(json, dimension);
                else
                    json.skip();
            }
            if (term.unit != "Hrs") {
                term.unit = dimension.unit;
                term.currency = dimension.currency;
                term.price = dimension.price;
            }
        }
    }

    static void readPrice(JsonScanner& json, AwsTerm& dimension)
    {
        json.enterObject();
        while (json.nextKey()) {
            if (dimension.currency == "USD") {
                json.skip();
                continue;
            }
            dimension.currency = json.key();
            dimension.price = json.text();
        }
    }

    struct Place {
        std::uint32_t machine = 0;
        std::string region;
    };

    std::istream& m_file;
    const ImportOptions& m_options;
    OfferCollector m_offers;
    ImportAccount m_account;
    std::vector<Machine> m_machines;
    std::unordered_map<std::string, std::size_t> m_machineIndex;
    std::unordered_map<std::size_t, Place> m_ours; // by the hash of the SKU: there are millions
    std::unordered_map<std::size_t, std::string_view> m_others;
    bool m_hasProducts = false;
    bool m_hasTerms = false;
    bool m_termsWait = false;
    bool m_isSecond = false;
};

} // namespace

bool looksLikeAwsJson(std::string_view start)
{
    return start.starts_with('{') && start.find("\"offerCode\"") != std::string_view::npos;
}

Result<PriceImport> importAwsJson(std::istream& file, const ImportOptions& options)
{
    return AwsJson(file, options).run();
}

} // namespace outlay::pricing
