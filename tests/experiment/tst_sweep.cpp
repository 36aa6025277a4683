// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Combinations of settings, and cost analyses as experiments.
#include "core/experiment/cost_analysis.h"
#include "core/experiment/presets.h"
#include "core/experiment/sweep.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <set>

using namespace outlay::core;

namespace {

Result<Sweep> sweepOf(const char* name, const std::vector<std::string>& vary)
{
    std::vector<SweepAxis> axes;
    for (const std::string& text : vary) {
        auto axis = readAxis(text);
        if (!axis)
            return failureOf(axis);
        axes.push_back(std::move(*axis));
    }
    return Sweep::create(preset(name)->experiment, std::move(axes));
}

} // namespace

class TestSweep : public QObject {
    Q_OBJECT
private slots:
    void everyCombinationIsMadeOnce()
    {
        const auto sweep =
            sweepOf("text-generator", {"/model/hidden=100,200,300", "/training/batch=16,32",
                                       "/training/precision=fp32,bf16"});
        QVERIFY(sweep.has_value());
        QCOMPARE(sweep->size(), std::size_t{12});
        std::set<std::string> labels;
        for (std::size_t i = 0; i < sweep->size(); ++i) {
            const auto made = sweep->at(i);
            QVERIFY(made.has_value());
            const std::vector<Json> values = sweep->valuesAt(i);
            const Json now = Json::Object{{"model", fieldsOf(made->model)},
                                          {"training", fieldsOf(made->training)}};
            for (std::size_t axis = 0; axis < values.size(); ++axis)
                QCOMPARE(*valueAt(now, sweep->axes()[axis].pointer), values[axis]);
            labels.insert(sweep->labelAt(i));
        }
        QCOMPARE(labels.size(), std::size_t{12});
        QCOMPARE(sweep->labelAt(1),
                 std::string("/model/hidden=100 /training/batch=16 /training/precision=\"bf16\""));
        QCOMPARE(sweep->labelAt(11),
                 std::string("/model/hidden=300 /training/batch=32 /training/precision=\"bf16\""));
    }

    void valuesAreParted_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("count");
        QTest::newRow("numbers") << QByteArray("/a=1,2,3") << 3;
        QTest::newRow("lists") << QByteArray("/a=[512,256],[128]") << 2;
        QTest::newRow("quotes") << QByteArray("/a=\"x,y\",\"z\\\",\"") << 2;
        QTest::newRow("bare texts") << QByteArray("/a=fp32,bf16") << 2;
        QTest::newRow("an equals sign") << QByteArray("/a=b=c") << 1;
        QTest::newRow("objects") << QByteArray(R"(/a={"x":1,"y":2},null)") << 2;
    }
    void valuesAreParted()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, count);
        const auto axis = readAxis(text.toStdString());
        QVERIFY(axis.has_value());
        QCOMPARE(static_cast<int>(axis->values.size()), count);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("vary");
        QTest::addColumn<QByteArray>("sentence");
        const auto row = [](const char* vary, const char* sentence) {
            QTest::newRow(vary) << QByteArray(vary) << QByteArray(sentence);
        };
        row("/training/batch", "--vary: '/training/batch' varies nothing; write --vary "
                               "POINTER=V1,V2, as in /training/batch=16,32.");
        row("/training/batch=1,,2", "--vary /training/batch: a value is empty; write V1,V2 without "
                                    "spare commas.");
        row("/training/batch=4,4",
            "--vary /training/batch: the value 4 is given twice; give it once.");
        row("/model/hidden=[1,2", "--vary /model/hidden: a bracket or a quote is not closed; close "
                                  "it.");
        row("/training/bach=1,2",
            "with /training/bach=1, /training/bach (did you mean 'batch'?): an experiment has no "
            "such key; see docs/experiment.md.");
        row("/training/accumulation=1,null",
            "--vary /training/accumulation: this changes nothing of "
            "the experiment; docs/experiment.md lists what can be "
            "set.");
        row("/training/batch=0,2", "with /training/batch=0, /training/batch: the samples in a pass "
                                   "on each device is 0; give a whole number "
                                   "from 1 to 16,777,216.");
        row("training.batch=1,2", "'training.batch' is not a JSON pointer; write it with slashes, "
                                  "as in /model/hidden.");
    }
    void refuses()
    {
        QFETCH(QByteArray, vary);
        QFETCH(QByteArray, sentence);
        const auto sweep = sweepOf("text-generator", {vary.toStdString()});
        QVERIFY(!sweep);
        QCOMPARE(QByteArray::fromStdString(sweep.error().sentence()), sentence);
    }

    // A width and its heads exclude each other in some combinations only.
    void impossibleCombinationsDontHideTheOthers()
    {
        const auto sweep = sweepOf("gpt2", {"/model/hidden=768,100", "/model/heads=12,10"});
        QVERIFY(sweep.has_value());
        std::vector<bool> made;
        for (std::size_t i = 0; i < sweep->size(); ++i)
            made.push_back(sweep->at(i).has_value());
        QCOMPARE(made, (std::vector<bool>{true, false, false, true}));
        QVERIFY(!sweepOf("gpt2", {"/model/hidden=768", "/model/heads=12,7"}));
    }

    void thereIsAnEnd()
    {
        std::string many = "/training/batch=1";
        for (int i = 2; i <= 101; ++i)
            many += "," + std::to_string(i);
        std::string more = "/training/epochs=1";
        for (int i = 2; i <= 101; ++i)
            more += "," + std::to_string(i);
        QVERIFY(!sweepOf("mlp", {many, more}));
        QVERIFY(!sweepOf("mlp", {"/training/batch=1", "/training/batch=2"}));
    }

    void ownAnalysesOpenAsTheirExperiment()
    {
        const Json analysis = Json::Object{{"cost_breakdown", Json::object()},
                                           {"experiment", toJson(preset("gpt2")->experiment)}};
        QVERIFY(isCostAnalysis(analysis));
        const auto inside = experimentIn(analysis);
        QVERIFY(inside.has_value());
        QCOMPARE(inside->experiment, toJson(preset("gpt2")->experiment));
        QVERIFY(inside->warnings.empty());
        QVERIFY(!isCostAnalysis(toJson(preset("gpt2")->experiment)));
    }

    void othersOpenWithWhatTheyHave_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("weights");
        QTest::addColumn<double>("seconds");
        QTest::addColumn<int>("warnings");
        QTest::newRow("all") << QByteArray(R"({"cost_breakdown": {"resources": {"parameters": 1000},
                              "training": {"time_hours": 0.5}}})")
                             << qint64{1000} << 1800.0 << 2;
        QTest::newRow("size only")
            << QByteArray(R"({"cost_breakdown": {"resources": {"model_size_mb": 0.4}}})")
            << qint64{100'000} << 0.0 << 4;
        QTest::newRow("nulls")
            << QByteArray(R"({"cost_breakdown": {"resources": {"parameters": 5, "x": null},
                              "training": {"time_hours": null}}})")
            << qint64{5} << 0.0 << 3;
        QTest::newRow("the least")
            << QByteArray(R"({"cost_breakdown": {"resources": {"parameters": 1}}})") << qint64{1}
            << 0.0 << 3;
    }
    void othersOpenWithWhatTheyHave()
    {
        QFETCH(QByteArray, text);
        QFETCH(qint64, weights);
        QFETCH(double, seconds);
        QFETCH(int, warnings);
        const auto inside = experimentIn(*readJson(text.toStdString()));
        QVERIFY(inside.has_value());
        QCOMPARE(static_cast<int>(inside->warnings.size()), warnings);
        const auto reading = readExperiment(inside->experiment);
        QVERIFY(reading.has_value());
        std::int64_t count = 0;
        for (const Layer& layer : expand(reading->experiment.model))
            count += std::get<Weights>(layer.spec).elements;
        QCOMPARE(qint64{count}, weights);
        const Json* given = reading->experiment.assumptions.find("training_seconds");
        QCOMPARE(given == nullptr ? 0.0 : given->number(), seconds);
    }

    void whatHoldsNoDesignIsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray(R"({"cost_breakdown": {}})");
        QTest::newRow("a list") << QByteArray(R"({"cost_breakdown": []})");
        QTest::newRow("no weights")
            << QByteArray(R"({"cost_breakdown": {"resources": {"parameters": 0}}})");
        QTest::newRow("less than one")
            << QByteArray(R"({"cost_breakdown": {"resources": {"parameters": 0.4}}})");
        QTest::newRow("words") << QByteArray(
            R"({"cost_breakdown": {"resources": {"parameters": "many"}}})");
        QTest::newRow("absurd") << QByteArray(
            R"({"cost_breakdown": {"resources": {"parameters": 1e300}}})");
    }
    void whatHoldsNoDesignIsRefused()
    {
        QFETCH(QByteArray, text);
        const auto inside = experimentIn(*readJson(text.toStdString()));
        QVERIFY(!inside);
        QVERIFY(inside.error().place == "/cost_breakdown/resources");
    }
};

OUTLAY_TEST(TestSweep)
#include "tst_sweep.moc"
