// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How an experiment is changed, by whomever: a JSON Patch (RFC 6902: add, replace, remove), without a detour
// over its file.
#pragma once

#include "core/experiment/experiment.h"

namespace outlay::core {

/// The operation that sets one value; null gives a value its default.
[[nodiscard]] Json setting(std::string_view pointer, Json value);

/// The experiment with every operation of `patch` applied, or why one can't be: nothing is half done.
[[nodiscard]] Result<Experiment> patched(const Experiment& experiment, const Json& patch);

/// With one value set.
[[nodiscard]] Result<Experiment> withValue(const Experiment& experiment, std::string_view pointer,
                                           Json value);

} // namespace outlay::core
