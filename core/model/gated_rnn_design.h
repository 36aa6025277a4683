// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The gated RNN: embedding, layers with a key x value state, a linear head to the vocabulary.
#pragma once

#include "core/model/convention.h"
#include "core/model/layer.h"

namespace outlay::core {

struct GatedRnnDesign {
    std::int64_t vocabulary = 0;
    std::int64_t hidden = 0;
    std::int64_t key = 0;
    std::int64_t value = 0;
    std::int64_t output = 0;
    std::int64_t layers = 1;

    bool operator==(const GatedRnnDesign&) const = default;
};

void describe(FieldVisitor& v, GatedRnnDesign& d);
[[nodiscard]] Result<void> check(const GatedRnnDesign& d);
[[nodiscard]] std::vector<Layer> expand(const GatedRnnDesign& d, Convention convention);

} // namespace outlay::core
