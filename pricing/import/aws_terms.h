// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// AWS's price list in its own words, whether from JSON or CSV: which products and terms are offers.
#pragma once

#include "pricing/import/import.h"

namespace outlay::pricing {

/// Attributes of a product; empty where the file doesn't name them.
struct AwsProduct {
    std::string family; // "Compute Instance"
    std::string instance;
    std::string region;
    std::string operatingSystem;
    std::string tenancy;
    std::string software;
    std::string capacity;
    std::string instanceFamily; // "GPU instance"
    std::string vcpus;
    std::string memory; // "61 GiB"
};

/// Why the product is none of ours; empty for a Linux machine on shared hardware.
[[nodiscard]] std::string_view whyNot(const AwsProduct& product);
[[nodiscard]] Machine machineOf(const AwsProduct& product);

struct AwsTerm {
    std::string type;   // "OnDemand", "Reserved"
    std::string lease;  // "1yr", "3yr"
    std::string option; // "No Upfront"
    std::string offeringClass;
    std::string unit; // "Hrs"
    std::string currency;
    std::string price;
};

struct AwsPrice {
    core::Purchase purchase = core::Purchase::OnDemand;
    double usdPerHour = 0;
    std::string_view whyNot; // empty for a price that can be used
};
[[nodiscard]] AwsPrice priceOf(const AwsTerm& term);

} // namespace outlay::pricing
