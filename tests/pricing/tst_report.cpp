// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/version.h"
#include "core/experiment/presets.h"
#include "pricing/report/make_report.h"
#include "tests/support/random_designs.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QCryptographicHash>
#include <QFile>
#include <QTest>

#include <cmath>

using namespace outlay;
using core::Json;
using outlay::tests::Today;

namespace {

pricing::Report reportOf(const char* preset)
{
    return pricing::makeReport(core::preset(preset)->experiment, Today);
}

void checkFigure(const Json& figure)
{
    for (const char* key : {"value", "low", "high", "unit", "basis", "how"})
        QVERIFY2(figure.find(key) != nullptr, key);
    QVERIFY(!figure.find("how")->asString()->empty());
    const bool isThere = *figure.find("basis") != Json("unavailable");
    QCOMPARE(figure.find("value")->isNumber(), isThere);
    if (!isThere) {
        QVERIFY(figure.find("value")->isNull());
        return;
    }
    QVERIFY(figure.find("low")->number() <= figure.find("value")->number());
    QVERIFY(figure.find("value")->number() <= figure.find("high")->number());
}

} // namespace

class TestReport : public QObject {
    Q_OBJECT
private slots:
    void hasThePointersOfTheContract()
    {
        const Json json = pricing::toJson(reportOf("text-generator"), Today);
        QCOMPARE(*json.find("format"), Json("outlay-report"));
        QCOMPARE(core::valueAt(json, "/version")->number(), 1.0);
        QVERIFY(core::valueAt(json, "/model/parameters")->asInteger() != nullptr);
        QCOMPARE(qint64{*core::valueAt(json, "/model/parameters")->asInteger()}, qint64{2'842'400});
        for (const char* key : {"name", "kind", "parameters", "flops", "bytes", "activation_bytes"})
            QVERIFY2(core::valueAt(json, core::childPointer("/model/layers/0", key)) != nullptr,
                     key);
        for (const char* pointer :
             {"/training/memory/parameters", "/training/memory/gradients",
              "/training/memory/optimizer", "/training/memory/activations",
              "/training/memory/total", "/training/here", "/serving/memory",
              "/model/class/weights/fp32", "/model/class/weights/int4", "/serving/token_flops"}) {
            QVERIFY2(core::valueAt(json, pointer) != nullptr, pointer);
            checkFigure(*core::valueAt(json, pointer));
        }
        QVERIFY(core::valueAt(json, "/training/steps")->isNumber());
        QVERIFY(core::valueAt(json, "/training/flops")->isNumber());
        QVERIFY(core::valueAt(json, "/assumptions/0/pointer")->asString()->starts_with('/'));
        QVERIFY(core::valueAt(json, "/provenance/method") != nullptr);
    }

    // Which data a figure was made of can be told from the file: names, dates, and a hash of each text.
    void saysWhichDataItRestsOn()
    {
        const Json json = pricing::toJson(reportOf("gpt2"), Today);
        QCOMPARE(*core::valueAt(json, "/provenance/method")->asString(),
                 std::string(core::MethodVersion));
        const Json::Array& data = *core::valueAt(json, "/provenance/data")->asArray();
        QCOMPARE(data.size(), std::size_t{7});
        for (const Json& row : data) {
            const std::string name = *row.find("name")->asString();
            QFile file(QStringLiteral(OUTLAY_SOURCE_DIR "/resources/") +
                       QString::fromStdString(name) + QStringLiteral(".json"));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray hash =
                QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha256).toHex();
            QCOMPARE(*row.find("hash"), Json(hash.toStdString()));
        }
        QCOMPARE(*data.front().find("as_of"), Json("2026-07-20"));

        pricing::OfferTable own = Today.book().table();
        own.rows.resize(1);
        const auto dataWith = [&](double usd) {
            own.rows.front().usdPerHour = usd;
            return pricing::loadCatalogs("2026-11-20", {}, {own, {}})->data();
        };
        QCOMPARE(dataWith(1).size(), std::size_t{8});
        QCOMPARE(dataWith(1).back().name, std::string("own prices"));
        QCOMPARE(dataWith(1).back().hash, dataWith(1).back().hash);
        QVERIFY(dataWith(1).back().hash != dataWith(2).back().hash);
    }

    // For every preset and many random designs: the layers add up, and every figure is a figure.
    void holdsTogether()
    {
        std::vector<core::Experiment> experiments;
        for (const core::Preset& row : outlay::tests::presetsToTry())
            experiments.push_back(row.experiment);
        std::mt19937_64 random(5);
        for (int i = 0; i < 30; ++i) {
            core::Experiment e;
            e.model = outlay::tests::randomModel(random);
            experiments.push_back(e);
        }
        for (const core::Experiment& e : experiments) {
            const Json json = pricing::toJson(pricing::makeReport(e, Today), Today);
            double parameters = 0;
            for (const Json& layer : *core::valueAt(json, "/model/layers")->asArray())
                parameters += layer.find("parameters")->number();
            QCOMPARE(parameters, core::valueAt(json, "/model/parameters")->number());
            const Json& memory = *core::valueAt(json, "/training/memory");
            double parts = 0;
            for (const char* part : {"parameters", "gradients", "optimizer", "activations"}) {
                checkFigure(*memory.find(part));
                parts += core::valueAt(*memory.find(part), "/value")->number();
            }
            const double total = core::valueAt(memory, "/total/value")->number();
            QVERIFY(std::abs(parts - total) <= 1e-9 * total);
            checkFigure(*core::valueAt(json, "/serving/memory"));
            checkFigure(*core::valueAt(json, "/serving/token_flops"));
            QVERIFY(core::readJson(core::writeJson(json)).has_value());
        }
    }

    void isAFunctionOfItsInput()
    {
        QCOMPARE(pricing::toJson(reportOf("gpt2"), Today),
                 pricing::toJson(reportOf("gpt2"), Today));
    }

    void sizeClasses_data()
    {
        QTest::addColumn<QByteArray>("preset");
        QTest::addColumn<QByteArray>("size");
        QTest::newRow("gpt2") << QByteArray("gpt2") << QByteArray("small");
        QTest::newRow("gpt2-large") << QByteArray("gpt2-large") << QByteArray("small");
        QTest::newRow("gpt-j") << QByteArray("gpt-j-6b") << QByteArray("medium");
        QTest::newRow("llama 8b") << QByteArray("llama-3.1-8b") << QByteArray("large");
        QTest::newRow("mixtral") << QByteArray("mixtral-8x7b") << QByteArray("extra-large");
        QTest::newRow("llama 65b") << QByteArray("llama-65b") << QByteArray("extra-large");
    }
    void sizeClasses()
    {
        QFETCH(QByteArray, preset);
        QFETCH(QByteArray, size);
        QCOMPARE(QByteArray::fromStdString(reportOf(preset.constData()).model.sizeClass), size);
    }

    // 2.84 million parameters of four bytes are 11.4 MB; training holds them four times with Adam.
    void memoryOfTheTextGenerator()
    {
        auto experiment = core::preset("text-generator")->experiment;
        experiment.model.convention = core::Convention::Keras;
        const pricing::Report report = pricing::makeReport(experiment, Today);
        QCOMPARE(report.training.parameters.value(), 11'364'800.0);
        QCOMPARE(report.training.parameters.value() + report.training.gradients.value() +
                     report.training.optimizer.value(),
                 45'459'200.0);
        QCOMPARE(report.training.parameters.basis(), core::Basis::Exact);
        QCOMPARE(report.training.activations.basis(), core::Basis::Forecast);
    }

    void whatIsNotGeneratedIsUnavailable()
    {
        const pricing::Report report = reportOf("bert-base");
        QVERIFY(!report.serving.tokenFlops.isAvailable());
        QVERIFY(pricing::toJson(report.serving.tokenFlops).find("value")->isNull());
    }
};

OUTLAY_TEST(TestReport)
#include "tst_report.moc"
