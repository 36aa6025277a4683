// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A month of the same traffic by function, by instance, managed and here.
#pragma once

#include "pricing/report/here/serving_here.h"

namespace outlay::pricing {

/// Requests that take `seconds` each with `gb` of memory, at the provider's price of a GB-second and of a
/// request.
struct FunctionCalls {
    double perMonth = 0;
    double gb = 0;
    core::Quantity seconds;
};
[[nodiscard]] core::Quantity functionUsd(const Catalogs& catalogs, const FunctionCalls& calls);

[[nodiscard]] core::Quantity usdPerMillion(const core::Quantity& usdPerMonth,
                                           double requestsPerMonth);

/// A month of the one that shares the requests out; nothing to pay for one instance.
[[nodiscard]] core::Quantity loadBalancerUsd(const Subject& subject,
                                             const core::Quantity& instances);

void addServingWays(const Subject& subject, const ServingHere& here, Report& report);

} // namespace outlay::pricing
