// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which measurement answers a question: one table of changes, against every question.
#include "core/experiment/presets.h"
#include "core/probe/measurements.h"
#include "tests/support/generator.h"
#include "tests/support/random_designs.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <functional>
#include <random>

using namespace outlay;
using namespace outlay::core;
using tests::generator;

namespace {

Measurement whole()
{
    Measurement m;
    m.created = "2026-11-20T10:00:00Z";
    m.machine = {.id = "a", .processor = "P", .cores = 4, .memoryBytes = 1e9};
    m.machine.matrixFlopsPerSecond = 1e11;
    m.machine.memoryBytesPerSecond = 1e10;
    m.training.step = timingOf(std::vector<double>(20, 0.5), {});
    m.inference.count = 10;
    m.inference.p50Ms = 5;
    m.variants.push_back({.variant = "batch", .name = "batch 2"});
    m.processes = ProcessesMeasurement{.processes = 2, .aloneStepS = 1};
    m.lengths.push_back({.tokens = 64, .passS = 1});
    m.model = generator().model;
    m.trainingSettings = m.askedTraining = generator().training;
    m.servingSettings = m.askedServing = generator().serving;
    return m;
}

Measurements listOf(const std::vector<Measurement>& rows)
{
    Measurements all;
    for (const Measurement& m : rows)
        all = all.with(toJson(m));
    return all;
}

/// Which questions find something, one letter each: answering, steps, variants, processes, batch, lengths,
/// request.
QString found(const Measured& m, const Experiment& e)
{
    const Asked asked = askedOf(e);
    QString text;
    const auto put = [&](bool is, QChar letter) { text += is ? letter : QLatin1Char('-'); };
    put(m.answering(asked) != nullptr, QLatin1Char('a'));
    put(m.ofSteps(asked) != nullptr, QLatin1Char('s'));
    put(m.withVariants(asked) != nullptr, QLatin1Char('v'));
    put(m.withProcesses(asked) != nullptr, QLatin1Char('p'));
    put(!m.inAnyBatch(asked).empty(), QLatin1Char('b'));
    put(m.withLengths(asked) != nullptr, QLatin1Char('l'));
    put(m.ofRequest(asked) != nullptr, QLatin1Char('r'));
    return text;
}

using Change = std::function<void(Experiment&)>;

struct Row {
    const char* name;
    Change change;
    const char* finds;
};

const std::vector<Row>& changes()
{
    static const std::vector<Row> All{
        {"nothing", [](Experiment&) {}, "asvpblr"},
        {"the name", [](Experiment& e) { e.name = "other"; }, "asvpblr"},
        {"epochs", [](Experiment& e) { e.training.epochs += 1; }, "asvpblr"},
        {"samples", [](Experiment& e) { e.training.samples = 7; }, "asvpblr"},
        {"requests a day", [](Experiment& e) { e.serving.requestsPerDay += 1; }, "asvpblr"},
        {"batch", [](Experiment& e) { e.training.batch += 1; }, "----blr"},
        {"accumulation", [](Experiment& e) { e.training.accumulation += 1; }, "-----lr"},
        {"sequence", [](Experiment& e) { e.training.sequence += 1; }, "-----lr"},
        {"optimizer", [](Experiment& e) { e.training.optimizer = Optimizer::Sgd; }, "-----lr"},
        {"checkpointing",
         [](Experiment& e) { e.training.checkpointing = !e.training.checkpointing; }, "------r"},
        {"what would run again", [](Experiment& e) { e.training.recomputeEvery = 2; }, "asvpblr"},
        {"precision", [](Experiment& e) { e.training.precision = Precision::Bf16; }, "------r"},
        {"input tokens", [](Experiment& e) { e.serving.inputTokens += 1; }, "-svpbl-"},
        {"output tokens", [](Experiment& e) { e.serving.outputTokens += 1; }, "-svpbl-"},
        {"serving precision", [](Experiment& e) { e.serving.precision = ServingPrecision::Int8; },
         "-svpbl-"},
        {"model",
         [](Experiment& e) { std::get<RecurrentDesign>(e.model.design).hidden.front() += 1; },
         "-------"}};
    return All;
}

} // namespace

class TestMeasurements : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatAnswersWhat_data()
    {
        QTest::addColumn<int>("row");
        for (std::size_t i = 0; i < changes().size(); ++i)
            QTest::newRow(changes()[i].name) << static_cast<int>(i);
    }
    void whatAnswersWhat()
    {
        QFETCH(int, row);
        const Row& one = changes().at(static_cast<std::size_t>(row));
        Experiment e = generator();
        one.change(e);
        QCOMPARE(found(listOf({whole()}).all(), e), QLatin1String(one.finds));
    }

    void theNewestIsTaken()
    {
        Measurement newer = whole();
        newer.created = "2026-11-21T10:00:00Z";
        newer.variants.clear();
        Measurement other = whole();
        other.created = "2026-11-22T10:00:00Z";
        other.trainingSettings.batch = other.askedTraining.batch = 99;
        const Measurements all = listOf({whole(), newer, other});
        const Asked asked = askedOf(generator());
        QCOMPARE(all.all().ofSteps(asked)->created, newer.created);
        QCOMPARE(all.all().answering(asked)->created, newer.created);
        QCOMPARE(all.all().withVariants(asked)->created, whole().created);
        QCOMPARE(all.all().newest()->created, other.created);
        QCOMPARE(all.all().inAnyBatch(asked).size(), std::size_t{3});
    }

    // What an accelerator ran operation by operation says nothing of other kernels there; processors have none.
    void otherKernelsAreAnotherQuestionOnAccelerators_data()
    {
        QTest::addColumn<bool>("isCompiled");
        QTest::newRow("a compiler's") << true;
        QTest::newRow("of the loss") << false;
    }
    void otherKernelsAreAnotherQuestionOnAccelerators()
    {
        QFETCH(bool, isCompiled);
        const auto flag = [&](Training& t) -> bool& {
            return isCompiled ? t.compiled : t.chunkedLoss;
        };
        Experiment e = generator();
        flag(e.training) = true;
        Measurement there = whole();
        there.machine.device = "NVIDIA A100-SXM4-80GB";
        QVERIFY(listOf({whole()}).all().ofSteps(askedOf(e)) != nullptr);
        QVERIFY(listOf({there}).all().ofSteps(askedOf(e)) == nullptr);
        QVERIFY(listOf({there}).all().inAnyBatch(askedOf(e)).empty());
        flag(there.trainingSettings) = true; // a program of one's own
        QVERIFY(listOf({there}).all().ofSteps(askedOf(e)) != nullptr);
        QVERIFY(listOf({there}).all().ofSteps(askedOf(generator())) == nullptr);
    }

    // Steps of a processor, and only those, are other ones where it keeps freed memory; a job is another in any case.
    void keptMemoryIsAnotherQuestionOnProcessors()
    {
        Experiment e = generator();
        e.training.keepMemory = true;
        Measurement there = whole();
        there.machine.device = "NVIDIA A100-SXM4-80GB";
        QVERIFY(listOf({whole()}).all().ofSteps(askedOf(e)) == nullptr);
        QVERIFY(listOf({there}).all().ofSteps(askedOf(e)) != nullptr);
        QVERIFY(!isSameQuestion(askedOf(e), askedOf(generator())));
        Measurement kept = whole();
        kept.trainingSettings.keepMemory = kept.askedTraining.keepMemory = true;
        QVERIFY(listOf({kept}).all().ofSteps(askedOf(e)) != nullptr);
        QVERIFY(listOf({kept}).all().answering(askedOf(e)) != nullptr);
        QVERIFY(listOf({kept}).all().answering(askedOf(generator())) == nullptr);
    }

    // Only where the design has them: a GRU has no blocks that stop early, and no attention that skips padding.
    void lengthsAndEndsOfBlocksAreQuestionsOfSomeDesigns()
    {
        const auto isAnswered = [](Experiment e, bool asksForPacked, bool asksForReentrant) {
            Measurement there = whole();
            there.machine.device = "NVIDIA A100-SXM4-80GB";
            there.model = e.model;
            there.trainingSettings = there.askedTraining = e.training;
            there.trainingSettings.packed = there.trainingSettings.reentrant = true;
            e.training.packed = asksForPacked;
            e.training.reentrant = asksForReentrant;
            return listOf({there}).all().ofSteps(askedOf(e)) != nullptr;
        };
        Experiment e = preset("llama-7b")->experiment;
        e.training.checkpointing = true;
        QVERIFY(isAnswered(e, true, true));
        QVERIFY(!isAnswered(e, true, false));
        QVERIFY(!isAnswered(e, false, true));
        e.training.checkpointing = false;
        QVERIFY(isAnswered(e, true, false));
        e = generator();
        e.training.checkpointing = true;
        QVERIFY(isAnswered(e, false, false));
    }

    // An encoder generates nothing, so what it would generate changes nothing.
    void outputOfAnEncoderIsNoPartOfARequest()
    {
        Experiment e = preset("bert-base")->experiment;
        Measurement m = whole();
        m.model = e.model;
        m.trainingSettings = m.askedTraining = e.training;
        m.servingSettings = m.askedServing = e.serving;
        e.serving.outputTokens += 1;
        const Measurements all = listOf({m});
        QVERIFY(all.all().ofRequest(askedOf(e)) != nullptr);
        QVERIFY(all.all().answering(askedOf(e)) != nullptr);
    }

    // What the worker can't run is measured as it can: that answers, and isn't of these steps.
    void whatWasAskedForAnswers()
    {
        Measurement m = whole();
        m.askedTraining.precision = Precision::Fp16;
        Experiment e = generator();
        QCOMPARE(found(listOf({m}).all(), e).at(0), QLatin1Char('-'));
        e.training.precision = Precision::Fp16;
        QCOMPARE(found(listOf({m}).all(), e), QLatin1String("a-----r"));
    }

    void ofThisMachine_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("processor");
        QTest::addColumn<int>("cores");
        QTest::addColumn<bool>("isSame");
        QTest::newRow("same") << "a"
                              << "P" << 4 << true;
        QTest::newRow("not told apart") << ""
                                        << "P" << 4 << true;
        QTest::newRow("another of its kind") << "b"
                                             << "P" << 4 << false;
        QTest::newRow("another processor") << "a"
                                           << "Q" << 4 << false;
        QTest::newRow("other cores") << "a"
                                     << "P" << 2 << false;
    }
    void ofThisMachine()
    {
        QFETCH(QString, id);
        QFETCH(QString, processor);
        QFETCH(int, cores);
        QFETCH(bool, isSame);
        const HostMachine here{
            .id = id.toStdString(), .processor = processor.toStdString(), .cores = cores};
        QCOMPARE(listOf({whole()}).on(here).isEmpty(), !isSame);
        QVERIFY(isSameMachine(here, here));
    }

    void whatCantBeReadIsKept()
    {
        Json strange = toJson(whole());
        strange.find("training")->set("step", Json("soon"));
        const Measurements all =
            listOf({whole()}).with(Json("nonsense")).with(strange).with(toJson(whole()));
        QCOMPARE(all.all().rows().size(), std::size_t{2});
        QCOMPARE(all.unread().size(), std::size_t{2});
        QVERIFY(all.unread()[0].place.starts_with("/1"));
        QVERIFY(all.unread()[1].place.starts_with("/2/training"));
        QCOMPARE(all.stored().asArray()->size(), std::size_t{4});
        QVERIFY(all == Measurements(all.stored()) && !(all == Measurements()));
    }

    // They stand in the file once, in their place, and the experiment says what couldn't be read.
    void filesKeepThem()
    {
        Json json = toJson(generator());
        json.set("measurements", Json::Array{toJson(whole()), Json(7)});
        json.set("mine", Json("last"));
        const auto reading = readExperiment(json);
        QVERIFY(reading.has_value());
        QCOMPARE(reading->experiment.measurements.all().rows().size(), std::size_t{1});
        QVERIFY(reading->experiment.document.find("measurements")->asArray()->empty());
        const auto names = [](const std::string& w) { return w.starts_with("/measurements/1"); };
        QCOMPARE(std::count_if(reading->warnings.begin(), reading->warnings.end(), names), 1);
        QCOMPARE(writeJson(toJson(reading->experiment)), writeJson(json));
    }

    // Designs are compared as they are: what is written must be read as the same.
    void designsComeBackTheSame()
    {
        std::mt19937_64 random(3);
        for (int i = 0; i < 300; ++i) {
            Measurement m = whole();
            m.model = tests::randomModel(random);
            const auto read = readMeasurement(*readJson(writeJson(toJson(m))));
            QVERIFY2(read.has_value(), read ? "" : read.error().sentence().c_str());
            QVERIFY(*read == m);
        }
        for (const Preset& one : *presets()) {
            const auto read = readModel(fieldsOf(one.experiment.model), "");
            QVERIFY(read && read->model == one.experiment.model);
        }
    }

    void aWorkersWordIsChecked()
    {
        Measurement measurement = whole();
        // One that comes from a folder of results was made when it says.
        const auto stored = receivedMeasurement(toJson(measurement), "2026-11-23T00:00:00Z");
        QCOMPARE(*stored->find("created")->asString(), measurement.created);
        measurement.created.clear();
        const auto good = receivedMeasurement(toJson(measurement), "2026-11-23T00:00:00Z");
        QVERIFY(good.has_value());
        QCOMPARE(*good->find("created")->asString(), std::string("2026-11-23T00:00:00Z"));
        const auto bad = receivedMeasurement(Json(7), "2026-11-23T00:00:00Z");
        QVERIFY(!bad && bad.error().code == ErrorCode::Measurement);
        QVERIFY(bad.error().remedy.find("one version") != std::string::npos);
    }
};

OUTLAY_TEST(TestMeasurements)
#include "tst_measurements.moc"
