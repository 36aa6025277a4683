// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Models that published runs name without their sizes.
#pragma once

#include "core/model/model.h"

namespace outlay::tests {

/// The one whose name occurs in this.
[[nodiscard]] std::optional<core::Model> knownModel(std::string_view name);

} // namespace outlay::tests
