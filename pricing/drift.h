// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How far prices move while nobody looks, from offers that catalogs of two dates have.
#pragma once

#include "pricing/offer.h"

#include <array>
#include <span>

namespace outlay::pricing {

/// What a price may be after some years, as factors of what it was: 80 % of the pairs lay within.
struct PriceRange {
    double lowFactor = 1;
    double highFactor = 1;
};

class Drift {
public:
    Drift() = default;
    /// From `earlier` prices of offers that `table` has with a newer date; the indices of both are
    /// those of `table`.
    Drift(const OfferTable& table, std::span<const OfferRow> earlier);

    /// A price's logarithm spreads with the square root of time, as independent changes make it.
    [[nodiscard]] PriceRange after(double years, core::Purchase purchase, bool isAccelerated) const;
    /// How many pairs that rests on.
    [[nodiscard]] std::size_t pairs(core::Purchase purchase, bool isAccelerated) const;

private:
    struct Spread {
        double low = 0; // of the logarithm, over one year
        double high = 0;
        std::size_t pairs = 0;
    };
    using Changes = std::array<std::vector<double>, 2>; // without and with accelerators

    [[nodiscard]] static std::array<Spread, 2> spreadOf(const Changes& changes);
    [[nodiscard]] const Spread& spread(core::Purchase purchase, bool isAccelerated) const;

    std::array<std::array<Spread, 2>, 2> m_spreads; // on demand and reserved, spot
};

} // namespace outlay::pricing
