// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/resources.h"
#include "core/experiment/presets.h"
#include "core/workload/parameters.h"
#include "tests/support/test_class.h"

#include <QSet>
#include <QTest>

using namespace outlay::core;

class TestPresets : public QObject {
    Q_OBJECT
private slots:
    void areThere()
    {
        QVERIFY2(presets().has_value(), presets() ? "" : presets().error().sentence().c_str());
        QVERIFY(presets()->size() >= 14);
        QSet<QString> ids;
        QSet<QString> families;
        for (const Preset& row : *presets()) {
            ids.insert(QString::fromStdString(row.id));
            families.insert(
                QString::fromUtf8(familyOf(row.experiment.model).data(),
                                  static_cast<qsizetype>(familyOf(row.experiment.model).size())));
            QVERIFY(!row.summary.empty() && !row.source.empty());
            QVERIFY(row.id.find(' ') == std::string::npos);
        }
        QCOMPARE(ids.size(), static_cast<qsizetype>(presets()->size()));
        QCOMPARE(families.size(), 6);
    }

    // Several train one design: a full training of 8 B isn't called LoRA.
    void theOneAlikeIsFound()
    {
        for (const Preset& row : *presets()) {
            QCOMPARE(presetLike(row.experiment)->id, row.id);
            Experiment changed = row.experiment;
            changed.training.epochs = 7;
            const Preset* like = presetLike(changed);
            QVERIFY(like->experiment.model == row.experiment.model);
            QCOMPARE(like->experiment.training.method, row.experiment.training.method);
            QCOMPARE(like->experiment.training.frozenWeights,
                     row.experiment.training.frozenWeights);
        }
        Experiment other = preset("llama-3.1-8b")->experiment;
        other.training.method = Method::Lora;
        QCOMPARE(presetLike(other)->id, std::string("llama-3.1-8b-lora"));
        other.model.design = MlpDesign{};
        QVERIFY(presetLike(other) == nullptr);
    }

    void readWithoutWarnings()
    {
        const auto json = readJson(resource("presets.json"));
        QVERIFY(json.has_value());
        for (const Json& row : *json->find("presets")->asArray()) {
            const auto reading = readExperiment(*row.find("experiment"));
            QVERIFY(reading.has_value());
            QCOMPARE(reading->warnings, std::vector<std::string>{});
            QCOMPARE(toJson(reading->experiment), *row.find("experiment"));
        }
    }

    void countAsPublished_data()
    {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<qint64>("parameters");
        const auto row = [](const char* id, qint64 parameters) {
            QTest::newRow(id) << QByteArray(id) << parameters;
        };
        row("text-generator", 2'842'400);
        row("gated-rnn", 189'504);
        row("gpt2", 124'439'808);
        row("gpt2-large", 774'030'080);
        row("bert-base", 109'482'240);
        row("bert-large", 335'141'888);
        row("gpt-j-6b", 6'050'882'784);
        row("llama-7b", 6'738'415'616);
        row("llama-65b", 65'285'660'672);
        row("llama-3.1-8b", 8'030'261'248);
        row("mixtral-8x7b", 46'702'792'704);
        row("t5-small", 60'506'624);
        row("gru", 13'826'878);
    }
    void countAsPublished()
    {
        QFETCH(QByteArray, id);
        QFETCH(qint64, parameters);
        const auto row = preset(id.toStdString());
        QVERIFY(row.has_value());
        QCOMPARE(qint64{parametersOf(expand(row->experiment.model))}, parameters);
    }

    void aTypingSlipIsNamed()
    {
        const auto row = preset("gpt2-larg");
        QVERIFY(!row.has_value());
        QVERIFY(row.error().sentence().find("did you mean 'gpt2-large'") != std::string::npos);
    }

    void whatIsNotEmbeddedIsEmpty() { QVERIFY(resource("no such file").empty()); }
};

OUTLAY_TEST(TestPresets)
#include "tst_presets.moc"
