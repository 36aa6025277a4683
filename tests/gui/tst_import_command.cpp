// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The real program: what it makes of other people's files, and what it then says of them.
#include "tests/support/run_program.h"
#include "tests/support/test_class.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace outlay::tests;

class TestImportCommand : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    // A large model starts as such models are run, and says what was set; a small one keeps its batch.
    void importsLargeModelsAsTheyAreRun()
    {
        write("large.json", R"({"model_type":"llama","architectures":["LlamaForCausalLM"],
            "hidden_size":4096,"intermediate_size":14336,"num_attention_heads":32,
            "num_key_value_heads":8,"num_hidden_layers":32,"vocab_size":128256,
            "max_position_embeddings":8192,"tie_word_embeddings":false})");
        const QByteArray file = "large-imported.json";
        const Outcome o = run({"import", "large.json", "-o", file});
        QCOMPARE(o.exitCode, 0);
        for (const char* said : {"/training/batch is set to 1", "/training/checkpointing to true",
                                 "/training/precision to bf16", "/serving/precision to bf16",
                                 "/serving/latency_p95_ms is set to 20,000",
                                 "/training/method to lora (adapters of rank 16) on 10 M tokens"})
            QVERIFY2(o.err.contains(said), said);
        const QByteArray estimate = run({"estimate", file, "--as-of", "2026-11-20"}).out;
        QVERIFY2(estimate.contains("Train adapters (LoRA) on "), estimate.left(400));
        QVERIFY(estimate.contains("41,943,040 are trained"));
        QVERIFY(!estimate.contains("No practical way"));
        const QByteArray whole =
            run({"estimate", file, "--as-of", "2026-11-20", "--set", "/training/method=\"full\""})
                .out;
        QVERIFY2(whole.contains(", sharded) for "), whole.left(400));
        write("small.json", R"({"model_type":"gpt2","architectures":["GPT2LMHeadModel"]})");
        const Outcome small = run({"import", "small.json", "-o", file});
        QCOMPARE(small.exitCode, 0);
        QVERIFY(!small.err.contains("/training/batch") &&
                small.err.contains("/serving/latency_p95_ms"));
        write("talks.json", R"({"model_type":"gpt2","n_layer":24,"n_embd":1024,"n_head":16})");
        QVERIFY(run({"import", "talks.json", "-o", file}).err.contains("/serving/latency_p95_ms"));
    }

    // Samples of 1,024 tokens, 32 at once, need a processor's memory; divided into passes an accelerator has enough, and
    // takes a tenth.
    void importsLongSamplesInPasses()
    {
        write("passes.json", R"({"model_type":"gpt2","architectures":["GPT2LMHeadModel"]})");
        const QByteArray file = "passes-imported.json";
        const Outcome o = run({"import", "passes.json", "-o", file});
        QVERIFY2(o.err.contains("/training/global_batch is set to 32"), o.err);
        const auto trainedOn = [&](const QByteArray& set) {
            const QByteArray out = run({"estimate", file, "--json", "--as-of", "2026-11-20",
                                        "--set", "/training/global_batch=" + set})
                                       .out;
            return QJsonDocument::fromJson(out)[QLatin1String("training")][QLatin1String(
                "recommended")][QLatin1String("option")];
        };
        const auto usdOf = [](const QJsonValue& option) {
            return option[QLatin1String("usd")][QLatin1String("value")].toDouble();
        };
        const QJsonValue divided = trainedOn("32");
        const QJsonValue whole = trainedOn("null");
        QVERIFY(divided[QLatin1String("offer")][QLatin1String("accelerators")].toDouble() > 0);
        QVERIFY(usdOf(divided) > 0.1);
        QVERIFY(usdOf(divided) < usdOf(whole) / 5);
        // What isn't made of tokens keeps its own way.
        const Outcome keras = run({"import", OUTLAY_TEST_DATA "/keras/sequential_list.json"});
        QCOMPARE(keras.exitCode, 0);
        QVERIFY(!keras.err.contains("global_batch"));
    }

    void importsEachKind()
    {
        write("config.json",
              R"({"model_type":"gpt2","architectures":["GPT2LMHeadModel"],"foo":1})");
        const QByteArray file = "imported.json";
        const Outcome o = run({"import", "config.json", "-o", file});
        QCOMPARE(o.exitCode, 0);
        QVERIFY(o.err.contains("foo"));
        QVERIFY(run({"estimate", file}).out.contains("124,439,808"));
        write("config.json",
              R"({"model_type":"gpt_oss","quantization_config":{"quant_method":"mxfp4"}})");
        const QJsonObject blocks =
            QJsonDocument::fromJson(run({"import", "config.json"}).out)[QLatin1String("serving")]
                .toObject();
        QCOMPARE(blocks[QLatin1String("precision")].toString(), QStringLiteral("int4"));
        QCOMPARE(blocks[QLatin1String("weight_format")].toString(), QStringLiteral("mxfp4"));
        const Outcome keras = run({"import", OUTLAY_TEST_DATA "/keras/sequential_list.json"});
        QCOMPARE(keras.exitCode, 0);
        const QJsonDocument made = QJsonDocument::fromJson(keras.out);
        QCOMPARE(made[QLatin1String("model")][QLatin1String("family")].toString(),
                 QStringLiteral("lstm"));
        QByteArray tensors(R"({"w":{"dtype":"F16","shape":[3,5],"data_offsets":[0,30]}})");
        write("w.safetensors", QByteArray(1, static_cast<char>(tensors.size())) +
                                   QByteArray(7, '\0') + tensors + QByteArray(30, '\0'));
        QCOMPARE(run({"import", "w.safetensors", "-o", file}).exitCode, 0);
        const Outcome counted = run({"estimate", file, "--json"});
        const QJsonObject training = QJsonDocument::fromJson(counted.out)
                                         .object()
                                         .value(QLatin1String("training"))
                                         .toObject();
        const QJsonObject memory = training.value(QLatin1String("memory")).toObject();
        QCOMPARE(memory.value(QLatin1String("parameters"))
                     .toObject()
                     .value(QLatin1String("value"))
                     .toDouble(),
                 30.0);
        // Nothing is known of activations, which is not the same as none.
        for (const char* key : {"activations", "total"})
            QVERIFY(
                memory.value(QLatin1String(key)).toObject().value(QLatin1String("value")).isNull());
    }

private:
    [[nodiscard]] Outcome run(const QList<QByteArray>& words) const
    {
        return runWithoutDisplay(words, m_folder.path());
    }

    void write(const char* name, const QByteArray& content) const
    {
        QFile file(m_folder.filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("can't write %s", name);
    }

    QTemporaryDir m_folder;
};

OUTLAY_TEST(TestImportCommand)
#include "tst_import_command.moc"
