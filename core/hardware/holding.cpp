// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/holding.h"

#include "core/base/units.h"
#include "core/hardware/held_pass.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace outlay::core {
namespace {

// What is faster by less isn't worth another kind of parallelism, and below a forecast's accuracy.
constexpr double Tie = 1.03;

/// Whether no copy is without samples.
bool hasWork(const TrainingDemand& pass, const Layout& layout, const Devices& on)
{
    const auto& global = pass.training.globalBatch;
    return !global || pass.training.batch * (on.count / layout.ofCopy()) <= *global;
}

constexpr std::array Whole{Sharding::None, Sharding::Optimizer, Sharding::Gradients};

/// The first that leaves weights whole with which it fits. Gradients stay whole until the last pass has gone through all
/// stages.
std::optional<Sharding> leastWhole(const Unsharded& held, Offload offload, bool hasStages = false)
{
    for (const Sharding one : Whole) {
        // What the machine keeps for each is one of its parts.
        if (offload != Offload::None && one != Sharding::Gradients)
            continue;
        const bool isLast = hasStages && one == Sharding::Optimizer;
        if (isLast || held.fitsWith(one))
            return one;
    }
    return std::nullopt;
}

/// As it is asked for, else the first with which just this pass fits.
Sharding leastSharding(const Unsharded& held, const TrainingDemand& pass, const Layout& layout,
                       const Devices& on)
{
    if (on.count == layout.ofWeights())
        return Sharding::None;
    if (pass.training.sharding)
        return *pass.training.sharding;
    if (layout.offload != Offload::Weights) {
        if (const auto whole = leastWhole(held, layout.offload, layout.stages > 1))
            return *whole;
    }
    const bool hasCopies =
        layout.ofWeights() == 1 && layout.experts == 1 && on.machines > 1 && on.count > on.machines;
    return hasCopies && held.fitsWith(Sharding::Hybrid) ? Sharding::Hybrid : Sharding::Full;
}

Layout leastSharded(const TrainingDemand& pass, Layout layout, const HoldingPlace& place)
{
    Divided divided(pass, layout, place.on);
    layout.sharding = leastSharding(Unsharded(pass, divided, place), pass, layout, place.on);
    return layout;
}

/// Of all passes that one which takes the least memory: where another has work and fits, so does this.
const TrainingDemand& smallestPass(const TrainingDemand& demand)
{
    return demand.smaller.empty() ? demand : demand.smaller.back();
}

/// A copy on each device, sharded as `shardingOf` says of a pass. With a global batch the largest pass of which no
/// device has too much, and that fits.
template <typename F>
Holding plainly(const TrainingDemand& demand, const HoldingPlace& place, Offload offload,
                const F& shardingOf)
{
    Divided divided(demand, {.offload = offload}, place.on);
    struct Try {
        Holding holding;
        bool isRight = false;
    };
    const auto tried = [&](const TrainingDemand& pass) {
        const Unsharded held(pass, divided, place);
        const Layout layout{.sharding = shardingOf(held, pass), .offload = offload};
        return Try{{.pass = &pass, .layout = layout},
                   hasWork(pass, layout, place.on) && held.fitsWith(layout.sharding)};
    };
    const Try least = tried(smallestPass(demand));
    if (!least.isRight) // nor is a larger one
        return least.holding;
    if (const Try all = tried(demand); all.isRight)
        return all.holding;
    for (const TrainingDemand& smaller : demand.smaller) {
        if (const Try one = tried(smaller); one.isRight)
            return one.holding;
    }
    return least.holding;
}

Holding plainly(const TrainingDemand& demand, const HoldingPlace& place)
{
    const auto least = [&](const Unsharded& held, const TrainingDemand& pass) {
        return leastSharding(held, pass, {.offload = place.offload}, place.on);
    };
    return plainly(demand, place, place.offload, least);
}

/// A smaller pass may fit with its weights whole on each device.
std::optional<Holding> wholly(const TrainingDemand& demand, const HoldingPlace& place)
{
    if (demand.training.sharding || demand.smaller.empty() || place.offload == Offload::Weights)
        return std::nullopt;
    const auto least = [&](const Unsharded& held, const TrainingDemand&) {
        return leastWhole(held, place.offload).value_or(Whole.back());
    };
    const Holding found = plainly(demand, place, place.offload, least);
    return fits(*found.pass, found.layout, place) && hasWork(*found.pass, found.layout, place.on)
               ? std::optional(found)
               : std::nullopt;
}

/// What shards adapters, and what is told to shard, leaves a copy on each device; and with no global batch the size of a
/// pass is somebody's will, who would rather make it smaller than divide a model that fits.
bool maySplit(const TrainingDemand& demand, const Devices& on)
{
    const Training& t = demand.training;
    const bool isOpen =
        !t.tensorParallel || !t.pipelineStages || (demand.experts > 0 && !t.expertParallel);
    return on.device.kind != DeviceKind::Cpu && on.count > 1 && demand.heads > 0 && isOpen &&
           t.globalBatch && !t.sharding && t.method == Method::Full && t.offload == Offload::None;
}

/// Chunks take turns in rounds of as many passes as there are stages.
bool takesTurns(const TrainingDemand& pass, const Layout& layout, const Devices& on)
{
    return layout.chunks == 1 || passesOf(pass.training, layout, on.count) % layout.stages == 0;
}

/// With the sharding that it takes, where that fits.
std::optional<Layout> heldBy(Divided& divided, const TrainingDemand& pass,
                             const HoldingPlace& place)
{
    const Unsharded held(pass, divided, place);
    Layout layout = divided.layout();
    layout.sharding = leastSharding(held, pass, layout, place.on);
    return held.fitsWith(layout.sharding) ? std::optional(layout) : std::nullopt;
}

/// Each copy has work, and chunks their turns.
bool isRegular(const TrainingDemand& pass, const Layout& layout, const Devices& on)
{
    return hasWork(pass, layout, on) && takesTurns(pass, layout, on);
}

/// Of those that the settings leave open, the simpler first.
std::vector<Layout> openLayouts(const TrainingDemand& demand, const Devices& on)
{
    std::vector<Layout> layouts;
    if (on.device.kind != DeviceKind::Cpu && on.count > 1)
        layouts = contextLayouts(demand, on.count);
    if (maySplit(demand, on)) {
        const std::vector<Layout> splits = splitLayouts(demand, on.count, devicesInMachine(on));
        layouts.insert(layouts.end(), splits.begin(), splits.end());
    }
    return layouts;
}

bool fitsSplit(const TrainingDemand& demand, const HoldingPlace& place)
{
    const Devices& on = place.on;
    const std::vector<Layout> layouts = openLayouts(demand, on);
    const auto isHeld = [&](const TrainingDemand& pass) {
        return std::any_of(layouts.begin(), layouts.end(), [&](const Layout& layout) {
            Divided divided(demand, layout, on);
            return isRegular(pass, layout, on) && heldBy(divided, pass, place);
        });
    };
    // Chunks that are asked for may not have their turns with it.
    if (!demand.training.pipelineChunks)
        return isHeld(smallestPass(demand));
    return isHeld(demand) || std::any_of(demand.smaller.begin(), demand.smaller.end(), isHeld);
}

/// The fastest of those that fit; more kinds of parallelism have to bring more than a tie.
class SplitSearch {
public:
    SplitSearch(const TrainingDemand& demand, const Attainable& rates, const HoldingPlace& place,
                TimedPasses& timed)
        : m_demand(demand), m_rates(rates), m_place(place), m_on(place.on), m_timed(timed)
    {
    }

    /// Of these, the simpler ones first; nothing where none of them fits, or none takes less than so many seconds.
    [[nodiscard]] std::optional<Holding> fasterThan(double seconds,
                                                    const std::vector<Layout>& layouts)
    {
        m_found.reset();
        m_leastS = seconds / Tie;
        int kinds = 0;
        for (const Layout& layout : layouts) {
            if (layout.kinds() > kinds && m_found)
                m_leastS /= Tie;
            kinds = layout.kinds();
            tryPasses(layout);
        }
        return m_found;
    }

private:
    void tryPasses(const Layout& layout)
    {
        Divided divided(m_demand, layout, m_on);
        bool isPossible = false; // some pass is known to fit
        const auto isDone = [&](const TrainingDemand& pass) {
            switch (tryPass(pass, divided)) {
            case Tried::TooLarge:
                isPossible = isPossible || heldBy(divided, smallestPass(m_demand), m_place);
                return !isPossible;
            // Beside stages smaller passes fill the pipeline better; else the largest that fits is the fastest.
            case Tried::Fastest: return layout.stages == 1;
            case Tried::Slower: break;
            }
            return false;
        };
        if (!isDone(m_demand))
            std::any_of(m_demand.smaller.begin(), m_demand.smaller.end(), isDone);
    }

    enum class Tried { TooLarge, Slower, Fastest }; // than smaller passes may be

    Tried tryPass(const TrainingDemand& pass, Divided& divided)
    {
        const Layout& open = divided.layout();
        if (!isRegular(pass, open, m_on))
            return Tried::Slower;
        const PassWork& work = m_timed.of(pass, m_rates, open, m_on.calibration);
        if (leastSeconds(work, pass, m_rates, open, m_on, m_leastS) >= m_leastS)
            return hasRest(pass, open) ? Tried::Slower : Tried::Fastest;
        const std::optional<Layout> layout = heldBy(divided, pass, m_place);
        if (!layout)
            return Tried::TooLarge;
        const double seconds = stepTime(work, pass, m_rates, *layout, m_on).total();
        if (seconds < m_leastS) {
            m_leastS = seconds;
            m_found = Holding{.pass = &pass, .layout = *layout};
        }
        return Tried::Fastest;
    }

    /// Then the last passes of a step are fuller than they need be, and smaller ones may take less in all.
    [[nodiscard]] bool hasRest(const TrainingDemand& pass, const Layout& layout) const
    {
        const std::int64_t copies = m_on.count / layout.ofCopy();
        return pass.training.globalBatch &&
               *pass.training.globalBatch % (pass.training.batch * copies) != 0;
    }

    const TrainingDemand& m_demand;
    const Attainable& m_rates;
    const HoldingPlace& m_place;
    const Devices& m_on;
    TimedPasses& m_timed;
    double m_leastS = 0;
    std::optional<Holding> m_found;
};

/// As the settings ask, where that is no copy on each device; what fits none shows the smallest pass.
Holding splitAsAsked(const TrainingDemand& demand, const Attainable& rates,
                     const HoldingPlace& place, TimedPasses& timed)
{
    const Devices& on = place.on;
    const std::vector<Layout> layouts = splitLayouts(demand, on.count, devicesInMachine(on));
    if (layouts.empty() || on.device.kind == DeviceKind::Cpu)
        return {.pass = &demand, .layout = {}, .isPossible = false};
    if (const auto found = SplitSearch(demand, rates, place, timed).fasterThan(HUGE_VAL, layouts))
        return *found;
    const TrainingDemand& pass = smallestPass(demand);
    const auto found = std::find_if(layouts.begin(), layouts.end(), [&](const Layout& layout) {
        return takesTurns(pass, layout, on);
    });
    if (found == layouts.end())
        return {.pass = &pass, .layout = {}, .isPossible = false};
    return {.pass = &pass, .layout = leastSharded(pass, *found, place)};
}

/// Whether devices may hold copies so; nobody keeps in the machine what each has for itself.
bool isWay(Sharding sharding, Offload offload, const Devices& on)
{
    if (on.count < 2)
        return sharding == Sharding::None;
    if (sharding == Sharding::Hybrid && (on.machines < 2 || on.count == on.machines))
        return false;
    switch (offload) {
    case Offload::None: break;
    case Offload::Optimizer: return sharding >= Sharding::Gradients;
    case Offload::Weights: return gathersWeights(sharding);
    }
    return true;
}

} // namespace

Holding holdingOn(const TrainingDemand& demand, const Devices& on)
{
    TimedPasses timed;
    return holdingOn(demand, on, timed);
}

Holding holdingOn(const TrainingDemand& demand, const Devices& on, TimedPasses& timed)
{
    if (on.count < 1)
        return {.pass = &demand, .layout = {}};
    const Attainable rates = attainableOf(on.device, demand.training, on.calibration);
    const HoldingPlace place(on, demand.training);
    if (isSplit(demand.training))
        return splitAsAsked(demand, rates, place, timed);
    const Holding plain = plainly(demand, place);
    const bool isHeld = fits(*plain.pass, plain.layout, place);
    const bool isBusy = hasWork(*plain.pass, plain.layout, on);
    // Nobody splits what fits with its weights whole while each copy has samples: other layouts wait less, and do no less
    // work, but for experts that are divided.
    if (!rates.isKnown() || (isHeld && isBusy && !gathersWeights(plain.layout.sharding)) ||
        !mayFit(demand, place))
        return plain;
    Holding best = plain;
    double seconds = HUGE_VAL;
    if (isHeld) {
        constexpr double Worthwhile = 0.05;
        const auto stepOf = [&](const Holding& holding) {
            const PassWork& work = timed.of(*holding.pass, rates, holding.layout, on.calibration);
            return stepTime(work, *holding.pass, rates, holding.layout, on);
        };
        StepTime step = stepOf(plain);
        if (const auto whole = wholly(demand, place)) {
            const StepTime other = stepOf(*whole);
            if (other.total() < step.total()) {
                best = *whole;
                step = other;
            }
        }
        if (isBusy && step.waitingS < Worthwhile * step.total())
            return best;
        seconds = step.total();
    }
    // Positions are shared where no device holds a sample: what does needn't wait for keys.
    std::vector<Layout> layouts;
    if (!isHeld)
        layouts = openLayouts(demand, on);
    else if (maySplit(demand, on))
        layouts = splitLayouts(demand, on.count, devicesInMachine(on));
    if (layouts.empty())
        return best;
    return SplitSearch(demand, rates, place, timed).fasterThan(seconds, layouts).value_or(best);
}

std::vector<Holding> holdingsOn(const TrainingDemand& demand, const Devices& on)
{
    const HoldingPlace place(on, demand.training);
    std::vector<Holding> all;
    for (const Offload offload : {Offload::None, Offload::Optimizer, Offload::Weights}) {
        for (const Sharding one : {Sharding::None, Sharding::Optimizer, Sharding::Gradients,
                                   Sharding::Hybrid, Sharding::Full}) {
            if (offload <= place.offload && isWay(one, offload, on))
                all.push_back(
                    plainly(demand, place, offload,
                            [&](const Unsharded&, const TrainingDemand&) { return one; }));
        }
    }
    const Attainable rates = attainableOf(on.device, demand.training, on.calibration);
    if (!rates.isKnown())
        return all;
    TimedPasses timed;
    SplitSearch search(demand, rates, place, timed);
    for (const Layout& layout : openLayouts(demand, on)) {
        if (const auto found = search.fasterThan(HUGE_VAL, {layout}))
            all.push_back(*found);
    }
    return all;
}

Fits fitsOn(const TrainingDemand& demand, const Devices& on)
{
    if (isSplit(demand.training)) {
        const Holding asked = holdingOn(demand, on);
        return asked.isPossible ? fitsOn(memoryWith(*asked.pass, asked.layout, on), on) : Fits::No;
    }
    const HoldingPlace place(on, demand.training);
    const Holding plain = plainly(demand, place);
    if (fits(*plain.pass, plain.layout, place)) // or nobody knows
        return fitsOn(memoryWith(*plain.pass, plain.layout, on), on);
    return mayFit(demand, place) && fitsSplit(demand, place) ? Fits::Yes : Fits::No;
}

Layout layoutOn(const TrainingDemand& demand, const Devices& on)
{
    return holdingOn(demand, on).layout;
}

Quantity memoryOn(const TrainingDemand& demand, const Devices& on)
{
    const Holding holding = holdingOn(demand, on);
    return memoryWith(*holding.pass, holding.layout, on);
}

} // namespace outlay::core
