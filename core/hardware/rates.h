// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Rates to times and back, and power to energy.
#pragma once

#include "core/base/quantity.h"

namespace outlay::core {

/// Hours for so many tokens at so many a second.
[[nodiscard]] Quantity hoursForTokens(double tokens, const Quantity& tokensPerS);

/// Requests a second of one stream that answers one after the other.
[[nodiscard]] Quantity serialRequestsPerS(const Quantity& latencyMs);

/// kWh of so many watts for so many seconds.
[[nodiscard]] Quantity energyOf(const Quantity& watts, const Quantity& seconds);

} // namespace outlay::core
