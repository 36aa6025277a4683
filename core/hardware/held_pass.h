// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a pass takes of a device's memory in a layout: asked of many layouts, so what they share is reckoned once.
#pragma once

#include "core/hardware/forecast.h"

namespace outlay::core {

/// Devices, with what each of many layouts asks of them.
struct HoldingPlace {
    const Devices& on;
    bool isFused = false; // their attention
    Offload offload = Offload::None;
    double usable = 0; // bytes

    HoldingPlace(const Devices& devices, const Training& training);
    /// On an accelerator.
    [[nodiscard]] const HeldActivations& heldOf(const TrainingDemand& pass) const
    {
        return isFused ? pass.onAccelerator.fused : pass.onAccelerator.plain;
    }
};

/// A layout of a training, of which every pass has the same weights, gradients and moments on a device.
class Divided {
public:
    Divided(const TrainingDemand& demand, const Layout& layout, const Devices& on)
        : m_demand(demand), m_layout(layout), m_on(on)
    {
    }
    [[nodiscard]] const Layout& layout() const { return m_layout; }
    [[nodiscard]] const StatesOnEach& with(Sharding sharding);

private:
    const TrainingDemand& m_demand;
    Layout m_layout;
    const Devices& m_on;
    std::array<std::optional<StatesOnEach>, ShardingNames.size()> m_states;
};

/// A pass in a layout, whatever shards it.
class Unsharded {
public:
    Unsharded(const TrainingDemand& pass, Divided& divided, const HoldingPlace& place);

    /// What can't be known may fit. The same as by memoryWith, without telling how.
    [[nodiscard]] bool fitsWith(Sharding sharding) const;

private:
    const TrainingDemand& m_pass;
    Divided& m_divided;
    const HoldingPlace& m_place;
    double m_activationBytes = 0;
    bool m_isKnown = true;
};

/// Of one of the devices that have most.
[[nodiscard]] Quantity memoryWith(const TrainingDemand& pass, const Layout& layout,
                                  const Devices& on);

[[nodiscard]] bool fits(const TrainingDemand& pass, const Layout& layout,
                        const HoldingPlace& place);

/// Not where weights, gradients and moments are too much for all devices together, however they divide them.
[[nodiscard]] bool mayFit(const TrainingDemand& demand, const HoldingPlace& place);

} // namespace outlay::core
