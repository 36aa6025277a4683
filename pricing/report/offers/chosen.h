// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The option that a design is held against, with the device behind it.
#pragma once

#include "pricing/report/report.h"
#include "pricing/report/subject.h"

namespace outlay::pricing {

/// What is in the machine that is recommended; null where none is, or nobody knows.
[[nodiscard]] const MachineKind* machineOf(const Catalogs& catalogs, const Recommendation& chosen);

/// The service as the recommended machine has it; as accelerators do, where none is.
[[nodiscard]] const core::ServingDemand& servedDemand(const Subject& subject, const Report& report);

/// Requests are taken in there as they come.
[[nodiscard]] bool takesInRequests(const Subject& subject, const Report& report);

/// Whether the plan allows the region ("aws/us-east-1").
[[nodiscard]] bool allowsRegion(const core::Plan& plan, std::string_view region);

} // namespace outlay::pricing
