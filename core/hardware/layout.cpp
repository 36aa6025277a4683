// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/layout.h"

#include "core/base/units.h"

#include <algorithm>

namespace outlay::core {
namespace {

constexpr Formula SplitFormula{
    "memory.activations.split",
    "the first stage keeps {0} B of {1} passes and works with {2} B, the last keeps one and works "
    "with {3} B: the larger is shared by {4} devices, {5} B on each"};

/// Passes that the first stage has started before the first one comes back: as many as there are stages behind it.
double inFlight(const Layout& layout, std::int64_t passes)
{
    const double stages = real(layout.stages);
    const double more = layout.chunks > 1 ? (stages - 1) / real(layout.chunks) : 0;
    return std::min(real(passes), stages + more);
}

/// By how many kinds of parallelism somebody has to know.
int kindsOf(const Layout& layout)
{
    return (layout.tensor > 1 ? 1 : 0) + (layout.stages > 1 ? 1 : 0) + (layout.chunks > 1 ? 1 : 0);
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

double largestPart(const TrainingDemand& demand, const Layout& layout)
{
    if (layout.ofCopy() == 1)
        return 1;
    const double all = demand.parameters;
    const double outside = layout.stages > 1 ? demand.endParameters : demand.outsideParameters;
    const double inBlocks = (all - demand.outsideParameters) / real(layout.stages);
    return (inBlocks + outside) / real(layout.tensor) / all;
}

double activationBytes(const HeldActivations& held, const Layout& layout, std::int64_t passes)
{
    const double stages = real(layout.stages);
    const double kept = held.kept / stages;
    const double first =
        inFlight(layout, passes) * kept + (layout.stages > 1 ? held.working : held.atWork());
    const double last = kept + held.atWork();
    return (std::max(first, last) + held.remade) / real(layout.tensor);
}

Quantity activationsWith(const HeldActivations& held, const Layout& layout, std::int64_t passes)
{
    if (layout.ofCopy() == 1 || !held.total.isAvailable())
        return held.total;
    const double bytes = activationBytes(held, layout, passes);
    return (held.total * (bytes / held.total.value()))
        .because(how(SplitFormula, {held.kept / real(layout.stages), inFlight(layout, passes),
                                    held.working, held.atWork(), real(layout.tensor), bytes}));
}

std::vector<Layout> splitLayouts(const TrainingDemand& demand, std::int64_t devices,
                                 std::int64_t inMachine)
{
    const Training& t = demand.training;
    const auto blocks = static_cast<std::int64_t>(demand.blocks);
    const auto isOpen = [](const std::optional<std::int64_t>& asked, std::int64_t value) {
        return !asked || *asked == value;
    };
    std::vector<Layout> found;
    const std::int64_t widest = t.tensorParallel.value_or(std::min(inMachine, demand.heads));
    for (std::int64_t tensor = t.tensorParallel.value_or(1); tensor <= widest; tensor *= 2) {
        const bool isRight = devices % tensor == 0 && demand.heads % tensor == 0;
        if (!isOpen(t.tensorParallel, tensor) || !isRight)
            continue;
        const std::int64_t deepest = std::min(blocks, devices / tensor);
        for (std::int64_t stages = 1; stages <= deepest; ++stages) {
            // A depth that doesn't divide evenly is for those who ask for it.
            const bool isEven = t.pipelineStages || blocks % stages == 0;
            if (!isOpen(t.pipelineStages, stages) || !isEven || devices % (tensor * stages) != 0 ||
                tensor * stages == 1)
                continue;
            for (const std::int64_t chunks : {1, 2, 4}) {
                if (chunks == 1 || (stages > 1 && blocks % (stages * chunks) == 0))
                    found.push_back({.tensor = tensor, .stages = stages, .chunks = chunks});
            }
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Layout& a, const Layout& b) { return kindsOf(a) < kindsOf(b); });
    return found;
}

} // namespace outlay::core
