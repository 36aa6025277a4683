// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
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
    training.checkpointing = rung != Rung::Everything;
    training.frozenWeights = rung == Rung::Quantised ? FrozenWeights::Nf4 : FrozenWeights::Same;
    const bool isWhole = rung == Rung::Everything || rung == Rung::Checkpointed;
    training.method = isWhole ? Method::Full : Method::Lora;
    return training;
}

/// The fewest that hold it, in powers of two, with whatever sharding it takes.
std::optional<std::int64_t> leastOf(const TrainingDemand& demand, const Device& device,
                                    const Calibration& calibration)
{
    for (std::int64_t count = 1; count <= MostDevices; count *= 2) {
        if (fitsOn(demand, inUsualMachines(device, count, calibration)) == Fits::Yes)
            return count;
    }
    return std::nullopt;
}

/// Of what is for rent under the plan, each once; the smaller first.
std::vector<const Device*> accelerators(const Subject& subject, const Report& report)
{
    const auto& kinds = subject.catalogs.devices().kinds();
    std::vector<bool> isForRent(kinds.size());
    for (const Option& option : report.training.options) {
        if (option.isAllowed && option.hasUsd)
            isForRent[option.forecast] = true;
    }
    std::map<std::pair<double, std::string>, const Device*> found;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const Device& device = kinds[i].device;
        if (isForRent[i] && device.kind != DeviceKind::Cpu && device.memoryGb)
            found.try_emplace({*device.memoryGb, device.name}, &device);
    }
    std::vector<const Device*> list;
    for (const auto& [key, device] : found)
        list.push_back(device);
    return list;
}

} // namespace

void addLadder(const Subject& subject, Report& report)
{
    LadderReport& ladder = report.scaling.ladder;
    const Calibration& calibration = subject.catalogs.calibration();
    const std::vector<const Device*> devices = accelerators(subject, report);
    if (devices.empty()) {
        ladder.why = "no accelerator is for rent under the plan";
        return;
    }
    if (leastOf(subject.training, *devices.front(), calibration) == 1) {
        ladder.why = "the plan fits on one " + devices.front()->name + ", the smallest for rent";
        return;
    }
    std::array<std::optional<TrainingDemand>, RungNames.size()> demands;
    for (std::size_t i = 0; i < demands.size(); ++i) {
        const Training training = changedTo(static_cast<Rung>(i), subject.experiment.training);
        // Some designs have no matrices for adapters.
        if (checkTrained(subject.experiment.model, training))
            demands.at(i) = trainingDemand(subject.kinds, training);
    }
    for (const Device* device : devices) {
        LadderRow row{.accelerator = device->name, .memoryGb = *device->memoryGb};
        for (std::size_t i = 0; i < demands.size(); ++i) {
            if (demands.at(i))
                row.devices.at(i) = leastOf(*demands.at(i), *device, calibration);
        }
        ladder.rows.push_back(std::move(row));
    }
}

} // namespace outlay::pricing
