// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What this machine draws while it works, and while it waits.
#pragma once

#include "pricing/report/subject.h"

namespace outlay::pricing {

/// Watts at work: what the site says, else between idle and full power of such a device, which is a model.
[[nodiscard]] core::Quantity powerHere(const Subject& subject);
[[nodiscard]] core::Quantity idlePowerHere(const Subject& subject);

} // namespace outlay::pricing
