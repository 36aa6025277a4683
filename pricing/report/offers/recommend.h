// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Picks an option and an alternative from a ranked list, with the reasons and the risk.
#pragma once

#include "pricing/report/offers/support.h"
#include "pricing/report/report.h"
#include "pricing/report/subject.h"

#include <functional>

namespace outlay::pricing {

/// What differs between training and serving.
struct Choosing {
    const std::vector<Option>& options; // ranked
    const std::optional<core::OfferChoice>& given;
    std::string_view pointer; // of `given` in the experiment
    std::string_view purpose; // "the run", "a month of the service"
    std::function<OptionText(const Option&)> text;
    std::function<Support(const Option&)> support;
};

/// What has weak support gives way to what published runs support, where that costs no more than its upper end.
/// The cheapest of the plan's way of buying that fits, is allowed and holds deadline and budget, never a
/// doubtful one, and where none is in time the cheapest of the soonest; or what the plan names.
[[nodiscard]] Recommendation recommend(const Subject& subject, const Choosing& choosing);

} // namespace outlay::pricing
