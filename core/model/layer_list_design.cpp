// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer_list_design.h"

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

} // namespace outlay::core
