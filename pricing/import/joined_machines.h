// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Google's machines and accelerators have prices of their own: what can be bought is both together.
#pragma once

#include "pricing/import/import.h"
#include "pricing/import/offer_collector.h"

#include <map>
#include <set>

namespace outlay::pricing {

/// A row with its prices, either of which may be missing.
struct ListedRow {
    std::size_t line = 0;
    std::string_view region;
    std::optional<double> usdPerHour;
    std::optional<double> spotUsdPerHour;
};

class JoinedMachines {
public:
    /// Whether the machine is only sold with accelerators, which its row doesn't count.
    [[nodiscard]] static bool isBare(const Machine& machine);

    /// A machine that accelerators go with: a bare one, or one that takes them.
    void addMachine(const Machine& machine, const ListedRow& row);
    void addAccelerators(std::string_view name, double count, const ListedRow& row);

    /// Adds what can be bought, and accounts for the rows of bare machines and of accelerators.
    void join(OfferCollector& offers, ImportAccount& account) const;

private:
    /// Prices of the zones of a region.
    struct Prices {
        std::vector<double> onDemand;
        std::vector<double> spot;
        std::vector<std::size_t> lines;
        void add(const ListedRow& row);
    };
    struct Host {
        Machine machine;
        Prices prices;
    };
    using Region = std::string;
    using Accelerators = std::pair<std::string, double>; // so many, as the list calls them

    void settle(const std::set<std::size_t>& joined, ImportAccount& account) const;
    [[nodiscard]] static std::optional<Machine> together(const Machine& host,
                                                         const Accelerators& accelerators);

    std::map<Region, std::map<std::string, Host>> m_hosts; // by instance
    std::map<Region, std::map<Accelerators, Prices>> m_accelerators;
};

} // namespace outlay::pricing
