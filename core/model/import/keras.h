// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Keras model JSON: recurrent, dense and embedding layers become a design.
#pragma once

#include "core/model/import/imported.h"

namespace outlay::core {

/// A design of a family where one gives the same layers, else a list of layers.
[[nodiscard]] Result<Imported> importKeras(const Json& json);

} // namespace outlay::core
