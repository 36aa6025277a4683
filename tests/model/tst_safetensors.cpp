// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/model/import/safetensors.h"
#include "core/workload/parameters.h"
#include "tests/support/test_class.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace outlay::core;

namespace {

QByteArray lengthOf(quint64 length)
{
    QByteArray bytes(8, '\0');
    for (qsizetype i = 0; i < 8; ++i)
        bytes[i] = static_cast<char>(length >> (8 * i) & 0xFFU);
    return bytes;
}

QByteArray fileOf(const QByteArray& header, qsizetype dataBytes)
{
    return lengthOf(static_cast<quint64>(header.size())) + header + QByteArray(dataBytes, '\0');
}

} // namespace

class TestSafetensors : public QObject {
    Q_OBJECT
private slots:
    void countsWithoutReadingTheWeights()
    {
        // 2 TB of weights in a sparse file: only the header can have been read.
        const QByteArray header =
            R"({"__metadata__":{"format":"pt"},
                "model.embed_tokens.weight":{"dtype":"BF16","shape":[1000,64],"data_offsets":[0,128000]},
                "model.layers.0.mlp.up.weight":{"dtype":"BF16","shape":[1000000,1000000],
                    "data_offsets":[128000,2000000128000]},
                "model.layers.0.mlp.up.bias":{"dtype":"F32","shape":[7],
                    "data_offsets":[2000000128000,2000000128028]},
                "scale":{"dtype":"F32","shape":[],"data_offsets":[2000000128028,2000000128032]}})";
        const std::string path = write(fileOf(header, 0));
        QFile file(QString::fromStdString(path));
        QVERIFY(file.resize(8 + header.size() + 2'000'000'128'032));
        const auto imported = importSafetensors(path);
        QVERIFY2(imported.has_value(), imported ? "" : imported.error().sentence().c_str());
        const std::vector<Layer> layers = expand(imported->model);
        QCOMPARE(qint64{parametersOf(layers)}, qint64{64'000} + 1'000'000'000'000 + 7 + 1);
        QCOMPARE(layers.size(), std::size_t{3});
        QCOMPARE(layers[1].name, std::string("model.layers.0.mlp.up"));
        QCOMPARE(layers[1].block, 1);
        const auto& table = std::get<Weights>(layers[0].spec);
        QCOMPARE(table.matrixElements, 0);
        QCOMPARE(std::get<Weights>(layers[1].spec).matrixElements, 1'000'000'000'000);
        QCOMPARE(imported->weightType, std::string("BF16"));
        QVERIFY(imported->notes.front().find("8 of F32") != std::string::npos);
    }

    void manyModulesAreGrouped()
    {
        QByteArray header = "{";
        constexpr int Experts = 6000;
        for (int i = 0; i < Experts; ++i)
            header += QByteArray(i == 0 ? "" : ",") + "\"l.0.experts." + QByteArray::number(i) +
                      ".w\":{\"dtype\":\"I8\",\"shape\":[2,3],\"data_offsets\":[" +
                      QByteArray::number(6 * i) + "," + QByteArray::number(6 * i + 6) + "]}";
        const auto imported = importSafetensors(write(fileOf(header + "}", 6 * Experts)));
        QVERIFY(imported.has_value());
        QCOMPARE(qint64{parametersOf(expand(imported->model))}, qint64{6 * Experts});
        QVERIFY(expand(imported->model).size() < 10);
    }

    void namesWithoutStructureStayReadable()
    {
        QByteArray header = "{";
        constexpr int Tensors = 20000;
        for (int i = 0; i < Tensors; ++i)
            header += QByteArray(i == 0 ? "" : ",") + "\"t" + QByteArray::number(i) +
                      "\":{\"dtype\":\"I8\",\"shape\":[3],\"data_offsets\":[" +
                      QByteArray::number(3 * i) + "," + QByteArray::number(3 * i + 3) + "]}";
        const auto imported = importSafetensors(write(fileOf(header + "}", 3 * Tensors)));
        QVERIFY(imported.has_value());
        QCOMPARE(qint64{parametersOf(expand(imported->model))}, qint64{3 * Tensors});
        QVERIFY(readModel(fieldsOf(imported->model), "").has_value());
    }

    void tablesAndBuffersDoNotMultiply_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("shape");
        QTest::addColumn<bool>("multiplies");
        QTest::newRow("head of neox")
            << QByteArray("embed_out.weight") << QByteArray("[2,3]") << true;
        QTest::newRow("gpt2 table") << QByteArray("wte.weight") << QByteArray("[2,3]") << false;
        QTest::newRow("t5 table") << QByteArray("shared.weight") << QByteArray("[2,3]") << false;
        QTest::newRow("t5 bias") << QByteArray("encoder.block.0.layer.0.SelfAttention."
                                               "relative_attention_bias.weight")
                                 << QByteArray("[2,3]") << false;
        QTest::newRow("gpt2 mask")
            << QByteArray("h.0.attn.bias") << QByteArray("[1,1,2,3]") << false;
        QTest::newRow("gpt2 matrix")
            << QByteArray("h.0.attn.c_attn.weight") << QByteArray("[2,3]") << true;
    }
    void tablesAndBuffersDoNotMultiply()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, shape);
        QFETCH(bool, multiplies);
        const QByteArray header = "{\"" + name + "\":{\"dtype\":\"F32\",\"shape\":" + shape +
                                  ",\"data_offsets\":[0,24]}}";
        const auto imported = importSafetensors(write(fileOf(header, 24)));
        QVERIFY(imported.has_value());
        const Weights weights = std::get<Weights>(expand(imported->model).front().spec);
        QCOMPARE(weights.elements, 6);
        QCOMPARE(weights.matrixElements, multiplies ? 6 : 0);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("what");
        const auto tensor = [](const char* body, qsizetype data) {
            return fileOf(QByteArray("{\"a\":") + body + "}", data);
        };
        QTest::newRow("empty") << QByteArray() << QByteArray("too short");
        QTest::newRow("2^60 bytes") << lengthOf(quint64{1} << 60U) + "{}" << QByteArray("claims");
        QTest::newRow("all ones") << lengthOf(~quint64{0}) + "{}" << QByteArray("claims");
        QTest::newRow("one byte too many") << lengthOf(3) + "{}" << QByteArray("claims");
        QTest::newRow("not JSON") << fileOf("{\"a\"", 0) << QByteArray("middle");
        QTest::newRow("a list") << fileOf("[1]", 0) << QByteArray("a list");
        QTest::newRow("no tensors") << fileOf("{}", 0) << QByteArray("no tensors");
        QTest::newRow("no type") << tensor(R"({"shape":[1],"data_offsets":[0,4]})", 4)
                                 << QByteArray("missing");
        QTest::newRow("type") << tensor(R"({"dtype":"F12","shape":[1],"data_offsets":[0,4]})", 4)
                              << QByteArray("F12");
        QTest::newRow("negative") << tensor(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})",
                                            4)
                                  << QByteArray("size that can't be");
        QTest::newRow("overflow")
            << tensor(R"({"dtype":"F32","shape":[4294967296,4294967296,4],"data_offsets":[0,4]})",
                      4)
            << QByteArray("size that can't be");
        QTest::newRow("shared data")
            << fileOf(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},
                          "b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                      4)
            << QByteArray("shares its data");
        QTest::newRow("outside") << tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})", 4)
                                 << QByteArray("outside");
        QTest::newRow("backwards")
            << tensor(R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})", 4)
            << QByteArray("outside");
        QTest::newRow("wrong bytes")
            << tensor(R"({"dtype":"F32","shape":[1],"data_offsets":[0,2]})", 4)
            << QByteArray("2 bytes");
    }
    void refuses()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, what);
        const auto imported = importSafetensors(write(bytes));
        QVERIFY(!imported.has_value());
        const QByteArray sentence = QByteArray::fromStdString(imported.error().sentence());
        QVERIFY2(sentence.contains(what), sentence);
        QVERIFY(sentence.contains("model.safetensors"));
    }

    void toldFromJsonByContent()
    {
        QVERIFY(looksLikeSafetensors(fileOf("{}", 0).toStdString()));
        QVERIFY(looksLikeSafetensors((lengthOf(quint64{1} << 60U) + "{}").toStdString()));
        QVERIFY(!looksLikeSafetensors("{\"model\": {}}"));
        QVERIFY(!looksLikeSafetensors("        {\"a\":1}"));
        QVERIFY(!looksLikeSafetensors(""));
    }

private:
    std::string write(const QByteArray& bytes)
    {
        QFile file(m_folder.filePath(QStringLiteral("model.safetensors")));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("a test file can't be written");
        return file.fileName().toStdString();
    }

    QTemporaryDir m_folder;
};

OUTLAY_TEST(TestSafetensors)
#include "tst_safetensors.moc"
