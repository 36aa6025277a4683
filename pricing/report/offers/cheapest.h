// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The offer that comes first among those that a plan can use.
#pragma once

#include "pricing/report/report.h"

namespace outlay::pricing {

/// What an option is looked for in.
struct OptionList {
    const std::vector<Option>& options; // ranked
    const Catalogs& catalogs;
    std::optional<core::Purchase> purchase; // nothing: any
};

/// The first that fits, is allowed and has a price that isn't doubtful; of one provider, or of any when
/// it is empty. Null if there is none.
[[nodiscard]] const Option* cheapest(const OptionList& list, std::string_view provider = {});

/// Of the options that `cheapest` would take, the first of each machine.
[[nodiscard]] std::vector<const Option*> cheapestMachines(const OptionList& list, std::size_t most);

[[nodiscard]] Offer offerOf(const Option& option, const Catalogs& catalogs);
/// "spot", "reserved 3y".
[[nodiscard]] std::string purchaseName(core::Purchase purchase);
/// "aws g5.xlarge in us-east-1, on demand".
[[nodiscard]] std::string nameOf(const Offer& offer);
/// "4 x " before the name of what is taken four times; nothing before a single one.
[[nodiscard]] std::string timesInstances(const OptionText& option);
[[nodiscard]] std::string timesInstances(const Option& option, const TrainingReport& training);
/// What the option costs, as a figure that names its offer and the date of its price.
[[nodiscard]] core::Quantity usdOf(const Option& option, const Catalogs& catalogs);
/// The hours that are paid for of each machine: the run on it with its start; unavailable where it isn't forecast.
[[nodiscard]] core::Quantity paidHoursOf(const Option& option, const TrainingReport& training,
                                         const Catalogs& catalogs);

} // namespace outlay::pricing
