// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the JSON of training and of serving share: their options.
#pragma once

#include "pricing/report/json/section_json.h"

namespace outlay::pricing {

/// What of a ranked list is written, in its order. All: of each machine and way of buying the first region, or
/// every region that the plan names. Shortlist: the recommended one, the first usable of each provider and way of
/// buying, and the first machines; where nothing is usable, the first of all.
[[nodiscard]] std::vector<const Option*> listedOptions(const std::vector<Option>& options,
                                                       const Recommendation& recommended,
                                                       const core::Plan& plan,
                                                       const PriceBook& book, Listed listed);

/// true, false, or null where it isn't known.
[[nodiscard]] core::Json fitsJson(core::Fits fits);
[[nodiscard]] core::Quantity hoursOf(const core::Quantity& seconds);
[[nodiscard]] core::Json toJson(const Recommendation& recommendation);

} // namespace outlay::pricing
