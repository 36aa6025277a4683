// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer_list_design.h"

#include "core/base/text.h"

#include <algorithm>

namespace outlay::core {

void describe(FieldVisitor& v, Layer& layer)
{
    const std::vector<LayerSpec> prototypes = layerPrototypes();
    std::vector<std::string_view> kinds;
    for (const LayerSpec& spec : prototypes)
        kinds.push_back(kindOf(spec));
    const auto now = std::find(kinds.begin(), kinds.end(), kindOf(layer.spec)) - kinds.begin();
    const auto before = static_cast<std::size_t>(now);
    std::optional<std::size_t> kind = before;
    v.text({"name", "name of the layer"}, layer.name);
    v.choice(Field{.key = "kind", .what = "kind of layer", .presence = Presence::Required}, kind,
             kinds);
    if (kind && *kind != before)
        layer.spec = prototypes.at(*kind);
    v.choice(Field{"stream", "what the layer runs over"}, layer.stream, StreamNames);
    v.integer({"block", "number of the block that it belongs to (0: none)", 0, 1e6}, layer.block);
    describe(v, layer.spec);
}

void describe(FieldVisitor& v, LayerListDesign& d)
{
    v.list({"layers", "layers", 0, 0, Presence::Required}, d.layers);
}

Result<void> check(const LayerListDesign& d)
{
    if (d.layers.empty())
        return inputError("the list of layers is empty", "add a layer", "/layers");
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        if (const auto sound = check(d.layers[i].spec); !sound) {
            Error error = sound.error();
            error.place = childPointer("/layers", i) + error.place;
            return tl::unexpected<Error>(error);
        }
    }
    return {};
}

std::vector<Layer> expand(const LayerListDesign& d, Convention)
{
    return d.layers;
}

namespace {

/// What a layer takes and makes of each position, or of a sample; 0 where it isn't known.
struct TakenAndMade {
    std::int64_t in = 0;
    std::int64_t out = 0;
};

TakenAndMade widthsOf(const LayerSpec& spec)
{
    if (const auto* table = std::get_if<Embedding>(&spec))
        return {0, table->width};
    if (const auto* cell = std::get_if<Recurrent>(&spec))
        return {cell->inputs, (cell->bidirectional ? 2 : 1) * cell->hidden};
    if (const auto* dense = std::get_if<Dense>(&spec))
        return {dense->inputs, dense->outputs};
    if (const auto* norm = std::get_if<Norm>(&spec))
        return {norm->width, norm->width};
    if (const auto* dropout = std::get_if<Dropout>(&spec))
        return {dropout->width, dropout->width};
    return {};
}

bool makesSequence(const Layer& layer)
{
    const auto* cell = std::get_if<Recurrent>(&layer.spec);
    return cell != nullptr ? cell->returnsSequence : layer.stream != Stream::Sample;
}

} // namespace

Result<void> checkChain(const LayerListDesign& d)
{
    for (std::size_t i = 1; i < d.layers.size(); ++i) {
        const Layer& before = d.layers[i - 1];
        const Layer& layer = d.layers[i];
        const std::int64_t made = widthsOf(before.spec).out;
        const std::int64_t taken = widthsOf(layer.spec).in;
        const bool wasSequence = makesSequence(before);
        const bool isSequence = layer.stream != Stream::Sample;
        // Of a sequence one layer may take the mean, or all of its steps at once.
        const bool isWhole = wasSequence && !isSequence && made > 0 && taken % made == 0;
        const bool fits = made == 0 || taken == 0 || taken == made || isWhole;
        if (fits && (wasSequence || !isSequence))
            continue;
        return inputError("layer " + inQuotes(printable(layer.name, 60)) +
                              (fits ? " takes a sequence, and " : " doesn't take what ") +
                              inQuotes(printable(before.name, 60)) +
                              (fits ? " before it makes none" : " before it makes") +
                              ": layers that branch, merge or repeat can be counted, but not "
                              "measured",
                          "measure your own program with `outlay run`",
                          childPointer("/model/layers", i));
    }
    return {};
}

} // namespace outlay::core
