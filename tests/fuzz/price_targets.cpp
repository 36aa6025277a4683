// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Price files, fed to the importer of each kind and to that which tells the kinds apart, and what is kept of them. An
// importer gives one sentence, or offers that can be saved, read, merged and asked, with every row accounted for.
#include "pricing/import/importers.h"
#include "pricing/offer_table.h"
#include "pricing/prices_on.h"
#include "tests/fuzz/foreign_file.h"
#include "tests/fuzz/target.h"

#include <cmath>
#include <sstream>

namespace outlay::fuzz {
namespace {

using namespace outlay::pricing;

void checkBook(const OfferTable& offers)
{
    const PriceBook book(PriceFile{}, offers);
    const PricesOn prices(book, "2026-11-20");
    for (std::size_t i = 0; i < book.rows().size(); ++i) {
        const auto range = prices.range(i);
        const bool isWhole = range && range->low <= range->value && range->value <= range->high &&
                             std::isfinite(range->high);
        if (!isWhole && prices.trust(i) != Trust::Doubtful)
            fail("a price without doubt is no price");
        if (prices.price(i).how().sentence().find('\n') != std::string::npos)
            fail("a price's origin is not one sentence");
    }
    const std::string text = writePriceFile(book.table(), "fuzz", "");
    core::ByteWindow window(text);
    const auto again = readPriceFile(window);
    if (!again || !(OfferTableBuilder(again->offers).take() == book.table()))
        fail("saving changed the book");
}

void checkTokens(const std::vector<TokenPrice>& prices)
{
    const auto again = readTokenPrices(writeTokenPrices(prices));
    if (!again || *again != prices)
        fail("saving changed the prices of tokens");
}

/// Every row is imported or left out, and what is imported can be kept.
void checkImport(const PriceImport& import)
{
    std::size_t leftOut = 0;
    for (const auto& [why, count] : import.account.leftOut)
        leftOut += count;
    if (import.account.imported + leftOut != import.account.rows)
        fail("a row is not accounted for");
    if (!import.isOfTokens())
        return checkBook(import.offers);
    if (import.account.imported != import.tokens.size())
        fail("a model is not accounted for");
    checkTokens(import.tokens);
    for (const TokenPrice& price : import.tokens) {
        if (!(price.input + price.output > 0) || price.weights.empty())
            fail("what is free or unknown became a price");
    }
}

const ImportOptions Options{"fuzz", {}, "2026-11-20"};

template <auto Importer>
void feedImporter(const std::string& input)
{
    std::istringstream file(input);
    checkOutcome(Importer(file, Options), checkImport);
}

void feedPriceFile(const std::string& input)
{
    static const ForeignFile File;
    checkOutcome(importPrices(File.with(input), Options), checkImport);
}

/// The person's own, as they are kept.
void feedPriceBook(const std::string& input)
{
    core::ByteWindow window(input);
    checkOutcome(readPriceFile(window),
                 [](const PriceFile& file) { checkBook(OfferTableBuilder(file.offers).take()); });
}

void feedTokenPrices(const std::string& input)
{
    checkOutcome(readTokenPrices(input), checkTokens);
}

std::string bookText()
{
    const auto own = PriceBook::load();
    const auto rows = own->ofInstance("aws", "g4dn.xlarge");
    return writePriceFile(OfferTableBuilder({own->table().machines,
                                             own->table().regions,
                                             own->table().sources,
                                             {rows.begin(), rows.end()}})
                              .take(),
                          "fuzz", "");
}

std::string tokensText()
{
    const auto own = TokenPrices::load();
    return writeTokenPrices({own->all().begin(), own->all().begin() + 5});
}

const std::vector<std::string> Words{"2024",    "USD",     "\"USD\"", "Spot",
                                     "{'a': 1", "\"Hrs\"", "A100:8",  "us-east-1"};

} // namespace

std::vector<Target> priceTargets()
{
    std::vector<Target> targets{
        {"own-prices", feedImporter<importOwnPrices>, {"prices"}, {bookText()}, Words},
        {"price-file", feedPriceFile, {"prices"}, {bookText()}, Words},
        {"price-book", feedPriceBook, {}, {bookText()}, Words},
        {"token-prices", feedTokenPrices, {}, {tokensText()}, Words}};
    targets.push_back({"aws-json", feedImporter<importAwsJson>, {"prices"}, {}, Words});
    targets.push_back({"aws-csv", feedImporter<importAwsCsv>, {"prices"}, {}, Words});
    targets.push_back({"azure", feedImporter<importAzure>, {"prices"}, {}, Words});
    targets.push_back({"gpuhunt", feedImporter<importGpuhunt>, {"prices"}, {}, Words});
    targets.push_back({"skypilot", feedImporter<importSkypilot>, {"prices"}, {}, Words});
    targets.push_back({"token-lists", feedImporter<importTokenList>, {"prices"}, {}, Words});
    return targets;
}

} // namespace outlay::fuzz
