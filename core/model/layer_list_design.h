// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A design given layer by layer: what an import yields when no family fits.
#pragma once

#include "core/model/convention.h"
#include "core/model/layer.h"

namespace outlay::core {

struct LayerListDesign {
    std::vector<Layer> layers;

    bool operator==(const LayerListDesign&) const = default;
};

void describe(FieldVisitor& v, Layer& layer);
void describe(FieldVisitor& v, LayerListDesign& d);
[[nodiscard]] Result<void> check(const LayerListDesign& d);
[[nodiscard]] std::vector<Layer> expand(const LayerListDesign& d, Convention convention);

/// Whether each layer takes what the one before it makes: where layers branch, merge or repeat, a list of them can be counted
/// but not run.
[[nodiscard]] Result<void> checkChain(const LayerListDesign& d);

} // namespace outlay::core
