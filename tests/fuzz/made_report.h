// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a design that came from outside makes: a Report that is whole.
#pragma once

#include "core/experiment/experiment.h"

namespace outlay::fuzz {

void checkReport(const core::Experiment& experiment);

[[nodiscard]] core::Json reportOf(const core::Experiment& experiment);
/// As it is exported.
[[nodiscard]] std::string costAnalysisOf(const core::Experiment& experiment);

} // namespace outlay::fuzz
