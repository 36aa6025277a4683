// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The modules against the paper: they hold as many elements, all of them take part, and going token by
// token gives what the whole sequence gives.
#include "core/probe/worker/network/trained_parts.h"
#include "core/probe/worker/network/trainer.h"

#include "core/experiment/presets.h"
#include "core/workload/parameters.h"
#include "core/workload/serving_work.h"
#include "core/workload/trained.h"
#include "tests/support/random_designs.h"
#include "tests/support/test_class.h"

// QtTest after LibTorch, which uses `slots` as a name.
#include <QTest>

using namespace outlay::core;
using outlay::worker::Input;
using outlay::worker::Network;
using outlay::worker::PassForm;
using outlay::worker::setTrained;
using outlay::worker::trainedParameters;
using outlay::worker::Trainer;

namespace {

Model read(const char* text)
{
    return readModel(*readJson(text), "")->model;
}

/// The name under which the layer's module is registered.
std::string layerOf(const Network& network, std::string_view name)
{
    const auto& layers = network.layers();
    const auto at = std::find_if(layers.begin(), layers.end(),
                                 [&](const Layer& layer) { return layer.name == name; });
    return "layer" + std::to_string(at - layers.begin());
}

} // namespace

class TestNetwork : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { torch::set_num_threads(1); }

    void holdsWhatThePaperCounts()
    {
        std::mt19937_64 random(20261120); // the designs that the counts are tested with
        for (int i = 0; i < 1000; ++i) {
            const Model model = outlay::tests::randomModel(random);
            const auto network = Network::create(model);
            QVERIFY(network.has_value());
            const std::string text = writeJson(fieldsOf(model));
            QVERIFY2((*network)->elementCount() == parametersOf(expand(model)), text.c_str());
        }
    }

    void holdsThePresetsThatFit()
    {
        constexpr std::int64_t MostParameters = 200'000'000;
        int tried = 0;
        for (const Preset& row : *presets()) {
            const std::int64_t count = parametersOf(expand(row.experiment.model));
            if (count > MostParameters)
                continue;
            QCOMPARE((*Network::create(row.experiment.model))->elementCount(), count);
            ++tried;
        }
        QVERIFY(tried >= 9);
    }

    // After one backward pass each parameter has a gradient: nothing is held and not used.
    void everyParameterIsTrained()
    {
        torch::manual_seed(1);
        std::mt19937_64 random(8);
        for (int i = 0; i < 120; ++i) {
            const Model model = outlay::tests::randomModel(random);
            const auto network = *Network::create(model);
            const std::string text = writeJson(fieldsOf(model));
            const torch::Tensor output = network->forward(network->randomInput(3, 6));
            network->loss(output, network->randomTarget(output)).backward();
            for (const auto& row : network->named_parameters()) {
                // Experts that no token chose have none.
                const bool mayRest = row.key().find("expert") != std::string::npos;
                QVERIFY2(mayRest || row.value().grad().defined(), (row.key() + " " + text).c_str());
            }
        }
    }

    // Adapters or the last layer are trained, as many numbers as the paper counts, and nothing else; with or without
    // checkpointing.
    void onlyWhatIsAskedForIsTrained()
    {
        torch::manual_seed(2);
        std::mt19937_64 random(12);
        int adapted = 0;
        int tried = 0;
        int changed = 0;
        for (int i = 0; i < 300; ++i) {
            const Model model = outlay::tests::randomModel(random);
            Training t{
                .sequence = 5, .batch = 2, .method = i % 3 == 0 ? Method::Head : Method::Lora};
            t.checkpointing = i % 2 == 0;
            t.adapterRank = 1 + static_cast<std::int64_t>(random() % 9);
            if (i % 5 == 0)
                t.adapterTargets = {"query", "value", "down"};
            if (i % 4 == 1)
                t.trainedWhole = {"embedding", "norm"};
            else if (i % 4 == 3)
                t.trainedWhole = {"output"};
            if (!checkTrained(model, t))
                continue;
            const std::string text = writeJson(fieldsOf(model));
            const auto network = *Network::create(model);
            const auto whole = Network::create(model).value()->parameters().size();
            Trainer trainer(network, t, torch::kCPU);
            double numbers = 0;
            for (const torch::Tensor& one : trainedParameters(*network))
                numbers += static_cast<double>(one.numel());
            QVERIFY2(numbers == trainableOf(expand(model), t), text.c_str());
            const bool grew = network->parameters().size() > whole;
            QCOMPARE(grew, t.method == Method::Lora);
            std::vector<torch::Tensor> before;
            for (const torch::Tensor& one : network->parameters())
                before.push_back(one.detach().clone());
            trainer.step();
            trainer.step(); // the first changes only the second matrix of an adapter
            bool isChanged = false;
            for (std::size_t k = 0; k < before.size(); ++k) {
                const torch::Tensor now = network->parameters()[k];
                const bool isSame = torch::equal(before[k], now.detach());
                QVERIFY2(isSame || now.requires_grad(), text.c_str());
                isChanged = isChanged || !isSame;
            }
            // A narrow layer of dead units lets no gradient through.
            changed += isChanged ? 1 : 0;
            ++tried;
            adapted += t.method == Method::Lora ? 1 : 0;
        }
        QVERIFY(adapted > 80 && tried > 150);
        QVERIFY(changed > tried * 9 / 10);
    }

    // An adapter adds nothing before it is trained, and nothing where it is served as part of its weights.
    void adaptersStartAsNothing()
    {
        torch::manual_seed(3);
        const Model model = preset("small-gpt")->experiment.model;
        const auto network = *Network::create(model);
        network->eval();
        const Input input = network->randomInput(1, 7);
        const torch::Tensor plain = network->forward(input);
        const Training t{.sequence = 7, .batch = 1, .method = Method::Lora, .adapterRank = 4};
        setTrained(*network, t);
        setTrained(*network, t);
        QVERIFY(torch::equal(network->forward(input), plain));
        {
            const torch::NoGradGuard guard;
            for (torch::Tensor& one : trainedParameters(*network))
                one.fill_(0.1);
        }
        QVERIFY(!torch::allclose(network->forward(input), plain));
        PassForm form = network->form();
        form.mergesAdapters = true;
        network->setForm(form);
        QVERIFY(torch::equal(network->forward(input), plain));
    }

    void stepByStepIsTheSequence()
    {
        torch::manual_seed(2);
        const torch::NoGradGuard guard;
        std::mt19937_64 random(9);
        int tried = 0;
        for (int i = 0; i < 400 && tried < 60; ++i) {
            const Model model = outlay::tests::randomModel(random);
            const auto* recurrent = std::get_if<RecurrentDesign>(&model.design);
            const bool isEvery = recurrent == nullptr || recurrent->outputAt == OutputAt::Every;
            const auto* transformer = std::get_if<TransformerDesign>(&model.design);
            // A pooler sees the first token of what it is given.
            const bool hasPooler = transformer != nullptr && transformer->hasPooler();
            if (!generates(model) || !isEvery || hasPooler)
                continue;
            const auto network = *Network::create(model);
            network->eval();
            const Input input = network->randomInput(2, 7);
            const torch::Tensor whole = network->forward(input);
            outlay::worker::States states;
            std::vector<torch::Tensor> steps;
            for (std::int64_t t = 0; t < 7; ++t)
                steps.push_back(
                    network->step({input.values.narrow(1, t, 1), input.memory}, states, t));
            const double difference = (torch::cat(steps, 1) - whole).abs().max().item<double>();
            QVERIFY2(difference < 1e-4, writeJson(fieldsOf(model)).c_str());
            ++tried;
        }
        QCOMPARE(tried, 60);
    }

    // What comes later has no influence on what a decoder says now.
    void decodersLookBackOnly()
    {
        torch::manual_seed(3);
        const torch::NoGradGuard guard;
        for (const char* id : {"small-gpt", "gated-rnn", "gru"}) {
            const auto network = *Network::create(preset(id)->experiment.model);
            network->eval();
            Input input = network->randomInput(1, 8);
            const torch::Tensor before = network->forward(input).narrow(1, 0, 7);
            input.values[0][7] = (input.values[0][7] + 1).remainder(50);
            const torch::Tensor after = network->forward(input).narrow(1, 0, 7);
            QVERIFY(torch::allclose(before, after, 1e-5, 1e-6));
        }
    }

    // An expert that all tokens choose, and the same beside it, make twice of what one makes.
    void sharedExpertsSeeWhatExpertsSee()
    {
        torch::manual_seed(4);
        const torch::NoGradGuard guard;
        Model model = read(R"({"family":"transformer","vocabulary":30,"hidden":16,"layers":1,
            "heads":2,"norm":"rms","experts":1,"experts_used":1,"feed_forward":20,
            "gated_feed_forward":true,"shared_expert":20})");
        const auto network = *Network::create(model);
        const Input input = network->randomInput(2, 5);
        auto parameters = network->named_parameters();
        const auto of = [&](const std::string& layer, const std::string& rest) {
            return parameters[layerOf(*network, layer) + rest + ".weight"];
        };
        for (const char* matrix : {"up", "gate", "down"})
            of("block 1 shared", std::string(".") + matrix)
                .copy_(of("block 1 feed", std::string(".expert0.") + matrix));
        const torch::Tensor both = network->forward(input);
        of("block 1 shared", ".down").zero_();
        QVERIFY(!torch::allclose(network->forward(input), both, 1e-3, 1e-3));
        of("block 1 feed", ".expert0.down").mul_(2);
        QVERIFY(torch::allclose(network->forward(input), both, 1e-5, 1e-5));
    }

    // A norm of what a part made, whose scale is zero, leaves the stream as it is; one of the sum would end it.
    void normsInsideAreOfPartsAlone()
    {
        torch::manual_seed(5);
        const torch::NoGradGuard guard;
        for (const char* place : {"inside", "after"}) {
            const Model model =
                read((std::string(R"({"family":"transformer","vocabulary":30,"hidden":16,"layers":2,
                "heads":2,"norm":"rms","final_norm":false,"tied_embeddings":false,"norm_position":")") +
                      place + "\"}")
                         .c_str());
            const auto network = *Network::create(model);
            const Input input = network->randomInput(2, 5);
            auto parameters = network->named_parameters();
            for (auto& row : parameters) {
                if (row.key().ends_with(".scale"))
                    row.value().zero_();
            }
            const torch::Tensor table = parameters[layerOf(*network, "embedding") + ".table"];
            const torch::Tensor head = parameters[layerOf(*network, "output") + ".dense.weight"];
            const torch::Tensor alone = torch::linear(torch::embedding(table, input.values), head);
            QCOMPARE(torch::allclose(network->forward(input), alone, 1e-5, 1e-6),
                     std::string_view(place) == "inside");
        }
    }

    void countsWithoutStructureAreRefused()
    {
        Model model;
        model.design = LayerListDesign{{{"w", Weights{10, 10}}}};
        const auto network = Network::create(model);
        QVERIFY(!network.has_value());
        QVERIFY(!network.error().remedy.empty());
    }
};

OUTLAY_TEST(TestNetwork)
#include "tst_network.moc"
