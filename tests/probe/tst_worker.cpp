// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the worker does beside the plain step computes what it says, on random designs.
#include "core/probe/host/blas.h"
#include "core/probe/worker/measure/compare.h"
#include "core/probe/worker/measure/layer_times.h"
#include "core/probe/worker/measure/parts.h"
#include "core/probe/worker/measure_design.h"
#include "core/probe/worker/network/generation.h"

#include "core/experiment/presets.h"
#include "core/workload/checkpointed.h"
#include "core/workload/parameters.h"
#include "core/workload/serving_work.h"
#include "tests/support/random_designs.h"
#include "tests/support/silence.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <set>

using namespace outlay::core;
using namespace outlay::worker;

namespace {

/// Blocks that the way back from a loss runs again.
std::int64_t checkpointsOf(const torch::Tensor& loss)
{
    std::set<torch::autograd::Node*> seen;
    std::vector<torch::autograd::Node*> next{loss.grad_fn().get()};
    std::int64_t count = 0;
    while (!next.empty()) {
        torch::autograd::Node* node = next.back();
        next.pop_back();
        if (node == nullptr || !seen.insert(node).second)
            continue;
        count += node->name().find("Recomputed") != std::string::npos ? 1 : 0;
        for (const torch::autograd::Edge& edge : node->next_edges())
            next.push_back(edge.function.get());
    }
    return count;
}

Training smallTraining()
{
    Training training;
    training.batch = 4;
    training.sequence = 6;
    return training;
}

} // namespace

class TestWorker : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { setThreads({1, 1}); }
    void init() { torch::manual_seed(5); }

    // OpenBLAS's own choice stays where it is one for this processor.
    void kernelsAreReplacedOnlyWhereTheyFellBack_data()
    {
        QTest::addColumn<QString>("library");
        QTest::addColumn<QString>("core");
        QTest::addColumn<bool>("hasAvx512");
        QTest::addColumn<QString>("better");
        QTest::newRow("a fallback") << "OpenBLAS"
                                    << "Prescott" << true << "SkylakeX";
        QTest::newRow("a fallback, AVX2") << "OpenBLAS"
                                          << "Nehalem" << false << "Haswell";
        QTest::newRow("AMD's fallback") << "OpenBLAS"
                                        << "Barcelona" << false << "Haswell";
        QTest::newRow("AMD with AVX-512") << "OpenBLAS"
                                          << "Zen" << true << "";
        QTest::newRow("Haswell") << "OpenBLAS"
                                 << "Haswell" << true << "";
        QTest::newRow("the widest") << "OpenBLAS"
                                    << "SkylakeX" << true << "";
        QTest::newRow("newer than this list") << "OpenBLAS"
                                              << "Zen9" << true << "";
        QTest::newRow("another library") << "BLIS"
                                         << "Prescott" << true << "";
    }
    void kernelsAreReplacedOnlyWhereTheyFellBack()
    {
        QFETCH(QString, library);
        QFETCH(QString, core);
        QFETCH(bool, hasAvx512);
        QFETCH(QString, better);
        std::vector<std::string> features{"avx2", "fma"};
        if (hasAvx512)
            features.insert(features.end(), {"avx512f", "avx512dq", "avx512bw", "avx512vl"});
        const Blas blas{library.toStdString(), core.toStdString()};
        QCOMPARE(std::string(betterKernels(blas, features)), better.toStdString());
        const std::string finding = blasFinding(blas, features);
        QCOMPARE(finding.empty(), better.isEmpty());
        QVERIFY(finding.find(better.toStdString()) != std::string::npos);
        QVERIFY(betterKernels(blas, {"sse2"}).empty());
    }
    void replacedKernelsAreAFindingForTheUsersOwnRuns()
    {
        qputenv("OUTLAY_REPLACED_KERNELS", "Prescott");
        const std::string finding = blasFinding({"OpenBLAS", "SkylakeX"}, {"avx2", "fma"});
        const std::string inVain = blasFinding({"OpenBLAS", "Prescott"}, {"avx2", "fma"});
        qunsetenv("OUTLAY_REPLACED_KERNELS");
        QVERIFY(inVain.find("was measured with") == std::string::npos && !inVain.empty());
        QVERIFY(finding.find("OPENBLAS_CORETYPE=SkylakeX") != std::string::npos);
        QVERIFY(finding.find("Prescott") != std::string::npos);
    }

    // Both see the same machine: A B B A, and A B, B A where a turn takes a good part of the time.
    void turnsAlternate_data()
    {
        QTest::addColumn<int>("milliseconds");
        QTest::addColumn<QString>("rounds");
        QTest::newRow("short turns") << 1 << "ABBAABBAABBA";
        QTest::newRow("long turns") << 150 << "ABBAAB";
    }
    void turnsAlternate()
    {
        QFETCH(int, milliseconds);
        QFETCH(QString, rounds);
        outlay::tests::Silence silence;
        const Job job;
        const double now = wallClock();
        const Bench bench{job, silence.channel, torch::kCPU, now, now + 1};
        QString order;
        const auto contestant = [&](char name) {
            return Contestant{[&order, name, milliseconds] {
                order += QLatin1Char(name);
                QTest::qSleep(milliseconds);
            }};
        };
        const VariantMeasurement m = compare(bench, contestant('A'), contestant('B'), 0.4);
        QVERIFY(order.startsWith(QStringLiteral("ABAB"))); // to warm up and for their memory
        QVERIFY2(order.mid(4).startsWith(rounds), qPrintable(order));
        const qsizetype inRound = milliseconds == 1 ? 4 : 2;
        QCOMPARE(order.size() - 4, inRound * m.rounds);
        QVERIFY(m.rounds >= 3 && m.lowRatio <= m.ratio && m.ratio <= m.highRatio);
        QVERIFY(m.plainS >= 1e-3 * milliseconds && m.variantS >= 1e-3 * milliseconds);
    }

    // Computed again in the backward pass, with the same dropout: every gradient is what it was.
    void checkpointingChangesNoGradient()
    {
        std::mt19937_64 random(31);
        int withBlocks = 0;
        for (int i = 0; i < 150; ++i) {
            const Model model = outlay::tests::randomModel(random);
            const auto network = *Network::create(model);
            Training training = smallTraining();
            Trainer plain(network, training, torch::kCPU);
            (void)plain.gradients(1); // draws the targets
            training.checkpointing = true;
            training.recomputeEvery = 1 + i % 3;
            Trainer checkpointing(network, training, torch::kCPU);
            checkpointing.takeDataOf(plain);
            const double difference =
                relativeDifference(plain.gradients(9), checkpointing.gradients(9));
            QVERIFY2(difference < 1e-5, writeJson(fieldsOf(model)).c_str());
            const auto layers = expand(model);
            withBlocks += std::any_of(layers.begin(), layers.end(),
                                      [](const Layer& layer) { return layer.block > 0; });
        }
        QVERIFY(withBlocks > 20);
    }

    // Of so many blocks the last is: counted in what the way back goes through, the decoder's on from the encoder's.
    void everySoManyBlocksAreCheckpointed()
    {
        for (const char* name : {"small-gpt", "t5-small"}) {
            const Model model = shallow(preset(name)->experiment.model, 5, 2);
            const auto network = *Network::create(model);
            const auto blocks = static_cast<std::int64_t>(blockCount(LayerKinds(expand(model))));
            QVERIFY(blocks > 4);
            for (const std::int64_t every : {0, 1, 2, 3, 4, 100}) {
                PassForm form = network->form();
                form.checkpointEvery = every;
                network->setForm(form);
                const torch::Tensor output = network->forward(network->randomInput(1, 3));
                const torch::Tensor loss = network->loss(output, network->randomTarget(output));
                QCOMPARE(checkpointsOf(loss), every > 0 ? blocks / every : 0);
            }
        }
    }

    void dropoutFollowsTheSeed()
    {
        Model model = preset("small-gpt")->experiment.model;
        std::get<TransformerDesign>(model.design).layers = 1;
        Trainer trainer(*Network::create(model), smallTraining(), torch::kCPU);
        const auto first = trainer.gradients(1);
        QCOMPARE(relativeDifference(first, trainer.gradients(1)), 0.0);
        QVERIFY(relativeDifference(first, trainer.gradients(2)) > 1e-3);
    }

    void accumulationSumsToTheBatch()
    {
        for (const char* id : {"text-generator", "gated-rnn", "mlp"}) {
            const auto network = *Network::create(preset(id)->experiment.model);
            Training training = smallTraining();
            training.accumulation = 2;
            Trainer plain(network, training, torch::kCPU);
            (void)plain.gradients(std::nullopt);
            training.batch = 1;
            training.accumulation = 8;
            Trainer parts(network, training, torch::kCPU);
            parts.takeDataOf(plain);
            const double difference =
                relativeDifference(plain.gradients(std::nullopt), parts.gradients(std::nullopt));
            QVERIFY2(difference < 1e-5, id);
        }
    }

    void sixteenBitsDifferALittle()
    {
        const auto network = *Network::create(preset("mlp")->experiment.model);
        Training training = smallTraining();
        Trainer plain(network, training, torch::kCPU);
        (void)plain.gradients(std::nullopt);
        training.precision = Precision::Bf16;
        Trainer half(network, training, torch::kCPU);
        half.takeDataOf(plain);
        const double difference =
            relativeDifference(plain.gradients(std::nullopt), half.gradients(std::nullopt));
        QVERIFY2(difference > 1e-5 && difference < 0.1, std::to_string(difference).c_str());
    }

    void eightBitsDifferALittle()
    {
        QVERIFY(Int8Weights::isAvailable());
        const torch::NoGradGuard guard;
        const auto network = *Network::create(preset("mlp")->experiment.model);
        network->eval();
        const Input input = network->randomInput(3, 1);
        const torch::Tensor expected = network->forward(input);
        network->setForm({.int8 = std::make_shared<Int8Weights>()});
        const torch::Tensor first = network->forward(input);
        const double difference = relativeDifference({expected}, {first});
        QVERIFY2(difference > 1e-5 && difference < 0.1, std::to_string(difference).c_str());
        QCOMPARE(relativeDifference({first}, {network->forward(input)}), 0.0); // packed once
    }

    void tokenByTokenIsTheFullPrefix()
    {
        const torch::NoGradGuard guard;
        std::mt19937_64 random(12);
        Serving serving;
        serving.inputTokens = 5;
        serving.outputTokens = 4;
        int tried = 0;
        for (int i = 0; i < 300 && tried < 40; ++i) {
            const Model model = outlay::tests::randomModel(random);
            const auto* transformer = std::get_if<TransformerDesign>(&model.design);
            if (!generates(model) || (transformer != nullptr && transformer->hasPooler()))
                continue;
            const auto network = *Network::create(model);
            network->eval();
            const Generation generation(*network, serving, torch::kCPU, 100);
            QCOMPARE(generation.tokens(), std::int64_t{4});
            QCOMPARE(generation.expected().scalar_type(), torch::kDouble);
            for (const torch::Tensor& outputs : {generation.stepwise(), generation.fullPrefix()}) {
                QCOMPARE(outputs.scalar_type(), torch::kFloat);
                const double difference = relativeDifference({generation.expected()}, {outputs});
                QVERIFY2(difference < 1e-4, writeJson(fieldsOf(model)).c_str());
                QCOMPARE(generation.sameTokens(outputs), std::int64_t{4});
            }
            ++tried;
        }
        QCOMPARE(tried, 40);
    }

    void everyLayerHasItsTime()
    {
        outlay::tests::Silence silence;
        const Job job{.model = preset("text-generator")->experiment.model,
                      .training = smallTraining()};
        const Bench bench{job, silence.channel, torch::kCPU, wallClock(), wallClock() + 1};
        Trainer trainer(*Network::create(job.model), job.training, torch::kCPU);
        const StepTime step = trainer.step();
        const auto layers = measureLayers(bench, trainer, 0.1);
        QCOMPARE(layers.size(), expand(job.model).size());
        double total = 0;
        for (const LayerTime& layer : layers) {
            QVERIFY2(layer.forwardS > 0 && layer.backwardS >= 0, layer.name.c_str());
            total += layer.forwardS + layer.backwardS;
        }
        QVERIFY(layers[1].backwardS > 0); // an LSTM
        QVERIFY(total < 20 * step.wallS); // seconds, not times of day
        QVERIFY(trainer.sharedNetwork()->form().clock == nullptr);
    }

    // Where a step outlasts the whole time, two are timed and what can wait isn't; it says so. Elsewhere all is.
    void longStepsTakeLittleElse_data()
    {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<bool>("isLong");
        QTest::newRow("a step outlasts the time") << 1e-5 << true;
        QTest::newRow("many fit") << 5.0 << false;
    }
    void longStepsTakeLittleElse()
    {
        QFETCH(double, seconds);
        QFETCH(bool, isLong);
        outlay::tests::Silence silence;
        Experiment e = preset("mlp")->experiment;
        e.training.batch = 1;
        const Job job{
            .model = e.model, .training = e.training, .serving = e.serving, .seconds = seconds};
        const double now = wallClock();
        Measurement m;
        measureDesign({job, silence.channel, torch::kCPU, now, now + seconds}, m);
        QCOMPARE(m.training.step.count < 4, isLong);
        QVERIFY(m.training.step.count >= 1 && m.inference.count > 0);
        QCOMPARE(m.layers.empty(), isLong);
        const auto saysSo = [](const std::string& finding) {
            return finding.find("layers") != std::string::npos;
        };
        QCOMPARE(std::any_of(m.findings.begin(), m.findings.end(), saysSo), isLong);
    }

    // Twice as many each time, until two in turn didn't raise the best rate by 5 %, and no further: told by the rates that
    // were taken, whatever they are on a busy machine.
    void tokensAreMadeTogether()
    {
        outlay::tests::Silence silence;
        const auto measured = [&](const char* name, double seconds) {
            const Experiment e = preset(name)->experiment;
            const Job job{.model = e.model,
                          .training = smallTraining(),
                          .serving = e.serving,
                          .seconds = seconds};
            const double now = wallClock();
            Measurement m;
            measureDesign({job, silence.channel, torch::kCPU, now, now + seconds}, m);
            return m.inference.together;
        };
        const auto together = measured("text-generator", 4);
        QVERIFY(!together.empty());
        double best = 0;
        int flat = 0;
        for (std::size_t i = 0; i < together.size(); ++i) {
            const TokensTogether& row = together[i];
            QVERIFY2(flat < 2, "it should have stopped");
            QCOMPARE(row.requests, std::int64_t{1} << i);
            QVERIFY(row.range && row.range->count >= 3);
            QVERIFY(0 < row.range->low && row.range->low <= row.tokensPerS &&
                    row.tokensPerS <= row.range->high);
            flat = row.tokensPerS > 1.05 * best ? 0 : flat + 1;
            best = std::max(best, row.tokensPerS);
        }
        QVERIFY(measured("mlp", 0.5).empty()); // it generates nothing
    }

    // Embeddings that run twice in a pass, and blocks whose parts read the same tensor.
    void layersOfSharedInputsHaveTheirTime_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isParallel");
        QTest::newRow("encoder and decoder") << "t5-small" << false;
        QTest::newRow("decoder") << "small-gpt" << false;
        QTest::newRow("parallel blocks") << "small-gpt" << true;
    }
    void layersOfSharedInputsHaveTheirTime()
    {
        QFETCH(QString, name);
        QFETCH(bool, isParallel);
        outlay::tests::Silence silence;
        Job job{.model = preset(name.toStdString())->experiment.model, .training = smallTraining()};
        auto& design = std::get<TransformerDesign>(job.model.design);
        design.layers = 2;
        design.vocabulary = 1000;
        design.parallelBlocks = isParallel;
        job.training.sequence = 32;
        job.training.batch = 2;
        const Bench bench{job, silence.channel, torch::kCPU, wallClock(), wallClock() + 1};
        Trainer trainer(*Network::create(job.model), job.training, torch::kCPU);
        trainer.step();
        const double start = wallClock();
        const auto layers = measureLayers(bench, trainer, 0);
        const double took = wallClock() - start;
        double backwardS = 0;
        for (const LayerTime& layer : layers) {
            QVERIFY2(layer.forwardS > 0 && layer.backwardS >= 0, layer.name.c_str());
            backwardS += layer.backwardS;
        }
        // No time is counted twice: together they are a part of the one step that was made.
        QVERIFY(backwardS > 0 && backwardS < took);
        // The decoder's embedding ends before the encoder begins.
        QVERIFY(layers.front().backwardS < 0.3 * backwardS);
    }

    // What is the same in each layer makes the whole: by parameters in the place of times, exactly.
    void partsMakeTheWhole()
    {
        outlay::tests::Silence silence;
        Job job{.model = preset("small-gpt")->experiment.model, .training = smallTraining()};
        auto& design = std::get<TransformerDesign>(job.model.design);
        design.layers = 16;
        job.training.sequence = 32;
        auto parts = partsOf(job);
        QVERIFY(parts.has_value());
        QCOMPARE(parts->counts.fewerLayers, std::int64_t{1});
        QCOMPARE(parts->counts.moreLayers, std::int64_t{2});
        QCOMPARE(parts->counts.layers, std::int64_t{16});
        const auto sized = [](const Job& of) {
            const auto count = static_cast<double>(parametersOf(LayerKinds(expand(of.model))));
            return StepTime{count, 2 * count, 3 * count, 4 * count, 5 * count};
        };
        const StepTime made = wholeStep(sized(parts->fewer), sized(parts->more), parts->counts);
        const StepTime whole = sized(job);
        QCOMPARE(made.wallS, whole.wallS);
        QCOMPARE(made.processorS, whole.processorS);
        QCOMPARE(made.forwardS, whole.forwardS);
        QCOMPARE(made.backwardS, whole.backwardS);
        QCOMPARE(made.optimizerS, whole.optimizerS);
        // A neighbour held up the smaller one: the whole takes as long at least.
        const StepTime disturbed =
            wholeStep(sized(parts->more), sized(parts->fewer), parts->counts);
        QCOMPARE(disturbed.wallS, sized(parts->more).wallS);
        const Bench bench{job, silence.channel, torch::kCPU, wallClock(), wallClock() + 1};
        const TrainingMeasurement m = measureParts(bench, *parts, 0.2);
        QVERIFY(m.step.count >= 3);
        QVERIFY(m.step.medianS > 0 && m.buildS > 0);
        design.layers = 2;
        QVERIFY(!partsOf(job).has_value());
    }

    void designsWithoutRepeatedLayersHaveNoParts()
    {
        QVERIFY(!partsOf({.model = preset("mlp")->experiment.model}).has_value());
        Job text{.model = preset("text-generator")->experiment.model};
        std::get<RecurrentDesign>(text.model.design).layers = 5;
        QCOMPARE(partsOf(text)->counts.fewerLayers,
                 std::int64_t{2}); // the first reads another width
    }
};

OUTLAY_TEST(TestWorker)
#include "tst_worker.moc"
