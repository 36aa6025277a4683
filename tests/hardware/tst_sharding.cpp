// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What devices divide among them: memory counted a second time, the stage that is chosen, and what it costs.
#include "core/experiment/presets.h"
#include "core/hardware/forecast.h"
#include "core/hardware/hardware_catalog.h"
#include "core/hardware/held_pass.h"
#include "core/hardware/holding.h"
#include "core/hardware/sharding.h"
#include "tests/support/near.h"
#include "tests/support/rates.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay::core;
using outlay::tests::isNear;
using outlay::tests::rates;

namespace {

constexpr std::array Stages{Sharding::None, Sharding::Optimizer, Sharding::Gradients,
                            Sharding::Full};

TrainingDemand demandOf(const char* name)
{
    Experiment e = preset(name)->experiment;
    e.training.tensorParallel = e.training.pipelineStages = 1;
    e.training.globalBatch.reset();
    return trainingDemand(expand(e.model), e.training);
}

/// What activations hold on an accelerator: without scores, where one kernel is all of attention.
const Quantity& heldOn(const TrainingDemand& demand, const Devices& on)
{
    const AcceleratorActivations& there = demand.onAccelerator;
    return fusesAttention(on.device, demand.training, on.calibration) ? there.fused.total
                                                                      : there.plain.total;
}

Devices joined(const Device& device, std::int64_t machines, double networkGbPerS)
{
    return {.device = device,
            .count = 8 * machines,
            .calibration = rates(),
            .machines = machines,
            .networkGbPerS = networkGbPerS};
}

} // namespace

class TestSharding : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void gradientsGoRoundARing()
    {
        Calibration c = rates();
        c.lossPerDoubling = 0;
        c.kernels.links.latencyUs = c.kernels.links.deviceUs = c.kernels.links.settleUs = 0;
        const auto e = preset("gpt2")->experiment;
        const TrainingDemand demand = trainingDemand(expand(e.model), e.training);
        const auto waiting = [&](std::int64_t count, std::int64_t machines = 1) {
            constexpr std::size_t Waiting = 5; // the last operand of the step's formula
            const TrainingForecast f =
                trainingForecast(demand, {.device = *hardwareCatalog()->find("A100-40GB-SXM4"),
                                          .count = count,
                                          .calibration = c,
                                          .machines = machines,
                                          .networkGbPerS = 50});
            return f.stepSeconds.how().operands.at(Waiting);
        };
        QCOMPARE(waiting(1), 0.0);
        QVERIFY(std::abs(waiting(8) / waiting(2) - (7.0 / 8) / (1.0 / 2)) < 1e-9);
        // Sixteen in one machine are joined like eight; in two, all goes over their network.
        QVERIFY(std::abs(waiting(16) / waiting(2) - (15.0 / 16) / (1.0 / 2)) < 1e-9);
        QVERIFY(waiting(16, 2) > 1.5 * waiting(16));
    }

    // Llama 3.1 8B in bf16 with fp32 copies and two moments: 16 bytes a parameter. Embeddings and the head are 128,256 x
    // 4,096 each, the rest 32 equal blocks.
    void memoryIsThatOfAnIndependentCount_data()
    {
        QTest::addColumn<int>("stage");
        QTest::addColumn<double>("bytesAParameter");
        QTest::addColumn<bool>("isGathered");
        QTest::newRow("none") << 0 << 16.0 << false;
        QTest::newRow("optimizer") << 1 << 4 + 12 / 8.0 << false;
        QTest::newRow("gradients") << 2 << 2 + 14 / 8.0 << false;
        QTest::newRow("full") << 3 << 16 / 8.0 << true;
    }
    void memoryIsThatOfAnIndependentCount()
    {
        QFETCH(int, stage);
        QFETCH(double, bytesAParameter);
        QFETCH(bool, isGathered);
        constexpr double Parameters = 8030261248;
        constexpr double Outside = 2.0 * 128256 * 4096 + 4096; // and the last norm
        const double gathered = Outside + (Parameters - Outside) * 2 / 32;
        const TrainingDemand demand = demandOf("llama-3.1-8b");
        const Quantity each =
            memoryOnEach(demand, demand.memory.activations,
                         {.sharding = Stages.at(static_cast<std::size_t>(stage))}, 8);
        const double expected = bytesAParameter * Parameters + (isGathered ? 2 * gathered : 0) +
                                demand.memory.activations.value();
        QVERIFY2(isNear(each.value(), expected),
                 qPrintable(QStringLiteral("%1 %2").arg(each.value()).arg(expected)));
        QVERIFY(each.low() <= each.value() && each.value() <= each.high());
    }

    // In one pass gradients may be gone when activations are most, in several they aren't; what goes between blocks may
    // be in twice the bytes where each device has all of them.
    void howFarGatheredMemoryMayLie()
    {
        TrainingDemand demand = demandOf("llama-7b");
        QVERIFY(demand.training.checkpointing);
        const Device a100 = *hardwareCatalog()->device("A100-80GB");
        const Devices on{a100, 8, *calibration()};
        const Layout full{.sharding = Sharding::Full};
        const AcceleratorActivations& there = demand.onAccelerator;
        const HeldActivations& held =
            fusesAttention(a100, demand.training, *calibration()) ? there.fused : there.plain;
        const double gradients = demand.memory.gradients.low() / 8;
        const Quantity once = memoryWith(demand, full, on);
        demand.training.accumulation = 8;
        const Quantity often = memoryWith(demand, full, on);
        QVERIFY(isNear(often.low() - once.low(), gradients));
        QCOMPARE(often.value(), once.value());
        const Quantity plain = memoryOnEach(demand, held.total, full, 8);
        QVERIFY(isNear(often.high() - plain.high(), held.kept));
        const Layout shared{.tensor = 4, .sharding = Sharding::Full};
        const Quantity ofLayers = memoryWith(demand, shared, on);
        const Quantity shares =
            activationsWith(held, demand.blocks, shared, passesOf(demand.training, shared, 8));
        QCOMPARE(ofLayers.high(), memoryOnEach(demand, shares, shared, 2).high());
    }

    void moreIsDividedAtEachStage()
    {
        for (const Preset& one : *presets()) {
            const TrainingDemand demand =
                trainingDemand(expand(one.experiment.model), one.experiment.training);
            const Quantity& held = demand.memory.activations;
            for (const std::int64_t count : {2, 8}) {
                const double plain = memoryOnEach(demand, held, {}, count).value();
                const double optimizer =
                    memoryOnEach(demand, held, {.sharding = Sharding::Optimizer}, count).value();
                const double gradients =
                    memoryOnEach(demand, held, {.sharding = Sharding::Gradients}, count).value();
                QVERIFY2(plain >= optimizer && optimizer > gradients,
                         one.id.c_str()); // SGD keeps nothing
                // On one device there is nobody to divide it with.
                QVERIFY(memoryOnEach(demand, held, {.sharding = Sharding::Full}, 1) ==
                        demand.memory.total);
            }
        }
    }

    // By hand: the first stage with which it fits, else all of it.
    void theLeastThatFitsIsChosen()
    {
        int sharded = 0;
        for (const char* name :
             {"gpt2-large", "gpt-j-6b", "llama-7b", "llama-65b", "mixtral-8x7b"}) {
            TrainingDemand demand = demandOf(name);
            for (const char* gpu : {"T4", "A10G", "A100", "H100", "H200", "B200"}) {
                const Device device = *hardwareCatalog()->device(gpu);
                for (const std::int64_t count : {1, 2, 4, 8}) {
                    const Devices on{device, count, rates()};
                    demand.training.sharding.reset();
                    const TrainingForecast f = trainingForecast(demand, on);
                    Sharding expected = count < 2 ? Sharding::None : Sharding::Full;
                    for (auto stage = Stages.rbegin(); count > 1 && stage != Stages.rend();
                         ++stage) {
                        if (*stage != Sharding::Full &&
                            fitsOn(memoryOnEach(demand, heldOn(demand, on), {.sharding = *stage},
                                                count),
                                   on) == Fits::Yes)
                            expected = *stage;
                    }
                    QCOMPARE(f.layout.sharding, expected);
                    const Quantity each =
                        memoryOnEach(demand, heldOn(demand, on), {.sharding = expected}, count);
                    QCOMPARE(f.memory.value(), each.value());
                    QCOMPARE(f.memory.low(), each.low());
                    // Where blocks are made again, what goes between them may be in twice the bytes.
                    if (demand.training.checkpointing && gathersWeights(expected))
                        QVERIFY(f.memory.high() > each.high());
                    else
                        QCOMPARE(f.memory.high(), each.high());
                    QCOMPARE(f.fits, fitsOn(f.memory, on));
                    sharded += f.layout.sharding != Sharding::None ? 1 : 0;
                    // What is asked for is taken, whether it is needed or not.
                    demand.training.sharding = Sharding::Gradients;
                    QCOMPARE(trainingForecast(demand, on).layout.sharding,
                             count < 2 ? Sharding::None : Sharding::Gradients);
                }
            }
        }
        QVERIFY(sharded > 20);
    }

    void whatShardingCosts()
    {
        const StepShares slow{.computeS = 10, .ringS = 2, .gatherS = 1, .exposed = 0.2};
        QVERIFY(isNear(exposedSeconds(slow, Sharding::None, 4), 0.4));
        QVERIFY(isNear(exposedSeconds(slow, Sharding::Optimizer, 1), 0.4));
        // Shards of the gradients are summed in each of four passes, and gathered once.
        QVERIFY(isNear(exposedSeconds(slow, Sharding::Gradients, 4), 0.2 * 5));
        // What takes longer than the way back of a pass isn't hidden: 12 s beside 2 s of it.
        const StepShares slower{.computeS = 3, .ringS = 12, .gatherS = 6, .exposed = 0.2};
        QVERIFY(isNear(exposedSeconds(slower, Sharding::Optimizer, 1), 10 + 0.4));
        QVERIFY(isNear(exposedSeconds(slower, Sharding::Gradients, 1), 4 + 0.4 + 1.2));
        // 2.5 s of work a pass beside 3 s of exchange: what waits is the exchange, and a fifth of the work.
        QVERIFY(isNear(exposedSeconds(slow, Sharding::Full, 4), 4 * (3 + 0.2 * 2.5 - 2.5)));
        // In one pass the work is longer.
        QVERIFY(isNear(exposedSeconds(slow, Sharding::Full, 1), 0.2 * 3));
        // Machines that hold copies sum what their devices hold once a step, beside the last way back.
        StepShares copies = slow;
        copies.betweenS = 1;
        QVERIFY(isNear(exposedSeconds(copies, Sharding::Hybrid, 4), 4 * 1.0 + 0.2));
        QVERIFY(isNear(exposedSeconds(copies, Sharding::Full, 4),
                       exposedSeconds(slow, Sharding::Full, 4) + 0.2));
        copies.betweenS = 3;
        QVERIFY(isNear(exposedSeconds(copies, Sharding::Hybrid, 1), 0.6 + 0.2 * 3));
        copies.betweenS = 9;
        QVERIFY(isNear(exposedSeconds(copies, Sharding::Hybrid, 1),
                       0.6 + 9 - 20.0 / 3 + 0.2 * 20.0 / 3));
    }

    // Copies in machines of eight: each device holds what it would in one machine, however many there are.
    void copiesInMachines()
    {
        const Device a100 = *hardwareCatalog()->device("A100-80GB");
        TrainingDemand demand = demandOf("llama-7b");
        demand.training.sharding = Sharding::Hybrid;
        const TrainingForecast one = trainingForecast(demand, joined(a100, 1, 50));
        demand.training.sharding = Sharding::Full;
        QVERIFY(one.memory == trainingForecast(demand, joined(a100, 1, 50)).memory);
        for (const std::int64_t machines : {2, 4, 16}) {
            demand.training.sharding = Sharding::Hybrid;
            const TrainingForecast copies = trainingForecast(demand, joined(a100, machines, 12.5));
            QVERIFY(isNear(copies.memory.value(), one.memory.value()));
            demand.training.sharding = Sharding::Full;
            const TrainingForecast all = trainingForecast(demand, joined(a100, machines, 12.5));
            QVERIFY(all.memory.value() < one.memory.value());
            // Over a slow network a gradient once a step is less than all weights in each pass.
            QVERIFY(copies.waitingSeconds.value() < 0.7 * all.waitingSeconds.value());
            QVERIFY(copies.stepSeconds.value() < all.stepSeconds.value());
        }
        // What fits as copies isn't divided further; what doesn't, is.
        demand.training.sharding.reset();
        QCOMPARE(layoutOn(demand, joined(a100, 4, 50)).sharding, Sharding::Optimizer);
        QCOMPARE(layoutOn(demandOf("llama-65b"), joined(a100, 4, 50)).sharding, Sharding::Full);
        const Device b200 = *hardwareCatalog()->device("B200");
        QCOMPARE(layoutOn(demandOf("llama-65b"), joined(b200, 2, 400)).sharding, Sharding::Hybrid);
    }

    void aFasterNetworkNeverTakesLonger()
    {
        const Device h100 = *hardwareCatalog()->device("H100-SXM5-80GB");
        for (const char* name : {"gpt2-large", "llama-7b", "llama-65b"}) {
            TrainingDemand demand = demandOf(name);
            for (const Sharding stage : {Sharding::None, Sharding::Optimizer, Sharding::Gradients,
                                         Sharding::Full, Sharding::Hybrid}) {
                demand.training.sharding = stage;
                double before = 1e300;
                for (const double network : {1.25, 12.5, 50.0, 400.0, 4000.0}) {
                    const TrainingForecast f = trainingForecast(demand, joined(h100, 4, network));
                    QVERIFY(f.stepSeconds.value() <= before);
                    QVERIFY(f.waitingSeconds.value() < f.stepSeconds.value());
                    before = f.stepSeconds.value();
                }
                // But what waits is no less than with links inside of a machine.
                const TrainingForecast one = trainingForecast(demand, {h100, 8, rates()});
                const TrainingForecast four = trainingForecast(demand, joined(h100, 4, 4000));
                QVERIFY(four.waitingSeconds.value() >= one.waitingSeconds.value());
                QCOMPARE(four.machines, std::int64_t{4});
            }
        }
    }

    // What devices hold is summed layer by layer as it is kept: 4-bit matrices in blocks, tables in 16 bits beside them, and
    // copies in fp32 of those that are trained. Two blocks and all that is in none are gathered at a time.
    void whatIsGatheredIsWhatLayersHold()
    {
        Experiment e = preset("llama-3.1-70b-qlora")->experiment;
        e.training.sharding = Sharding::Full;
        const Device h100 = *hardwareCatalog()->device("H100");
        const auto gathered = [&](const std::vector<std::string>& whole) {
            e.training.trainedWhole = whole;
            const TrainingDemand demand = trainingDemand(expand(e.model), e.training);
            const double kept = demand.memory.parameters.value();
            if (std::abs(demand.weightBytes.all - kept) > 1e-9 * kept)
                return -1.0;
            return statesOnEach(demand, {.sharding = Sharding::Full}, 8).gathered;
        };
        constexpr double Table = 128256.0 * 8192;
        const double plain = gathered({});
        QVERIFY(plain > 2 * 2 * Table && plain < 2 * 2 * Table + 2e9);
        const double whole = gathered({"embedding", "output"});
        QVERIFY(std::abs(whole - plain - 2 * 4 * Table) < 1);
        QVERIFY(gathered({"norm"}) > plain);
        // The last stage has a whole table, which no other shares; adapters are in blocks alone.
        e.training.trainedWhole = {"output"};
        const TrainingDemand demand = trainingDemand(expand(e.model), e.training);
        const Layout stages{.stages = 4};
        const StatesOnEach states = statesOnEach(demand, stages, 1);
        const double adapters = demand.trained.all - Table;
        QVERIFY(std::abs(states.gradients - 4 * (Table + adapters / 4)) < 1);
        QVERIFY(fitsOn(demand, {h100, 8, rates()}) == Fits::Yes);
    }

    // LLaMA 7B took 82,432 A100-hours for 1 T tokens (arXiv 2302.13971, tables 2 and 15): 3,370 tokens a second on
    // each device. Eight that shard it, and recompute activations, do about as many.
    void aPublishedRunIsInReach()
    {
        TrainingDemand demand = demandOf("llama-7b");
        const Device a100 = *hardwareCatalog()->device("A100-80GB");
        const TrainingForecast f = trainingForecast(demand, {a100, 8, rates()});
        QVERIFY(f.layout.sharding != Sharding::None);
        const double each = f.tokensPerS.value() / 8;
        QVERIFY2(each > 0.6 * 3370 && each < 1.1 * 3370, qPrintable(QString::number(each)));
    }
};

OUTLAY_TEST(TestSharding)
#include "tst_sharding.moc"
