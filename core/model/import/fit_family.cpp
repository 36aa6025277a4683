// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/import/fit_family.h"

#include <algorithm>

namespace outlay::core {
namespace {

/// A layer without what a family decides by itself.
Layer bare(Layer layer)
{
    layer.name.clear();
    layer.block = 0;
    if (auto* dense = std::get_if<Dense>(&layer.spec)) {
        dense->activation = false;
        dense->use = DenseUse::Inner;
    }
    return layer;
}

std::vector<Layer> bareLayers(const std::vector<Layer>& layers)
{
    std::vector<Layer> out;
    for (const Layer& layer : layers)
        out.push_back(bare(layer));
    return out;
}

RecurrentDesign recurrentGuess(const std::vector<Layer>& layers)
{
    RecurrentDesign d;
    d.layers = 0;
    for (const Layer& layer : layers) {
        if (const auto* table = std::get_if<Embedding>(&layer.spec)) {
            d.vocabulary = table->rows;
            d.embedding = table->width;
        } else if (const auto* recurrent = std::get_if<Recurrent>(&layer.spec)) {
            if (d.layers == 0 && !d.vocabulary)
                d.inputs = recurrent->inputs;
            d.cell = recurrent->cell;
            d.bidirectional = recurrent->bidirectional;
            d.hidden.push_back(recurrent->hidden);
            d.outputAt = recurrent->returnsSequence ? OutputAt::Every : OutputAt::Last;
            ++d.layers;
        } else if (const auto* dropout = std::get_if<Dropout>(&layer.spec)) {
            d.dropout = dropout->share;
        } else if (const auto* dense = std::get_if<Dense>(&layer.spec)) {
            d.head.push_back(dense->outputs);
        }
    }
    if (!d.head.empty()) {
        d.outputs = d.head.back();
        d.head.pop_back();
    }
    const bool isUniform =
        std::equal(d.hidden.begin() + (d.hidden.empty() ? 0 : 1), d.hidden.end(), d.hidden.begin());
    if (isUniform && !d.hidden.empty())
        d.hidden.resize(1);
    return d;
}

MlpDesign mlpGuess(const std::vector<Layer>& layers)
{
    MlpDesign d;
    for (const Layer& layer : layers) {
        const auto* dense = std::get_if<Dense>(&layer.spec);
        if (dense == nullptr)
            continue;
        if (d.inputs == 0)
            d.inputs = dense->inputs;
        d.hidden.push_back(dense->outputs);
    }
    if (!d.hidden.empty()) {
        d.outputs = d.hidden.back();
        d.hidden.pop_back();
    }
    return d;
}

/// Whether the design says the same, within the limits of its family.
bool fits(const Design& design, Convention convention, const std::vector<Layer>& wanted)
{
    const Model model{convention, design};
    return bareLayers(expand(model)) == wanted && readModel(fieldsOf(model), "").has_value();
}

} // namespace

std::optional<Design> fitFamily(const std::vector<Layer>& layers, Convention convention)
{
    const std::vector<Layer> wanted = bareLayers(layers);
    const RecurrentDesign recurrent = recurrentGuess(layers);
    if (!recurrent.hidden.empty() && recurrent.outputs && fits(recurrent, convention, wanted))
        return recurrent;
    const MlpDesign mlp = mlpGuess(layers);
    if (mlp.outputs > 0 && fits(mlp, convention, wanted))
        return mlp;
    return std::nullopt;
}

} // namespace outlay::core
