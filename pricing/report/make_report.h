// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Experiment in, Report out: no clock, no disk, no globals, no threads.
#pragma once

#include "core/experiment/experiment.h"
#include "pricing/report/report.h"

namespace outlay::pricing {

/// All that a Report may know of the outside.
struct Catalogs {
    std::string today; // "2026-11-20"
};

[[nodiscard]] Report makeReport(const core::Experiment& experiment, const Catalogs& catalogs);

} // namespace outlay::pricing
