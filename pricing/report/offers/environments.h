// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The plan's environments: so many machines of an offer, so many hours a day, so many days.
#pragma once

#include "pricing/report/report.h"
#include "pricing/report/subject.h"

namespace outlay::pricing {

/// count x price x hours a day x days a month, as the plan gives them; all hours of a month where they are reserved.
[[nodiscard]] core::Quantity environmentUsd(const core::Environment& environment,
                                            const core::Quantity& usdPerHour,
                                            core::Purchase purchase = core::Purchase::OnDemand);

/// An offer is named by its instance, with the provider before it and the region and the way of buying
/// behind it where they matter: "g4dn.xlarge", "aws/g4dn.xlarge/us-east-1/spot".
[[nodiscard]] std::vector<EnvironmentRow> environmentRows(const Subject& subject);

} // namespace outlay::pricing
