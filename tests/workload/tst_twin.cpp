// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model.h"
#include "core/workload/parameters.h"
#include "core/workload/twin.h"
#include "tests/support/random_designs.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay::core;

namespace {

using MaybeLength = std::optional<std::int64_t>;

std::vector<Layer> layersOf(const QByteArray& text)
{
    auto read = readModel(*readJson(text.toStdString()), "");
    if (!read)
        qFatal("%s", read.error().sentence().c_str());
    return expand(read->model);
}

/// Everything as wide as 128: two heads of 64.
std::vector<Layer> recurrent(const char* family, int layers = 1)
{
    return layersOf(QByteArray(R"({"family":")") + family +
                    R"(","vocabulary":1000,"hidden":128,"output_at":"every","layers":)" +
                    QByteArray::number(layers) + "}");
}

constexpr double Width = 128;
constexpr double Vocabulary = 1000;

double relativeError(double a, double b)
{
    return a == b ? 0 : std::abs(a - b) / std::max(std::abs(a), std::abs(b));
}

} // namespace

class TestTwin : public QObject {
    Q_OBJECT
private slots:
    void closedForms_data()
    {
        QTest::addColumn<QByteArray>("family");
        QTest::addColumn<double>("products"); // FLOPs of a token in squares of the width
        QTest::addColumn<double>("kept");     // values of a token in widths
        QTest::addColumn<double>("state");    // values in widths
        QTest::newRow("lstm") << QByteArray("lstm") << 16.0 << 8.0 << 2.0;
        QTest::newRow("gru") << QByteArray("gru") << 12.0 << 8.5 << 1.0;
        QTest::newRow("rnn") << QByteArray("rnn") << 4.0 << 2.0 << 1.0;
    }
    void closedForms()
    {
        QFETCH(QByteArray, family);
        QFETCH(double, products);
        QFETCH(double, kept);
        QFETCH(double, state);
        constexpr double Layers = 3;
        constexpr double Heads = 2;
        const Twins twins = twinsOf(recurrent(family.constData(), 3));
        QCOMPARE(*twins.own, Mixing::Recurrent);
        for (const double t : {64.0, 1000.0, 16'384.0}) {
            const double head = 2 * Width * Vocabulary;    // FLOPs of the output for a token
            const double outside = Width + 2 * Vocabulary; // values: embedding, logits, softmax
            const SequenceWork r = sequenceWork(twins.recurrent, t, {2, 4});
            QCOMPARE(r.flops, t * (Layers * products * Width * Width + head));
            QCOMPARE(r.stateBytes, 4 * Layers * state * Width);
            QCOMPARE(r.activationBytes, 2 * t * (Layers * kept * Width + outside));
            const SequenceWork a = sequenceWork(twins.attention, t, {2, 4});
            QCOMPARE(a.flops, t * (Layers * (8 * Width * Width + 4 * t * Width) + head));
            QCOMPARE(a.stateBytes, 4 * Layers * 2 * t * Width);
            QCOMPARE(a.activationBytes, 2 * t * (Layers * (4 * Width + Heads * t) + outside));
        }
    }

    // From the same closed forms: 8 d^2 + 4 T d against k d^2, 5 d + H T against k d, 2 T d against k d.
    void crossings_data()
    {
        QTest::addColumn<QByteArray>("family");
        QTest::addColumn<qint64>("flops");
        QTest::addColumn<qint64>("state");
        QTest::addColumn<qint64>("activations");
        QTest::newRow("lstm") << QByteArray("lstm") << qint64{2 * 128 + 1} << qint64{2}
                              << qint64{4 * 64 + 1};
        QTest::newRow("gru") << QByteArray("gru") << qint64{128 + 1} << qint64{1}
                             << qint64{9 * 32 + 1};
        QTest::newRow("rnn") << QByteArray("rnn") << qint64{1} << qint64{1} << qint64{1};
    }
    void crossings()
    {
        QFETCH(QByteArray, family);
        QFETCH(qint64, flops);
        QFETCH(qint64, state);
        QFETCH(qint64, activations);
        const Twins twins = twinsOf(recurrent(family.constData()));
        QCOMPARE(crossingOf(twins, &SequenceWork::flops, {}), MaybeLength(flops));
        QCOMPARE(crossingOf(twins, &SequenceWork::stateBytes, {}), MaybeLength(state));
        QCOMPARE(crossingOf(twins, &SequenceWork::activationBytes, {}), MaybeLength(activations));
    }

    void aGatedStateIsAMatrix()
    {
        const Twins twins = twinsOf(layersOf(
            R"({"family":"gated-rnn","vocabulary":512,"hidden":128,"key":32,"value":64,"output":128})"));
        QCOMPARE(sequenceWork(twins.recurrent, 500, {}).stateBytes, 4.0 * 32 * 64);
        // 2 x 128 values a token against 2048.
        QCOMPARE(crossingOf(twins, &SequenceWork::stateBytes, {}), MaybeLength(9));
    }

    void anotherInputWidthGoesThroughADenseLayer()
    {
        const std::vector<Layer> own = layersOf(
            R"({"family":"lstm","vocabulary":100,"embedding":96,"hidden":150,"bidirectional":true})");
        const Twins twins = twinsOf(own);
        QCOMPARE(twins.twin.size(), own.size() + 1);
        QCOMPARE(std::get<Dense>(twins.twin[1].spec).inputs, std::int64_t{96});
        const auto& attention = std::get<Attention>(twins.twin[2].spec);
        QCOMPARE(attention.width, std::int64_t{300}); // both directions
        QCOMPARE(attention.queryWidth(), std::int64_t{300});
        QCOMPARE(attention.headSize, std::int64_t{60});
    }

    void aWindowMayNeverCostMore()
    {
        const Twins twins = twinsOf(layersOf(
            R"({"family":"transformer","vocabulary":100,"hidden":128,"layers":2,"heads":2,"window":100})"));
        QCOMPARE(*twins.own, Mixing::Attention);
        // 8 d^2 + 4 x 100 d against the 16 d^2 of an LSTM.
        QCOMPARE(crossingOf(twins, &SequenceWork::flops, {}), MaybeLength());
        QCOMPARE(crossingOf(twins, &SequenceWork::stateBytes, {}), MaybeLength(2));
    }

    void withoutATwin_data()
    {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<QString>("word");
        QTest::newRow("mlp") << QByteArray(
                                    R"({"family":"mlp","inputs":8,"hidden":[4],"outputs":1})")
                             << "no layer";
        QTest::newRow("two stacks")
            << QByteArray(
                   R"({"family":"transformer","kind":"encoder-decoder","vocabulary":9,"hidden":8,"layers":1,"heads":1})")
            << "two stacks";
    }
    void withoutATwin()
    {
        QFETCH(QByteArray, model);
        QFETCH(QString, word);
        const Twins twins = twinsOf(layersOf(model));
        QVERIFY(!twins.own);
        QVERIFY2(twins.why.find(word.toStdString()) != std::string::npos, twins.why.c_str());
        QVERIFY(!crossingOf(twins, &SequenceWork::flops, {}));
        QVERIFY(!twinsOf({{"w", Weights{10, 10}}}).own);
        auto both = recurrent("lstm");
        both.push_back({"attention", Attention{.width = 8, .heads = 1}});
        QVERIFY(!twinsOf(both).own);
    }

    void equalLayersAreCountedOnce()
    {
        std::mt19937_64 random(3);
        for (int i = 0; i < 200; ++i) {
            const std::vector<Layer> layers = expand(outlay::tests::randomModel(random));
            const LayerKinds kinds(layers);
            QCOMPARE(kinds.places().size(), layers.size());
            std::vector<double> counts(kinds.kinds().size(), 0);
            for (std::size_t j = 0; j < layers.size(); ++j) {
                const LayerKinds::Place& place = kinds.places()[j];
                const Layer& kind = kinds.kinds()[place.kind].layer;
                QVERIFY(kind.spec == layers[j].spec && kind.stream == layers[j].stream);
                QCOMPARE(place.block, layers[j].block);
                QCOMPARE(kind.block == 0, layers[j].block == 0);
                counts[place.kind] += 1;
            }
            for (std::size_t a = 0; a < counts.size(); ++a) {
                QCOMPARE(kinds.kinds()[a].count, counts[a]);
                for (std::size_t b = 0; b < a; ++b) {
                    const Layer& one = kinds.kinds()[a].layer;
                    const Layer& other = kinds.kinds()[b].layer;
                    QVERIFY(one.spec != other.spec || one.stream != other.stream ||
                            (one.block == 0) != (other.block == 0));
                }
            }
            // Added up layer by layer it is the same.
            const Pass pass = trainingPass(3, 40, 4);
            Work sum;
            for (const Layer& layer : layers)
                sum += workOf(layer, pass);
            const Work counted = workOf(kinds, pass);
            QVERIFY(relativeError(counted.flops, sum.flops) < 1e-12);
            QVERIFY(relativeError(counted.bytes, sum.bytes) < 1e-12);
            QVERIFY(relativeError(counted.launches, sum.launches) < 1e-12);
            QCOMPARE(counted.transient, sum.transient);
        }
    }

    void ofAnyDesign()
    {
        std::mt19937_64 random(11);
        int seen = 0;
        for (int i = 0; i < 200; ++i) {
            const std::vector<Layer> own = expand(outlay::tests::randomModel(random));
            const Twins twins = twinsOf(own);
            QCOMPARE(twins.own.has_value(), twins.why.empty());
            if (!twins.own)
                continue;
            ++seen;
            // The counted design is the design; its twin is of the other kind.
            const auto& counted =
                *twins.own == Mixing::Recurrent ? twins.recurrent : twins.attention;
            const Work work = workOf(own, trainingPass(1, 77, 4));
            QVERIFY(relativeError(sequenceWork(counted, 77, {}).flops, work.flops) < 1e-12);
            QVERIFY(relativeError(sequenceWork(counted, 77, {}).activationBytes, work.kept) <
                    1e-12);
            const auto other =
                *twins.own == Mixing::Recurrent ? Mixing::Attention : Mixing::Recurrent;
            QCOMPARE(twinsOf(twins.twin).own, std::optional(other));
            for (const auto measure : SequenceMeasures) {
                const auto from = crossingOf(twins, measure, {});
                for (double t = 1; t <= 1 << 20; t *= 2) {
                    const bool costsMore = sequenceWork(twins.attention, t, {}).*measure >
                                           sequenceWork(twins.recurrent, t, {}).*measure;
                    QCOMPARE(costsMore, from && t >= static_cast<double>(*from));
                }
            }
        }
        QVERIFY(seen > 50);
    }
};

OUTLAY_TEST(TestTwin)
#include "tst_twin.moc"
