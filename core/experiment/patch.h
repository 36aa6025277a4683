// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A JSON Patch (RFC 6902: add, replace, remove) on an experiment, without a detour over its file.
#pragma once

#include "core/experiment/experiment.h"

namespace outlay::core {

/// The experiment with every operation of `patch` applied, or why one can't be: nothing is half done.
[[nodiscard]] Result<Experiment> patched(const Experiment& experiment, const Json& patch);

} // namespace outlay::core
