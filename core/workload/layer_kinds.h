// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of a design with equal ones counted once: a deep transformer has about ten kinds of them.
#pragma once

#include "core/model/layer.h"

#include <numeric>

namespace outlay::core {

/// Equal layers, and how many of them there are; name and block are those of the first. A layer in a block and
/// one outside of blocks are two kinds: checkpointing recomputes the one only.
struct LayerCount {
    Layer layer;
    double count = 1;
};

class LayerKinds {
public:
    /// Where a layer stands in the design.
    struct Place {
        std::size_t kind = 0;
        std::int64_t block = 0; // as in Layer
    };

    LayerKinds() = default;
    /// Converts, so that what is asked once of a design takes its layers as they are.
    LayerKinds(const std::vector<Layer>& layers);

    /// In the order in which they first appear.
    [[nodiscard]] const std::vector<LayerCount>& kinds() const { return m_kinds; }
    /// All layers, in the order of the design.
    [[nodiscard]] const std::vector<Place>& places() const { return m_places; }

    template <typename Spec>
    [[nodiscard]] bool has() const
    {
        for (const LayerCount& kind : m_kinds) {
            if (std::holds_alternative<Spec>(kind.layer.spec))
                return true;
        }
        return false;
    }

    /// That each of such layers can be divided by; 0: there is none.
    template <typename Spec>
    [[nodiscard]] std::int64_t divisorOf(std::int64_t Spec::*number) const
    {
        std::int64_t common = 0;
        for (const LayerCount& kind : m_kinds) {
            if (const auto* spec = std::get_if<Spec>(&kind.layer.spec))
                common = std::gcd(common, spec->*number);
        }
        return common;
    }

private:
    std::vector<LayerCount> m_kinds;
    std::vector<Place> m_places;
};

} // namespace outlay::core
