// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Puts offers together: each name once, each offer once, in one order whatever came first.
#pragma once

#include "pricing/offer.h"

#include <unordered_map>

namespace outlay::pricing {

/// What `add` did with an offer.
enum class Added {
    New,
    Replaced, // an older one, or one of the same date
    Older,    // than the one that was there, which stays
};

class OfferTableBuilder {
public:
    OfferTableBuilder() = default;
    /// Starts with the offers of a table.
    explicit OfferTableBuilder(const OfferTable& table);

    /// Adds the machine, or completes what is known of it; the index holds until `take()`.
    std::uint32_t machine(const Machine& machine);
    std::uint32_t region(std::string_view name);
    std::uint32_t source(const PriceSource& source);

    /// The same machine, region and purchase is the same offer: the one with the newer date stays.
    Added add(const OfferRow& row);
    Added add(const Offer& offer);

    [[nodiscard]] const OfferTable& table() const { return m_table; }

    /// Sorted by provider, instance, region and purchase; sources that no offer uses are left out.
    [[nodiscard]] OfferTable take();

private:
    OfferTable m_table;
    std::unordered_map<std::string, std::uint32_t> m_machines; // by provider and instance
    std::unordered_map<std::string, std::uint32_t> m_regions;
    std::unordered_map<std::string, std::uint32_t> m_sources;
    std::unordered_map<std::uint64_t, std::uint32_t> m_rows; // by machine, region and purchase
};

} // namespace outlay::pricing
