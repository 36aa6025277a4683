// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Public price lists that can be imported. Nothing is fetched here: each says how a person does it.
#pragma once

#include "core/base/result.h"
#include "pricing/price_book.h"
#include "pricing/token_prices.h"

#include <span>

namespace outlay::pricing {

struct PriceList {
    std::string_view title; // as a source is named once it is imported
    std::string_view address;
    std::string_view covers;
    std::string_view licence;
    std::string_view size;
    std::span<const std::string_view> clouds; // as the list calls them; one command each
    std::string_view provider;                // of a list that has one alone; empty otherwise
    std::string_view command; // {cloud} and {provider} stand for the cloud and its id here
    bool isOfTokens = false;  // what hosted models cost, of many providers in one file
};

[[nodiscard]] std::span<const PriceList> priceLists();

/// What fetches and imports it, of one provider where the list has several; an error where it has no such one.
[[nodiscard]] core::Result<std::string> fetchCommand(const PriceList& list,
                                                     std::string_view provider);

/// The newest day of the prices that come from the list, of one provider or of any; empty where there are none.
[[nodiscard]] std::string newestOf(const PriceBook& book, const TokenPrices& tokens,
                                   const PriceList& list, std::string_view provider = {});

} // namespace outlay::pricing
