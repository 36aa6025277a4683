// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Prices of Outlay itself: a price book, or a list of offers as `outlay prices list --json` prints it
// and as a person writes it.
#include "core/base/text.h"
#include "pricing/accelerator_name.h"
#include "pricing/date.h"
#include "pricing/import/importers.h"
#include "pricing/offer_table.h"
#include "pricing/price_file.h"
#include "pricing/provider.h"

#include <istream>
#include <iterator>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr const char* Kind = "prices of Outlay";

Result<PriceImport> importBook(std::string_view text)
{
    ByteWindow window(text);
    auto file = readPriceFile(window);
    if (!file)
        return failureOf(file);
    PriceImport import{Kind, std::move(file->offers), {}};
    import.account.rows = import.account.imported = import.offers.rows.size();
    return import;
}

/// Names go into sentences, tables and files; what is no date is none.
void clean(Offer& offer)
{
    constexpr std::size_t LongestOwnName = 300;
    for (std::string* text : {&offer.machine.provider, &offer.machine.instance, &offer.region,
                              &offer.machine.family, &offer.source.name, &offer.source.doubt})
        *text = printable(*text, LongestOwnName);
    offer.machine.provider = providerNamed(offer.machine.provider);
    if (!dayOf(offer.source.asOf))
        offer.source.asOf.clear();
}

/// What it is in, where somebody wrote it beside the figure.
std::string otherCurrency(const Json& entry)
{
    const Json* currency = entry.find("currency");
    if (currency == nullptr || currency->asString() == nullptr)
        return {};
    const std::string name = printable(*currency->asString(), 20);
    return name.empty() || lowerCase(name) == "usd" ? std::string() : name;
}

/// Why the entry is left out; empty when it is taken.
std::string take(const Json& entry, const ImportOptions& options, OfferTableBuilder& builder)
{
    Offer offer;
    FieldReader reader(entry, "");
    describe(reader, offer);
    if (const auto outcome = reader.outcome(); !outcome)
        return outcome.error().what;
    if (const std::string currency = otherCurrency(entry); !currency.empty())
        return "its price is in " + currency + ", not in USD";
    if (offer.usdPerHour.value_or(0) <= 0)
        return offer.usdPerHour ? "its price is zero" : "it has no price";
    clean(offer);
    if (offer.source.asOf.empty())
        offer.source.asOf = options.asOf;
    if (isNewer(offer.source.asOf, options.today))
        return "its price isn't in force yet";
    if (offer.source.name.empty())
        offer.source.name = "own prices";
    if (!offer.machine.accelerator.empty()) {
        const AcceleratorName known =
            acceleratorNamed(offer.machine.accelerator, offer.machine.acceleratorMemoryGb);
        offer.machine.accelerator = known.name;
        offer.machine.acceleratorMemoryGb = known.memoryGb;
        if (offer.machine.accelerators <= 0)
            offer.machine.accelerators = 1;
    }
    builder.add(offer);
    return {};
}

} // namespace

bool looksLikeOwnPrices(std::string_view start)
{
    return start.starts_with('{') && start.find("\"outlay-prices\"") != std::string_view::npos;
}

Result<PriceImport> importOwnPrices(std::istream& file, const ImportOptions& options)
{
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto json = readJson(text.starts_with("\xEF\xBB\xBF") ? std::string_view(text).substr(3)
                                                                : std::string_view(text));
    if (!json)
        return failureOf(json);
    const Json* offers = json->find("offers");
    if (offers == nullptr || offers->asArray() == nullptr)
        return importBook(text);
    OfferTableBuilder builder;
    PriceImport import{Kind, {}, {}};
    for (const Json& entry : *offers->asArray()) {
        const std::size_t row = ++import.account.rows;
        const std::string why = take(entry, options, builder);
        if (why.empty())
            ++import.account.imported;
        else
            import.account.leaveOut(row, why);
    }
    import.offers = builder.take();
    return import;
}

} // namespace outlay::pricing
