// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Mutates price files and feeds them to every importer. Whatever comes in, an importer gives one sentence
// or offers that can be saved, read, merged and asked, with every row accounted for.
#include "core/base/file.h"
#include "pricing/import/importers.h"
#include "pricing/offer_table.h"
#include "pricing/prices_on.h"
#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

using namespace outlay;
using namespace outlay::pricing;
using fuzz::checkError;
using fuzz::fail;

namespace {

void checkBook(const OfferTable& offers, const std::string& input)
{
    const PriceBook book(PriceFile{}, offers);
    const PricesOn prices(book, "2026-11-20");
    for (std::size_t i = 0; i < book.rows().size(); ++i) {
        const auto range = prices.range(i);
        const bool isWhole = range && range->low <= range->value && range->value <= range->high &&
                             std::isfinite(range->high);
        if (!isWhole && prices.trust(i) != Trust::Doubtful)
            fail("a price without doubt is no price", input);
        if (prices.price(i).how().sentence().find('\n') != std::string::npos)
            fail("a price's origin is not one sentence", input);
    }
    const std::string text = writePriceFile(book.table(), "fuzz", "");
    core::ByteWindow window(text);
    const auto again = readPriceFile(window);
    if (!again || !(OfferTableBuilder(again->offers).take() == book.table()))
        fail("saving changed the book", input);
}

/// Prices that can be kept, and nothing that isn't one.
void feedTokens(const std::string& input)
{
    std::istringstream file(input);
    const auto import = importTokenList(file, {"", {}, "2026-11-20"});
    if (!import)
        return checkError(import.error(), input);
    std::size_t leftOut = 0;
    for (const auto& [why, count] : import->account.leftOut)
        leftOut += count;
    if (import->account.imported + leftOut != import->account.rows ||
        import->account.imported != import->tokens.size())
        fail("a model is not accounted for", input);
    const auto again = readTokenPrices(writeTokenPrices(import->tokens));
    if (!again || *again != import->tokens)
        fail("saving changed the prices of tokens", input);
    for (const TokenPrice& price : import->tokens) {
        if (!(price.input + price.output > 0) || price.weights.empty())
            fail("what is free or unknown became a price", input);
    }
}

void feed(const std::string& input)
{
    const ImportOptions options{"fuzz", {}, "2026-11-20"};
    for (auto* const importer : {importOwnPrices, importAwsJson, importAwsCsv, importAzure,
                                 importGpuhunt, importSkypilot}) {
        std::istringstream file(input);
        const auto import = importer(file, options);
        if (!import) {
            checkError(import.error(), input);
            continue;
        }
        std::size_t leftOut = 0;
        for (const auto& [why, count] : import->account.leftOut)
            leftOut += count;
        if (import->account.imported + leftOut != import->account.rows)
            fail("a row is not accounted for", input);
        checkBook(import->offers, input);
    }
    feedTokens(input);
}

std::vector<std::string> corpus(const std::string& folder)
{
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> texts;
    for (const auto& path : paths)
        texts.push_back(core::loadFile(path.string()).value_or(""));
    const auto own = PriceBook::load();
    const auto rows = own->ofInstance("aws", "g4dn.xlarge");
    texts.push_back(writePriceFile(OfferTableBuilder({own->table().machines,
                                                      own->table().regions,
                                                      own->table().sources,
                                                      {rows.begin(), rows.end()}})
                                       .take(),
                                   "fuzz", ""));
    return texts;
}

const std::vector<std::string> Tokens{
    "0",       "-1",      "1e18", "1e308", "1e400",   "null", "true",    "\"\"", "[]",
    "{}",      "NaN",     "\"",   "\n",    ",",       "0.5",  "[[[",     "}",    "1e-308",
    "\\u0000", "\\ud800", "2024", "USD",   "\"USD\"", "Spot", "{'a': 1", "\xff", "4294967296"};

} // namespace

int main(int argc, char* argv[])
{
    return fuzz::run({"fuzz_prices", Tokens, corpus, feed}, argc, argv);
}
