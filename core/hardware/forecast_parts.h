// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What forecasts of training and of serving have in common.
#pragma once

#include "core/hardware/forecast.h"

namespace outlay::core {

/// Half-width of an interval, as a factor.
[[nodiscard]] double spreadOf(const KindSpread& kind, const Devices& on);
/// Of what is served there, by its name among those that were seen.
[[nodiscard]] double spreadOf(const KindSpread& kind, std::string_view served, const Devices& on);
/// Between those of the kinds of work, by their shares.
[[nodiscard]] double spreadOf(const PassTime& time, double totalS, double otherSpread,
                              const Devices& on);
[[nodiscard]] Quantity spread(double value, double factor, Unit unit, How how);

[[nodiscard]] Bound boundOf(const PassTime& time, double exchangeS, double hostS = 0);

/// "on 8 x A100".
[[nodiscard]] std::string nameOf(const Devices& on);
/// What of a device isn't listed.
[[nodiscard]] std::string lacking(const Device& device, const PeakRate& peak);

/// Power of all devices while `time` is spent by so many of them at once: idle, and the more above it the harder they
/// work.
[[nodiscard]] Quantity powerOf(const PassTime& time, double totalS, double working,
                               const Devices& on);

} // namespace outlay::core
