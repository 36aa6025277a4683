// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Published files of quantised weights, from their models' configs; and which of them a service takes.
#include "core/base/file.h"
#include "core/model/import/huggingface.h"
#include "core/workload/parameters.h"
#include "core/workload/serving_work.h"
#include "core/workload/weight_file.h"
#include "tests/support/known_models.h"
#include "tests/support/random_designs.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay::core;

namespace {

double servedBytes(const Model& model, const Serving& serving)
{
    return weightBytes(model, expand(model), serving);
}

} // namespace

class TestWeightFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void publishedFiles_data()
    {
        QTest::addColumn<QString>("config");
        QTest::addColumn<QString>("format");
        QTest::addColumn<double>("bits");
        QTest::addColumn<double>("bytes");
        const auto json =
            readJson(loadFile(OUTLAY_TEST_DATA "/published_weight_files.json").value()).value();
        for (const Json& row : *json.find("rows")->asArray()) {
            for (const Json& file : *row.find("files")->asArray()) {
                const std::string format = *file.find("format")->asString();
                const Json* bits = file.find("bits_per_weight");
                const Json* bytes = file.find("bytes");
                QTest::addRow("%s %s", row.find("model")->asString()->c_str(), format.c_str())
                    << QString::fromStdString(writeJson(*row.find("config")))
                    << QString::fromStdString(format) << (bits != nullptr ? *bits->asDouble() : 0.0)
                    << (bytes != nullptr ? static_cast<double>(*bytes->asInteger()) : 0.0);
            }
        }
    }
    void publishedFiles()
    {
        QFETCH(QString, config);
        QFETCH(QString, format);
        QFETCH(double, bits);
        QFETCH(double, bytes);
        const auto imported = importHuggingFace(readJson(config.toStdString()).value());
        QVERIFY(imported.has_value());
        const LayerKinds layers = expand(imported->model);
        const auto name =
            std::find(WeightFormatNames.begin(), WeightFormatNames.end(), format.toStdString());
        QVERIFY(name != WeightFormatNames.end());
        const double size =
            weightBytes(layers, static_cast<WeightFormat>(name - WeightFormatNames.begin()));
        const auto count = static_cast<double>(parametersOf(layers));
        const double published = bytes > 0 ? bytes : bits * count / 8;
        const double miss = size / published - 1;
        qInfo("%s: %.4f GB, published %.4f GB, %+.2f %%", QTest::currentDataTag(), size / 1e9,
              published / 1e9, 100 * miss);
        QVERIFY(std::abs(miss) <= 0.01);
    }

    // By the engine and the precision, unless it is asked for; never where weights aren't in few bits.
    void whichFormat_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("precision");
        QTest::addColumn<QString>("engine");
        QTest::addColumn<QString>("format");
        QTest::newRow("4 bits") << "Llama-3.1-8B"
                                << "int4"
                                << "vllm"
                                << "awq";
        QTest::newRow("4 bits, llama.cpp") << "Llama-3.1-8B"
                                           << "int4"
                                           << "llama_cpp"
                                           << "q4_k_m";
        QTest::newRow("8 bits") << "Llama-3.1-8B"
                                << "int8"
                                << "vllm"
                                << "";
        QTest::newRow("8 bits, llama.cpp") << "Llama-3.1-8B"
                                           << "int8"
                                           << "llama_cpp"
                                           << "q8_0";
        QTest::newRow("fp8") << "Llama-3.1-8B"
                             << "fp8"
                             << "llama_cpp"
                             << "";
        QTest::newRow("16 bits") << "Llama-3.1-8B"
                                 << "bf16"
                                 << "llama_cpp"
                                 << "";
    }
    void whichFormat()
    {
        QFETCH(QString, model);
        QFETCH(QString, precision);
        QFETCH(QString, engine);
        QFETCH(QString, format);
        const auto at = [](const auto& names, const QString& name) {
            return std::find(names.begin(), names.end(), name.toStdString()) - names.begin();
        };
        Serving serving;
        serving.precision = static_cast<ServingPrecision>(at(ServingPrecisionNames, precision));
        serving.engine = static_cast<Engine>(at(EngineNames, engine));
        const Model known = *outlay::tests::knownModel(model.toStdString());
        const auto found = weightFormatOf(known, serving);
        QCOMPARE(
            found ? QString::fromUtf8(WeightFormatNames.at(static_cast<std::size_t>(*found)).data())
                  : QString(),
            format);
    }

    // A format of other bits than the precision's would be forecast at the wrong speed.
    void askedFormats()
    {
        const Model model = *outlay::tests::knownModel("Llama-3.1-8B");
        const auto taken = [&](ServingPrecision precision, WeightFormat format) {
            Serving serving;
            serving.precision = precision;
            serving.weightFormat = format;
            return weightFormatOf(model, serving);
        };
        QVERIFY(taken(ServingPrecision::Int4, WeightFormat::Q5KM) == WeightFormat::Q5KM);
        QVERIFY(taken(ServingPrecision::Int8, WeightFormat::Q6K) == WeightFormat::Q6K);
        QVERIFY(taken(ServingPrecision::Int4, WeightFormat::Q80) == WeightFormat::Awq);
        QVERIFY(!taken(ServingPrecision::Int8, WeightFormat::Awq));
        QVERIFY(!taken(ServingPrecision::Bf16, WeightFormat::Awq));
    }

    // Embeddings and the output aren't quantised: 8 B weights in fp8 are 9.08 GB, not 8.03.
    void eightBitsLeaveTheEnds()
    {
        const Model model = *outlay::tests::knownModel("Llama-3.1-8B");
        Serving serving;
        serving.precision = ServingPrecision::Fp8;
        QVERIFY(std::abs(servedBytes(model, serving) / 9.08e9 - 1) < 0.005);
    }

    // Of every design: fewer bits are fewer bytes, and no format is below its bits.
    void fewerBitsAreFewerBytes()
    {
        std::mt19937_64 random(7);
        for (int i = 0; i < 300; ++i) {
            const Model model = outlay::tests::randomModel(random);
            const LayerKinds layers = expand(model);
            if (layers.has<Weights>())
                continue;
            const auto count = static_cast<double>(parametersOf(layers));
            double before = 1e300;
            for (const ServingPrecision precision :
                 {ServingPrecision::Fp32, ServingPrecision::Bf16, ServingPrecision::Int8,
                  ServingPrecision::Int4}) {
                Serving serving;
                serving.precision = precision;
                const double bytes = servedBytes(model, serving);
                QVERIFY(bytes <= before * (1 + 1e-12));
                QVERIFY(bytes >= count * bytesPerWeight(precision) * (1 - 1e-12));
                before = bytes;
            }
        }
    }

    // What fits follows from what the weights are.
    void memoryHoldsTheFile()
    {
        const Model model = *outlay::tests::knownModel("Llama-3.1-8B");
        Serving serving;
        serving.precision = ServingPrecision::Int4;
        serving.outputTokens = 1;
        serving.inputTokens = 1;
        const LayerKinds layers = expand(model);
        const ServingWork work = servingWork(model, layers, serving);
        QVERIFY(work.memory.low() >= 5.7e9 && work.memory.high() < 5.9e9);
        QVERIFY(work.memory.how().sentence().find("AWQ") != std::string::npos);
    }
};

OUTLAY_TEST(TestWeightFile)
#include "tst_weight_file.moc"
