// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the places and offers that an experiment names are known to the catalogs.
#pragma once

#include "core/experiment/experiment.h"
#include "pricing/report/catalogs.h"

namespace outlay::pricing {

/// An error that names the first provider, region or offer that nobody knows: a figure for it would be of
/// something else, or of nothing.
[[nodiscard]] core::Result<void> checkNames(const core::Experiment& experiment,
                                            const Catalogs& catalogs);

} // namespace outlay::pricing
