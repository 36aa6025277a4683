// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Experiment in, Report out: no clock, no disk, no globals, no threads.
#pragma once

#include "core/experiment/experiment.h"
#include "pricing/report/report.h"

namespace outlay::pricing {

/// Everything but the advice.
[[nodiscard]] Report figuresOf(const core::Experiment& experiment, const Catalogs& catalogs);

/// Of those only what a month costs and emits: for comparisons of many designs.
[[nodiscard]] Report costsOf(const core::Experiment& experiment, const Catalogs& catalogs);

[[nodiscard]] Report makeReport(const core::Experiment& experiment, const Catalogs& catalogs);

} // namespace outlay::pricing
