// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/base/text.h"
#include "gui/commands/prices_import.h"
#include "gui/session/price_book_file.h"
#include "pricing/accelerator_name.h"
#include "pricing/date.h"
#include "pricing/price_lists.h"
#include "pricing/prices_on.h"

#include <algorithm>
#include <iomanip>
#include <ostream>

namespace outlay::gui {
namespace {

using namespace outlay::pricing;
using core::Purchase;
using core::Result;

std::string today()
{
    return core::todayUtc();
}

/// What of the book is listed; empty matches all.
struct Filter {
    std::string provider;
    std::string region;
    std::string instance;
    std::string accelerator;
    std::optional<Purchase> purchase;

    [[nodiscard]] bool matches(const PriceBook& book, const OfferRow& row) const
    {
        const Machine& machine = book.machine(row);
        return (provider.empty() || provider == machine.provider) &&
               (region.empty() || region == book.region(row)) &&
               (instance.empty() || instance == machine.instance) &&
               (accelerator.empty() || accelerator == machine.accelerator) &&
               (!purchase || *purchase == row.purchase);
    }
};

/// A name that nothing in the book has is a typing slip, not an empty list.
Result<void> checkName(std::string_view what, const std::string& name,
                       std::vector<std::string_view> known)
{
    if (name.empty() || std::find(known.begin(), known.end(), name) != known.end())
        return {};
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    const auto near = core::nearest(name, known);
    constexpr std::size_t MostNamed = 12;
    std::string remedy = "`outlay prices list` shows what there is";
    if (near)
        remedy = "did you mean '" + std::string(*near) + "'?";
    else if (known.size() <= MostNamed)
        remedy = "give one of " + core::joined(known, ", ");
    return core::usageError(
        "the price book has no " + std::string(what) + " " + core::inQuotes(name), remedy);
}

Result<Filter> filterOf(const Arguments& arguments, const PriceBook& book)
{
    const auto value = [&](const char* option) { return arguments.value(option).value_or(""); };
    Filter filter{value("--provider"), value("--region"), value("--instance"), {}, {}};
    if (const std::string name = value("--accelerator"); !name.empty())
        filter.accelerator = acceleratorNamed(name, std::nullopt).name;
    const auto namesOf = [&](std::string Machine::*member) {
        std::vector<std::string_view> names;
        for (const Machine& machine : book.table().machines)
            names.push_back(machine.*member);
        return names;
    };
    const auto& regions = book.table().regions;
    for (const auto& checked :
         {checkName("provider", filter.provider, namesOf(&Machine::provider)),
          checkName("region", filter.region, {regions.begin(), regions.end()}),
          checkName("instance", filter.instance, namesOf(&Machine::instance)),
          checkName("accelerator", filter.accelerator, namesOf(&Machine::accelerator))}) {
        if (!checked)
            return core::failureOf(checked);
    }
    if (const std::string name = value("--purchase"); !name.empty()) {
        const auto& kinds = core::PurchaseNames;
        const auto* const kind = std::find(kinds.begin(), kinds.end(), name);
        if (kind == kinds.end())
            return core::usageError("there is no way of buying " + core::inQuotes(name),
                                    "give one of " + core::joined(kinds, ", "));
        filter.purchase = static_cast<Purchase>(kind - kinds.begin());
    }
    return filter;
}

std::string machineText(const Machine& machine)
{
    if (!isKnown(machine))
        return "unknown";
    std::string text;
    if (!machine.accelerator.empty())
        text = core::plainNumber(machine.accelerators) + " x " + machine.accelerator + ", ";
    text += machine.vcpus ? core::plainNumber(*machine.vcpus) + " vCPUs" : "vCPUs unknown";
    return machine.memoryGb ? text + ", " + core::plainNumber(*machine.memoryGb) + " GB" : text;
}

std::string priceText(const std::optional<double>& usd)
{
    return usd ? core::plainNumber(*usd) : "-";
}

using Row = std::vector<std::string>;

void printTable(const std::vector<Row>& rows, const Streams& streams)
{
    std::vector<std::size_t> widths;
    for (const Row& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            std::string cell = row[i];
            cell.resize(widths[i] + 2, ' ');
            line += cell;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        streams.out << line << '\n';
    }
}

/// Indices of the rows that match, in the order that options are shown in.
std::vector<std::size_t> matching(const PriceBook& book, const PricesOn& prices,
                                  const Filter& filter)
{
    std::vector<std::size_t> rows;
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < book.rows().size(); ++i) {
        const OfferRow& row = book.rows()[i];
        if (!filter.matches(book, row))
            continue;
        rows.push_back(i);
        candidates.push_back({row.purchase, prices.trust(i), 0, row.usdPerHour.value_or(0)});
    }
    std::vector<std::size_t> sorted;
    for (const std::size_t place : ranked(candidates))
        sorted.push_back(rows[place]);
    return sorted;
}

/// `caution` of each row; the first of a purchase kind says so if it is stale.
std::vector<std::string> cautions(const PriceBook& book, const PricesOn& prices,
                                  const std::vector<std::size_t>& rows)
{
    std::vector<std::string> texts;
    std::array<bool, core::PurchaseNames.size()> isSeen{};
    for (const std::size_t row : rows) {
        const OfferRow& offer = book.rows()[row];
        bool& seen = isSeen.at(static_cast<std::size_t>(offer.purchase));
        const bool isFirst = !std::exchange(seen, true);
        texts.push_back(isFirst && prices.trust(row) == Trust::Stale
                            ? cheapestKnown(book.source(offer).asOf)
                            : prices.caution(row));
    }
    return texts;
}

void listAsJson(const PriceBook& book, const PricesOn& prices, const std::vector<std::size_t>& rows,
                const Streams& streams)
{
    core::Json offers = core::Json::array();
    for (const std::size_t row : rows) {
        core::Json offer = core::fieldsOf(offerOf(book.table(), book.rows()[row]));
        // Beside the offer's own keys: it is found anew wherever the list is imported.
        offer.set("remark", prices.caution(row));
        offers.append(std::move(offer));
    }
    core::Json document = core::Json::object();
    document.set("format", PricesFormat);
    document.set("version", PricesVersion);
    document.set("offers", std::move(offers));
    streams.out << core::writeJson(document) << '\n';
}

Result<void> list(const Arguments& arguments, const Streams& streams)
{
    const auto book = loadPriceBook();
    if (!book)
        return core::failureOf(book);
    const auto filter = filterOf(arguments, *book);
    if (!filter)
        return core::failureOf(filter);
    const PricesOn prices(*book, today());
    const std::vector<std::size_t> rows = matching(*book, prices, *filter);
    if (arguments.has("--json")) {
        listAsJson(*book, prices, rows, streams);
        return {};
    }
    const std::vector<std::string> remarks = cautions(*book, prices, rows);
    std::vector<Row> table{
        {"USD/h", "Purchase", "Provider", "Instance", "Region", "Machine", "As of", "Remark"}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const OfferRow& row = book->rows()[rows[i]];
        const Machine& machine = book->machine(row);
        const std::string& asOf = book->source(row).asOf;
        table.push_back(
            {priceText(row.usdPerHour),
             std::string(core::PurchaseNames.at(static_cast<std::size_t>(row.purchase))),
             machine.provider, machine.instance, book->region(row), machineText(machine),
             asOf.empty() ? "undated" : asOf, remarks[i]});
    }
    printTable(table, streams);
    return {};
}

Result<void> age(const Streams& streams)
{
    const auto book = loadPriceBook();
    if (!book)
        return core::failureOf(book);
    std::vector<std::size_t> offers(book->table().sources.size());
    for (const OfferRow& row : book->rows())
        ++offers[row.source];
    std::vector<std::size_t> order(offers.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    const auto& sources = book->table().sources;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return isNewer(sources[a].asOf, sources[b].asOf);
    });
    std::vector<Row> table{{"As of", "Days", "Offers", "State", "Source"}};
    for (const std::size_t i : order) {
        const PriceSource& source = sources[i];
        const auto days = daysBetween(source.asOf, today());
        const char* state = !days                           ? "undated"
                            : !source.doubt.empty()         ? "doubtful"
                            : isStale(source.asOf, today()) ? "stale"
                                                            : "fresh";
        table.push_back({source.asOf.empty() ? "-" : source.asOf,
                         days ? std::to_string(*days) : "-", counted(offers[i]), state,
                         source.name});
    }
    printTable(table, streams);
    return {};
}

/// Where newer prices are, and the line that brings them. It is the person who runs it.
Result<void> sources(const Arguments& arguments, const Streams& streams)
{
    const auto catalogs = loadCatalogsNow();
    if (!catalogs)
        return core::failureOf(catalogs);
    const std::string provider = arguments.value("--provider").value_or("");
    bool isAny = false;
    for (const PriceList& list : priceLists()) {
        const auto command = fetchCommand(list, provider);
        if (!command)
            continue;
        isAny = true;
        const std::string newest =
            newestOf(catalogs->book(), catalogs->tokenPrices(), list, provider);
        const auto days = daysBetween(newest, today());
        streams.out << list.title << ": " << list.covers << "\n  " << list.address
                    << "\n  licence: " << list.licence << "; size: " << list.size
                    << "\n  you have: "
                    << (newest.empty() ? "nothing of it"
                                       : newest + (days ? ", " + std::to_string(*days) + " days old"
                                                        : std::string()))
                    << '\n';
        if (!list.clouds.empty())
            streams.out << "  of: " << core::joined(list.clouds, ", ") << '\n';
        streams.out << "  " << *command << "\n\n";
    }
    if (!isAny)
        return core::usageError("no list has prices of " + core::inQuotes(provider),
                                "`outlay prices sources` shows what each covers");
    return {};
}

Result<void> runPrices(const Arguments& arguments, const Streams& streams)
{
    const std::string action =
        arguments.files().empty() ? std::string("list") : arguments.files().front();
    const bool hasFile = arguments.files().size() == 2;
    if (action == "import" && !hasFile)
        return core::usageError("`outlay prices import` got no file", "name one");
    if (action != "import" && hasFile)
        return core::usageError("`outlay prices " + core::printable(action, 60) + "` takes no file",
                                "see `outlay prices --help`");
    if (action == "import")
        return importPriceFile(arguments, streams);
    if (action == "age")
        return age(streams);
    if (action == "sources")
        return sources(arguments, streams);
    if (action == "list")
        return list(arguments, streams);
    return core::usageError("there is no action " + core::inQuotes(action),
                            "give list, import FILE, age or sources");
}

} // namespace

Command pricesCommand()
{
    return {{.name = "prices",
             .synopsis = "[list | import FILE | age | sources]",
             .summary =
                 "Lists the price book, merges a price file into your own, says how old each "
                 "source is, or where newer prices are.",
             .options = {{"--provider", "NAME", "only offers of this provider; whose file it is"},
                         {"--region", "NAME", "only offers in this region"},
                         {"--instance", "NAME", "only offers of this instance"},
                         {"--accelerator", "NAME", "only offers with this accelerator"},
                         {"--purchase", "KIND", "on_demand, spot, reserved_1y or reserved_3y"},
                         {"--as-of", "DATE", "when the prices of an undated file were valid"},
                         {"--json", "", "the list as JSON, which can be imported again"}},
             .mostFiles = 2},
            runPrices};
}

} // namespace outlay::gui
