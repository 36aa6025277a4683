// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Other people's price files become offers, or prices by the token. Importers forgive: a row that can't be used is
// left out and counted, with the reason.
#pragma once

#include "core/base/result.h"
#include "pricing/offer.h"
#include "pricing/token_prices.h"

#include <iosfwd>
#include <map>

namespace outlay::pricing {

struct ImportOptions {
    std::string provider; // for files that don't name it; may be empty
    std::string asOf;     // for files that don't date themselves; may be empty
    std::string today;    // what is in force only later is left out
};

struct LeftOut {
    std::size_t row = 0; // line of a CSV file, number of an entry in a JSON one, from 1
    std::string why;

    bool operator==(const LeftOut&) const = default;
};

/// Every row of a file is either imported or left out.
struct ImportAccount {
    static constexpr std::size_t MostNamed = 20;

    std::size_t rows = 0;
    std::size_t imported = 0;
    std::map<std::string, std::size_t> leftOut; // by reason
    std::vector<LeftOut> named;                 // the first of each reason, then the first ones

    void leaveOut(std::size_t row, std::string_view why);
    [[nodiscard]] std::size_t leftOutCount() const { return rows - imported; }

    bool operator==(const ImportAccount&) const = default;
};

struct PriceImport {
    std::string kind; // "SkyPilot catalog"
    OfferTable offers;
    ImportAccount account;
    std::vector<TokenPrice> tokens; // of a list of models, which has no offers

    [[nodiscard]] bool isOfTokens() const { return !tokens.empty(); }
    /// Some of its prices don't say when they were valid, so they are doubtful.
    [[nodiscard]] bool isUndated() const;
};

/// Which file it is follows from its first bytes. Fails when no importer knows it, when it is cut off
/// or no row of it can be used.
[[nodiscard]] core::Result<PriceImport> importPrices(const std::string& path,
                                                     const ImportOptions& options);

/// Of the price, or why it can't be used.
struct ListedPrice {
    std::optional<double> usdPerHour;
    std::string_view whyNot; // empty if it can
};
[[nodiscard]] ListedPrice priceIn(std::string_view text);

/// How many or how large; nothing for what can't be either.
[[nodiscard]] std::optional<double> amountIn(std::string_view text);

} // namespace outlay::pricing
