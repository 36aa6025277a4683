// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/gated_rnn_design.h"

#include "core/model/limits.h"

namespace outlay::core {

void describe(FieldVisitor& v, GatedRnnDesign& d)
{
    v.integer(required("vocabulary", "size of the vocabulary", Vocabularies), d.vocabulary);
    v.integer(required("hidden", "width of the embedding", Widths), d.hidden);
    v.integer(required("key", "key size", Widths), d.key);
    v.integer(required("value", "value size", Widths), d.value);
    v.integer(required("output", "output size of a layer", Widths), d.output);
    v.integer(optional("layers", "number of layers", LayerCounts), d.layers);
}

Result<void> check(const GatedRnnDesign&)
{
    return {};
}

std::vector<Layer> expand(const GatedRnnDesign& d, Convention)
{
    std::vector<Layer> layers{{"embedding", Embedding{d.vocabulary, d.hidden}}};
    std::int64_t width = d.hidden;
    for (std::int64_t i = 0; i < d.layers; ++i) {
        layers.push_back({"gated rnn " + std::to_string(i + 1),
                          GatedRecurrent{width, d.key, d.value, d.output}, Stream::Tokens, i + 1});
        width = d.output;
    }
    layers.push_back(
        {"output", Dense{.inputs = width, .outputs = d.vocabulary, .use = DenseUse::Logits}});
    return layers;
}

} // namespace outlay::core
