// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/price_lists.h"

#include "core/base/text.h"
#include "pricing/date.h"
#include "pricing/provider.h"

#include <algorithm>
#include <array>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

// Folders of the catalog's eighth schema with a vms.csv, seen 2026-11.
constexpr std::array<std::string_view, 20> SkypilotClouds{
    "aws",    "cudo",      "daytona", "gcp",    "hyperbolic", "hyperstack",     "jarvislabs",
    "lambda", "lium",      "mithril", "nebius", "oci",        "primeintellect", "runpod",
    "seeweb", "shadeform", "spheron", "vast",   "verda",      "yotta"};

// What its newest releases publish, seen 2026-11.
constexpr std::array<std::string_view, 15> GpuhuntClouds{
    "aws",        "azure",  "cloudrift", "crusoe", "cudo",   "digitalocean", "gcp",  "hotaisle",
    "lambdalabs", "nebius", "oci",       "runpod", "vastai", "verda",        "vultr"};

constexpr std::array Lists{
    PriceList{.title = "SkyPilot catalog",
              .address = "https://github.com/skypilot-org/skypilot-catalog",
              .covers = "on demand and spot, renewed every seven hours",
              .licence = "Apache-2.0",
              .size = "0.2 to 2 MB a cloud",
              .clouds = SkypilotClouds,
              .provider = {},
              .command = "curl -fLo vms.csv https://raw.githubusercontent.com/skypilot-org/"
                         "skypilot-catalog/master/catalogs/v8/{cloud}/vms.csv && outlay prices "
                         "import vms.csv --provider {provider} --as-of $(date +%F)"},
    PriceList{.title = "gpuhunt catalog",
              .address = "https://github.com/dstackai/gpuhunt",
              .covers = "on demand and spot, machines with accelerators first of all",
              .licence = "MPL-2.0, of its program; none is named for the data",
              .size = "not known",
              .clouds = GpuhuntClouds,
              .provider = {},
              .command =
                  "curl -fLo catalog.zip https://dstack-gpu-pricing.s3.eu-west-1.amazonaws.com/v3/"
                  "{cloud}/latest/catalog.zip && unzip -o catalog.zip {cloud}.csv && outlay prices "
                  "import {cloud}.csv --provider {provider} --as-of $(date +%F)"},
    PriceList{.title = "AWS price list",
              .address = "https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/"
                         "using-the-aws-price-list-bulk-api.html",
              .covers = "on demand and reservations of one region (here us-east-1), with its date",
              .licence = "AWS' terms",
              .size = "hundreds of MB a region",
              .clouds = {},
              .provider = "aws",
              .command = "curl -fLo index.csv https://pricing.us-east-1.amazonaws.com/offers/v1.0/"
                         "aws/AmazonEC2/current/us-east-1/index.csv && outlay prices import "
                         "index.csv"},
    PriceList{.title = "Azure Retail Prices",
              .address = "https://learn.microsoft.com/rest/api/cost-management/retail-prices/"
                         "azure-retail-prices",
              .covers = "a page of the machines of one region (here eastus); its NextPageLink "
                        "names the next",
              .licence = "Microsoft's terms",
              .size = "about 1 MB a page",
              .clouds = {},
              .provider = "azure",
              .command = "curl -fGo page.json https://prices.azure.com/api/retail/prices "
                         "--data-urlencode \"\\$filter=serviceName eq 'Virtual Machines' and "
                         "armRegionName eq 'eastus'\" && outlay prices import page.json"},
    PriceList{.title = "genai-prices",
              .address = "https://github.com/pydantic/genai-prices",
              .covers = "what hosted models cost by the token, of some 35 providers",
              .licence = "MIT",
              .size = "0.4 MB",
              .clouds = {},
              .provider = {},
              .command = "curl -fLo genai-prices.json https://raw.githubusercontent.com/pydantic/"
                         "genai-prices/main/prices/new_data/v2/data.json && outlay prices import "
                         "genai-prices.json --as-of $(date +%F)",
              .isOfTokens = true},
    PriceList{.title = "LiteLLM's prices",
              .address = "https://github.com/BerriAI/litellm",
              .covers = "what hosted models cost by the token, AWS', Azure's and Google's too",
              .licence = "MIT",
              .size = "1.6 MB",
              .clouds = {},
              .provider = {},
              .command = "curl -fLo litellm.json https://raw.githubusercontent.com/BerriAI/litellm/"
                         "main/model_prices_and_context_window.json && outlay prices import "
                         "litellm.json --as-of $(date +%F)",
              .isOfTokens = true}};

std::string replaced(std::string text, std::string_view what, std::string_view by)
{
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

} // namespace

std::span<const PriceList> priceLists()
{
    return Lists;
}

Result<std::string> fetchCommand(const PriceList& list, std::string_view provider)
{
    const auto noSuch = [&](const std::string& known) {
        return usageError("the " + std::string(list.title) + " has no '" + printable(provider, 60) +
                              "'",
                          "give " + known);
    };
    const std::string_view wanted = providerNamed(provider);
    if (list.isOfTokens)
        return provider.empty() ? Result<std::string>(list.command)
                                : usageError("the " + std::string(list.title) +
                                                 " list has its providers' prices in one file",
                                             "leave the provider out");
    if (list.clouds.empty())
        return wanted.empty() || wanted == list.provider ? Result<std::string>(list.command)
                                                         : noSuch(std::string(list.provider));
    const auto cloud =
        std::find_if(list.clouds.begin(), list.clouds.end(), [&](std::string_view c) {
            return wanted.empty() || c == provider || providerNamed(c) == wanted;
        });
    if (cloud == list.clouds.end())
        return noSuch("one of " + joined(list.clouds, ", "));
    return replaced(replaced(std::string(list.command), "{cloud}", *cloud), "{provider}",
                    providerNamed(*cloud));
}

std::string newestOf(const PriceBook& book, const TokenPrices& tokens, const PriceList& list,
                     std::string_view provider)
{
    std::string newest;
    if (list.isOfTokens) { // they don't say which list they came with
        for (const TokenPrice& price : tokens.all()) {
            if (newest.empty() || isNewer(price.checked, newest))
                newest = price.checked;
        }
        return newest;
    }
    const std::string_view wanted = providerNamed(provider);
    for (const OfferRow& row : book.rows()) {
        const PriceSource& source = book.source(row);
        const bool isOf = source.name.starts_with(list.title) &&
                          (wanted.empty() || book.machine(row).provider == wanted);
        if (isOf && (newest.empty() || isNewer(source.asOf, newest)))
            newest = source.asOf;
    }
    return newest;
}

} // namespace outlay::pricing
