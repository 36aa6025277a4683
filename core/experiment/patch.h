// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How an experiment is changed, by whomever: a JSON Patch (RFC 6902: add, replace, remove), without a detour
// over its file.
#pragma once

#include "core/experiment/experiment.h"

namespace outlay::core {

/// The operation that sets one value, or a whole part; null gives it its default.
[[nodiscard]] Json setting(std::string_view pointer, Json value);

/// The experiment with every operation of `patch` applied, or why one can't be: nothing is half done.
[[nodiscard]] Result<Experiment> patched(const Experiment& experiment, const Json& patch);

/// The same by a person's hand: what is set is written to the file, even where it is the default.
[[nodiscard]] Result<Experiment> edited(const Experiment& experiment, const Json& patch);

/// Edited in one value.
[[nodiscard]] Result<Experiment> withValue(const Experiment& experiment, std::string_view pointer,
                                           Json value);

} // namespace outlay::core
