// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The environments of a plan, as they are edited: which machines, how many, how long.
#pragma once

#include "core/experiment/experiment.h"
#include "gui/view/display_locale.h"
#include "pricing/report/report.h"

#include <QString>

#include <vector>

namespace outlay::gui {

/// One environment in the words of its fields.
struct EnvironmentView {
    QString name;
    QString machine;  // "aws/g4dn.xlarge"; a region may follow
    QString purchase; // "spot"; empty: as the plan buys
    QString count;
    QString hoursPerDay;
    QString daysPerMonth;
    QString cost; // "$384 a month", or why there is none

    bool operator==(const EnvironmentView&) const = default;
};

[[nodiscard]] std::vector<EnvironmentView> makeEnvironmentViews(const core::Plan& plan,
                                                                const pricing::MonthReport& month,
                                                                const DisplayLocale& locale);

using Environments = std::vector<core::Environment>;

[[nodiscard]] Environments withOneMore(Environments all);
[[nodiscard]] Environments without(Environments all, std::size_t row);

/// Back again: of `typed` what isn't as it was shown. A number that can't be read stays what it was.
[[nodiscard]] core::Environment environmentOf(const EnvironmentView& typed,
                                              const EnvironmentView& shown,
                                              const core::Environment& before,
                                              const QLocale& locale);

/// The patch that makes these the plan's environments.
[[nodiscard]] core::Json environmentsPatch(const Environments& environments);

/// All machines of the book as they are named in a plan, sorted.
[[nodiscard]] std::vector<QString> machineChoices(const pricing::PriceBook& book);

} // namespace outlay::gui
