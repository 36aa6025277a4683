// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Designs drawn at random over all families, each of which can be built.
#pragma once

#include "core/model/model.h"

#include <random>

namespace outlay::tests {

[[nodiscard]] core::Model randomModel(std::mt19937_64& random);

} // namespace outlay::tests
