// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Every form of a pass computes what the steps one by one compute in fp64, and every variant has its row.
#include "core/probe/engine/gemm.h"
#include "core/probe/engine/simd.h"
#include "core/probe/worker/measure/compare.h"
#include "core/probe/worker/network/exactly.h"
#include "core/probe/worker/network/generation.h"
#include "core/probe/worker/variants/variants.h"

#include "core/experiment/presets.h"
#include "core/workload/serving_work.h"
#include "tests/support/random_designs.h"
#include "tests/support/silence.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>

using namespace outlay::core;
using namespace outlay::worker;

namespace {

struct NamedForm {
    const char* name;
    PassForm form;
};

std::vector<NamedForm> gatedForms()
{
    using enum Projections;
    using enum Recurrence;
    return {
        {"simple", {.samplesAtOnce = 1, .projections = FourEachStep}},
        {"batched", {.projections = FourEachStep}},
        {"one projection a step", {.projections = OneEachStep}},
        {"one projection", {.projections = One}},
        {"stretches", {.checkpointSteps = 5, .projections = One}},
        {"stretches of chunks", {.checkpointSteps = 20, .projections = One, .recurrence = Chunks}},
        {"chunks", {.projections = One, .recurrence = Chunks}},
        {"chunks, 2 samples", {.samplesAtOnce = 2, .recurrence = Chunks}},
        {"fused", {.recurrence = Fused}},
        {"fused, 2 samples", {.samplesAtOnce = 2, .projections = One, .recurrence = Fused}}};
}

Model gatedModel(const GatedRnnDesign& design)
{
    Model model = preset("gated-rnn")->experiment.model;
    model.design = design;
    return model;
}

/// Adds to the biases of the gates, channel after channel from the list.
void shiftGates(Network& network, const std::vector<double>& shifts, double weightFactor = 1)
{
    const torch::NoGradGuard guard;
    for (auto& row : network.named_parameters()) {
        if (row.key().find("gate.weight") != std::string::npos)
            row.value().mul_(weightFactor);
        if (row.key().find("gate.bias") == std::string::npos)
            continue;
        for (std::int64_t i = 0; i < row.value().numel(); ++i)
            row.value()[i] += shifts[static_cast<std::size_t>(i) % shifts.size()];
    }
}

/// The larger difference, of outputs or of gradients.
double differenceOf(const std::vector<torch::Tensor>& expected,
                    const std::vector<torch::Tensor>& actual)
{
    return std::max(relativeDifference({expected.front()}, {actual.front()}),
                    relativeDifference({expected.begin() + 1, expected.end()},
                                       {actual.begin() + 1, actual.end()}));
}

/// What is wrong with the forms; empty if each is exact to the rounding of fp64 and in fp32 about as
/// good as the plain way.
std::string flawsOf(Trainer& trainer, const std::vector<NamedForm>& forms)
{
    Network& network = *trainer.sharedNetwork();
    constexpr std::int64_t All = 100;
    const auto in = [&](const PassForm& how) {
        network.setForm(how);
        return trainer.results(All);
    };
    const auto exact = trainer.exactResults(All);
    const double plain = differenceOf(exact, in({}));
    std::string flaws;
    for (const NamedForm& form : forms) {
        const double single = differenceOf(exact, in(form.form));
        double twice = 0;
        {
            const Exactly exactly(network);
            twice = differenceOf(exact, in(form.form));
        }
        constexpr double Rounding = 1e-13;
        if (!(twice < Rounding && single < std::max(1e-6, 3 * plain)))
            flaws += std::string(form.name) + ": fp64 " + std::to_string(twice * 1e13) +
                     "e-13, fp32 " + std::to_string(single * 1e6) + "e-6, plain " +
                     std::to_string(plain * 1e6) + "e-6; ";
    }
    network.setForm({});
    return flaws;
}

Training trainingOf(std::int64_t batch, std::int64_t sequence)
{
    Training training;
    training.batch = batch;
    training.sequence = sequence;
    return training;
}

} // namespace

class TestVariants : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { torch::set_num_threads(1); }
    void init() { torch::manual_seed(5); }

    // Lengths around chunks and stretches; gates from nearly closed (2e-9) to nearly open (1 - 1e-6).
    void gatedFormsAreTheSteps_data()
    {
        QTest::addColumn<int>("steps");
        QTest::addColumn<double>("gateBias");
        for (const int steps : {1, 2, 5, 16, 17, 70}) {
            for (const double bias : {-20.0, -10.0, 0.0, 10.0, 14.0})
                QTest::addRow("%d steps, bias %g", steps, bias) << steps << bias;
        }
    }
    void gatedFormsAreTheSteps()
    {
        QFETCH(int, steps);
        QFETCH(double, gateBias);
        const auto network = *Network::create(gatedModel({11, 8, 5, 7, 6, 2}));
        shiftGates(*network, {gateBias});
        Trainer trainer(network, trainingOf(3, steps), torch::kCPU);
        const std::string flaws = flawsOf(trainer, gatedForms());
        QVERIFY2(flaws.empty(), flaws.c_str());
    }

    // Every channel with another bias, and gates that jump from step to step.
    void gatesOfAllKindsBesideEachOther()
    {
        std::mt19937_64 random(17);
        std::uniform_int_distribution<std::int64_t> width(1, 12);
        std::uniform_int_distribution<std::int64_t> length(1, 70);
        for (int i = 0; i < 12; ++i) {
            const auto network = *Network::create(
                gatedModel({width(random) + 1, width(random), width(random), width(random),
                            width(random), 1 + static_cast<std::int64_t>(random() % 3)}));
            shiftGates(*network, {-20, 14, 0, -10, 10, -3}, i % 2 == 0 ? 1 : 40);
            Trainer trainer(network, trainingOf(1 + i % 4, length(random)), torch::kCPU);
            const std::string flaws = flawsOf(trainer, gatedForms());
            QVERIFY2(flaws.empty(), (std::to_string(i) + " " + flaws).c_str());
        }
    }

    void longSequences()
    {
        const auto network = *Network::create(gatedModel({5, 4, 5, 3, 4, 1}));
        shiftGates(*network, {-20, 14, 0, 6, -6});
        Trainer trainer(network, trainingOf(1, 2048), torch::kCPU);
        std::vector<NamedForm> forms = gatedForms();
        std::erase_if(forms, [](const NamedForm& f) {
            return f.form.samplesAtOnce > 0 || f.form.projections == Projections::OneEachStep;
        });
        const std::string flaws = flawsOf(trainer, forms);
        QVERIFY2(flaws.empty(), flaws.c_str());
    }

    void gatedFormsGoOnFromTheirState()
    {
        const torch::NoGradGuard guard;
        const auto network = *Network::create(preset("gated-rnn")->experiment.model);
        network->eval();
        const Input input = network->randomInput(2, 40);
        const torch::Tensor whole = network->forward(input);
        for (const NamedForm& form : gatedForms()) {
            network->setForm(form.form);
            States states;
            (void)network->step({input.values.narrow(1, 0, 21), {}}, states, 0);
            const torch::Tensor rest =
                network->step({input.values.narrow(1, 21, 19), {}}, states, 21);
            QVERIFY2(torch::allclose(whole.narrow(1, 21, 19), rest, 1e-4, 1e-6), form.name);
        }
    }

    // LSTM, GRU and RNN with projections, in both directions, with any number of biases.
    void recurrentFormsAreTheLayer()
    {
        std::mt19937_64 random(23);
        int tried = 0;
        for (int i = 0; i < 2000 && tried < 40; ++i) {
            const Model model = outlay::tests::randomModel(random);
            const auto* design = std::get_if<RecurrentDesign>(&model.design);
            if (design == nullptr)
                continue;
            Trainer trainer(*Network::create(model), trainingOf(3, 11), torch::kCPU);
            std::vector<NamedForm> forms{{"cell by cell", {.cells = CellForm::Steps}},
                                         {"stretches", {.checkpointSteps = 4}},
                                         {"one sample", {.samplesAtOnce = 1}}};
            if (design->projection == 0)
                forms.push_back({"fused", {.cells = CellForm::Fused}});
            const std::string flaws = flawsOf(trainer, forms);
            QVERIFY2(flaws.empty(), (flaws + " " + writeJson(fieldsOf(model))).c_str());
            ++tried;
        }
        QCOMPARE(tried, 40);
    }

    // The same in every width of vectors and over every library.
    void fusedCellsAreTheLayer_data()
    {
        QTest::addColumn<int>("vectors");
        QTest::addColumn<int>("library");
        for (const Vectors vectors : {Vectors::Bytes16, Vectors::Bytes32, Vectors::Bytes64}) {
            for (const GemmLibrary library :
                 {GemmLibrary::OneDnn, GemmLibrary::Blas, GemmLibrary::None})
                QTest::addRow("vectors %d, library %d", static_cast<int>(vectors),
                              static_cast<int>(library))
                    << static_cast<int>(vectors) << static_cast<int>(library);
        }
    }
    void fusedCellsAreTheLayer()
    {
        QFETCH(int, vectors);
        QFETCH(int, library);
        limitVectors(static_cast<Vectors>(vectors));
        limitLibraries(static_cast<GemmLibrary>(library));
        std::string flaws;
        for (const Cell cell : {Cell::Lstm, Cell::Gru, Cell::Rnn}) {
            for (const std::int64_t hidden : {1, 7, 16, 37}) {
                Model model = preset("text-generator")->experiment.model;
                auto& design = std::get<RecurrentDesign>(model.design);
                design.cell = cell;
                design.vocabulary = 50;
                design.outputs = std::nullopt;
                design.hidden = {hidden};
                design.dropout = 0;
                for (const std::int64_t steps : {1, 2, 19, 300}) {
                    if (steps > 100 && hidden != 7)
                        continue;
                    Trainer trainer(*Network::create(model), trainingOf(5, steps), torch::kCPU);
                    flaws += flawsOf(trainer, {{"fused", {.cells = CellForm::Fused}}});
                }
            }
        }
        limitVectors(Vectors::Bytes64);
        limitLibraries(GemmLibrary::OneDnn);
        QVERIFY2(flaws.empty(), flaws.c_str());
    }

    void kindsAndMakersAgree_data()
    {
        QTest::addColumn<QByteArray>("presetId");
        QTest::addColumn<QStringList>("absent");
        const QStringList gatedOnly{"simple",         "batched",          "fused-projections",
                                    "chunked",        "fused-recurrence", "stepwise-fused",
                                    "composed-engine"};
        QTest::newRow("transformer")
            << QByteArray("small-gpt")
            << gatedOnly + QStringList{"checkpoint-time", "cell-by-cell", "fused-layer", "buckets"};
        QTest::newRow("gated") << QByteArray("gated-rnn")
                               << QStringList{"cell-by-cell", "fused-layer"};
        QTest::newRow("lstm") << QByteArray("gru") << gatedOnly;
    }
    void kindsAndMakersAgree()
    {
        QFETCH(QByteArray, presetId);
        QFETCH(QStringList, absent);
        outlay::tests::Silence silence;
        Job job{.model = preset(presetId.toStdString())->experiment.model,
                .training = trainingOf(4, 6),
                .seconds = 0.05,
                .variants = {"all"}};
        if (auto* transformer = std::get_if<TransformerDesign>(&job.model.design))
            transformer->layers = 1;
        if (auto* recurrent = std::get_if<RecurrentDesign>(&job.model.design))
            recurrent->vocabulary = recurrent->outputs = 50;
        job.serving.inputTokens = 4;
        job.serving.outputTokens = 3;
        const Bench bench{job, silence.channel, torch::kCPU, wallClock(), wallClock() + 1};
        Trainer trainer(*Network::create(job.model), job.training, torch::kCPU);
        trainer.step();
        std::vector<VariantMeasurement> rows;
        measureVariants(bench, {.plain = trainer, .threads = {1, 1}}, rows);
        for (const VariantKind& kind : VariantKinds) {
            const auto isOfKind = [&](const VariantMeasurement& m) {
                return m.variant == kind.name;
            };
            const std::string name(kind.name);
            const bool isAbsent = absent.contains(QString::fromStdString(name)) ||
                                  (kind.name == "threads" && thisMachine().cores == 1);
            QVERIFY2(std::any_of(rows.begin(), rows.end(), isOfKind) != isAbsent, name.c_str());
        }
        for (const VariantMeasurement& row : rows) {
            const std::string name = row.name + ": " + row.unavailable;
            const bool isBlockless = row.variant == "checkpointing" && presetId != "small-gpt";
            QVERIFY2(row.isMeasured() || isBlockless, name.c_str());
            if (!row.isMeasured())
                continue;
            QVERIFY(row.ratio > 0 && row.lowRatio <= row.ratio && row.ratio <= row.highRatio);
            QVERIFY(row.rounds >= 3 && row.peakBytes && row.plainPeakBytes);
            QVERIFY2(!row.proof.empty(), name.c_str());
        }
        const PassForm& form = trainer.sharedNetwork()->form();
        QVERIFY(form.int8 == nullptr && form.samplesAtOnce == 0);
        QVERIFY(form.recurrence == Recurrence::Steps && form.projections == Projections::Four);
        QVERIFY(trainer.sharedNetwork()->is_training());
        QCOMPARE(trainer.sharedNetwork()->parameters().front().scalar_type(), torch::kFloat);
    }

    // What is proven against fp64 says so, and how far it is.
    void formsNameTheirDifference()
    {
        outlay::tests::Silence silence;
        Job job{.model = gatedModel({11, 8, 5, 7, 6, 2}),
                .training = trainingOf(8, 40),
                .seconds = 0.01,
                .variants = {"chunked", "fused-recurrence", "composed-engine", "buckets",
                             "stepwise-fused"}};
        job.serving.inputTokens = 20;
        job.serving.outputTokens = 10;
        const Bench bench{job, silence.channel, torch::kCPU, wallClock(), wallClock() + 1};
        Trainer trainer(*Network::create(job.model), job.training, torch::kCPU);
        std::vector<VariantMeasurement> rows;
        measureVariants(bench, {.plain = trainer, .threads = {1, 1}}, rows);
        QCOMPARE(rows.size(), std::size_t{thisMachine().cores > 1 ? 10U : 9U});
        for (const VariantMeasurement& row : rows) {
            QVERIFY2(row.isMeasured(), row.unavailable.c_str());
            const bool isCounted = row.proof.starts_with("10 of 10 tokens");
            QVERIFY2(isCounted || (row.difference && *row.difference > 0), row.proof.c_str());
            QVERIFY2(row.difference.value_or(0) < 1e-5, row.proof.c_str());
            QVERIFY2(row.proof.find("fp64") != std::string::npos, row.proof.c_str());
        }
        QVERIFY(rows.back().proof.starts_with("10 of 10 tokens"));
        QCOMPARE(rows.back().subject, VariantSubject::Generation);
    }
};

OUTLAY_TEST(TestVariants)
#include "tst_variants.moc"
