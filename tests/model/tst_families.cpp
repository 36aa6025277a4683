// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/parameters.h"

#include "core/model/model.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay::core;

namespace {

Model modelOf(const char* text)
{
    const auto json = readJson(text);
    Q_ASSERT(json.has_value());
    auto read = readModel(*json, "/model");
    if (!read)
        qFatal("%s", read.error().sentence().c_str());
    return read->model;
}

QList<qint64> countsOf(const Model& model)
{
    QList<qint64> counts;
    for (const Layer& layer : expand(model)) {
        if (!std::holds_alternative<Dropout>(layer.spec))
            counts.append(parametersOf(layer.spec));
    }
    return counts;
}

constexpr const char* TextGenerator =
    R"({"family":"lstm","vocabulary":10000,"embedding":100,"hidden":150,"layers":2,"dropout":0.2,
        "convention":"%1"})";

Model textGenerator(const char* convention)
{
    return modelOf(QByteArray(TextGenerator).replace("%1", convention).constData());
}

} // namespace

class TestFamilies : public QObject {
    Q_OBJECT
private slots:
    void textGeneratorInBothConventions()
    {
        QCOMPARE(countsOf(textGenerator("keras")),
                 (QList<qint64>{1'000'000, 150'600, 180'600, 1'510'000}));
        QCOMPARE(qint64{parametersOf(expand(textGenerator("keras")))}, 2'841'200);
        QCOMPARE(countsOf(textGenerator("pytorch")),
                 (QList<qint64>{1'000'000, 151'200, 181'200, 1'510'000}));
    }

    void gatedRnnOfTheBenchmark()
    {
        const Model model = modelOf(R"({"family":"gated-rnn","vocabulary":512,"hidden":128,"key":32,
                                        "value":64,"output":128,"layers":2})");
        QCOMPARE(countsOf(model), (QList<qint64>{65'536, 28'960, 28'960, 66'048}));
        QCOMPARE(qint64{parametersOf(expand(model))}, 189'504);
    }

    void frequencyExtraction()
    {
        const Model model =
            modelOf(R"({"family":"lstm","inputs":5,"hidden":128,"layers":2,"outputs":1})");
        // 4 x 128 x (5 + 128 + 2), 4 x 128 x (128 + 128 + 2), 128 + 1
        QCOMPARE(countsOf(model), (QList<qint64>{69'120, 132'096, 129}));
    }

    void kerasGruKeepsTwoBiases()
    {
        const char* text = R"({"family":"gru","inputs":10,"hidden":20,"convention":"keras"})";
        QCOMPARE(countsOf(modelOf(text)).front(), qint64{3 * 20 * (10 + 20 + 2)});
        const char* rnn = R"({"family":"rnn","inputs":10,"hidden":20,"convention":"keras"})";
        QCOMPARE(countsOf(modelOf(rnn)).front(), qint64{20 * (10 + 20 + 1)});
    }

    void bidirectionalDoublesAndWidens()
    {
        const Model model = modelOf(R"({"family":"lstm","inputs":10,"hidden":20,"layers":2,
                                        "bidirectional":true})");
        QCOMPARE(countsOf(model),
                 (QList<qint64>{2 * 80 * (10 + 20 + 2), 2 * 80 * (40 + 20 + 2), 41}));
    }

    void projectionShrinksWhatIsFedBack()
    {
        const Model model = modelOf(R"({"family":"lstm","inputs":10,"hidden":20,"projection":4,
                                        "layers":2})");
        const qint64 first = 80 * (10 + 4 + 2) + 20 * 4;
        const qint64 second = 80 * (4 + 4 + 2) + 20 * 4;
        QCOMPARE(countsOf(model), (QList<qint64>{first, second, 5}));
    }

    void expertsAndTies()
    {
        const char* text =
            R"({"family":"transformer","kind":"decoder","vocabulary":32000,"hidden":4096,
            "layers":32,"heads":32,"kv_heads":8,"feed_forward":14336,"gated_feed_forward":true,
            "experts":8,"experts_used":2,"positions":"rotary","norm":"rms","biases":false,
            "tied_embeddings":false})";
        QCOMPARE(qint64{parametersOf(expand(modelOf(text)))}, 46'702'792'704);
    }

    // Only the keys that every decoder has: they must be enough for GPT-2 and for Llama.
    void plainKeysAreEnough()
    {
        const char* gpt =
            R"({"family":"transformer","kind":"decoder","vocabulary":50257,"hidden":768,
            "layers":12,"heads":12,"kv_heads":12,"head_size":64,"feed_forward":3072,
            "gated_feed_forward":false,"positions":"learned","position_count":1024,"norm":"layer",
            "biases":true,"tied_embeddings":true})";
        QCOMPARE(qint64{parametersOf(expand(modelOf(gpt)))}, 124'439'808);
        const char* llama = R"({"family":"transformer","kind":"decoder","vocabulary":32000,
            "hidden":4096,"layers":32,"heads":32,"feed_forward":11008,"gated_feed_forward":true,
            "positions":"rotary","norm":"rms","biases":false,"tied_embeddings":false})";
        QCOMPARE(qint64{parametersOf(expand(modelOf(llama)))}, 6'738'415'616);
        const char* bert =
            R"({"family":"transformer","kind":"encoder","vocabulary":30522,"hidden":768,
            "layers":12,"heads":12})";
        QCOMPARE(qint64{parametersOf(expand(modelOf(bert)))}, 109'482'240);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("place");
        const auto row = [](const char* name, const char* text, const char* place) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(place);
        };
        row("no family", R"({"hidden":1})", "/model/family");
        row("unknown family", R"({"family":"cnn"})", "/model/family");
        row("family is a number", R"({"family":3})", "/model/family");
        row("missing size", R"({"family":"lstm"})", "/model/hidden");
        row("negative", R"({"family":"lstm","hidden":-3})", "/model/hidden");
        row("zero", R"({"family":"lstm","hidden":0})", "/model/hidden");
        row("huge", R"({"family":"lstm","hidden":1000000000000000000})", "/model/hidden");
        row("huge real", R"({"family":"lstm","hidden":1e300})", "/model/hidden");
        row("fraction", R"({"family":"lstm","hidden":1.5})", "/model/hidden");
        row("text", R"({"family":"lstm","hidden":"big"})", "/model/hidden");
        row("object", R"({"family":"lstm","hidden":{}})", "/model/hidden");
        row("inside a list", R"({"family":"lstm","hidden":[8,-1],"layers":2})", "/model/hidden/1");
        row("empty list", R"({"family":"lstm","hidden":[]})", "/model/hidden");
        row("too few sizes", R"({"family":"lstm","hidden":[8,9],"layers":3})", "/model/hidden");
        row("layers", R"({"family":"lstm","hidden":8,"layers":1000000000})", "/model/layers");
        row("projection", R"({"family":"lstm","hidden":8,"projection":8})", "/model/projection");
        row("projected gru", R"({"family":"gru","hidden":8,"projection":4})", "/model/projection");
        row("untieable", R"({"family":"lstm","hidden":8,"vocabulary":9,"embedding":4,
                             "tied_embeddings":true})",
            "/model/tied_embeddings");
        row("choice", R"({"family":"lstm","hidden":8,"output_at":"first"})", "/model/output_at");
        row("flag", R"({"family":"lstm","hidden":8,"bidirectional":1})", "/model/bidirectional");
        row("convention", R"({"family":"lstm","hidden":8,"convention":"jax"})",
            "/model/convention");
        row("heads", R"({"family":"transformer","vocabulary":9,"hidden":10,"layers":1,"heads":3})",
            "/model/heads");
        row("kv heads", R"({"family":"transformer","vocabulary":9,"hidden":12,"layers":1,"heads":3,
                            "kv_heads":2})",
            "/model/kv_heads");
        row("experts", R"({"family":"transformer","vocabulary":9,"hidden":12,"layers":1,"heads":3,
                           "experts":2,"experts_used":3})",
            "/model/experts_used");
        row("batch norm",
            R"({"family":"transformer","vocabulary":9,"hidden":12,"layers":1,"heads":3,
                              "norm":"batch"})",
            "/model/norm");
        row("no layers", R"({"family":"layers","layers":[]})", "/model/layers");
        row("layer kind", R"({"family":"layers","layers":[{"kind":"conv"}]})",
            "/model/layers/0/kind");
        row("layer size",
            R"({"family":"layers","layers":[{"kind":"dense","inputs":0,"outputs":1}]})",
            "/model/layers/0/inputs");
    }
    void layersOfAListAreChecked_data()
    {
        QTest::addColumn<QByteArray>("layer");
        QTest::addColumn<QByteArray>("place");
        const auto row = [](const char* name, const char* layer, const char* place) {
            QTest::newRow(name) << QByteArray(layer) << QByteArray(place);
        };
        row("experts", R"({"kind":"experts","width":8,"inner":8,"count":2,"used":8})", "/used");
        row("heads",
            R"({"kind":"attention","width":8,"memory":8,"heads":3,"kv_heads":2,"head_size":4})",
            "/kv_heads");
        row("projected gru", R"({"kind":"gru","inputs":8,"hidden":8,"projection":4})",
            "/projection");
        row("projection", R"({"kind":"lstm","inputs":8,"hidden":8,"projection":16})",
            "/projection");
        row("weights", R"({"kind":"weights","elements":5,"matrix_elements":50})",
            "/matrix_elements");
    }
    void layersOfAListAreChecked()
    {
        QFETCH(QByteArray, layer);
        QFETCH(QByteArray, place);
        const QByteArray text =
            R"({"family":"layers","layers":[{"kind":"dropout","width":1},)" + layer + "]}";
        const auto read = readModel(*readJson(text.toStdString()), "/model");
        QVERIFY(!read.has_value());
        QCOMPARE(QByteArray::fromStdString(read.error().place), "/model/layers/1" + place);
    }

    void refuses()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, place);
        const auto json = readJson(text.toStdString());
        QVERIFY(json.has_value());
        const auto read = readModel(*json, "/model");
        QVERIFY(!read.has_value());
        QCOMPARE(QByteArray::fromStdString(read.error().place), place);
        QVERIFY(!read.error().remedy.empty());
    }

    void designsBeyondAllSizeAreRefused()
    {
        const Model model = modelOf(R"({"family":"transformer","vocabulary":2147483647,
            "hidden":16777216,"layers":4096,"heads":65536,"experts":65536,"experts_used":1})");
        const auto size = checkSize(model);
        QVERIFY(!size.has_value());
        QVERIFY(size.error().sentence().find("10^15") != std::string::npos);
    }

    void unknownKeysAreNamedWithTheNearest()
    {
        const auto read =
            readModel(*readJson(R"({"family":"lstm","hidden":8,"hiden":9})"), "/model");
        QVERIFY(read.has_value());
        QCOMPARE(read->unknownKeys.named,
                 std::vector<std::string>{"/model/hiden (did you mean 'hidden'?)"});
    }

    // Some layer of either stack has to have experts; how deep another kind's stack would be has no meaning.
    void expertsStandInSomeLayer()
    {
        const auto isSound = [](const char* rest) {
            const std::string text =
                std::string(R"({"family":"transformer","vocabulary":100,"hidden":32,"heads":4,
                "experts":8,)") +
                rest + "}";
            const auto read = readModel(*readJson(text), "");
            return read ? std::string() : read.error().place;
        };
        QCOMPARE(isSound(R"("layers":6,"dense_layers":5)"), std::string());
        QCOMPARE(isSound(R"("layers":6,"dense_layers":6)"), std::string("/dense_layers"));
        QCOMPARE(isSound(R"("layers":6,"expert_step":7)"), std::string("/expert_step"));
        QCOMPARE(isSound(R"("layers":6,"dense_layers":2,"decoder_layers":1)"), std::string());
        QCOMPARE(isSound(R"("layers":2,"dense_layers":2,"decoder_layers":9)"),
                 std::string("/dense_layers"));
        const char* pair =
            R"("kind":"encoder-decoder","layers":12,"decoder_layers":2,"expert_step":4)";
        QCOMPARE(isSound(pair), std::string());
    }
};

OUTLAY_TEST(TestFamilies)
#include "tst_families.moc"
