// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Figures that tests of views fill Reports with.
#pragma once

#include "core/base/quantity.h"

namespace outlay::tests {

/// From four fifths of it to six.
inline core::Quantity figure(double value, core::Unit unit)
{
    return core::Quantity::within(value, 0.8 * value, 1.2 * value, unit, core::Basis::Forecast, {});
}

inline core::Quantity unknown(core::Unit unit, const char* why)
{
    return core::Quantity::unavailable(unit, why);
}

} // namespace outlay::tests
