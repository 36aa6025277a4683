// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/devices.h"

#include "core/base/units.h"
#include "core/hardware/attainable.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {
namespace {

LinkSpeed speedInside(const Devices& on)
{
    const Calibration& c = on.calibration;
    const double link = on.device.linkGbPerS.value_or(c.unlistedGbPerS);
    return speedOf(c.ratesOfLink(link), link * Giga);
}

/// Of so much of each machine's network.
LinkSpeed speedOver(const Devices& on, double share)
{
    const Calibration& c = on.calibration;
    const double network = on.networkGbPerS.value_or(c.unlistedGbPerS) * Giga * share;
    const double inside = on.device.linkGbPerS ? speedInside(on).bytesPerS : network;
    return {.bytesPerS = std::min(network, inside), .latencyS = c.networkLatencyUs * Micro};
}

/// Of a ring through so much of each machine as `part` says: that has as much of its network.
LinkSpeed speedBetween(const Devices& on, double part)
{
    return speedOver(on, on.calibration.networkShare * part);
}

/// What is started only when it is needed hides nothing.
double exposedExchange(const TrainingDemand& demand, const Devices& on)
{
    const bool waits =
        demand.hasUnevenSamples() && waitsForLengths(on.device, demand.training, on.calibration);
    return waits ? 1 : on.calibration.exposedExchange;
}

/// To or from the machine's memory.
double busSeconds(double bytes, const Devices& on)
{
    const double link = hostLinkGbPerS(on.device).value_or(on.calibration.unlistedGbPerS);
    return bytes / (link * Giga * on.calibration.host.busShare);
}

/// Keys and values of a device's positions go to all that share the sample, one after the other: once forward, once back
/// and once more with their gradients, and again where a block runs again. A sum over as many moves twice that.
double keysSeconds(const TrainingDemand& demand, const Layout& layout, const Devices& on)
{
    const std::int64_t beside = std::max<std::int64_t>(devicesInMachine(on) / layout.tensor, 1);
    const Group group{layout.context, std::min(layout.context, beside)};
    const double all = demand.keyBytes / real(layout.ofWeights()); // of a pass
    const double ways = 3 + wholeAgain(demand);
    return ways * exchangeSeconds(all, group, on) / 2;
}

/// What each device has waiting in its machine's memory goes there and back.
void addHost(StepShares& shares, const TrainingDemand& demand, const Layout& layout,
             double weightBytes, const Devices& on)
{
    const double sharers = real(copiesOf(layout, on).devices);
    const auto part = [&](bool isSharded) { return isSharded ? 1 / sharers : 1.0; };
    const bool isWeights = layout.offload == Offload::Weights;
    // Where weights stay, those come back that were updated.
    const double fetched = isWeights ? weightBytes : demand.memory.trained.value();
    shares.fetchS = busSeconds(fetched * part(isWeights ? gathersWeights(layout.sharding)
                                                        : layout.sharding != Sharding::None),
                               on);
    // The first pass puts there what the others fetch, add to and put back.
    const double ways = 2 - 1 / real(passesOf(demand.training, layout, on.count));
    shares.handS = busSeconds(
        ways * demand.memory.gradients.value() * part(layout.sharding >= Sharding::Gradients), on);
}

/// To sum that part of so many bytes over the devices that have the same of it.
double amongCopies(double bytes, const PartOnDevice& part, const Layout& layout, const Devices& on)
{
    const Group copies = copiesOf(layout, on);
    const double layersS = exchangeSeconds(bytes * part.layers, copies, on);
    if (part.experts <= 0)
        return layersS;
    const std::int64_t beside = std::max<std::int64_t>(devicesInMachine(on) / layout.experts, 1);
    const std::int64_t same = copiesOfExperts(layout, copies.devices);
    return layersS + exchangeSeconds(bytes * part.experts, {same, std::min(same, beside)}, on);
}

/// Of a copy, what a machine's devices have of it together: the same layers, and an expert each.
double ofMachine(const PartOnDevice& part, const Layout& layout, const Devices& on)
{
    return part.layers + part.experts * real(std::min(layout.experts, devicesInMachine(on)));
}

} // namespace

Devices inUsualMachines(const Device& device, std::int64_t count, const Calibration& calibration)
{
    constexpr std::int64_t Usual = 8;
    return {.device = device,
            .count = count,
            .calibration = calibration,
            .machines = std::max<std::int64_t>((count + Usual - 1) / Usual, 1)};
}

std::int64_t devicesInMachine(const Devices& on)
{
    return std::max<std::int64_t>(on.count / on.machines, 1);
}

Group allOf(const Devices& on)
{
    return {on.count, devicesInMachine(on)};
}

Group sharersOf(const Layout& layout, const Devices& on)
{
    return {layout.tensor, std::min(layout.tensor, devicesInMachine(on))};
}

Group copiesOf(const Layout& layout, const Devices& on)
{
    if (layout.sharding == Sharding::Hybrid) {
        const std::int64_t inOne =
            std::max<std::int64_t>(on.count / on.machines / layout.ofWeights(), 1);
        return {inOne, inOne};
    }
    const std::int64_t copies = on.count / layout.ofWeights();
    const std::int64_t beside = std::max<std::int64_t>(devicesInMachine(on) / layout.tensor, 1);
    return {copies, std::min(copies, beside)};
}

Group expertsOf(const Layout& layout, const Devices& on)
{
    return {layout.experts, std::min(layout.experts, devicesInMachine(on))};
}

double exchangeSeconds(double bytes, const Group& group, const Devices& on)
{
    if (group.devices < 2)
        return 0;
    const bool isInside = on.device.linkGbPerS && group.devices <= group.inMachine;
    const double part = real(group.inMachine) / real(devicesInMachine(on));
    return exchangeSeconds({.devices = real(group.devices), .bytes = bytes},
                           isInside ? speedInside(on) : speedBetween(on, part));
}

double exchangeSeconds(double bytes, const Devices& on)
{
    return exchangeSeconds(bytes, allOf(on), on);
}

double sendSeconds(double bytes, const Devices& on)
{
    // A sum over two moves as many bytes over the wire of each.
    const std::int64_t inMachine = devicesInMachine(on);
    return exchangeSeconds(bytes, Group{2, on.count <= inMachine ? 2 : 1}, on);
}

double routedSeconds(double bytes, double expertsOfRow, const Group& group, const Devices& on)
{
    if (group.devices < 2)
        return 0;
    // Of so many equal parts, those that have some of a row's experts, but the row's own.
    const auto reached = [&](double parts) {
        return (parts - 1) * (1 - std::pow(1 - 1 / parts, expertsOfRow));
    };
    const double inside = real(group.inMachine);
    double insideS = 0;
    if (group.inMachine > 1) {
        // A sum moves twice as much over each wire, but for each device's own part.
        const double sent = bytes * reached(inside) * inside / (inside - 1);
        insideS = exchangeSeconds(sent, Group{group.inMachine, group.inMachine}, on) / 2;
    }
    if (group.devices <= group.inMachine)
        return insideS;
    // All of a machine send at once what is for other machines, and pass on inside what comes from there.
    const LinkSpeed between =
        speedOver(on, on.calibration.routedShare / real(devicesInMachine(on)));
    return std::max(insideS, between.latencyS +
                                 bytes * reached(real(group.devices) / inside) / between.bytesPerS);
}

double hostUpdateSeconds(double bytes, const Devices& on)
{
    const HostRates& host = on.calibration.host;
    const double vcpus = on.hostVcpus.value_or(host.usualVcpus * real(devicesInMachine(on)));
    return bytes / (vcpus * host.updateGbPerS * Giga);
}

StepShares sharesOf(const TrainingDemand& demand, const Layout& layout, double computeS,
                    const Devices& on)
{
    const PartOnDevice trained = largestPart(demand.trained, demand.blocks, layout);
    const PartOnDevice held = largestPart(demand.weightBytes, demand.blocks, layout);
    const double gradients = demand.memory.gradients.value();
    const double weights = demand.weightBytes.all;
    const bool gathers = gathersWeights(layout.sharding);
    StepShares shares{.computeS = computeS,
                      .ringS = amongCopies(gradients, trained, layout, on),
                      // Each has its own where they aren't divided.
                      .gatherS = gathers || layout.offload == Offload::None
                                     ? amongCopies(weights, held, layout, on) / 2
                                     : 0,
                      .ways = demand.training.method == Method::Head ? 1.0 : 2.0,
                      .exposed = exposedExchange(demand, on)};
    if (layout.offload != Offload::None)
        addHost(shares, demand, layout, weights * held.all(), on);
    if (layout.context > 1)
        shares.keysS = keysSeconds(demand, layout, on);
    if (layout.sharding == Sharding::Hybrid && on.machines > 1)
        shares.betweenS = exchangeSeconds(
            {.devices = real(on.machines), .bytes = gradients * ofMachine(trained, layout, on)},
            speedBetween(on, 1));
    return shares;
}

} // namespace outlay::core
