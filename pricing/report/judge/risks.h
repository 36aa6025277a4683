// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What may go wrong with this design, each with the figures that say so.
#pragma once

#include "pricing/report/report.h"
#include "pricing/report/subject.h"

namespace outlay::pricing {

/// Reads the other sections; called with the alerts.
void addRisks(const Subject& subject, Report& report);

} // namespace outlay::pricing
