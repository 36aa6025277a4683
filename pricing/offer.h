// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a provider asks for an hour of a machine, in one region, bought in one way.
#pragma once

#include "core/settings/settings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace outlay::pricing {

/// A kind of machine that a provider rents out.
struct Machine {
    std::string provider;    // "aws"
    std::string instance;    // "g4dn.xlarge"
    std::string family;      // general, compute, memory, accelerated, inference; may be empty
    std::string accelerator; // "A100-40GB"; empty where there is none, or where nobody said
    double accelerators = 0; // a part of one where a machine shares it
    std::optional<double> acceleratorMemoryGb; // of one
    std::optional<double> vcpus;
    std::optional<double> memoryGb;

    bool operator==(const Machine&) const = default;
};

/// Whether anybody said what is inside of the machine.
[[nodiscard]] inline bool isKnown(const Machine& machine)
{
    return machine.vcpus.has_value() || !machine.accelerator.empty();
}

/// Where prices are from.
struct PriceSource {
    std::string name;
    std::string
        asOf; // the day they were valid, or the month or year if no more is known; may be empty
    std::string doubt; // why the source itself is to be doubted here; mostly empty

    bool operator==(const PriceSource&) const = default;
};

/// One price, by itself.
struct Offer {
    Machine machine;
    std::string region;
    core::Purchase purchase = core::Purchase::OnDemand;
    std::optional<double> usdPerHour;
    PriceSource source;

    bool operator==(const Offer&) const = default;
};

/// One price in a table: indices into the table's lists.
struct OfferRow {
    std::uint32_t machine = 0;
    std::uint32_t region = 0;
    std::uint32_t source = 0;
    core::Purchase purchase = core::Purchase::OnDemand;
    std::optional<double> usdPerHour;

    bool operator==(const OfferRow&) const = default;
};

/// Many prices; names are kept once.
struct OfferTable {
    std::vector<Machine> machines;
    std::vector<std::string> regions;
    std::vector<PriceSource> sources;
    std::vector<OfferRow> rows;

    bool operator==(const OfferTable&) const = default;
};

[[nodiscard]] Offer offerOf(const OfferTable& table, const OfferRow& row);

} // namespace outlay::pricing
