// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is trained of a design: counts that PEFT publishes, sums that must agree, and what the rest saves.
#include "core/experiment/experiment.h"
#include "core/experiment/presets.h"
#include "core/hardware/forecast.h"
#include "core/hardware/hardware_catalog.h"
#include "core/workload/parameters.h"
#include "core/workload/trained.h"
#include "core/workload/training_work.h"
#include "tests/support/near.h"
#include "tests/support/random_designs.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay::core;
using outlay::tests::isNear;

namespace {

Model transformerOf(std::int64_t hidden, std::int64_t inner, std::int64_t kvHeads,
                    std::int64_t vocabulary)
{
    const std::string text = R"({"family":"transformer","kind":"decoder","layers":32,"heads":32,)"
                             R"("norm":"rms","position":"rotary","gated_feed_forward":true,)"
                             R"("attention_biases":"none","feed_forward_biases":false,"hidden":)" +
                             std::to_string(hidden) + R"(,"feed_forward":)" +
                             std::to_string(inner) + R"(,"kv_heads":)" + std::to_string(kvHeads) +
                             R"(,"vocabulary":)" + std::to_string(vocabulary) + "}";
    auto read = readModel(*readJson(text), "");
    if (!read)
        qFatal("%s", read.error().sentence().c_str());
    return read->model;
}

Model llama31()
{
    return transformerOf(4096, 14336, 8, 128256);
}

Model untied(Model model)
{
    std::get<TransformerDesign>(model.design).tiedEmbeddings = false;
    return model;
}

Training lora(std::int64_t rank, std::vector<std::string> targets)
{
    Training t;
    t.method = Method::Lora;
    t.adapterRank = rank;
    t.adapterTargets = std::move(targets);
    return t;
}

} // namespace

class TestTrained : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // What a block adds last is read by the sum alone, unless it is dropped in part, normed, or has an adapter beside it.
    void theLastProductOfABlockIsUnread_data()
    {
        QTest::addColumn<QString>("change");
        QTest::addColumn<double>("unread");
        QTest::newRow("gated") << "" << 1.0 / 3;
        QTest::newRow("two matrices") << R"("gated_feed_forward":false)" << 0.5;
        QTest::newRow("dropped in part") << R"("dropout":0.1)" << 0.0;
        QTest::newRow("normed after each part") << R"("norm_position":"after")" << 0.0;
        QTest::newRow("normed before and after") << R"("norms_per_block":4)" << 0.0;
        QTest::newRow("experts") << R"("experts":4,"experts_used":2)" << 0.0;
    }
    void theLastProductOfABlockIsUnread()
    {
        QFETCH(QString, change);
        QFETCH(double, unread);
        Json design = fieldsOf(llama31());
        const Json changes = *readJson("{" + change.toStdString() + "}");
        for (const JsonMember& member : *changes.asObject())
            design.set(member.key, member.value);
        const auto read = readModel(design, "");
        QVERIFY2(read.has_value(), read ? "" : read.error().sentence().c_str());
        const LayerKinds layers = expand(read->model);
        Training training;
        training.checkpointing = true;
        double most = 0;
        for (const Trained& kind : trainedOf(layers, training))
            most = std::max(most, kind.unread);
        QCOMPARE(most, unread);
        QCOMPARE(leavesUnread(layers, training), unread > 0);
        QVERIFY(!leavesUnread(layers, {}));
        Training adapters = lora(16, {"query", "value"});
        adapters.checkpointing = true;
        QCOMPARE(leavesUnread(layers, adapters), unread > 0);
        adapters.adapterTargets.emplace_back("down");
        QVERIFY(!leavesUnread(layers, adapters));
    }

    // https://huggingface.co/docs/peft, and the makers' own logs of print_trainable_parameters().
    void adaptersAreAsManyAsPublished_data()
    {
        QTest::addColumn<Model>("model");
        QTest::addColumn<Training>("training");
        QTest::addColumn<double>("parameters");
        QTest::newRow("Llama 2 7B, rank 8, q and v")
            << transformerOf(4096, 11008, 32, 32000) << lora(8, {"query", "value"}) << 4194304.0;
        QTest::newRow("Llama 3.1 8B, rank 16, all linear")
            << llama31() << lora(16, {}) << 41943040.0;
        QTest::newRow("Mistral 7B, rank 64, all linear")
            << transformerOf(4096, 14336, 8, 32000) << lora(64, {}) << 167772160.0;
        Training whole = lora(16, {});
        whole.trainedWhole = {"embedding", "output"};
        QTest::newRow("both tables whole beside them")
            << untied(llama31()) << whole << 41943040.0 + 2.0 * 128256 * 4096;
        whole.trainedWhole = {"norm"};
        QTest::newRow("norms whole beside them") << llama31() << whole << 41943040.0 + 65.0 * 4096;
    }

    void adaptersAreAsManyAsPublished()
    {
        QFETCH(Model, model);
        QFETCH(Training, training);
        QFETCH(double, parameters);
        QCOMPARE(trainableOf(expand(model), training), parameters);
    }

    // One table is the first and the last: whichever of both is named, it is trained once, and kept as it was, too.
    void aTiedTableIsTrainedOnce()
    {
        const auto gpt2 = preset("gpt2")->experiment;
        const LayerKinds layers = expand(gpt2.model);
        Training plain = gpt2.training;
        plain.method = Method::Lora;
        constexpr double Table = 50257.0 * 768;
        for (const auto& names : {std::vector<std::string>{"output"}, {"embedding", "output"}}) {
            Training whole = plain;
            whole.trainedWhole = names;
            const double positions = names.size() == 2 ? 1024.0 * 768 : 0;
            QCOMPARE(trainableOf(layers, whole), trainableOf(layers, plain) + Table + positions);
            const TrainingMemory with = trainingMemory(layers, whole);
            const TrainingMemory without = trainingMemory(layers, plain);
            QCOMPARE(with.parameters.value() - without.parameters.value(), 4 * (Table + positions));
            QCOMPARE(with.gradients.value() - without.gradients.value(), 4 * (Table + positions));
            // A product for the weights' gradient, beside the one for what lies before it.
            const double rows = double(plain.batch) * double(plain.sequence);
            QVERIFY(isNear(flopsOfBatch(layers, whole) - flopsOfBatch(layers, plain),
                           2 * rows * Table));
        }
    }

    // Every matrix is some layer's: without biases and tables nothing else has parameters.
    void matricesAreWhatLayersHold()
    {
        const LayerKinds layers = expand(llama31());
        for (const auto& [layer, count] : layers.kinds()) {
            double elements = 0;
            for (const Linear& linear : linearsOf(layer.spec)) {
                elements += static_cast<double>(linear.count) * linear.elements();
                QVERIFY(std::find(AdapterTargetNames.begin(), AdapterTargetNames.end(),
                                  linear.part) != AdapterTargetNames.end());
            }
            if (elements > 0)
                QCOMPARE(elements, static_cast<double>(parametersOf(layer.spec)));
        }
        const Experts experts{.expert = {.width = 64, .inner = 96, .gated = true, .biases = false},
                              .count = 8,
                              .used = 2};
        double elements = 0;
        for (const Linear& linear : linearsOf(experts))
            elements += static_cast<double>(linear.count) * linear.elements();
        QCOMPARE(elements, static_cast<double>(parametersOf(experts)));
    }

    void statesFollowFromWhatIsTrained()
    {
        std::mt19937_64 random(17);
        int adapted = 0;
        for (int i = 0; i < 300; ++i) {
            const Model model = outlay::tests::randomModel(random);
            const LayerKinds layers = expand(model);
            const auto all = static_cast<double>(parametersOf(layers));
            Training t = lora(1 + static_cast<std::int64_t>(random() % 64), {});
            t.precision = random() % 2 == 0 ? Precision::Bf16 : Precision::Fp32;
            t.optimizer = Optimizer::AdamW;
            t.sequence = 16;
            t.batch = 2;
            if (!checkTrained(model, t))
                continue;
            ++adapted;
            const double trained = trainableOf(layers, t);
            const double each = t.precision == Precision::Bf16 ? 2 : 4;
            const TrainingMemory memory = trainingMemory(layers, t);
            QCOMPARE(memory.parameters.value(), each * all + 4 * trained);
            QCOMPARE(memory.trained.value(), 4 * trained);
            QCOMPARE(memory.gradients.value(), 4 * trained);
            QCOMPARE(memory.optimizer.value(), 8 * trained);
            t.frozenWeights = FrozenWeights::Nf4;
            QVERIFY(trainingMemory(layers, t).parameters.value() < memory.parameters.value());
            t.adapterRank *= 2;
            QCOMPARE(trainableOf(layers, t), 2 * trained);
        }
        QVERIFY(adapted > 100);
    }

    // One product forward, one back where the weights stay as they are, two where they are trained.
    void backwardIsOnlyWhatIsNeeded()
    {
        const std::vector<Layer> stack{
            {"a", Dense{.inputs = 64, .outputs = 32, .bias = false}, Stream::Sample},
            {"b", Dense{.inputs = 32, .outputs = 16, .bias = false}, Stream::Sample}};
        const LayerKinds layers(stack);
        Training t;
        t.batch = 10;
        const double first = 2.0 * 10 * 64 * 32;
        const double last = 2.0 * 10 * 32 * 16;
        QCOMPARE(flopsOfBatch(layers, t), 3 * (first + last));
        t.method = Method::Head;
        QCOMPARE(flopsOfBatch(layers, t), first + 2 * last);
        QCOMPARE(trainableOf(layers, t), 512.0);
        t.method = Method::Lora;
        t.adapterRank = 4;
        const double adapters = 2.0 * 10 * 4 * (64 + 32 + 32 + 16);
        QVERIFY(isNear(flopsOfBatch(layers, t), 2 * (first + last) + 3 * adapters));
    }

    // Attention's scores go back by two products, whether its matrices are trained or not.
    void scoresGoBackInAnyCase()
    {
        const std::vector<Layer> stack{{"a", Attention{.width = 64,
                                                       .memory = 64,
                                                       .heads = 4,
                                                       .kvHeads = 4,
                                                       .headSize = 16,
                                                       .biases = AttentionBiases::None}}};
        Training t = lora(1, {"query"});
        t.batch = 2;
        t.sequence = 32;
        const double rows = 2 * 32;
        const double products = 4 * 2 * rows * 64 * 64;
        const double scores = 2 * 2 * 2.0 * 4 * 32 * 32 * 16;
        const double adapter = 2 * rows * (64 + 64);
        QVERIFY(
            isNear(flopsOfBatch(LayerKinds(stack), t), 2 * products + 3 * scores + 3 * adapter));
    }

    // An adapter at the end sends no gradient through what lies before it, which holds what it works with and no more.
    void nothingGoesBackBelowTheFirstAdapter()
    {
        const LayerKinds bert = expand(outlay::core::preset("bert-base")->experiment.model);
        Training t = lora(8, {"dense"});
        t.batch = 4;
        t.sequence = 64;
        const double forward = workOf(bert, trainingPassOf(t)).flops;
        QVERIFY(flopsOfBatch(bert, t) < 1.01 * forward);
        t.adapterTargets = {"query"};
        QVERIFY(flopsOfBatch(bert, t) > 1.9 * forward);
        t.method = Method::Head;
        const TrainingMemory head = trainingMemory(bert, t);
        t.method = Method::Full;
        QVERIFY(head.activations.value() < trainingMemory(bert, t).activations.value() / 4);
        double working = 0;
        for (const auto& [layer, count] : bert.kinds())
            working = std::max(working, workOf(layer, trainingPassOf(t)).keptScores);
        QVERIFY(working > 0 && head.activations.value() >= working);
        // Adapters' gradients have 32 bits, whatever the weights have.
        t.precision = Precision::Bf16;
        t.method = Method::Lora;
        QCOMPARE(trainingMemory(bert, t).gradients.value(), 4 * trainableOf(bert, t));
        QVERIFY(mostBytesHere(bert, t) > 4.0 * static_cast<double>(parametersOf(bert)));
    }

    // Measured on an A100 in 31 pairs: 0.96 to 1.13 times as fast as training all, 1.25 at most by its passes.
    void adaptersAreHardlyFaster()
    {
        const LayerKinds layers = expand(llama31());
        for (const char* name : {"A100-80GB-SXM4", "H100-SXM5", "L40S"}) {
            const Device* device = hardwareCatalog()->find(name);
            QVERIFY2(device != nullptr, name);
            const auto forecast = [&](Method method) {
                Training t = lora(16, {"query", "key", "value", "output"});
                t.method = method;
                t.precision = Precision::Bf16;
                t.optimizer = Optimizer::AdamW;
                t.checkpointing = true;
                t.batch = 4;
                t.sequence = 4096;
                return trainingForecast(trainingDemand(layers, t), {*device, 1, *calibration()});
            };
            const double faster = forecast(Method::Full).stepSeconds.value() /
                                  forecast(Method::Lora).stepSeconds.value();
            QVERIFY2(faster >= 1.0 && faster <= 1.25, std::to_string(faster).c_str());
            QVERIFY(forecast(Method::Lora).memory.value() <
                    forecast(Method::Full).memory.value() / 2);
        }
    }

    void whatCantBeTrainedIsSaid_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<QString>("patch");
        QTest::addColumn<QString>("place");
        QTest::newRow("no matrices") << "text-generator"
                                     << R"({"method": "lora"})"
                                     << "/training/method";
        QTest::newRow("a head in the place of adapters")
            << "text-generator"
            << R"({"method": "lora", "trained_whole": ["output"]})"
            << "/training/method";
        QTest::newRow("none of these") << "gpt2"
                                       << R"({"method": "lora", "adapter_targets": ["router"]})"
                                       << "/training/adapter_targets";
        QTest::newRow("a slip") << "gpt2"
                                << R"({"adapter_targets": ["querry"]})"
                                << "/training/adapter_targets/0";
        QTest::newRow("an unknown layer") << "gpt2"
                                          << R"({"trained_whole": ["embeding"]})"
                                          << "/training/trained_whole/0";
        QTest::newRow("a tied head") << "gpt2"
                                     << R"({"method": "head"})"
                                     << "/training/method";
        QTest::newRow("no rank") << "gpt2"
                                 << R"({"method": "lora", "adapter_rank": 0})"
                                 << "/training/adapter_rank";
    }

    void whatCantBeTrainedIsSaid()
    {
        QFETCH(QString, preset);
        QFETCH(QString, patch);
        QFETCH(QString, place);
        Json json = toJson(outlay::core::preset(preset.toStdString())->experiment);
        const Json changes = *readJson(patch.toStdString());
        for (const auto& [key, value] : *changes.asObject())
            json.find("training")->set(key, value);
        const auto read = readExperiment(json);
        QVERIFY(!read);
        QCOMPARE(QString::fromStdString(read.error().place), place);
        QVERIFY(!read.error().what.empty() && !read.error().remedy.empty());
    }

    // Nothing reads what a block adds last, unless a norm does: of the sum, or of what was added.
    void normsReadWhatBlocksAdd()
    {
        Training t{.checkpointing = true};
        TransformerDesign d{.vocabulary = 100, .hidden = 32, .layers = 3, .heads = 4};
        for (const auto& [place, leaves] :
             {std::pair{NormPosition::Before, true}, std::pair{NormPosition::After, false},
              std::pair{NormPosition::Inside, false}}) {
            d.normPosition = place;
            Model model;
            model.design = d;
            QCOMPARE(leavesUnread(LayerKinds(expand(model)), t), leaves);
        }
    }

    // Of five products of attention the first and the third wait, so that a feed-forward's first does again.
    void everySecondProductWaits()
    {
        const auto partsOf = [](const LayerSpec& spec) {
            QStringList parts;
            for (const Linear& linear : keptLinears(spec))
                parts.append(QString::fromUtf8(linear.part.data(), qsizetype(linear.part.size())));
            return parts.join(u' ');
        };
        Attention attention{
            .width = 64, .memory = 64, .heads = 4, .kvHeads = 4, .headSize = 16, .latent = 8};
        QCOMPARE(partsOf(attention), QStringLiteral("query key_value"));
        attention.queryRank = 12;
        QCOMPARE(partsOf(attention), QStringLiteral("query_down latent"));
        attention.latent = 0;
        attention.queryRank = 0;
        QCOMPARE(partsOf(attention), QStringLiteral("query value"));
        QCOMPARE(partsOf(FeedForward{.width = 8, .inner = 8, .gated = true}),
                 QStringLiteral("gate down"));
    }

    // A gate in each block is no last layer.
    void gatesOfBlocksAreNoHead()
    {
        TransformerDesign d{.vocabulary = 100, .hidden = 32, .layers = 3, .heads = 4};
        d.experts = 4;
        d.sharedExpert = 16;
        d.sharedExpertGate = true;
        d.languageHead = false;
        Model model;
        model.design = d;
        const auto refused = checkTrained(model, {.method = Method::Head});
        QVERIFY(!refused);
        QCOMPARE(refused.error().place, std::string("/training/method"));
    }
};

OUTLAY_TEST(TestTrained)
#include "tst_trained.moc"
