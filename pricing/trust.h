// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which prices to believe: what is missing, absurd or undated is doubtful, what is old is stale.
#pragma once

#include "pricing/offer.h"

#include <array>
#include <span>

namespace outlay::pricing {

/// A price that is older is stale.
inline constexpr int FreshDays = 400;
/// A price that is further off its peers than this factor is doubtful.
inline constexpr double FarOffPeers = 5;
/// But for one that is no further off the same machine's prices elsewhere, as several sources have them.
inline constexpr double FarOffItself = 2;

/// The usual price of machines that do the same: same accelerators and as many; or no accelerator, as
/// many vCPUs, and both with little memory for them or both not.
class Peers {
public:
    explicit Peers(const OfferTable& table);

    struct Usual {
        double medianUsdPerHour = 0;
        std::size_t count = 0; // of prices
    };
    /// Nothing for a machine of which nothing is known.
    [[nodiscard]] std::optional<Usual> usualOf(std::uint32_t machine,
                                               core::Purchase purchase) const;

    /// Of that machine alone, in all regions; nothing where one source alone says so.
    [[nodiscard]] std::optional<Usual> ownOf(std::uint32_t machine, core::Purchase purchase) const;

    /// Of some of the machines, in the order of `machines`; what is usual stays as it is.
    [[nodiscard]] Peers only(std::span<const std::uint32_t> machines) const;

private:
    static constexpr std::uint32_t None = UINT32_MAX;
    using ByPurchase = std::array<Usual, core::PurchaseNames.size()>;
    std::vector<std::uint32_t> m_groupOfMachine;
    std::vector<ByPurchase> m_usual;
    std::vector<ByPurchase> m_own; // of each machine
};

enum class Doubt : std::uint8_t { None, NoPrice, Zero, Undated, SourceItself, OffPeers };

/// `table` is the one that `peers` were made of.
[[nodiscard]] Doubt doubtOf(const OfferRow& row, const OfferTable& table, const Peers& peers);
/// Why, as a sentence without a full stop; empty where there is no doubt.
[[nodiscard]] std::string reasonOf(Doubt doubt, const OfferRow& row, const OfferTable& table,
                                   const Peers& peers);

/// Older than 400 days on the day `today`; what is undated is not called stale but doubtful.
[[nodiscard]] bool isStale(std::string_view asOf, std::string_view today);

enum class Trust : std::uint8_t { Fresh, Stale, Doubtful };

/// What decides an option's place among others; `usd` is what the whole job costs with it.
struct Candidate {
    static constexpr std::size_t Groups = 8;

    core::Purchase purchase = core::Purchase::OnDemand;
    Trust trust = Trust::Fresh;
    std::uint8_t group = 0; // below `Groups`; a lower one comes first, whatever it costs
    double usd = 0;         // finite
};

/// Cheapest first, as indices. In each group, within each purchase kind stale ones after fresh ones, the
/// kinds merged by what each has next, and doubtful ones behind all others.
[[nodiscard]] std::vector<std::uint32_t> ranked(std::span<const Candidate> candidates);

} // namespace outlay::pricing
