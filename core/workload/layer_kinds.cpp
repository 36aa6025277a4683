// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/layer_kinds.h"

#include <algorithm>

namespace outlay::core {

LayerKinds::LayerKinds(const std::vector<Layer>& layers)
{
    m_places.reserve(layers.size());
    for (const Layer& layer : layers) {
        const auto same = std::find_if(m_kinds.begin(), m_kinds.end(), [&](const LayerCount& c) {
            return c.layer.stream == layer.stream && (c.layer.block == 0) == (layer.block == 0) &&
                   c.layer.spec == layer.spec;
        });
        m_places.push_back({static_cast<std::size_t>(same - m_kinds.begin()), layer.block});
        if (same == m_kinds.end())
            m_kinds.push_back({layer, 1});
        else
            same->count += 1;
    }
}

} // namespace outlay::core
