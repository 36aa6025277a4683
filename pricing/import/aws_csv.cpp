// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// AWS's offer files as CSV: five lines about the file, the names of the columns, a line for each price.
#include "core/base/byte_window.h"
#include "pricing/date.h"
#include "pricing/import/aws_terms.h"
#include "pricing/import/csv.h"
#include "pricing/import/importers.h"
#include "pricing/import/offer_collector.h"

#include <istream>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

struct AwsColumns {
    explicit AwsColumns(const CsvReader& csv)
        : family(csv.column("Product Family")), instance(csv.column("Instance Type")),
          region(csv.column("Region Code")), operatingSystem(csv.column("Operating System")),
          tenancy(csv.column("Tenancy")), software(csv.column("Pre Installed S/W")),
          capacity(csv.column("CapacityStatus")), instanceFamily(csv.column("Instance Family")),
          vcpus(csv.column("vCPU")), memory(csv.column("Memory")), type(csv.column("TermType")),
          lease(csv.column("LeaseContractLength")), option(csv.column("PurchaseOption")),
          offeringClass(csv.column("OfferingClass")), unit(csv.column("Unit")),
          currency(csv.column("Currency")), price(csv.column("PricePerUnit"))
    {
    }

    std::size_t family, instance, region, operatingSystem, tenancy, software, capacity,
        instanceFamily, vcpus, memory, type, lease, option, offeringClass, unit, currency, price;
};

AwsProduct productIn(const CsvReader& csv, const AwsColumns& columns)
{
    const auto text = [&](std::size_t column) { return std::string(csv.at(column)); };
    return {text(columns.family),          text(columns.instance),       text(columns.region),
            text(columns.operatingSystem), text(columns.tenancy),        text(columns.software),
            text(columns.capacity),        text(columns.instanceFamily), text(columns.vcpus),
            text(columns.memory)};
}

AwsTerm termIn(const CsvReader& csv, const AwsColumns& columns)
{
    const auto text = [&](std::size_t column) { return std::string(csv.at(column)); };
    return {text(columns.type),          text(columns.lease), text(columns.option),
            text(columns.offeringClass), text(columns.unit),  text(columns.currency),
            text(columns.price)};
}

/// Reads the lines before the names of the columns; the date of publication is among them.
bool goToHeader(CsvReader& csv, std::string& published)
{
    constexpr int MostLines = 20;
    for (int i = 0; i < MostLines && csv.next(); ++i) {
        if (columnKey(csv.at(0)) == "publicationdate")
            published = csv.at(1);
        if (columnKey(csv.at(0)) == "sku") {
            csv.useAsHeader();
            return true;
        }
    }
    return false;
}

/// Why the row is left out; empty when it is taken.
std::string_view take(const CsvReader& csv, const AwsColumns& columns, OfferCollector& offers)
{
    const AwsProduct product = productIn(csv, columns);
    if (const std::string_view why = whyNot(product); !why.empty())
        return why;
    const AwsPrice price = priceOf(termIn(csv, columns));
    if (!price.whyNot.empty())
        return price.whyNot;
    offers.add(machineOf(product), product.region, price.purchase, price.usdPerHour);
    return {};
}

} // namespace

bool looksLikeAwsCsv(std::string_view start)
{
    return columnKey(start.substr(0, start.find(','))) == "formatversion" &&
           start.find("OfferCode") != std::string_view::npos;
}

Result<PriceImport> importAwsCsv(std::istream& file, const ImportOptions& options)
{
    ByteWindow window(file);
    CsvReader csv(window);
    std::string published;
    if (!goToHeader(csv, published))
        return inputError("this AWS offer file has no line that names its columns",
                          "check that it was copied whole");
    OfferCollector offers({"AWS price list", options.asOf, {}});
    if (options.asOf.empty() && !isNewer(published, options.today))
        offers.setAsOf(published);
    ImportAccount account;
    const AwsColumns columns(csv);
    while (csv.next()) {
        ++account.rows;
        const std::string_view why = take(csv, columns, offers);
        if (why.empty())
            ++account.imported;
        else
            account.leaveOut(csv.line(), why);
    }
    if (const auto whole = csv.outcome(); !whole)
        return failureOf(whole);
    return PriceImport{"AWS price list", offers.take(), std::move(account)};
}

} // namespace outlay::pricing
