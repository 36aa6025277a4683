// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The prices of a book as they look on one day: how old, how sure, how wide.
#pragma once

#include "pricing/price_book.h"

namespace outlay::pricing {

struct UsdRange {
    double value = 0;
    double low = 0;
    double high = 0;
};

class PricesOn {
public:
    /// The book must outlive this; ages count from `today`, as in "2026-11-20".
    PricesOn(const PriceBook& book, std::string_view today);

    [[nodiscard]] Trust trust(std::size_t row) const { return m_trust[row]; }

    /// USD an hour without words, for loops over all offers; nothing where there is no price, or zero.
    [[nodiscard]] std::optional<UsdRange> range(std::size_t row) const
    {
        return m_ranges[row].value > 0 ? std::optional(m_ranges[row]) : std::nullopt;
    }
    /// The same as a figure that names its source and date.
    [[nodiscard]] core::Quantity price(std::size_t row) const;

    /// What a person must know of the price: why it is doubtful, or since when it may have changed;
    /// empty for a fresh one.
    [[nodiscard]] std::string caution(std::size_t row) const;

private:
    struct Age {
        double days = 0;
        bool isStale = false;
        // By purchase kind, without and with accelerators.
        std::array<std::array<PriceRange, 2>, core::PurchaseNames.size()> drift;
    };

    [[nodiscard]] UsdRange rangeOf(const OfferRow& row) const;

    const PriceBook& m_book;
    std::vector<Age> m_ages; // of the book's sources
    // By row, because every Report goes over all of them.
    std::vector<UsdRange> m_ranges; // zero where there is no price
    std::vector<Trust> m_trust;
};

/// "cheapest known, as of 2022-12-02", for the first of a purchase kind that has only stale prices.
[[nodiscard]] std::string cheapestKnown(std::string_view asOf);

} // namespace outlay::pricing
