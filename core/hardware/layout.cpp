// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/layout.h"

#include "core/base/units.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace outlay::core {
namespace {

constexpr Formula SplitFormula{"memory.activations.split",
                               "{0} B kept of a pass in the fullest stage, {1} passes of them in "
                               "the first; {2} B to work with "
                               "there, {3} B in the last; the larger and {4} B made from fewer "
                               "bits, over {5} devices that share "
                               "a layer, or positions"};

/// Passes that the first stage has started before the first one comes back: as many as there are stages behind it.
double inFlight(const Layout& layout, std::int64_t passes)
{
    const double stages = real(layout.stages);
    const double more = layout.chunks > 1 ? (stages - 1) / real(layout.chunks) : 0;
    return std::min(real(passes), stages + more);
}

/// Numbers from the first to the last, each twice the one before.
struct Doubled {
    std::int64_t first = 1;
    std::int64_t last = 1;
};

/// Stages that are asked for aren't dealt in chunks, unless these are, too.
Doubled chunksOf(const Training& training, std::int64_t stages)
{
    constexpr std::int64_t Most = 4;
    if (stages == 1)
        return {};
    if (training.pipelineChunks)
        return {*training.pipelineChunks, *training.pipelineChunks};
    return {1, training.pipelineStages ? 1 : Most};
}

/// Devices of a stage that may divide the experts.
Doubled divisionsOfExperts(const TrainingDemand& demand)
{
    const Training& t = demand.training;
    if (t.expertParallel)
        return {*t.expertParallel, *t.expertParallel};
    const bool isOpen = demand.experts > 0 && t.globalBatch && t.method == Method::Full;
    return {1, isOpen ? demand.experts : 1};
}

/// Devices of a stage of so many may divide experts so, where so many share each other layer: fewer would each hold more of
/// them than if they shared them, too.
bool mayDivideExperts(const TrainingDemand& demand, std::int64_t inStage, std::int64_t tensor,
                      std::int64_t divisions)
{
    const bool isAsked = demand.training.expertParallel.has_value();
    if (divisions == 1 && !isAsked)
        return true;
    return demand.experts % divisions == 0 && inStage % divisions == 0 &&
           (isAsked || divisions >= tensor);
}

} // namespace

std::int64_t passesOf(const Training& training, const Layout& layout, std::int64_t devices)
{
    const std::int64_t copies = devices / layout.ofCopy();
    return training.globalBatch ? passesOf(*training.globalBatch, batchOn(training, copies), copies)
                                : training.accumulation * layout.ofCopy();
}

Training onCopies(const Training& training, const Layout& layout, std::int64_t devices)
{
    Training each = onDevices(training, devices / layout.ofCopy());
    each.accumulation = passesOf(training, layout, devices);
    return each;
}

double fullestStage(double blocks, const Layout& layout)
{
    return std::ceil(blocks / real(layout.stages));
}

double PartOnDevice::among(std::int64_t copies, const Layout& layout) const
{
    return layers / real(copies) + experts / real(copiesOfExperts(layout, copies));
}

PartOnDevice largestPart(const LayerSums& of, double blocks, const Layout& layout)
{
    if (layout.ofWeights() == 1 && layout.experts == 1)
        return {};
    if (of.all <= 0)
        return {.layers = 0};
    const double ends = layout.stages > 1 ? of.end : of.outside;
    const double apart = layout.experts > 1 ? of.experts : 0;
    const double fullest = fullestStage(blocks, layout);
    const double most = fullest * (of.all - of.outside - apart) / blocks + ends;
    return {.layers = most / real(layout.tensor) / of.all,
            .experts = fullest * apart / blocks / real(layout.experts) / of.all};
}

std::int64_t copiesOfExperts(const Layout& layout, std::int64_t copies)
{
    return std::max<std::int64_t>(copies * layout.tensor / layout.experts, 1);
}

double activationBytes(const HeldActivations& held, double blocks, const Layout& layout,
                       std::int64_t passes)
{
    const double kept = held.kept * fullestStage(blocks, layout) / blocks;
    const double first =
        inFlight(layout, passes) * kept + (layout.stages > 1 ? held.working : held.atWork());
    const double last = kept + held.atWork();
    return (std::max(first, last) / real(layout.context) + held.remade) / real(layout.tensor);
}

Quantity activationsWith(const HeldActivations& held, double blocks, const Layout& layout,
                         std::int64_t passes)
{
    if (layout.ofCopy() == 1 || !held.total.isAvailable())
        return held.total;
    const double bytes = activationBytes(held, blocks, layout, passes);
    return (held.total * (bytes / held.total.value()))
        .because(how(SplitFormula, {held.kept * fullestStage(blocks, layout) / blocks,
                                    inFlight(layout, passes), held.working, held.atWork(),
                                    held.remade, real(layout.tensor * layout.context)}));
}

std::vector<Layout> splitLayouts(const TrainingDemand& demand, std::int64_t devices,
                                 std::int64_t inMachine)
{
    const Training& t = demand.training;
    const auto blocks = static_cast<std::int64_t>(demand.blocks);
    const auto isOpen = [](const std::optional<std::int64_t>& asked, std::int64_t value) {
        return !asked || *asked == value;
    };
    constexpr std::size_t Kinds = 5;
    std::array<std::vector<Layout>, Kinds> found; // by their kinds of parallelism, from one on
    const std::int64_t context = t.contextParallel.value_or(1);
    const bool hasPositions = demand.heads > 0 && blocks > 0;
    if (devices % context != 0 || (context > 1 && !hasPositions))
        return {};
    const std::int64_t ofContexts = devices / context;
    // Adapters, and steps without a size of their own, are divided as somebody asks, and no further.
    const bool isSearched = t.globalBatch && t.method == Method::Full;
    const std::int64_t widest =
        t.tensorParallel.value_or(isSearched ? std::min(inMachine, demand.heads) : 1);
    const Doubled divided = divisionsOfExperts(demand);
    for (std::int64_t tensor = t.tensorParallel.value_or(1); tensor <= widest; tensor *= 2) {
        const bool isRight = ofContexts % tensor == 0 && demand.heads % tensor == 0;
        if (!isOpen(t.tensorParallel, tensor) || !isRight)
            continue;
        const std::int64_t deepest =
            isSearched || t.pipelineStages ? std::min(blocks, ofContexts / tensor) : 1;
        for (std::int64_t stages = 1; stages <= deepest; ++stages) {
            // A depth that doesn't divide evenly is for those who ask for it.
            const bool isEven = t.pipelineStages || blocks % stages == 0;
            if (!isOpen(t.pipelineStages, stages) || !isEven || ofContexts % (tensor * stages) != 0)
                continue;
            const Doubled dealt = chunksOf(t, stages);
            for (std::int64_t chunks = dealt.first; chunks <= dealt.last; chunks *= 2) {
                if (chunks > 1 && blocks % (stages * chunks) != 0)
                    continue;
                for (std::int64_t experts = divided.first; experts <= divided.last; experts *= 2) {
                    if (!mayDivideExperts(demand, devices / stages, tensor, experts))
                        continue;
                    const Layout layout{.tensor = tensor,
                                        .stages = stages,
                                        .chunks = chunks,
                                        .context = context,
                                        .experts = experts};
                    if (!layout.isPlain())
                        found.at(static_cast<std::size_t>(layout.kinds() - 1)).push_back(layout);
                }
            }
        }
    }
    for (std::size_t i = 1; i < Kinds; ++i)
        found.front().insert(found.front().end(), found[i].begin(), found[i].end());
    return std::move(found.front());
}

std::vector<Layout> contextLayouts(const TrainingDemand& demand, std::int64_t devices)
{
    std::vector<Layout> found;
    const std::int64_t widest = widestContext(demand);
    for (std::int64_t context = 2; devices % context == 0 && context <= widest; context *= 2)
        found.push_back({.context = context});
    return found;
}

std::int64_t widestContext(const TrainingDemand& demand)
{
    // Positions of a device: for less nobody takes a library of its own.
    constexpr std::int64_t Fewest = 2048;
    const Training& t = demand.training;
    const bool isPossible = demand.heads > 0 && demand.blocks > 0;
    const bool isOpen = !t.contextParallel && t.offload == Offload::None;
    // Somebody whose device doesn't hold a sample makes no smaller passes.
    const TrainingDemand& smallest = demand.smaller.empty() ? demand : demand.smaller.back();
    return isPossible && isOpen && smallest.training.batch == 1
               ? std::max<std::int64_t>(1, t.sequence / Fewest)
               : 1;
}

} // namespace outlay::core
