// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What waits in the memory of the machine: how much, what it takes there, and runs that others measured.
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/experiment/experiment.h"
#include "core/experiment/presets.h"
#include "core/hardware/hardware_catalog.h"
#include "core/hardware/held_pass.h"
#include "core/hardware/step.h"
#include "tests/support/near.h"
#include "tests/support/rates.h"
#include "tests/support/table.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay::core;
using outlay::tests::isNear;
using outlay::tests::rates;
using outlay::tests::Table;

namespace {

std::size_t indexIn(std::span<const std::string_view> names, const std::string& name)
{
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

struct Run {
    std::string source;
    Model model;
    Training training;
    std::string device;
    std::int64_t devices = 1;
    std::optional<double> vcpus;
    double stepS = 0;
    double peakBytes = 0; // 0: not published
};

Run runOf(const Table& table, std::size_t i)
{
    constexpr double Gib = 1024.0 * 1024 * 1024;
    const auto whole = [&](const char* column) { return std::llround(table.number(i, column)); };
    TransformerDesign design{.vocabulary = whole("vocabulary"),
                             .hidden = whole("width"),
                             .layers = whole("layers"),
                             .heads = whole("heads"),
                             .kvHeads = whole("kv"),
                             .feedForward = whole("inner"),
                             .gatedFeedForward = true,
                             .positions = Positions::Rotary,
                             .norm = NormKind::Rms,
                             .tiedEmbeddings = false};
    Run run{.source = table.text(i, "source"),
            .model = {.design = design},
            .training = {},
            .device = table.text(i, "device"),
            .devices = whole("devices"),
            .vcpus = {},
            .stepS = table.number(i, "step_s"),
            .peakBytes = table.number(i, "peak_gib") * Gib};
    if (whole("vcpus") > 0)
        run.vcpus = table.number(i, "vcpus");
    Training& t = run.training;
    t.precision = Precision::Bf16;
    t.optimizer = Optimizer::AdamW;
    t.checkpointing = t.reentrant = true;
    t.masterWeights = run.source != "torchtune";
    t.chunkedLoss = run.source == "torchtune";
    t.compiled = table.text(i, "compiled") == "yes";
    t.batch = whole("batch");
    t.sequence = whole("sequence");
    t.sharding = static_cast<Sharding>(indexIn(ShardingNames, table.text(i, "sharding")));
    t.offload = static_cast<Offload>(indexIn(OffloadNames, table.text(i, "offload")));
    if (run.source == "gist")
        t.globalBatch = 64;
    if (table.text(i, "method") == "lora") {
        t.method = Method::Lora;
        t.adapterRank = 64;
        t.frozenWeights =
            table.text(i, "weights") == "nf4" ? FrozenWeights::Nf4 : FrozenWeights::Same;
    }
    return run;
}

TrainingForecast trainedOn(const Run& run)
{
    return trainingForecast(trainingDemand(expand(run.model), run.training),
                            {.device = *hardwareCatalog()->find(run.device),
                             .count = run.devices,
                             .calibration = rates(),
                             .hostVcpus = run.vcpus});
}

TrainingForecast trainedOn(const Experiment& e, const char* device, std::int64_t count = 1,
                           Offload offload = Offload::Weights)
{
    Training training = e.training;
    training.offload = offload;
    return trainingForecast(trainingDemand(expand(e.model), training),
                            inUsualMachines(*hardwareCatalog()->find(device), count, rates()));
}

/// Everything of 8 B, 64 samples of 2,048 tokens in a step.
Experiment wholeOfEight()
{
    Experiment e = preset("llama-3.1-8b")->experiment;
    e.training = {.sequence = 2048,
                  .batch = 4,
                  .globalBatch = 64,
                  .precision = Precision::Bf16,
                  .checkpointing = true};
    return e;
}

double statesOf(const TrainingMemory& m)
{
    return m.parameters.value() + m.gradients.value() + m.optimizer.value();
}

} // namespace

class TestOffload : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void publishedRunsAreForecast()
    {
        const auto table = Table::read(OUTLAY_TEST_DATA "/published_offload.csv").value();
        int count = 0;
        int held = 0;
        for (std::size_t i = 0; i < table.size(); ++i) {
            const Run run = runOf(table, i);
            const TrainingForecast f = trainedOn(run);
            const QByteArray what = QByteArray::fromStdString(
                table.text(i, "source") + ", " + table.text(i, "layers") + " layers, " +
                table.text(i, "offload") + ": " + plainNumber(f.stepSeconds.value()) + " s, " +
                plainNumber(f.memory.value()) + " B");
            const bool isOffloaded = run.training.offload != Offload::None;
            QCOMPARE(f.hostMemory.has_value(), isOffloaded);
            // Adapters update little: what counts there is what comes over the bus.
            if (run.training.method == Method::Lora)
                QVERIFY2(std::abs(f.stepSeconds.value() / run.stepS - 1) < 0.15, what);
            if (isOffloaded && run.peakBytes > 0)
                QVERIFY2(std::abs(f.memory.value() / run.peakBytes - 1) < 0.26, what);
            count += isOffloaded ? 1 : 0;
            held +=
                isOffloaded && f.stepSeconds.low() <= run.stepS && run.stepS <= f.stepSeconds.high()
                    ? 1
                    : 0;
        }
        QCOMPARE(count, 9);
        QVERIFY2(held >= 7, QByteArray::number(held)); // four of five, as far as nine tell
    }

    // What leaves the devices is in the machine: none of it is lost, and none is there twice.
    void allStatesAreSomewhere()
    {
        const Experiment e = wholeOfEight();
        const TrainingDemand demand = trainingDemand(expand(e.model), e.training);
        const double states = statesOf(demand.memory);
        for (const std::int64_t devices : {1, 2, 8}) {
            for (const Sharding sharding :
                 {Sharding::None, Sharding::Optimizer, Sharding::Gradients, Sharding::Full}) {
                for (const Offload offload : {Offload::Optimizer, Offload::Weights}) {
                    const Layout layout{.sharding = sharding, .offload = offload};
                    const Layout whole{.sharding = sharding};
                    const double host = memoryOfHost(demand, layout, devices, devices).low();
                    const double onDevices =
                        real(devices) * statesOf(statesMemory(demand, layout, devices));
                    QVERIFY(isNear(host + onDevices,
                                   real(devices) * statesOf(statesMemory(demand, whole, devices))));
                    QVERIFY((onDevices == 0) == (offload == Offload::Weights));
                }
            }
        }
        const Layout full{.sharding = Sharding::Full, .offload = Offload::Weights};
        QVERIFY(isNear(memoryOfHost(demand, full, 8, 8).low(), states));
        QVERIFY(isNear(memoryOfHost(demand, full, 8, 8).value(), 1.25 * states));
        QVERIFY(isNear(memoryOfHost(demand, full, 16, 8).low(), states / 2));
    }

    // A device keeps what is at work: weights of two blocks and of what is in none, and gradients of two blocks or of the
    // largest layer in none. What an update copies isn't there.
    void whatIsAtWorkIsThere()
    {
        Experiment e = wholeOfEight();
        e.training.globalBatch.reset();
        e.training.masterWeights = false;
        const TrainingDemand demand = trainingDemand(expand(e.model), e.training);
        const StatesOnEach plain = statesOnEach(demand, {}, 1);
        QVERIFY(plain.update > 0 && plain.host == 0 && plain.gathered == 0);
        constexpr double Table = 2.0 * 128256 * 4096; // bytes, and a second one of the output
        const double ofBlock = (2.0 * 8'030'261'248 - 2 * Table - 2.0 * 4096) / 32;
        const StatesOnEach all = statesOnEach(demand, {.offload = Offload::Weights}, 1);
        QVERIFY(all.update == 0);
        QVERIFY(isNear(all.gathered,
                       2 * Table + 2.0 * 4096 + 2 * ofBlock + std::max(Table, 2 * ofBlock)));
        const StatesOnEach some = statesOnEach(demand, {.offload = Offload::Optimizer}, 1);
        QVERIFY(some.update == 0 && isNear(some.gathered, std::max(Table, 2 * ofBlock)));
        QVERIFY(isNear(some.parameters, plain.parameters));
    }

    // Sums of several passes come back to be added to.
    void gradientsGoThereAndBack()
    {
        const Device& device = *hardwareCatalog()->find("A100-80GB-SXM4");
        const Layout layout{.offload = Offload::Optimizer};
        const auto handS = [&](std::int64_t passes) {
            Experiment e = wholeOfEight();
            e.training.globalBatch.reset();
            e.training.accumulation = passes;
            const Devices on{.device = device, .count = 1, .calibration = rates()};
            return sharesOf(trainingDemand(expand(e.model), e.training), layout, 1, on).handS;
        };
        QVERIFY(isNear(handS(1), 2.0 * 8'030'261'248 / (0.8 * 32 * Giga)));
        QVERIFY(isNear(handS(4), (1 + 3 * 2) / 4.0 * handS(1)));
    }

    // Steps that wait for each other, by hand.
    void waitingIsSummed()
    {
        // A pass of 1 s, of which two thirds are the way back; nothing that is hidden costs anything.
        StepShares step{.computeS = 4, .fetchS = 0.3, .handS = 0.5};
        QVERIFY(isNear(exposedSeconds(step, Sharding::None, 4, Offload::Optimizer), 0.3));
        QVERIFY(isNear(exposedSeconds(step, Sharding::None, 4, Offload::Weights), 4 * 0.1));
        step.handS = 1;
        QVERIFY(isNear(exposedSeconds(step, Sharding::None, 4, Offload::Optimizer),
                       4 * (1 - 2.0 / 3) + 0.3));
        step.ringS = 0.4;
        step.gatherS = 0.1;
        QVERIFY(isNear(exposedSeconds(step, Sharding::Full, 4, Offload::Weights),
                       4 * (2 * 0.4 + 0.2 + 1 - 1)));
        QVERIFY(isNear(exposedSeconds(step, Sharding::Gradients, 4, Offload::Optimizer),
                       4 * (0.2 + 1 - 2.0 / 3) + 0.3));
        QVERIFY(isNear(exposedSeconds(step, Sharding::None, 4), 0));
    }

    // The machine's processors update all that its devices have, however many of these there are.
    void theMachineUpdates()
    {
        const Device& device = *hardwareCatalog()->find("A100-80GB-SXM4");
        Devices on{.device = device, .count = 8, .calibration = rates(), .hostVcpus = 96};
        const double bytes = 1e12;
        QVERIFY(isNear(hostUpdateSeconds(bytes, on), bytes / (96 * 0.45 * Giga)));
        on.hostVcpus.reset();
        QVERIFY(isNear(hostUpdateSeconds(bytes, on), bytes / (8 * 12 * 0.45 * Giga)));
        const auto updateOf = [&](Sharding sharding, std::int64_t count, std::int64_t machines) {
            on.count = count;
            on.machines = machines;
            on.hostVcpus = 96;
            const Experiment e = wholeOfEight();
            const TrainingDemand demand = trainingDemand(expand(e.model), e.training);
            const Attainable reached = attainableOf(device, e.training, rates());
            return stepTime(demand, reached, {.sharding = sharding, .offload = Offload::Optimizer},
                            on)
                .updateS;
        };
        const double whole = updateOf(Sharding::Gradients, 8, 1);
        QVERIFY(whole > 1); // 8 B x 30 B over 43 GB/s
        QVERIFY(isNear(updateOf(Sharding::Gradients, 1, 1), whole));
        QVERIFY(isNear(updateOf(Sharding::Full, 16, 2), whole / 2));
        QVERIFY(isNear(updateOf(Sharding::Hybrid, 16, 2), whole));
        QVERIFY(isNear(updateOf(Sharding::None, 8, 1), 8 * whole));
    }

    void whatDoesntFitFits()
    {
        const Experiment eight = wholeOfEight();
        QVERIFY(trainedOn(eight, "RTX 4090", 1, Offload::None).fits == Fits::No);
        QVERIFY(trainedOn(eight, "RTX 4090", 1, Offload::Optimizer).fits == Fits::Yes);
        const TrainingForecast all = trainedOn(eight, "RTX 4090", 1, Offload::Weights);
        QVERIFY(all.fits == Fits::Yes);
        QVERIFY(all.hostMemory->value() > 120 * Giga); // 16 B of each parameter
        Experiment seventy = preset("llama-3.1-70b-qlora")->experiment;
        QVERIFY(trainedOn(seventy, "RTX 4090", 2, Offload::None).fits == Fits::No);
        const TrainingForecast two = trainedOn(seventy, "RTX 4090", 2);
        QVERIFY(two.fits == Fits::Yes);
        QVERIFY(two.layout.sharding == Sharding::Full);
        QVERIFY(two.hostMemory->value() < 64 * Giga);
    }

    // It costs time, never memory; and processors have no other memory.
    void offloadingTakesTime()
    {
        const Experiment e = wholeOfEight();
        for (const std::int64_t count : {1, 8, 16}) {
            const TrainingForecast without = trainedOn(e, "H100-80GB-SXM5", count, Offload::None);
            const TrainingForecast some = trainedOn(e, "H100-80GB-SXM5", count, Offload::Optimizer);
            const TrainingForecast all = trainedOn(e, "H100-80GB-SXM5", count, Offload::Weights);
            QVERIFY(without.memory.value() > some.memory.value());
            QVERIFY(some.memory.value() > all.memory.value());
            QVERIFY(without.stepSeconds.value() < some.stepSeconds.value());
            QVERIFY(some.stepSeconds.value() <= all.stepSeconds.value() * 1.001);
            const auto width = [](const TrainingForecast& f) {
                return f.stepSeconds.high() / f.stepSeconds.value();
            };
            QVERIFY(width(all) > width(without));
        }
        const Device cpu = deviceOf(hardwareCatalog()->processors().front(), 16, 512, {});
        const auto on = [&](Offload offload) {
            Training training = e.training;
            training.offload = offload;
            return trainingForecast(trainingDemand(expand(e.model), training),
                                    inUsualMachines(cpu, 1, rates()));
        };
        QCOMPARE(on(Offload::Weights).memory.value(), on(Offload::None).memory.value());
        QCOMPARE(on(Offload::Weights).stepSeconds.value(), on(Offload::None).stepSeconds.value());
        QVERIFY(!on(Offload::Weights).hostMemory);
    }

    void whatNobodyListsIsSaid()
    {
        const Experiment e = wholeOfEight();
        const TrainingForecast f = trainedOn(e, "TPU v5e", 8, Offload::Weights);
        QVERIFY(!f.stepSeconds.isAvailable());
        QVERIFY(f.stepSeconds.how().note.text().find("joins") != std::string::npos);
        QVERIFY(hostLinkGbPerS(*hardwareCatalog()->find("RTX 4090")) == 32);
        QVERIFY(hostLinkGbPerS(*hardwareCatalog()->find("H100-80GB-SXM5")) == 64);
        QVERIFY(!hostLinkGbPerS(*hardwareCatalog()->find("TPU v4")));
        Training split = e.training;
        split.offload = Offload::Optimizer;
        QVERIFY(check(split).has_value());
        split.tensorParallel = 2;
        QVERIFY(!check(split));
        QVERIFY(check(split).error().sentence().find("/training/offload") != std::string::npos);
    }
};

OUTLAY_TEST(TestOffload)
#include "tst_offload.moc"
