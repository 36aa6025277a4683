// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The other ways to run a design: all of them as a table, the timed ones as a league.
#pragma once

#include "core/probe/variant.h"
#include "gui/view/chart_model.h"

namespace outlay::gui {

[[nodiscard]] TableData variantsTable(const std::vector<core::VariantMeasurement>& variants,
                                      const QLocale& locale);
/// "fused is 44.4 times as fast, at 1 % of the memory, measured"; empty where none is surely faster.
[[nodiscard]] QString bestVariantText(const std::vector<core::VariantMeasurement>& variants,
                                      const QLocale& locale);
/// The fastest on top.
[[nodiscard]] ChartModel leagueChart(const std::vector<core::VariantMeasurement>& variants,
                                     const QLocale& locale);

} // namespace outlay::gui
