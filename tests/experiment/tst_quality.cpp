// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Quality as training programs write it, and as an experiment keeps it.
#include "core/experiment/quality.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <limits>

using namespace outlay::core;

class TestQuality : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Every way of writing the same three losses.
    void curvesAreRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("stored") << QByteArray(
            R"({"curve": [{"epoch": 1, "loss": 3}, {"epoch": 2, "loss": 2}, {"epoch": 3, "loss": 1.5}]})");
        QTest::newRow("list") << QByteArray("[3, 2, 1.5]");
        QTest::newRow("objects") << QByteArray(
            R"([{"epoch": 2, "loss": 2}, {"loss": 3, "epoch": 1}, {"epoch": 3, "loss": 1.5}])");
        QTest::newRow("from 0") << QByteArray(
            R"([{"epoch": 0, "loss": 3}, {"epoch": 1, "loss": 2}, {"epoch": 2, "loss": 1.5}])");
        QTest::newRow("columns") << QByteArray(R"({"loss": [3, 2, 1.5], "other": ["x"]})");
        QTest::newRow("validation first")
            << QByteArray(R"({"loss": [9, 8, 7], "val_loss": [3, 2, 1.5]})");
        QTest::newRow("log") << QByteArray(
            R"({"log_history": [{"epoch": 1, "loss": 9, "lr": 1}, {"epoch": 1, "eval_loss": 3},
                {"epoch": 2, "eval_loss": 2}, {"epoch": 3, "eval_loss": 1.5}, {"runtime": 5}]})");
        QTest::newRow("csv") << QByteArray("epoch,loss\n1,3\n2,2\n3,1.5\n");
        QTest::newRow("csv, more columns") << QByteArray(
            "Epoch,accuracy,loss,val_loss\r\n0,0.1,9,3\r\n1,0.2,8,2\r\n2,0.3,7,1.5\r\n");
        QTest::newRow("csv, quoted") << QByteArray("\"loss\";\"epoch\"\n3;1\n2;2\n1.5;3");
        QTest::newRow("csv, tabs, no names") << QByteArray("1\t3\n2\t2\n\n3\t1.5\n");
        QTest::newRow("a column") << QByteArray("3\n2\n1.5\n");
        QTest::newRow("a named column") << QByteArray("train_loss\n3\n2\n1.5\n");
    }
    void curvesAreRead()
    {
        QFETCH(QByteArray, text);
        const auto read = readQuality(text.toStdString());
        QVERIFY2(read.has_value(), read ? "" : read.error().sentence().c_str());
        QCOMPARE(read->curve, (std::vector<LossPoint>{{1, 3}, {2, 2}, {3, 1.5}}));
        QVERIFY(read->figures.empty());
    }

    void figuresAreRead()
    {
        const auto read = readQuality(
            R"({"accuracy": 0.93, "perplexity": 12, "note": "good", "better": {"accuracy": "larger", "perplexity": "up"}})");
        QVERIFY(read.has_value());
        QCOMPARE(read->figures, (std::vector<QualityFigure>{{"accuracy", 0.93, Better::Larger},
                                                            {"perplexity", 12, std::nullopt}}));
    }

    void whatCannotBeReadIsTold_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("nothing") << QByteArray() << QByteArray("names no column");
        QTest::newRow("blank") << QByteArray(" \n \n") << QByteArray("names no column");
        QTest::newRow("no loss") << QByteArray("step,accuracy\n1,2\n") << QByteArray("no column");
        QTest::newRow("a word") << QByteArray("epoch,loss\n1,3\n2,low\n") << QByteArray("line 3");
        QTest::newRow("not finite") << QByteArray("epoch,loss\n1,nan\n") << QByteArray("line 2");
        QTest::newRow("a cell too few") << QByteArray("epoch,loss\n1\n") << QByteArray("line 2");
        QTest::newRow("broken JSON") << QByteArray("{\"loss\": [1,") << QByteArray();
        QTest::newRow("empty object")
            << QByteArray("{}") << QByteArray("neither figures nor losses");
        QTest::newRow("names only")
            << QByteArray("epoch,loss\n") << QByteArray("neither figures nor losses");
        QTest::newRow("other JSON") << QByteArray(R"({"curve": [{"epoch": 1}]})")
                                    << QByteArray("neither figures nor losses");
    }
    void whatCannotBeReadIsTold()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto read = readQuality(text.toStdString());
        QVERIFY(!read.has_value());
        const QByteArray sentence = QByteArray::fromStdString(read.error().sentence());
        QVERIFY2(sentence.contains(says), sentence);
        QVERIFY(!read.error().remedy.empty());
    }

    // What a person wrote that isn't a figure stays as it was.
    void figuresAreSetAndTakenOut()
    {
        const Json start = Json::Object{{"note", "good"}, {"curve", Json::array()}};
        auto one = withFigure(start, {"mse", 0.5, Better::Smaller});
        QVERIFY(one.has_value());
        QCOMPARE(qualityOf(*one).figures,
                 (std::vector<QualityFigure>{{"mse", 0.5, Better::Smaller}}));
        QCOMPARE(*one->find("note")->asString(), std::string("good"));
        const auto changed = withFigure(*one, {"mse", 0.25, std::nullopt});
        QCOMPARE(qualityOf(*changed).figures,
                 (std::vector<QualityFigure>{{"mse", 0.25, std::nullopt}}));
        // A second one leaves what is said of the first.
        const auto two = withFigure(*one, {"accuracy", 0.9, Better::Larger});
        QCOMPARE(qualityOf(*two).figures,
                 (std::vector<QualityFigure>{{"mse", 0.5, Better::Smaller},
                                             {"accuracy", 0.9, Better::Larger}}));
        QCOMPARE(withoutFigure(*one, "mse"), start);
        QCOMPARE(withoutFigure(start, "mse"), start);
        for (const char* bad : {"", "curve", "better"})
            QVERIFY(!withFigure(start, {bad, 1, std::nullopt}).has_value());
        QVERIFY(!withFigure(start, {"x", std::numeric_limits<double>::infinity(), {}}).has_value());
    }

    // Reading what was stored gives what was read.
    void whatIsReadIsKept()
    {
        const Quality read{{{"mse", 0.5, std::nullopt}}, {{1, 3}, {2, 2}}};
        Json stored = *withFigure(Json::object(), {"mse", 9, Better::Smaller});
        stored = withQuality(stored, read);
        QCOMPARE(qualityOf(stored).curve, read.curve);
        QCOMPARE(qualityOf(stored).figures.front(), (QualityFigure{"mse", 0.5, Better::Smaller}));
        QCOMPARE(qualityOf(withQuality(stored, {{{"r2", 1, {}}}, {}})).curve, read.curve);
    }
};

OUTLAY_TEST(TestQuality)
#include "tst_quality.moc"
