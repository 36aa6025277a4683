// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How near the chosen batch comes to the throughput of the best one that fits.
#pragma once

#include "pricing/report/report.h"
#include "pricing/report/subject.h"

namespace outlay::pricing {

/// 0 to 100: by measured batches where the chosen one is among them, else by the roofline; with the batch that
/// would have 100.
[[nodiscard]] EfficiencyPart batchingScore(const Subject& subject, const Report& report);

} // namespace outlay::pricing
