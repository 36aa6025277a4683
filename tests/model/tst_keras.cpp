// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/model/import/keras.h"
#include "core/workload/parameters.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>

using namespace outlay::core;

namespace {

Result<Imported> importText(std::string_view text)
{
    return importKeras(*readJson(text));
}

Result<Imported> importFile(const char* name)
{
    return importText(loadFile(std::string(OUTLAY_TEST_DATA "/keras/") + name).value());
}

QList<qint64> countsOf(const Imported& imported)
{
    QList<qint64> counts;
    for (const Layer& layer : expand(imported.model)) {
        if (parametersOf(layer.spec) > 0)
            counts.append(parametersOf(layer.spec));
    }
    return counts;
}

QByteArray sequential(const char* layers)
{
    return QByteArray(R"({"class_name":"Sequential","config":[)") + layers + "]}";
}

void addRefusedKinds()
{
    QTest::newRow("unknown class")
        << QByteArray(R"({"class_name":"Transformer","config":{"layers":[]}})")
        << QByteArray("Transformer");
    QTest::newRow("no layers") << sequential("") << QByteArray("0 layers");
    QTest::newRow("layer is text") << sequential("\"x\"") << QByteArray("not a Keras layer");
    QTest::newRow("convolution")
        << sequential(
               R"({"class_name":"Conv2D","config":{"name":"c","batch_input_shape":[null,8,8]}})")
        << QByteArray("Conv2D");
    QTest::newRow("prelu")
        << sequential(
               R"({"class_name":"PReLU","config":{"name":"p","batch_input_shape":[null,8]}})")
        << QByteArray("PReLU");
    QTest::newRow("axis of a batch norm")
        << sequential(R"({"class_name":"BatchNormalization","config":{"name":"b","axis":[1],
            "batch_input_shape":[null,50,8]}})")
        << QByteArray("another axis");
    QTest::newRow("axes of a layer norm")
        << sequential(R"({"class_name":"LayerNormalization","config":{"name":"b","axis":[1,2],
            "batch_input_shape":[null,50,8]}})")
        << QByteArray("another axis");
    QTest::newRow("own backward layer")
        << sequential(R"({"class_name":"Bidirectional","config":{"batch_input_shape":[null,3,4],
            "layer":{"class_name":"LSTM","config":{"units":4}},
            "backward_layer":{"class_name":"LSTM","config":{"units":4}}}})")
        << QByteArray("backward layer");
    QTest::newRow("not merged")
        << sequential(R"({"class_name":"Bidirectional","config":{"batch_input_shape":[null,3,4],
            "merge_mode":null,"layer":{"class_name":"LSTM","config":{"units":4}}}})")
        << QByteArray("not merged");
}

void addRefusedSizes()
{
    QTest::newRow("no shape") << sequential(R"({"class_name":"LSTM","config":{"units":4}})")
                              << QByteArray("input shape");
    QTest::newRow("no units")
        << sequential(R"({"class_name":"LSTM","config":{"batch_input_shape":[null,3,4]}})")
        << QByteArray("size is missing");
    QTest::newRow("absurd units")
        << sequential(
               R"({"class_name":"LSTM","config":{"units":1e18,"batch_input_shape":[null,3,4]}})")
        << QByteArray("1e+18");
    QTest::newRow("flatten of unknown steps")
        << sequential(R"({"class_name":"Flatten","config":{"batch_input_shape":[null,null,4]}})")
        << QByteArray("input shape");
}

void addRefusedGraphs()
{
    QTest::newRow("wrapper without layer")
        << sequential(R"({"class_name":"Bidirectional","config":{"batch_input_shape":[null,3,4]}})")
        << QByteArray("holds no layer");
    QTest::newRow("missing source")
        << QByteArray(
               R"({"class_name":"Model","config":{"layers":[{"class_name":"Dense","name":"d",
            "config":{"units":2},"inbound_nodes":[[["ghost",0,0,{}]]]}]}})")
        << QByteArray("ghost");
    QTest::newRow("same name twice")
        << QByteArray(
               R"({"class_name":"Model","config":{"layers":[{"class_name":"InputLayer","name":"d",
            "config":{}},{"class_name":"InputLayer","name":"d","config":{}}]}})")
        << QByteArray("two layers");
}

} // namespace

class TestKeras : public QObject {
    Q_OBJECT
private slots:
    // All three generations of the format; the counts are Keras's own `count_params`.
    void counts_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("family");
        QTest::addColumn<QList<qint64>>("expected");
        const auto row = [](const char* file, const char* family, const QList<qint64>& expected) {
            QTest::newRow(file) << QByteArray(file) << QByteArray(family) << expected;
        };
        row("sequential_list.json", "lstm", {1000000, 150600, 180600, 1510000});
        // Before Keras 2.2 a GRU had one bias: 3 x 32 x (10 + 32 + 1).
        row("gru_of_2017.json", "layers", {3 * 32 * 43, 33});
        row("sequential_layers.json", "lstm",
            {5000 * 64, 2 * 4 * 32 * (64 + 32 + 1), 64 * 20 + 20});
        // GRU 3 x 16 x (8 + 16 + 2), SimpleRNN 12 x (8 + 12 + 1), batch norm 4 x 28, dense 28 x 3.
        row("functional_2.json", "layers", {3 * 16 * 26, 12 * 21, 4 * 28, 28 * 3});
        row("keras3_sequential.json", "layers", {4 * 64 * (5 + 64 + 1), 128, 24 * 64 + 1});
        row("keras3_functional.json", "gru", {300 * 16, 3 * 24 * (16 + 24 + 2), 24 * 32 + 32, 66});
        row("perceptron.json", "mlp", {785 * 512, 513 * 10});
    }
    void counts()
    {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, family);
        QFETCH(QList<qint64>, expected);
        const auto imported = importFile(file.constData());
        QVERIFY2(imported.has_value(), imported ? "" : imported.error().sentence().c_str());
        QCOMPARE(QByteArray(familyOf(imported->model).data()).left(family.size()), family);
        QList<qint64> counts = countsOf(*imported);
        std::sort(counts.begin(), counts.end());
        std::sort(expected.begin(), expected.end());
        QCOMPARE(counts, expected);
        QCOMPARE(imported->model.convention, Convention::Keras);
    }

    void knowsTheSteps()
    {
        QCOMPARE(importFile("sequential_list.json")->sequence.value_or(0), 49);
        QCOMPARE(importFile("keras3_sequential.json")->sequence.value_or(0), 24);
        QVERIFY(!importFile("sequential_layers.json")->sequence.has_value());
    }

    void graphsAreSortedBeforeTheyAreRead()
    {
        // The file names the concatenation first; its inputs' widths are known only later.
        const auto imported = importFile("functional_2.json");
        QVERIFY(imported.has_value());
        QCOMPARE(expand(imported->model).back().name, std::string("out"));
    }

    void saysWhatIsLeftOut()
    {
        const auto imported = importFile("keras3_functional.json");
        QVERIFY(imported.has_value());
        QVERIFY(imported->notes.front().find("not_equal") != std::string::npos);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("what");
        addRefusedKinds();
        addRefusedSizes();
        addRefusedGraphs();
    }
    void refuses()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, what);
        const auto imported = importText(text.toStdString());
        QVERIFY(!imported.has_value());
        const QByteArray sentence = QByteArray::fromStdString(imported.error().sentence());
        QVERIFY2(sentence.contains(what), sentence);
        QVERIFY(!imported.error().remedy.empty());
    }

    void dropoutIsKeptAsItIs()
    {
        const auto after = [](const char* layers) {
            return importText(std::string(R"({"class_name":"Sequential","config":[)") + layers +
                              "]}");
        };
        const auto fits =
            after(R"({"class_name":"LSTM","config":{"units":8,"batch_input_shape":[null,9,3]}},
            {"class_name":"Dropout","config":{"rate":0.5}},
            {"class_name":"Dense","config":{"units":2,"activation":{"class_name":"LeakyReLU","config":{}}}})");
        QVERIFY(fits.has_value());
        QCOMPARE(std::get<RecurrentDesign>(fits->model.design).dropout, 0.5);
        // A perceptron of ours has no dropout: the list keeps what the family would lose.
        const auto list =
            after(R"({"class_name":"Dense","config":{"units":8,"batch_input_shape":[null,3]}},
            {"class_name":"Dropout","config":{"rate":0.3}},{"class_name":"Dense","config":{"units":2}})");
        QVERIFY(list.has_value());
        const auto& layers = std::get<LayerListDesign>(list->model.design).layers;
        QCOMPARE(std::get<Dropout>(layers[1].spec).share, 0.3);
    }

    // A list of layers that branch, merge or repeat is counted; whether one can run as a chain is told before it does.
    void chainsAreTold_data()
    {
        QTest::addColumn<QByteArray>("layers");
        QTest::addColumn<QByteArray>("why"); // empty: it can
        const QByteArray input = R"({"class_name":"LSTM","config":{"units":8,"name":"enc",)"
                                 R"("batch_input_shape":[null,9,3],"return_sequences":)";
        QTest::newRow("a chain") << input +
                                        R"(true}},{"class_name":"BatchNormalization","config":{}},)"
                                        R"({"class_name":"LSTM","config":{"units":4}})"
                                 << QByteArray();
        QTest::newRow("flattened") << input + R"(true}},{"class_name":"Flatten","config":{}},)"
                                              R"({"class_name":"Dense","config":{"units":2}})"
                                   << QByteArray();
        QTest::newRow("repeated")
            << input + R"(false}},{"class_name":"RepeatVector","config":{"n":9}},)"
                       R"({"class_name":"LSTM","config":{"units":8,"name":"dec"}})"
            << QByteArray("'dec' takes a sequence, and 'enc' before it makes none");
        QTest::newRow("summed directions")
            << QByteArray(R"({"class_name":"Bidirectional","config":{"name":"bi",)"
                          R"("merge_mode":"sum","batch_input_shape":[null,9,3],"layer":)"
                          R"({"class_name":"LSTM","config":{"units":8}}}},)"
                          R"({"class_name":"BatchNormalization","config":{}},)"
                          R"({"class_name":"Dense","config":{"units":2}})")
            << QByteArray("doesn't take what 'bi' before it makes");
    }
    void chainsAreTold()
    {
        QFETCH(QByteArray, layers);
        QFETCH(QByteArray, why);
        const auto imported = importText(sequential(layers.constData()).toStdString());
        QVERIFY2(imported.has_value(), imported ? "" : imported.error().sentence().c_str());
        const auto chain = checkChain(LayerListDesign{expand(imported->model)});
        QCOMPARE(chain.has_value(), why.isEmpty());
        if (!chain)
            QVERIFY2(chain.error().sentence().find(why.toStdString()) != std::string::npos,
                     chain.error().sentence().c_str());
    }

    void frozenLayersAreNamed()
    {
        const auto imported = importText(
            sequential(R"({"class_name":"Embedding","config":{"input_dim":50,"output_dim":4,)"
                       R"("name":"words","input_length":5,"trainable":false}},)"
                       R"({"class_name":"LSTM","config":{"units":4}})")
                .toStdString());
        QVERIFY(imported.has_value());
        const auto names = [](const std::string& note) {
            return note.find("counted as trained: words.") != std::string::npos;
        };
        QVERIFY(std::any_of(imported->notes.begin(), imported->notes.end(), names));
    }

    void concatenationAlongSteps()
    {
        const auto imported = importText(R"({"class_name":"Model","config":{"layers":[
            {"class_name":"InputLayer","name":"a","config":{"batch_input_shape":[null,10,8]}},
            {"class_name":"InputLayer","name":"b","config":{"batch_input_shape":[null,20,8]}},
            {"class_name":"Concatenate","name":"c","config":{"axis":1},
             "inbound_nodes":[[["a",0,0,{}],["b",0,0,{}]]]},
            {"class_name":"LSTM","name":"l","config":{"units":4,"return_sequences":true},
             "inbound_nodes":[[["c",0,0,{}]]]},
            {"class_name":"Flatten","name":"f","config":{},"inbound_nodes":[[["l",0,0,{}]]]},
            {"class_name":"Dense","name":"d","config":{"units":1},"inbound_nodes":[[["f",0,0,{}]]]}]}})");
        QVERIFY2(imported.has_value(), imported ? "" : imported.error().sentence().c_str());
        QCOMPARE(countsOf(*imported), (QList<qint64>{4 * 4 * (8 + 4 + 1), 30 * 4 + 1}));
    }

    void aCycleIsNamed()
    {
        const auto imported = importFile("cycle.json");
        QVERIFY(!imported.has_value());
        const std::string sentence = imported.error().sentence();
        QVERIFY(sentence.find("cycle") != std::string::npos);
        QVERIFY(sentence.find("/config/layers/1") != std::string::npos);
    }

    // A ring of many layers ends at once, too.
    void aLongCycleIsFoundQuickly()
    {
        std::string layers;
        constexpr int Count = 4000;
        for (int i = 0; i < Count; ++i) {
            const std::string before = std::to_string((i + Count - 1) % Count);
            layers += (i == 0 ? "" : ",") + std::string(R"({"class_name":"Dense","name":")") +
                      std::to_string(i) + "\",\"config\":{\"units\":2},\"inbound_nodes\":[[[\"" +
                      before + "\",0,0,{}]]]}";
        }
        const auto imported =
            importText(R"({"class_name":"Model","config":{"layers":[)" + layers + "]}}");
        QVERIFY(!imported.has_value());
        QVERIFY(imported.error().sentence().find("cycle") != std::string::npos);
    }
};

OUTLAY_TEST(TestKeras)
#include "tst_keras.moc"
