// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Experts that several devices divide among them.
#include "core/base/units.h"
#include "core/hardware/held_pass.h"
#include "core/hardware/holding.h"
#include "core/probe/statistics.h"
#include "tests/support/known_models.h"
#include "tests/support/laid_out.h"
#include "tests/support/near.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay::core;
using outlay::tests::isNear;
using outlay::tests::joined;
using outlay::tests::knownModel;
using outlay::tests::laidOut;
using outlay::tests::rates;
using outlay::tests::Table;

namespace {

Training pretraining(std::int64_t globalBatch)
{
    return {.tokens = 1e11,
            .sequence = 4096,
            .batch = 1,
            .globalBatch = globalBatch,
            .precision = Precision::Bf16,
            .optimizer = Optimizer::AdamW};
}

TrainingDemand mixtral(const Training& training)
{
    return trainingDemand(expand(*knownModel("Mixtral-8x7B")), training);
}

/// Parameters of Mixtral 8x7B by its published sizes.
constexpr double Expert = 3.0 * 4096 * 14336;
constexpr double Router = 8.0 * 4096;
constexpr double AttentionAndNorms = 2.0 * 4096 * 4096 + 2.0 * 4096 * 1024 + 2 * 4096;
constexpr double Words = 32000.0 * 4096;
constexpr double Blocks = 32;

} // namespace

class TestExperts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // As they were laid out. The processor's time for a layer whose experts are apart and the width of the interval were set
    // on them.
    void publishedRunsAreForecast()
    {
        const auto table = Table::read(OUTLAY_TEST_DATA "/published_experts.csv").value();
        std::vector<double> misses;
        std::size_t held = 0;
        for (std::size_t i = 0; i < table.size(); ++i) {
            const Training t = laidOut(table, i, Precision::Bf16);
            const Devices on =
                joined(table.text(i, "device"), std::llround(table.number(i, "devices")));
            const Model model = *knownModel(table.text(i, "model"));
            const TrainingForecast f = trainingForecast(trainingDemand(expand(model), t), on);
            QVERIFY2(f.fits == Fits::Yes, table.text(i, "id").c_str());
            QCOMPARE(f.layout.experts, *t.expertParallel);
            const double published = table.number(i, "tokens_per_s") * real(on.count);
            const double miss = f.tokensPerS.value() / published;
            QVERIFY2(miss > 0.69 && miss < 1.5,
                     qPrintable(QString::fromStdString(table.text(i, "id")) +
                                QStringLiteral(": %1").arg(miss)));
            misses.push_back(std::abs(miss - 1));
            held += f.tokensPerS.low() <= published && published <= f.tokensPerS.high() ? 1U : 0U;
            if (const double used = table.number(i, "used_gb"); used > 0) {
                const double memory = f.memory.value() / 1e9 / used;
                // Four keep more than their parts, which nothing here explains; the interval has it.
                QVERIFY2(memory > (on.count < 4 ? 0.8 : 0.55) && memory < 1.1,
                         qPrintable(QString::number(memory)));
                QVERIFY(used * 1e9 < f.memory.high());
            }
        }
        QCOMPARE(misses.size(), std::size_t{17});
        QVERIFY2(median(misses) < 0.19, qPrintable(QString::number(median(misses))));
        QVERIFY2(held >= 15, qPrintable(QString::number(held)));
    }

    // Each of eight has one expert of each block, and all of the rest; its optimizer's state is divided among those with
    // the same.
    void statesAreThoseOfAnIndependentCount()
    {
        const TrainingDemand demand = mixtral(pretraining(256));
        const double rest = Blocks * (AttentionAndNorms + Router) + 2 * Words + 4096;
        QVERIFY(isNear(demand.parameters, rest + Blocks * 8 * Expert));
        const Layout layout{.experts = 8, .sharding = Sharding::Optimizer};
        const Devices on = joined("H100-80GB-SXM5", 16);
        const StatesOnEach states = statesOnEach(demand, layout, copiesOf(layout, on).devices);
        QVERIFY(isNear(states.parameters, 2 * (rest + Blocks * Expert)));
        QVERIFY(isNear(states.gradients, 2 * (rest + Blocks * Expert)));
        QVERIFY(isNear(states.optimizer, 12 * (rest / 16 + Blocks * Expert / 2)));
        // Two share each other layer: still a whole expert each.
        const Layout shared{.tensor = 2, .experts = 8};
        const double ends = 2 * Words + 4096;
        QVERIFY(isNear(statesOnEach(demand, shared, 8).parameters,
                       2 * ((rest - ends) / 2 + ends / 2 + Blocks * Expert)));
        // Of what others have, an expert's device gathers none: there is one of each in eight.
        Layout gathered{.experts = 8, .sharding = Sharding::Full};
        const StatesOnEach eight = statesOnEach(demand, gathered, 8);
        QVERIFY(isNear(eight.parameters, 2 * (rest / 8 + Blocks * Expert)));
        const double block = (rest - ends) / Blocks;
        QVERIFY(isNear(eight.gathered, 2 * (ends + 2 * block)));
        // Four stages have eight blocks each.
        const Layout staged{.stages = 4, .experts = 8};
        QVERIFY(
            isNear(statesOnEach(demand, staged, 8).parameters, 2 * (8 * (block + Expert) + Words)));
    }

    // Of 16 devices two have the same expert, one in each machine; an update takes what is on a device.
    void gradientsAreSummedAmongThoseWithTheSame()
    {
        const TrainingDemand demand = mixtral(pretraining(256));
        const Devices on = joined("H100-80GB-SXM5", 16);
        const double rest = demand.parameters - Blocks * 8 * Expert;
        const StepShares shares = sharesOf(demand, {.experts = 8}, 1, on);
        // Between machines goes what one's devices have together: all experts, but each once.
        const Layout hybrid{.experts = 8, .sharding = Sharding::Hybrid};
        const Layout whole{.sharding = Sharding::Hybrid};
        QVERIFY(isNear(sharesOf(demand, hybrid, 1, on).betweenS,
                       sharesOf(demand, whole, 1, on).betweenS));
        QVERIFY(isNear(shares.ringS, exchangeSeconds(2 * rest, {16, 8}, on) +
                                         exchangeSeconds(2 * Blocks * Expert, {2, 1}, on)));
        const Attainable reached = attainableOf(on.device, demand.training, rates());
        const auto updateS = [&](const Layout& layout) {
            return stepTime(demand, reached, layout, on).updateS;
        };
        const double alone = updateS({}) / demand.parameters;
        QVERIFY(isNear(updateS({.experts = 8}), alone * (rest + Blocks * Expert)));
        // Eight share the layers, and two have the same four experts: nobody divides their update.
        QVERIFY(
            isNear(updateS({.tensor = 8, .experts = 2}), alone * (rest / 8 + 4 * Blocks * Expert)));
        QVERIFY(isNear(updateS({.experts = 8, .sharding = Sharding::Optimizer}),
                       alone * (rest / 16 + Blocks * Expert / 2)));
    }

    // Two experts of a row lie on 1.64 of the seven others of eight devices, on average; on two machines, half of a
    // row's go to the other one 3 of 4 times.
    void rowsAreSentOnceToEachDevice()
    {
        const Devices eight = joined("H100-80GB-SXM5", 8);
        constexpr double Bytes = 1e9;
        const double others = 7 * (1 - 49.0 / 64);
        const double link = 450e9 * rates().ratesOfLink(450).share;
        const double insideS = routedSeconds(Bytes, 2, {8, 8}, eight);
        QVERIFY2(insideS > others * Bytes / link && insideS < 1.05 * others * Bytes / link,
                 qPrintable(QString::number(insideS * link / Bytes / others)));
        const Devices two = joined("H100-80GB-SXM5", 16);
        const double betweenS = 0.75 * Bytes / (400e9 / 8 * rates().routedShare);
        QVERIFY(std::abs(routedSeconds(Bytes, 2, {16, 8}, two) / betweenS - 1) < 0.01);
        QVERIFY(routedSeconds(Bytes, 2, {1, 1}, eight) == 0);
        // There and back, forward and on the way back; once more where blocks run again.
        Training t = pretraining(8);
        const auto sentS = [&](const TrainingDemand& demand) {
            const Attainable reached = attainableOf(eight.device, demand.training, rates());
            return stepTime(demand, reached, {.experts = 8}, eight).betweenLayersS;
        };
        const double once = routedSeconds(4096.0 * 4096 * 2, 2, {8, 8}, eight);
        QVERIFY(isNear(sentS(mixtral(t)), Blocks * 4 * once));
        t.checkpointing = true;
        QVERIFY(isNear(sentS(mixtral(t)), Blocks * 6 * once));
    }

    // Experts that have the rows of eight devices are read once by each, and fill their products better.
    void dividedExpertsTakeLess()
    {
        const TrainingDemand demand = mixtral(pretraining(8));
        const Devices on = joined("H100-80GB-SXM5", 8);
        const Attainable reached = attainableOf(on.device, demand.training, rates());
        const PassTime whole = forwardTime(demand.forward, reached);
        const PassTime divided = forwardTime(demand.forward, reached, {.ofExperts = 8});
        QVERIFY(divided.productS < whole.productS && divided.productS > 0.6 * whole.productS);
        const double spared = 2 * Blocks * 7 * Expert / reached.bytesPerS;
        QVERIFY(std::abs((whole.movingS - divided.movingS) / spared - 1) < 0.01);
    }

    // A machine's devices have an expert each, and states are divided among all.
    void expertsAreDividedWhereThatIsFaster()
    {
        Training t = pretraining(1024);
        t.checkpointing = true;
        const TrainingForecast f = trainingForecast(mixtral(t), joined("H100-80GB-SXM5", 16));
        QVERIFY(f.fits == Fits::Yes);
        QCOMPARE(f.layout, (Layout{.experts = 8, .sharding = Sharding::Optimizer}));
        // Nobody does it unasked without a batch for all, nor where there are no experts.
        t.globalBatch.reset();
        QCOMPARE(trainingForecast(mixtral(t), joined("H100-80GB-SXM5", 16)).layout.experts, 1);
        t.expertParallel = 4;
        QCOMPARE(trainingForecast(mixtral(t), joined("H100-80GB-SXM5", 16)).layout.experts, 4);
        const Model dense = *knownModel("Mistral-7B");
        const auto refused = [&](const Model& model, std::int64_t experts) {
            t.expertParallel = experts;
            const TrainingForecast none =
                trainingForecast(trainingDemand(expand(model), t), joined("H100-80GB-SXM5", 16));
            return none.fits == Fits::No &&
                   none.note.text().find("to the experts") != std::string::npos;
        };
        QVERIFY(refused(*knownModel("Mixtral-8x7B"), 16)); // of eight
        QVERIFY(!refused(*knownModel("Mixtral-8x7B"), 8));
        QVERIFY(!refused(dense, 2)); // there it asks for nothing
    }

    // What is said to take at least so long does, though divided experts take less than whole ones.
    void nothingTakesLessThanItsBound()
    {
        const Devices on = joined("H100-80GB-SXM5", 64);
        for (const std::int64_t sequence : {512, 4096}) {
            Training t = pretraining(512);
            t.sequence = sequence;
            t.batch = 2;
            t.expertParallel = 64;
            const TrainingDemand demand = trainingDemand(expand(*knownModel("gpt-oss-120b")), t);
            TimedPasses timed;
            const double least = leastSeconds(demand, on, timed);
            const Attainable reached = attainableOf(on.device, t, rates());
            const double whole = stepTime(demand, reached, {}, on).kernels.total();
            const double seconds = trainingForecast(demand, on).stepSeconds.value();
            QVERIFY(least < seconds && least > 0.3 * seconds);
            QVERIFY(least < 0.9 * whole);
        }
    }

    void whatWaitsInTheMachineIsNotDividedSo()
    {
        Training t = pretraining(8);
        t.expertParallel = 2;
        QVERIFY(check(t).has_value());
        t.offload = Offload::Weights;
        QVERIFY(check(t).error().sentence().find("expert_parallel") != std::string::npos);
    }

    // Nobody deals rows evenly who trains in earnest, and kernels for experts differ: wider than of other layers.
    void intervalsAreWider()
    {
        const Devices on = joined("H100-80GB-SXM5", 8);
        const auto factor = [&](const char* name) {
            Training t = pretraining(64);
            t.checkpointing = true;
            const TrainingForecast f =
                trainingForecast(trainingDemand(expand(*knownModel(name)), t), on);
            return f.stepSeconds.high() / f.stepSeconds.value();
        };
        QVERIFY(factor("Mixtral-8x7B") > 1.1 * factor("Mistral-7B"));
    }
};

OUTLAY_TEST(TestExperts)
#include "tst_experts.moc"
