// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How providers, ways of buying, machines and options are called.
#pragma once

#include "gui/view/display_locale.h"
#include "pricing/report/report.h"

#include <QString>

namespace outlay::gui {

/// "aws" -> "AWS"; a name that isn't known is shown as it is.
[[nodiscard]] QString providerTitle(std::string_view provider);
/// "on demand", "spot", "1 year", "3 years".
[[nodiscard]] QString purchaseTitle(core::Purchase purchase);
/// Without the word that all of Azure's begin with.
[[nodiscard]] QString instanceTitle(const pricing::Machine& machine);
/// "AWS g4dn.xlarge".
[[nodiscard]] QString machineTitle(const pricing::Machine& machine);
/// "4 x " before what is taken four times; nothing before a single one.
[[nodiscard]] QString timesText(double instances);
/// "4 x AWS p5.48xlarge".
[[nodiscard]] QString machinesTitle(const pricing::OptionText& option);

/// "sharded"; "tensor 8 x pipeline 4"; empty for a copy on each device.
[[nodiscard]] QString layoutTitle(const core::Layout& layout);

/// "a function", "a hosted API": who serves where no machine of one's own does.
[[nodiscard]] QString serverText(const pricing::ServingReport& serving);

/// Of the whole run with its start, and with what spot adds; nothing where it can't be known.
[[nodiscard]] std::optional<pricing::HoursRange> hoursTaken(const pricing::Report& report,
                                                            const pricing::Option& option,
                                                            core::Purchase purchase);

/// "5 min 00 s of it to start", where that is a large part of the recommended run; else empty.
[[nodiscard]] QString startText(const pricing::Report& report, const DisplayLocale& locale);

} // namespace outlay::gui
