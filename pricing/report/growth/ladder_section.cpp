// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "core/workload/trained.h"
#include "pricing/report/sections.h"

#include <algorithm>
#include <map>
#include <set>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr std::int64_t MostDevices = 1024;

Training changedTo(Rung rung, Training training)
{
    if (rung == Rung::Plan)
        return training;
    // A plan with adapters says nothing of the others, nor one without of adapters.
    if (training.method != Method::Full)
        training.masterWeights = Training{}.masterWeights;
    if (training.method != Method::Lora) {
        training.adapterRank = Training{}.adapterRank;
        training.adapterTargets.clear();
        training.trainedWhole.clear();
    }
    training.sharding.reset();
    training.tensorParallel = training.pipelineStages = 1;
    training.pipelineChunks.reset();
    training.contextParallel.reset();
    training.expertParallel = 1;
    training.offload = Offload::None;
    training.checkpointing = rung != Rung::Everything;
    training.recomputeEvery = 1;
    training.recomputed = Recomputed::Blocks;
    training.frozenWeights = rung == Rung::Quantised ? FrozenWeights::Nf4 : FrozenWeights::Same;
    const bool isWhole = rung == Rung::Everything || rung == Rung::Checkpointed;
    training.method = isWhole ? Method::Full : Method::Lora;
    return training;
}

struct Rented {
    const Device* device = nullptr;
    double hostGb = 0; // the most that a machine has of its own beside each
};

/// The fewest that hold it, in powers of two, with whatever sharding it takes.
std::optional<std::int64_t> leastOf(const TrainingDemand& demand, const Rented& rented,
                                    const Calibration& calibration)
{
    for (std::int64_t count = 1; count <= MostDevices; count *= 2) {
        Devices on = inUsualMachines(*rented.device, count, calibration);
        on.hostGb = rented.hostGb * real(devicesInMachine(on));
        if (fitsOn(demand, on) == Fits::Yes)
            return count;
    }
    return std::nullopt;
}

/// Of what is for rent under the plan, each once; the smaller first.
std::vector<Rented> accelerators(const Subject& subject, const Report& report)
{
    const auto& kinds = subject.catalogs.devices().kinds();
    std::vector<bool> isForRent(kinds.size());
    for (const Option& option : report.training.options) {
        if (option.isAllowed && option.hasUsd)
            isForRent[option.forecast] = true;
    }
    std::map<std::pair<double, std::string>, Rented> found;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const Device& device = kinds[i].device;
        if (!isForRent[i] || device.kind == DeviceKind::Cpu || !device.memoryGb)
            continue;
        Rented& rented = found[{*device.memoryGb, device.name}];
        if (rented.device == nullptr)
            rented.device = &device;
        rented.hostGb = std::max(rented.hostGb, kinds[i].hostGb.value_or(0) / real(kinds[i].count));
    }
    std::vector<Rented> list;
    for (const auto& [key, rented] : found)
        list.push_back(rented);
    return list;
}

} // namespace

void addLadder(const Subject& subject, Report& report)
{
    LadderReport& ladder = report.scaling.ladder;
    const Calibration& calibration = subject.catalogs.calibration();
    const std::vector<Rented> devices = accelerators(subject, report);
    if (devices.empty()) {
        ladder.why = "no accelerator is for rent under the plan";
        return;
    }
    if (leastOf(subject.training, devices.front(), calibration) == 1) {
        ladder.why =
            "the plan fits on one " + devices.front().device->name + ", the smallest for rent";
        return;
    }
    std::array<std::optional<TrainingDemand>, RungNames.size()> demands;
    for (std::size_t i = 0; i < demands.size(); ++i) {
        const Training training = changedTo(static_cast<Rung>(i), subject.experiment.training);
        // Some designs have no matrices for adapters.
        if (checkTrained(subject.experiment.model, training))
            demands.at(i) = trainingDemand(subject.kinds, training);
    }
    for (const Rented& rented : devices) {
        LadderRow row{.accelerator = rented.device->name, .memoryGb = *rented.device->memoryGb};
        for (std::size_t i = 0; i < demands.size(); ++i) {
            if (demands.at(i))
                row.devices.at(i) = leastOf(*demands.at(i), rented, calibration);
        }
        ladder.rows.push_back(std::move(row));
    }
}

} // namespace outlay::pricing
