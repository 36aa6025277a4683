// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Whether what an experiment assumes can be taken.
#pragma once

#include "core/experiment/experiment.h"

namespace outlay::pricing {

/// An error that names the first assumption that makes no sense or is nearly called as one that there is. What is called
/// like none is no error: it may be of a later version.
[[nodiscard]] core::Result<void> checkAssumptions(const core::Experiment& experiment);
/// A sentence for each of those that is a number; words are notes.
[[nodiscard]] std::vector<std::string> unknownAssumptions(const core::Experiment& experiment);

} // namespace outlay::pricing
