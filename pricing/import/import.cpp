// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/import/import.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "pricing/import/importers.h"

#include <algorithm>
#include <fstream>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

struct Importer {
    bool (*looksLike)(std::string_view start);
    Result<PriceImport> (*run)(std::istream& file, const ImportOptions& options);
};

constexpr std::array Importers{
    Importer{looksLikeOwnPrices, importOwnPrices}, Importer{looksLikeAwsJson, importAwsJson},
    Importer{looksLikeAwsCsv, importAwsCsv},       Importer{looksLikeAzure, importAzure},
    Importer{looksLikeGpuhunt, importGpuhunt},     Importer{looksLikeSkypilot, importSkypilot},
    Importer{looksLikeTokenList, importTokenList},
};

tl::unexpected<Error> notRecognised(std::string_view start)
{
    if (start.starts_with("PK\x03\x04"))
        return inputError("this is a zip archive", "unpack it and import the file inside");
    return inputError("this is no price file that can be imported",
                      "give a SkyPilot catalog, an AWS offer file, Azure Retail Prices, a gpuhunt "
                      "catalog, genai-prices' or LiteLLM's list of models, or prices of Outlay");
}

std::string mostFrequent(const ImportAccount& account)
{
    const auto most =
        std::max_element(account.leftOut.begin(), account.leftOut.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == account.leftOut.end() ? "there are none" : most->first;
}

} // namespace

void ImportAccount::leaveOut(std::size_t row, std::string_view why)
{
    const std::string reason = printable(why, 200);
    const bool isFirst = ++leftOut[reason] == 1;
    if (isFirst || named.size() < MostNamed)
        named.push_back({row, reason});
}

bool PriceImport::isUndated() const
{
    const auto& sources = offers.sources;
    return std::any_of(sources.begin(), sources.end(),
                       [](const PriceSource& s) { return s.asOf.empty(); }) ||
           std::any_of(tokens.begin(), tokens.end(),
                       [](const TokenPrice& p) { return p.checked.empty(); });
}

ListedPrice priceIn(std::string_view text)
{
    if (text.empty())
        return {std::nullopt, "it has no price"};
    const auto price = numberIn(text);
    if (!price || *price < 0)
        return {std::nullopt, "its price is no number"};
    if (*price == 0)
        return {std::nullopt, "its price is zero"};
    constexpr double MostUsdPerHour = 1e6;
    if (*price > MostUsdPerHour)
        return {std::nullopt, "its price is above a million USD an hour"};
    return {price, {}};
}

std::optional<double> amountIn(std::string_view text)
{
    constexpr double Most = 1e7;
    const auto amount = numberIn(text);
    return amount && *amount > 0 && *amount < Most ? amount : std::nullopt;
}

Result<PriceImport> importPrices(const std::string& path, const ImportOptions& options)
{
    constexpr std::uint64_t EnoughToTell = 65536;
    const auto start = loadFileStart(path, EnoughToTell);
    if (!start)
        return failureOf(start);
    std::string_view bytes = start->bytes;
    if (bytes.starts_with("\xEF\xBB\xBF"))
        bytes.remove_prefix(3);
    const auto fail = [&](const Error& error) { return tl::unexpected<Error>(error.in(path)); };
    if (bytes.empty())
        return fail(inputError("the file is empty", "check that it was copied whole").value());
    const auto importer = std::find_if(Importers.begin(), Importers.end(),
                                       [&](const Importer& i) { return i.looksLike(bytes); });
    if (importer == Importers.end())
        return fail(notRecognised(bytes).value());
    std::ifstream file(path, std::ios::binary);
    auto outcome = importer->run(file, options);
    if (!outcome)
        return fail(outcome.error());
    if (outcome->offers.rows.empty() && !outcome->isOfTokens())
        return fail(inputError("none of its " +
                                   grouped(static_cast<std::int64_t>(outcome->account.rows)) +
                                   " rows could be used: " + mostFrequent(outcome->account),
                               "check that the file is what it should be")
                        .value());
    return outcome;
}

} // namespace outlay::pricing
