// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/commands/prices_import.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "gui/session/price_book_file.h"
#include "pricing/date.h"
#include "pricing/provider.h"

#include <algorithm>
#include <ostream>

namespace outlay::gui {
namespace {

using namespace outlay::pricing;
using core::Result;

/// ", row 8 the first": where to look.
std::string firstRow(const ImportAccount& account, const std::string& why)
{
    const auto first = std::find_if(account.named.begin(), account.named.end(),
                                    [&](const LeftOut& row) { return row.why == why; });
    return first == account.named.end() ? std::string()
                                        : ", row " + std::to_string(first->row) + " the first";
}

void printAccount(const PriceImport& import, const MergeCounts& changes, const Streams& streams)
{
    const ImportAccount& account = import.account;
    streams.out << import.kind << ": " << counted(account.rows) << " rows, "
                << counted(account.imported) << " imported, " << counted(account.leftOutCount())
                << " left out\n";
    for (const auto& [why, rows] : account.leftOut)
        streams.out << "  " << counted(rows) << " left out" << firstRow(account, why) << ": " << why
                    << '\n';
    streams.out << (import.isOfTokens() ? counted(import.tokens.size()) + " prices of tokens: "
                                        : counted(import.offers.rows.size()) + " offers: ")
                << counted(changes.added) << " new, " << counted(changes.replaced) << " replaced, "
                << counted(changes.same) << " unchanged, " << counted(changes.older)
                << " older than what you have\n";
}

} // namespace

Result<void> importPriceFile(const Arguments& arguments, const Streams& streams)
{
    const std::string& file = arguments.files()[1];
    const std::string given = arguments.value("--provider").value_or("");
    ImportOptions options{std::string(providerNamed(given)),
                          arguments.value("--as-of").value_or(""), core::todayUtc()};
    if (!options.asOf.empty() && !dayOf(options.asOf))
        return core::usageError(core::inQuotes(options.asOf) + " is no date",
                                "give one such as 2026-11-20 after --as-of");
    if (isNewer(options.asOf, options.today))
        return core::usageError("the date " + options.asOf + " is in the future",
                                "give the day that the prices were valid after --as-of");
    const std::string path = userPricesPath();
    if (const auto book = loadUserPrices(path); !book) // before a large file is read
        return core::failureOf(book);
    const auto imported = importPrices(file, options);
    if (!imported)
        return core::failureOf(imported);
    const auto changes = mergeIntoBook(*imported, path);
    if (!changes)
        return core::failureOf(changes);
    printAccount(*imported, *changes, streams);
    if (imported->isUndated())
        warn(streams, file,
             {"the file doesn't say when its prices were valid, so they are doubtful; import it "
              "again with --as-of DATE."});
    streams.out << "saved in " << core::printable(placeOf(*imported, path)) << '\n';
    return {};
}

} // namespace outlay::gui
