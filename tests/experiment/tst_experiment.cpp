// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/experiment/experiment.h"
#include "core/experiment/field_meaning.h"
#include "core/experiment/presets.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace outlay::core;

namespace {

const char* const Small =
    R"({"format":"outlay-experiment","version":1,"model":{"family":"mlp","inputs":3,"outputs":2}})";

Result<ExperimentReading> read(const std::string& text)
{
    const auto json = readJson(text);
    if (!json)
        return failureOf(json);
    return readExperiment(*json);
}

/// Small with one more part.
QByteArray with(const char* part)
{
    return QByteArray(Small).chopped(1) + "," + part + "}";
}

} // namespace

class TestExperiment : public QObject {
    Q_OBJECT
private slots:
    void onlyTheModelIsNeeded()
    {
        const auto reading = read(Small);
        QVERIFY(reading.has_value());
        QVERIFY(reading->warnings.empty());
        QCOMPARE(reading->experiment.training, Training{});
        QCOMPARE(reading->experiment.plan, Plan{});
    }

    void everyKeyOfTheContractIsKnown()
    {
        const auto text = loadFile(OUTLAY_TEST_DATA "/experiments/full.json");
        QVERIFY(text.has_value());
        const auto reading = read(*text);
        QVERIFY2(reading.has_value(), reading ? "" : reading.error().sentence().c_str());
        QCOMPARE(reading->warnings, std::vector<std::string>{});
        const Experiment& e = reading->experiment;
        QCOMPARE(e.training.optimizer, Optimizer::AdamW8bit);
        QCOMPARE(e.training.precision, Precision::Bf16);
        QCOMPARE(e.serving.precision, ServingPrecision::Int8);
        QCOMPARE(e.site.region.value_or(""), std::string("aws/us-east-1"));
        QCOMPARE(e.plan.environments.size(), std::size_t{3});
        QCOMPARE(e.plan.environments[2].hoursPerDay, 24.0);
        QCOMPARE(e.plan.split->gcpPercent, 30.0);
        QCOMPARE(e.plan.trainingOffer->instance, std::string("p3.2xlarge"));
        QVERIFY(!e.plan.servingOffer.has_value());
        QCOMPARE(e.plan.forecastOn.front().count, 8);
        // Saved unchanged, it is the same file.
        QCOMPARE(QByteArray::fromStdString(writeJson(toJson(e)) + "\n"),
                 QByteArray::fromStdString(*text));
    }

    // Files that earlier programs wrote, with what they measured, say the same today.
    void storedMeasurementsAreRead()
    {
        const QDir folder(QStringLiteral(OUTLAY_TEST_DATA "/experiments"));
        const QStringList files = folder.entryList({QStringLiteral("measured_*.json")});
        QVERIFY(!files.isEmpty());
        for (const QString& name : files) {
            const auto text = loadFile(folder.filePath(name).toStdString());
            QVERIFY(text.has_value());
            const auto reading = read(*text);
            QVERIFY2(reading.has_value(), reading ? "" : reading.error().sentence().c_str());
            QCOMPARE(reading->warnings, std::vector<std::string>{});
            const Experiment& e = reading->experiment;
            QVERIFY(e.measurements.unread().empty());
            const MeasurementPtr m = e.measurements.all().ofSteps(askedOf(e));
            QVERIFY2(m != nullptr, qPrintable(name));
            QVERIFY(m->training.step.meanS > 0 && m->training.step.count > 1);
            QVERIFY(m->inference.p50Ms > 0 && !m->machine.processor.empty());
            QCOMPARE(*readJson(writeJson(toJson(e))), *readJson(*text));
            // Row by row it is the same.
            QCOMPARE(loadExperiment(folder.filePath(name).toStdString())->experiment, e);
            QCOMPARE(textOf(e), writeJson(toJson(e)) + "\n");
        }
    }

    void unknownKeysAreKeptAndNamed()
    {
        const auto text = loadFile(OUTLAY_TEST_DATA "/experiments/unknown_keys.json");
        auto reading = read(text.value());
        QVERIFY(reading.has_value());
        QCOMPARE(reading->warnings.size(), std::size_t{5});
        QVERIFY(reading->warnings[1].find("did you mean 'layers'") != std::string::npos);
        reading->experiment.training.batch = 77;
        reading->experiment.plan.environments[0].count = 9;
        const Json saved = toJson(reading->experiment);
        for (const char* pointer : {"/colour", "/model/layerz", "/training/scheduler",
                                    "/site/roof/height", "/plan/environments/0/owner"})
            QVERIFY2(valueAt(saved, pointer) != nullptr, pointer);
        QCOMPARE(valueAt(saved, "/training/batch")->number(), 77.0);
        QCOMPARE(valueAt(saved, "/plan/environments/0/count")->number(), 9.0);
    }

    // Asked for and not taken: it says so, and only then.
    void formatsOfOtherBitsAreLeftAside()
    {
        Experiment e = preset("llama-3.1-8b")->experiment;
        const auto warned = [&](ServingPrecision precision, WeightFormat format) {
            e.serving.precision = precision;
            e.serving.weightFormat = format;
            const auto warnings = warningsOf(e);
            return !warnings.empty() && warnings.front().starts_with("/serving/weight_format: ");
        };
        QVERIFY(warned(ServingPrecision::Int4, WeightFormat::Q80));
        QVERIFY(warned(ServingPrecision::Int8, WeightFormat::Awq));
        QVERIFY(!warned(ServingPrecision::Int4, WeightFormat::Gptq));
        QVERIFY(
            !warned(ServingPrecision::Bf16, WeightFormat::Gptq)); // the field has no meaning there
    }

    void whatComesToNothingIsSaid()
    {
        const auto warnedAt = [](const Experiment& e, std::string_view place) {
            const auto warnings = warningsOf(e);
            return std::any_of(warnings.begin(), warnings.end(), [&](const std::string& one) {
                return one.starts_with(std::string(place) + ": ");
            });
        };
        Experiment e = preset("llama-3.1-8b-lora")->experiment;
        e.training.trainedWhole = {"embedding", "norm", "output"};
        e.serving.speculatedTokens = 4;
        QVERIFY(warningsOf(e).empty());
        e.serving.engine = Engine::DeepSpeed;
        QVERIFY(warnedAt(e, "/serving/speculated_tokens"));
        // Slots are of what takes requests in as they come, and makes several tokens of each.
        e.serving.slotCount = 4;
        QVERIFY(!warnedAt(e, "/serving/slots") && hasMeaning("/serving/slots", e));
        const auto saysNothing = [&](const auto& change) {
            Experiment changed = e;
            change(changed.serving);
            return warnedAt(changed, "/serving/slots") && !hasMeaning("/serving/slots", changed);
        };
        QVERIFY(saysNothing([](Serving& s) { s.engine = Engine::Transformers; }));
        QVERIFY(saysNothing([](Serving& s) { s.batch = 2; }));
        QVERIFY(saysNothing([](Serving& s) { s.outputTokens = 1; }));
        Experiment perceptron = preset("mlp")->experiment;
        perceptron.training.method = Method::Lora;
        perceptron.training.trainedWhole = {"norm"};
        QVERIFY(warnedAt(perceptron, "/training/trained_whole"));
        perceptron.training.method = Method::Full; // where it means nothing
        QVERIFY(!warnedAt(perceptron, "/training/trained_whole"));
        Experiment recurrence = preset("text-generator")->experiment;
        recurrence.training.precision = Precision::Fp8;
        QVERIFY(warnedAt(recurrence, "/training/precision"));
        Experiment deep = preset("llama-3.1-8b")->experiment; // 32 blocks
        deep.training.precision = Precision::Fp8;
        deep.training.checkpointing = true;
        deep.training.recomputeEvery = 32;
        QVERIFY(warningsOf(deep).empty());
        deep.training.recomputeEvery = 33;
        QVERIFY(warnedAt(deep, "/training/recompute_every"));
        deep.training.checkpointing = false;
        QVERIFY(warningsOf(deep).empty());
    }

    void onlyWhatDiffersIsWritten()
    {
        Experiment e = read(Small)->experiment;
        e.training.batch = 64;
        e.training.epochs = 1; // the default
        const Json saved = toJson(e);
        QCOMPARE(QByteArray::fromStdString(writeJson(*saved.find("training"), JsonStyle::Compact)),
                 QByteArray(R"({"batch":64})"));
        QVERIFY(saved.find("plan") == nullptr);
        e.training.batch = Training{}.batch;
        const auto again = readExperiment(toJson(e));
        QVERIFY(again.has_value());
        QCOMPARE(again->experiment.training, e.training);
    }

    void changesSurviveTheFile()
    {
        Experiment e = read(Small)->experiment;
        e.name = "n";
        e.model.design = GatedRnnDesign{9, 8, 7, 6, 5, 4};
        e.training = {.tokens = 1e9, .sequence = 3, .epochs = 0.25, .checkpointing = true};
        e.serving.requestsPerDay = 0.5;
        e.site.pue = 1.25;
        e.plan.environments = {{"dev", "g4dn.xlarge", 2, 8, 22}};
        e.plan.split = ProviderSplit{50, 30, 20};
        e.plan.servingOffer = OfferChoice{"aws", "c6i.large", "", Purchase::Spot};
        e.assumptions.set("offset_usd_per_tonne", Json(100));
        e.quality.set("mse", Json(0.0013));
        const auto again = readExperiment(toJson(e));
        QVERIFY2(again.has_value(), again ? "" : again.error().sentence().c_str());
        Experiment back = again->experiment;
        back.document = e.document;
        QCOMPARE(back, e);
        // The sizes of the family that it was before are gone.
        QCOMPARE(again->warnings, std::vector<std::string>{});
    }

    void savingIsAtomicAndReadable()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("e.json")).toStdString();
        Experiment e = read(Small)->experiment;
        QVERIFY(saveExperiment(e, path).has_value());
        e.training.batch = 5;
        QVERIFY(saveExperiment(e, path).has_value());
        QCOMPARE(loadExperiment(path)->experiment.training.batch, 5);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
    }

    void usedDefaultsAreListed()
    {
        const auto reading = read(with(R"("training":{"batch":32})").toStdString());
        QVERIFY(reading.has_value());
        QStringList pointers;
        for (const UsedDefault& used : usedDefaults(reading->experiment))
            pointers.append(QString::fromStdString(used.pointer));
        QVERIFY(pointers.contains(QStringLiteral("/training/epochs")));
        QVERIFY(pointers.contains(QStringLiteral("/serving/peak_factor")));
        QVERIFY(pointers.contains(QStringLiteral("/training/software")));
        QVERIFY(!pointers.contains(QStringLiteral("/training/batch"))); // named, though the same
        QVERIFY(!pointers.contains(QStringLiteral("/site/pue")));       // follows from the place
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("place");
        const auto row = [](const char* name, const QByteArray& text, const char* place) {
            QTest::newRow(name) << text << QByteArray(place);
        };
        row("a list", "[]", "");
        row("no format", R"({"version":1,"model":{}})", "/format");
        row("other format", R"({"format":"outlay-report","version":1})", "/format");
        row("no version", R"({"format":"outlay-experiment","model":{}})", "/version");
        row("version is text", R"({"format":"outlay-experiment","version":"1"})", "/version");
        row("newer", R"({"format":"outlay-experiment","version":2})", "/version");
        row("no model", R"({"format":"outlay-experiment","version":1})", "/model");
        row("model is a list", R"({"format":"outlay-experiment","version":1,"model":[]})",
            "/model");
        row("name", with(R"("name":3)"), "/name");
        row("training", with(R"("training":[])"), "/training");
        row("sequence", with(R"("training":{"sequence":-1})"), "/training/sequence");
        row("batch", with(R"("training":{"batch":1e18})"), "/training/batch");
        row("precision", with(R"("training":{"precision":"fp4"})"), "/training/precision");
        row("experts",
            R"({"format":"outlay-experiment","version":1,"model":{"family":"transformer",
                "kind":"decoder","vocabulary":100,"hidden":64,"layers":2,"heads":2,
                "feed_forward":64,"experts":8},"training":{"expert_parallel":3}})",
            "/training/expert_parallel");
        row("two sizes", with(R"("training":{"samples":1,"tokens":1})"), "/training/tokens");
        row("pue", with(R"("site":{"pue":0.5})"), "/site/pue");
        row("hours", with(R"("plan":{"hours_per_day":25})"), "/plan/hours_per_day");
        row("environment", with(R"("plan":{"environments":[{"name":"a"},{"offer":"x"}]})"),
            "/plan/environments/1/name");
        row("environments", with(R"("plan":{"environments":{}})"), "/plan/environments");
        row("offer", with(R"("plan":{"training_offer":{"provider":"aws"}})"),
            "/plan/training_offer/instance");
        row("regions", with(R"("plan":{"regions":[1]})"), "/plan/regions");
        row("assumptions", with(R"("assumptions":[])"), "/assumptions");
        row("measurements", with(R"("measurements":{})"), "/measurements");
    }
    void refuses()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, place);
        const auto reading = read(text.toStdString());
        QVERIFY(!reading.has_value());
        QCOMPARE(QByteArray::fromStdString(reading.error().place), place);
        QVERIFY(!reading.error().remedy.empty());
        QVERIFY(!reading.error().what.empty());
    }

    void namesTheFile()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("broken.json")).toStdString();
        QVERIFY(saveFile(path, "{\"format\": \"outlay-experiment\",").has_value());
        const auto reading = loadExperiment(path);
        QVERIFY(!reading.has_value());
        QVERIFY(reading.error().sentence().starts_with(path + ", line 1: "));
        QCOMPARE(loadFile(path).value(), std::string("{\"format\": \"outlay-experiment\","));
    }
};

OUTLAY_TEST(TestExperiment)
#include "tst_experiment.moc"
