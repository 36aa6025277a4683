// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A multilayer perceptron: dense layers over one vector of numbers a sample.
#pragma once

#include "core/model/convention.h"
#include "core/model/layer.h"

namespace outlay::core {

struct MlpDesign {
    std::int64_t inputs = 0;
    std::vector<std::int64_t> hidden;
    std::int64_t outputs = 0;

    bool operator==(const MlpDesign&) const = default;
};

void describe(FieldVisitor& v, MlpDesign& d);
[[nodiscard]] Result<void> check(const MlpDesign& d);
[[nodiscard]] std::vector<Layer> expand(const MlpDesign& d, Convention convention);

} // namespace outlay::core
