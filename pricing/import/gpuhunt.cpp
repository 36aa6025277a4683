// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// gpuhunt's catalogs: a row for each instance, location and way of buying.
#include "pricing/accelerator_name.h"
#include "pricing/import/csv.h"
#include "pricing/import/importers.h"
#include "pricing/import/offer_collector.h"
#include "pricing/provider.h"

#include <istream>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

bool isTrue(std::string_view text)
{
    return text == "True" || text == "true" || text == "1";
}

Machine machineOf(const CsvReader& csv, std::string_view provider)
{
    Machine machine;
    machine.provider = provider;
    machine.instance = csv.field("instance_name");
    machine.vcpus = amountIn(csv.field("cpu"));
    machine.memoryGb = amountIn(csv.field("memory"));
    const double count = amountIn(csv.field("gpu_count")).value_or(0);
    const std::string_view gpu = csv.field("gpu_name");
    if (gpu.empty() || count <= 0)
        return machine;
    const AcceleratorName known = acceleratorNamed(gpu, amountIn(csv.field("gpu_memory")));
    machine.accelerator = known.name;
    machine.acceleratorMemoryGb = known.memoryGb;
    machine.accelerators = count;
    return machine;
}

/// Why the row is left out; empty when it is taken.
std::string_view take(const CsvReader& csv, const ImportOptions& options, OfferCollector& offers)
{
    const std::string_view instance = csv.field("instance_name");
    const std::string_view region = csv.field("location");
    if (instance.empty())
        return "it names no instance";
    if (region.empty())
        return "it names no location";
    std::string_view provider = providerNamed(csv.field("provider"));
    if (provider.empty())
        provider = options.provider.empty() ? providerOf(instance, region)
                                            : std::string_view(options.provider);
    if (provider.empty())
        return "its provider isn't known: say whose prices these are (--provider)";
    const ListedPrice price = priceIn(csv.field("price"));
    if (!price.usdPerHour)
        return price.whyNot;
    offers.add(machineOf(csv, provider), region,
               isTrue(csv.field("spot")) ? Purchase::Spot : Purchase::OnDemand, *price.usdPerHour);
    return {};
}

} // namespace

bool looksLikeGpuhunt(std::string_view start)
{
    const std::string_view header = start.substr(0, start.find('\n'));
    return header.find("instance_name") != std::string_view::npos &&
           header.find("price") != std::string_view::npos;
}

Result<PriceImport> importGpuhunt(std::istream& file, const ImportOptions& options)
{
    ByteWindow window(file);
    CsvReader csv(window);
    if (const auto header = csv.readHeader(); !header)
        return failureOf(header);
    OfferCollector offers({"gpuhunt catalog", options.asOf, {}});
    ImportAccount account;
    while (csv.next()) {
        ++account.rows;
        const std::string_view why = take(csv, options, offers);
        if (why.empty())
            ++account.imported;
        else
            account.leaveOut(csv.line(), why);
    }
    if (const auto whole = csv.outcome(); !whole)
        return failureOf(whole);
    return PriceImport{"gpuhunt catalog", offers.take(), std::move(account)};
}

} // namespace outlay::pricing
