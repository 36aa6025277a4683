// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How devices hold one training together: which of them share each layer, which have a part of the depth, and how
// many copies of the model that makes.
#pragma once

#include "core/hardware/demand.h"

namespace outlay::core {

struct Layout {
    std::int64_t tensor = 1;  // devices that share each layer
    std::int64_t stages = 1;  // parts of the depth, through which a batch goes one after the other
    std::int64_t chunks = 1;  // of the depth in each stage, which take turns
    std::int64_t context = 1; // devices that share the positions of each sample
    std::int64_t experts =
        1; // devices of a stage, of one copy or of several, that divide its experts
    Sharding sharding = Sharding::None; // among the copies
    Offload offload = Offload::None;

    /// Devices that hold the weights of the model together.
    [[nodiscard]] std::int64_t ofWeights() const { return tensor * stages; }
    /// Devices that train a sample together: one copy, for all but the sharding of its weights.
    [[nodiscard]] std::int64_t ofCopy() const { return ofWeights() * context; }
    /// Of parallelism, that somebody has to know beside copies.
    [[nodiscard]] int kinds() const
    {
        return (tensor > 1 ? 1 : 0) + (stages > 1 ? 1 : 0) + (chunks > 1 ? 1 : 0) +
               (context > 1 ? 1 : 0) + (experts > 1 ? 1 : 0);
    }
    /// Each device has a copy, or its part of one.
    [[nodiscard]] bool isPlain() const { return kinds() == 0; }
    bool operator==(const Layout&) const = default;
};

/// Passes of each copy in a step, and with them the training of a copy: where no global batch is given, a step keeps the samples that it has with a copy on each
/// device.
[[nodiscard]] std::int64_t passesOf(const Training& training, const Layout& layout,
                                    std::int64_t devices);
[[nodiscard]] Training onCopies(const Training& training, const Layout& layout,
                                std::int64_t devices);

/// Of so many blocks, those in the stage that has most.
[[nodiscard]] double fullestStage(double blocks, const Layout& layout);

/// Of the model's parameters those on the device that has most, before devices with the same ones divide them.
struct PartOnDevice {
    double layers = 1;
    double experts = 0; // where they are divided by themselves; else they are in the layers

    [[nodiscard]] double all() const { return layers + experts; }
    /// Where so many divide the layers.
    [[nodiscard]] double among(std::int64_t copies, const Layout& layout) const;
};
[[nodiscard]] PartOnDevice largestPart(const LayerSums& of, double blocks, const Layout& layout);

/// Devices that have the same experts, where so many have the same layers.
[[nodiscard]] std::int64_t copiesOfExperts(const Layout& layout, std::int64_t copies);

/// Of a device of the first stage, which keeps most passes, or of the last, which has the logits. Those that share a layer
/// also share the positions between its products (sequence parallel).
[[nodiscard]] double activationBytes(const HeldActivations& held, double blocks,
                                     const Layout& layout, std::int64_t passes);
[[nodiscard]] Quantity activationsWith(const HeldActivations& held, double blocks,
                                       const Layout& layout, std::int64_t passes);

/// Those that divide the devices, the heads and the depth, as far as the settings leave it open; the simpler first. Stages
/// that are asked for aren't dealt in chunks, unless these are asked for.
/// Without sharding, and without the plain one, where each device has a copy. Positions are shared as the settings ask.
[[nodiscard]] std::vector<Layout> splitLayouts(const TrainingDemand& demand, std::int64_t devices,
                                               std::int64_t inMachine);

/// Those that share positions alone, in powers of two: of long samples.
[[nodiscard]] std::vector<Layout> contextLayouts(const TrainingDemand& demand,
                                                 std::int64_t devices);
/// The most that may share the positions of a sample without being asked to.
[[nodiscard]] std::int64_t widestContext(const TrainingDemand& demand);

} // namespace outlay::core
