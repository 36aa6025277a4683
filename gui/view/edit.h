// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Edits that are no patch; all others go through core/experiment/patch.h.
#pragma once

#include "core/experiment/experiment.h"

namespace outlay::gui {

/// With the model of the first preset of that family, and everything else as it was.
[[nodiscard]] core::Result<core::Experiment> withFamily(const core::Experiment& experiment,
                                                        std::string_view family);

/// A new experiment in a region, unless it has a place of its own; empty: here.
[[nodiscard]] core::Experiment withPlace(core::Experiment experiment, const std::string& region);

/// With a measurement more.
[[nodiscard]] core::Experiment withMeasurement(const core::Experiment& experiment,
                                               const core::Json& measurement);

} // namespace outlay::gui
