// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What runs again on the way back, and what waits for the lengths of samples.
#include "core/experiment/presets.h"
#include "core/hardware/forecast.h"
#include "core/hardware/hardware_catalog.h"
#include "core/hardware/held_pass.h"
#include "core/hardware/holding.h"
#include "core/hardware/step.h"
#include "tests/support/near.h"
#include "tests/support/rates.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <array>

using namespace outlay::core;
using outlay::tests::isNear;
using outlay::tests::rates;

namespace {

const Device& accelerator()
{
    return *hardwareCatalog()->find("A100-80GB-SXM4");
}

Experiment checkpointed(const char* name)
{
    Experiment e = preset(name)->experiment;
    e.training.checkpointing = true;
    e.training.precision = Precision::Bf16;
    return e;
}

TrainingDemand demandOf(const Experiment& e)
{
    return trainingDemand(expand(e.model), e.training);
}

double backS(const TrainingDemand& demand, const Attainable& on, Again again)
{
    return backwardTime(demand.forward, on, again).total();
}

} // namespace

class TestRecompute : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Of Llama's three matrices of a feed-forward the last is left out: a third of their products, and nothing else.
    void theLastProductOfABlockIsLeftOut()
    {
        const TrainingDemand demand = demandOf(checkpointed("llama-3.1-8b"));
        Attainable on = attainableOf(accelerator(), demand.training, rates());
        double left = 0;
        for (const KernelGroup& group : demand.forward) {
            if (group.again.unread <= 0)
                continue;
            QVERIFY(isNear(group.again.unread, 1.0 / 3));
            KernelGroup part = group;
            part.bytes = part.launches = 0;
            left += group.again.unread * forwardTime({part}, on).total();
        }
        QVERIFY(left > 0);
        const double whole = backS(demand, on, Again::Blocks);
        QVERIFY(isNear(whole - backS(demand, on, Again::WhatIsRead), left));
        QVERIFY(backS(demand, on, Again::Nothing) < whole - left);
    }

    // Whatever shares layers, a processor, and who asks for it run blocks to their end.
    void whoRunsWhatAgain()
    {
        const Experiment e = checkpointed("llama-3.1-8b");
        const Attainable on = attainableOf(accelerator(), e.training, rates());
        QCOMPARE(againOf(e.training, on, false), Again::WhatIsRead);
        QCOMPARE(againOf(e.training, on, true), Again::Blocks);
        const Attainable processor = attainableAt({1e12, 1e11, Arithmetic::Fp32, true}, rates());
        QCOMPARE(againOf(e.training, processor, false), Again::Blocks);
        Training other = e.training;
        other.reentrant = true;
        QCOMPARE(againOf(other, on, false), Again::Blocks);
        other = e.training;
        other.checkpointing = false;
        QCOMPARE(againOf(other, on, false), Again::Nothing);
        QCOMPARE(againOf(other, on, true), Again::Nothing);
    }

    // In whichever order layouts are asked for: those with stages end blocks, those without don't.
    void passesAreTimedForTheirLayout()
    {
        const TrainingDemand demand = demandOf(checkpointed("llama-3.1-8b"));
        const Attainable on = attainableOf(accelerator(), demand.training, rates());
        const std::array layouts{Layout{}, Layout{.stages = 4}, Layout{.tensor = 2},
                                 Layout{.tensor = 2, .stages = 4}};
        std::array<std::size_t, layouts.size()> order{0, 1, 2, 3};
        do {
            TimedPasses timed;
            for (const std::size_t i : order) {
                const PassWork& found = timed.of(demand, on, layouts.at(i), rates());
                const PassWork expected = passWork(demand, on, layouts.at(i), rates());
                QVERIFY(isNear(found.all.total(), expected.all.total()));
                QVERIFY(isNear(found.endS, expected.endS));
            }
        } while (std::next_permutation(order.begin(), order.end()));
    }

    // Each way through a block waits once, whatever else it takes; plain attention and processors don't.
    void lengthsAreWaitedForInEachBlock()
    {
        Experiment e = checkpointed("llama-3.1-8b");
        const auto stepS = [&](bool isPacked) {
            e.training.packed = isPacked;
            const Attainable on = attainableOf(accelerator(), e.training, rates());
            return passAlone(demandOf(e), on).total();
        };
        const double block = rates().training.unevenBlockMs / 1e3;
        QVERIFY(isNear(stepS(false) - stepS(true), 32 * 3 * block));
        e.training.checkpointing = false;
        QVERIFY(isNear(stepS(false) - stepS(true), 32 * 2 * block));
        e.training.attention = AttentionKernel::Plain;
        QCOMPARE(stepS(false), stepS(true));
        e = checkpointed("gru");
        QCOMPARE(stepS(false), stepS(true));
    }

    // What waits for lengths gathers nothing ahead.
    void nothingIsHiddenMeanwhile()
    {
        Experiment e = checkpointed("llama-3.1-8b");
        e.training.sharding = Sharding::Full;
        const auto sharesOf8 = [&](bool isPacked) {
            e.training.packed = isPacked;
            const TrainingDemand demand = demandOf(e);
            return sharesOf(demand, {.sharding = Sharding::Full}, 1,
                            {.device = accelerator(), .count = 8, .calibration = rates()});
        };
        QCOMPARE(sharesOf8(true).exposed, rates().exposedExchange);
        QCOMPARE(sharesOf8(false).exposed, 1.0);
    }

    // A search that asks whether adapters fit and the figure that is shown count what goes from block to block alike.
    void adaptersThatAreShardedKeepItTwice()
    {
        Experiment e = checkpointed("llama-3.1-8b");
        e.training.method = Method::Lora;
        const TrainingDemand demand = demandOf(e);
        const Devices on{.device = accelerator(), .count = 8, .calibration = rates()};
        const Quantity once = memoryWith(demand, {.sharding = Sharding::Gradients}, on);
        const Quantity twice = memoryWith(demand, {.sharding = Sharding::Full}, on);
        const double kept = demand.onAccelerator.fused.kept;
        QVERIFY(kept > 0);
        const Quantity plain =
            memoryOnEach(demand, demand.onAccelerator.fused.total, {.sharding = Sharding::Full}, 8);
        QVERIFY(isNear(twice.value(), plain.value() + kept));
        QVERIFY(isNear(once.value(), memoryOnEach(demand, demand.onAccelerator.fused.total,
                                                  {.sharding = Sharding::Gradients}, 8)
                                         .value()));
        // Just too little for it: then it doesn't fit, and with a little more it does.
        Device device = accelerator();
        for (const double gb : {twice.value() / 1e9 / rates().usableMemory * 0.999,
                                twice.value() / 1e9 / rates().usableMemory * 1.001}) {
            device.memoryGb = gb;
            Experiment sharded = e;
            sharded.training.sharding = Sharding::Full;
            const TrainingForecast f = trainingForecast(
                demandOf(sharded), {.device = device, .count = 8, .calibration = rates()});
            QCOMPARE(f.fits == Fits::Yes, gb * rates().usableMemory * 1e9 > twice.value());
        }
    }

    // The pass that is taken is one that fits by the figure that is shown: where twice doesn't fit, half the samples do.
    void passesAreChosenWithIt()
    {
        Experiment e = checkpointed("llama-3.1-8b");
        e.training.method = Method::Lora;
        e.training.sharding = Sharding::Full;
        e.training.batch = 4;
        e.training.globalBatch = 64;
        const TrainingDemand demand = demandOf(e);
        Device device = accelerator();
        const Devices on{.device = device, .count = 8, .calibration = rates()};
        const Layout layout{.sharding = Sharding::Full};
        const double usable = memoryWith(demand, layout, on).value() * 0.999;
        QVERIFY(memoryWith(demand.smaller.front(), layout, on).value() < usable);
        device.memoryGb = usable / 1e9 / rates().usableMemory;
        const TrainingForecast f = trainingForecast(demand, on);
        QCOMPARE(f.fits, Fits::Yes);
        QVERIFY(f.memory.value() < usable);
    }

    // Where nobody says in what machines, each has eight, and what joins them is slower than what is inside.
    void manyDevicesAreInSeveralMachines()
    {
        QCOMPARE(inUsualMachines(accelerator(), 1, rates()).machines, 1);
        QCOMPARE(inUsualMachines(accelerator(), 8, rates()).machines, 1);
        const Devices many = inUsualMachines(accelerator(), 512, rates());
        QCOMPARE(many.machines, 64);
        QCOMPARE(devicesInMachine(many), 8);
        Devices one = many;
        one.machines = 1;
        QVERIFY(exchangeSeconds(1e9, many) > 2 * exchangeSeconds(1e9, one));
    }
};

OUTLAY_TEST(TestRecompute)
#include "tst_recompute.moc"
