// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// PEFT's adapter_config.json: what is read of it, what is refused, and where it is looked for.
#include "core/experiment/adapter.h"
#include "core/experiment/import.h"
#include "core/workload/trained.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace outlay::core;

namespace {

constexpr const char* Base = R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"],
    "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 32, "vocab_size": 32000,
    "tie_word_embeddings": false, "torch_dtype": "float16"})";

void write(const QString& path, const char* text)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0)
        qFatal("%s can't be written", qPrintable(path));
}

} // namespace

class TestAdapter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isReadAsPeftWritesIt_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<qint64>("rank");
        QTest::addColumn<QStringList>("targets");
        QTest::addColumn<qsizetype>("notes");
        QTest::newRow("queries and values")
            << QByteArray(R"({"peft_type":"LORA","r":8,"target_modules":["q_proj","v_proj"]})")
            << qint64{8} << QStringList{"query", "value"} << qsizetype{0};
        QTest::newRow("all") << QByteArray(
                                    R"({"peft_type":"LORA","r":16,"target_modules":"all-linear"})")
                             << qint64{16} << QStringList() << qsizetype{0};
        QTest::newRow("left to the library")
            << QByteArray(R"({"peft_type":"LORA","r":4})") << qint64{4}
            << QStringList{"query", "value"} << qsizetype{1};
        QTest::newRow("one matrix for three, by its whole name, and one unknown")
            << QByteArray(
                   R"({"peft_type":"LORA","r":4,"modules_to_save":["lm_head"],"target_modules":
                ["transformer.h.0.attn.c_attn","q_proj","wonder"]})")
            << qint64{4} << QStringList{"query", "key", "value"} << qsizetype{1};
    }
    void isReadAsPeftWritesIt()
    {
        QFETCH(QByteArray, json);
        QFETCH(qint64, rank);
        QFETCH(QStringList, targets);
        QFETCH(qsizetype, notes);
        Training training;
        training.adapterTargets = {"router"};
        const auto said = applyAdapter(*readJson(json.toStdString()), training);
        QVERIFY2(said.has_value(), said ? "" : said.error().sentence().c_str());
        QCOMPARE(training.method, Method::Lora);
        QCOMPARE(training.adapterRank, rank);
        QCOMPARE(static_cast<qsizetype>(said->size()), notes);
        QStringList read;
        for (const std::string& target : training.adapterTargets)
            read << QString::fromStdString(target);
        QCOMPARE(read, targets);
    }

    void modulesMayBeTrainedWhole()
    {
        Training training;
        training.trainedWhole = {"norm"};
        const auto said = applyAdapter(
            *readJson(R"({"peft_type":"LORA","r":8,"target_modules":"all-linear","modules_to_save":
                ["model.embed_tokens","lm_head","embed_tokens","score"]})"),
            training);
        QVERIFY(said.has_value());
        QCOMPARE(training.trainedWhole, (std::vector<std::string>{"embedding", "output"}));
        QCOMPARE(said->size(), std::size_t{1});
        QVERIFY(said->front().find("score") != std::string::npos);
        QVERIFY(applyAdapter(*readJson(R"({"peft_type":"LORA","r":8,"modules_to_save":null})"),
                             training));
        QVERIFY(training.trainedWhole.empty());
    }

    void whatCantBeReadIsOneSentence_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("place");
        const auto row = [](const char* name, const char* json, const char* place) {
            QTest::newRow(name) << QByteArray(json) << QString::fromLatin1(place);
        };
        row("another kind", R"({"peft_type":"IA3","r":8})", "/peft_type");
        row("a kind that is a number", R"({"peft_type":3,"r":8})", "/peft_type");
        row("no rank", R"({"peft_type":"LORA"})", "/r");
        row("half a rank", R"({"peft_type":"LORA","r":1.5})", "/r");
        row("a rank beyond all", R"({"peft_type":"LORA","r":1e30})", "/r");
        row("a pattern", R"({"peft_type":"LORA","r":8,"target_modules":".*_proj"})",
            "/target_modules");
        row("a number", R"({"peft_type":"LORA","r":8,"target_modules":8})", "/target_modules");
        row("numbers", R"({"peft_type":"LORA","r":8,"target_modules":[8]})", "/target_modules");
        row("whole modules as a text", R"({"peft_type":"LORA","r":8,"modules_to_save":"lm_head"})",
            "/modules_to_save");
        row("nothing known", R"({"peft_type":"LORA","r":8,"target_modules":["a","b"]})",
            "/target_modules");
    }
    void whatCantBeReadIsOneSentence()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, place);
        Training training;
        const auto read = applyAdapter(*readJson(json.toStdString()), training);
        QVERIFY(!read);
        QCOMPARE(QString::fromStdString(read.error().place), place);
        QVERIFY(!read.error().remedy.empty());
        QVERIFY(training.method == Method::Full);
    }

    // Beside the config it is found; one that is named wins; a base by itself starts as adapters on little.
    void isFoundBesideTheConfig()
    {
        QTemporaryDir folder;
        const QString config = folder.filePath("config.json");
        write(config, Base);
        const auto plain = importModel(config.toStdString());
        QVERIFY(plain.has_value());
        QCOMPARE(plain->experiment.training.method, Method::Lora);
        QCOMPARE(plain->experiment.training.tokens.value_or(0), 1e7);
        write(folder.filePath("adapter_config.json"),
              R"({"peft_type":"LORA","r":8,"target_modules":["q_proj","v_proj"]})");
        const auto beside = importModel(config.toStdString());
        QVERIFY(beside.has_value());
        QCOMPARE(trainableOf(expand(beside->experiment.model), beside->experiment.training),
                 4194304.0);
        write(folder.filePath("other.json"), R"({"peft_type":"LORA","r":16})");
        const auto named =
            importModel(config.toStdString(), folder.filePath("other.json").toStdString());
        QCOMPARE(named.value().experiment.training.adapterRank, std::int64_t{16});
        const auto alone = importModel(folder.filePath("other.json").toStdString());
        QVERIFY(!alone);
        QVERIFY(alone.error().remedy.find("--adapter") != std::string::npos);
        const auto missing =
            importModel(config.toStdString(), folder.filePath("none.json").toStdString());
        QVERIFY(!missing);
        QVERIFY(missing.error().sentence().find("none.json") != std::string::npos);
    }
};

OUTLAY_TEST(TestAdapter)
#include "tst_adapter.moc"
