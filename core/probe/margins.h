// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How far a run may lie from what a probe of it said.
#pragma once

#include "core/probe/measurement.h"

namespace outlay::core {

/// The ends of the 80 % interval of a whole run, as factors of what its steps say.
[[nodiscard]] Interval runMargins(const Measurement& measured);
/// The same of steps that were all timed as they are.
[[nodiscard]] Interval runMargins(const Timing& step, const Disturbance& disturbance);

} // namespace outlay::core
