// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The modules against the paper: they hold as many elements, all of them take part, and going token by
// token gives what the whole sequence gives.
#include "core/probe/worker/network/network.h"

#include "core/experiment/presets.h"
#include "core/workload/parameters.h"
#include "core/workload/serving_work.h"
#include "tests/support/random_designs.h"
#include "tests/support/test_class.h"

// QtTest after LibTorch, which uses `slots` as a name.
#include <QTest>

using namespace outlay::core;
using outlay::worker::Input;
using outlay::worker::Network;

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
