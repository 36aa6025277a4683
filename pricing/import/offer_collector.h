// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the importers share: prices of the same offer in several zones become one, their median.
#pragma once

#include "pricing/import/import.h"
#include "pricing/offer_table.h"

namespace outlay::pricing {

class OfferCollector {
public:
    explicit OfferCollector(PriceSource source);

    void add(const Machine& machine, std::string_view region, core::Purchase purchase,
             double usdPerHour);
    [[nodiscard]] bool isEmpty() const { return m_prices.empty(); }
    [[nodiscard]] OfferTable take();

    /// For a date that stands in the file; what is no date is left out.
    void setAsOf(std::string_view asOf);

private:
    struct Price {
        OfferRow row;
        double usdPerHour = 0;
    };

    OfferTableBuilder m_builder;
    PriceSource m_source;
    std::vector<Price> m_prices;
};

} // namespace outlay::pricing
