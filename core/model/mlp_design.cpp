// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/mlp_design.h"

#include "core/model/limits.h"

namespace outlay::core {

void describe(FieldVisitor& v, MlpDesign& d)
{
    v.integer(required("inputs", "number of inputs", Widths), d.inputs);
    v.integers(optional("hidden", "sizes of the hidden layers", Widths), d.hidden);
    v.integer(required("outputs", "number of outputs", Vocabularies), d.outputs);
}

Result<void> check(const MlpDesign& d)
{
    if (static_cast<double>(d.hidden.size()) >= LayerCounts.high)
        return inputError("there are " + std::to_string(d.hidden.size()) + " hidden layers",
                          "give fewer than 4096", "/hidden");
    return {};
}

std::vector<Layer> expand(const MlpDesign& d, Convention)
{
    std::vector<Layer> layers;
    std::int64_t width = d.inputs;
    for (std::size_t i = 0; i < d.hidden.size(); ++i) {
        layers.push_back({"dense " + std::to_string(i + 1),
                          Dense{.inputs = width, .outputs = d.hidden[i], .activation = true},
                          Stream::Sample, static_cast<std::int64_t>(i + 1)});
        width = d.hidden[i];
    }
    const DenseUse use = d.outputs > 1 ? DenseUse::Logits : DenseUse::Inner;
    layers.push_back(
        {"output", Dense{.inputs = width, .outputs = d.outputs, .use = use}, Stream::Sample});
    return layers;
}

} // namespace outlay::core
