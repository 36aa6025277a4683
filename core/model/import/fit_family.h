// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

namespace outlay::core {

/// The recurrent or perceptron design that expands into these very layers (names and
/// activations aside), so that it can be changed with sliders; nothing if there is none.
[[nodiscard]] std::optional<Design> fitFamily(const std::vector<Layer>& layers,
                                              Convention convention);

} // namespace outlay::core
