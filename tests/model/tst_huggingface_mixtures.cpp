// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Configs of mixtures of experts, and of attention over a latent.
#include "tests/support/huggingface_text.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>

using namespace outlay::core;
using outlay::tests::countOf;
using outlay::tests::designOf;
using outlay::tests::import;

class TestHuggingFaceMixtures : public QObject {
    Q_OBJECT
private slots:
    // Layer by layer, whether it has experts.
    void layersWithAndWithoutExperts_data()
    {
        QTest::addColumn<QByteArray>("keys");
        QTest::addColumn<QByteArray>("routed");
        const QByteArray qwen = R"("num_hidden_layers":6,"model_type":"qwen3_moe")";
        const QByteArray deepSeek = R"("num_hidden_layers":6,"model_type":"deepseek_v3")";
        const QByteArray lite = R"("num_hidden_layers":6,"model_type":"glm4_moe_lite")";
        QTest::newRow("all") << qwen + R"(,"mlp_only_layers":[])" << QByteArray("111111");
        QTest::newRow("first listed")
            << qwen + R"(,"mlp_only_layers":[0,1])" << QByteArray("001111");
        QTest::newRow("each second")
            << qwen + R"(,"decoder_sparse_step":2)" << QByteArray("010101");
        QTest::newRow("usual three") << deepSeek << QByteArray("000111");
        QTest::newRow("one") << deepSeek + R"(,"first_k_dense_replace":1)" << QByteArray("011111");
        const QByteArray llama = R"("num_hidden_layers":6,"model_type":"llama4_text")";
        QTest::newRow("listed in any order")
            << qwen + R"(,"mlp_only_layers":[1,0])" << QByteArray("001111");
        QTest::newRow("all listed")
            << qwen + R"(,"mlp_only_layers":[0,1,2,3,4,5])" << QByteArray("000000");
        QTest::newRow("fewer than the first dense")
            << QByteArray(R"("num_hidden_layers":2,"model_type":"deepseek_v3")")
            << QByteArray("00");
        QTest::newRow("Llama 4, listed")
            << llama + R"(,"moe_layers":[1,3,5])" << QByteArray("010101");
        QTest::newRow("Llama 4, in no step")
            << llama + R"(,"interleave_moe_layer_step":0)" << QByteArray("000000");
        QTest::newRow("Ernie in steps to an end between them")
            << QByteArray(
                   R"("num_hidden_layers":5,"model_type":"ernie4_5_moe","moe_layer_interval":2,"moe_layer_end_index":3)")
            << QByteArray("01010");
        QTest::newRow("Ernie to before its first")
            << QByteArray(
                   R"("num_hidden_layers":3,"model_type":"ernie4_5_moe","moe_layer_end_index":0)")
            << QByteArray("000");
        QTest::newRow("Llama 4, none")
            << llama + R"(,"num_local_experts":0,"interleave_moe_layer_step":0,"moe_layers":[])"
            << QByteArray("000000");
        QTest::newRow("Ernie to its last layer")
            << QByteArray(
                   R"("num_hidden_layers":3,"model_type":"ernie4_5_moe","moe_layer_end_index":2)")
            << QByteArray("011");
        QTest::newRow("none routed")
            << deepSeek + R"(,"n_routed_experts":null)" << QByteArray("000000");
        QTest::newRow("named, as usual") << lite << QByteArray("011111");
        QTest::newRow("named")
            << lite + R"(,"mlp_layer_types":["dense","dense","sparse","sparse","sparse","sparse"])"
            << QByteArray("001111");
        QTest::newRow("Ernie")
            << QByteArray(
                   R"("num_hidden_layers":6,"model_type":"ernie4_5_moe","moe_layer_start_index":2,"moe_layer_interval":3)")
            << QByteArray("001001");
        QTest::newRow("Llama 4")
            << QByteArray(
                   R"("num_hidden_layers":6,"model_type":"llama4_text","interleave_moe_layer_step":2)")
            << QByteArray("010101");
    }
    void layersWithAndWithoutExperts()
    {
        QFETCH(QByteArray, keys);
        QFETCH(QByteArray, routed);
        const auto imported = import(("{" + keys + "}").constData());
        QVERIFY2(imported.has_value(), imported ? "" : imported.error().sentence().c_str());
        QByteArray found;
        for (const Layer& layer : expand(imported->model)) {
            if (layer.name.ends_with(" feed"))
                found += std::holds_alternative<Experts>(layer.spec) ? '1' : '0';
        }
        QCOMPARE(found, routed);
    }

    void expertsInOtherPatternsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("keys");
        const QByteArray four = R"("num_hidden_layers":4,"model_type":)";
        QTest::newRow("not the first")
            << QByteArray("/mlp_only_layers") << four + R"("qwen3_moe","mlp_only_layers":[2])";
        QTest::newRow("Ernie's last") << QByteArray("/moe_layer_end_index")
                                      << four + R"("ernie4_5_moe","moe_layer_end_index":2)";
        QTest::newRow("Llama 4's list")
            << QByteArray("/moe_layers") << four + R"("llama4_text","moe_layers":[0,3])";
        QTest::newRow("no rank, but biases")
            << QByteArray("/attention_bias")
            << four + R"("deepseek_v3","q_lora_rank":null,"attention_bias":true)";
        QTest::newRow("no number")
            << QByteArray("/mlp_only_layers") << four + R"("qwen3_moe","mlp_only_layers":["0"])";
        QTest::newRow("dense ones later")
            << QByteArray("/mlp_layer_types")
            << four + R"("glm4_moe_lite","mlp_layer_types":["dense","sparse","dense","dense"])";
        QTest::newRow("unknown kind")
            << QByteArray("/mlp_layer_types")
            << four + R"("glm4_moe_lite","mlp_layer_types":["dense","odd","sparse","sparse"])";
        QTest::newRow("each second")
            << QByteArray("/moe_layer_freq") << four + R"("deepseek_v3","moe_layer_freq":2)";
    }
    void expertsInOtherPatternsAreRefused()
    {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, keys);
        const auto refused = import(("{" + keys + "}").constData());
        QVERIFY(!refused);
        QCOMPARE(QByteArray::fromStdString(refused.error().place), key);
    }

    // A cache keeps the latent and the part that all heads share, and nothing of each head.
    void aLatentIsRead()
    {
        const auto& d = designOf(import(R"({"model_type":"deepseek_v2","num_attention_heads":16,
            "num_key_value_heads":16,"q_lora_rank":null,"kv_lora_rank":32,"qk_nope_head_dim":12,
            "qk_rope_head_dim":4,"v_head_dim":10,"hidden_size":64,"num_hidden_layers":2})"));
        QCOMPARE(d.queryRank, 0);
        QCOMPARE(d.headWidth(), 16);
        const std::vector<Layer> layers = expand(Model{Convention::PyTorch, d});
        const auto at = std::find_if(layers.begin(), layers.end(), [](const Layer& layer) {
            return std::holds_alternative<Attention>(layer.spec);
        });
        const auto& attention = std::get<Attention>(at->spec);
        QCOMPARE(attention.latentWidth(), 32 + 4);
        QCOMPARE(attention.fromLatent(), 16 * (12 + 10));
        QCOMPARE(attention.mixedWidth(), 160);
    }

    // What a config class has in the place of absent keys is its own.
    void absentLatentsAreTheClasss()
    {
        const auto& lite = designOf(import(R"({"model_type":"glm4_moe_lite"})"));
        QCOMPARE(lite.queryRank, 768);
        QCOMPARE(lite.headWidth(), 256);
        QCOMPARE(lite.valueSize, 256);
        QCOMPARE(countOf(import(R"({"model_type":"glm4_moe_lite"})")), qint64{29'943'390'976});
        QCOMPARE(countOf(import(R"({"model_type":"deepseek_v3"})")), qint64{671'026'404'352});
        QCOMPARE(countOf(import(R"({"model_type":"kimi_k2","n_routed_experts":384,
            "first_k_dense_replace":1})")),
                 qint64{1'026'408'209'408});
    }

    void chunksMayBeAbsent()
    {
        QCOMPARE(
            designOf(import(R"({"model_type":"llama4_text","attention_chunk_size":null})")).window,
            0);
        QCOMPARE(designOf(import(R"({"model_type":"llama4_text"})")).window, 8192);
        const auto& qwen =
            designOf(import(R"({"model_type":"qwen2_moe","use_sliding_window":true})"));
        QCOMPARE(qwen.window, 4096);
        QVERIFY(qwen.windowLayers == WindowLayers::Odd);
    }

    void layersThatGuessAreLeftOut()
    {
        const auto imported =
            import(R"({"model_type":"deepseek_v3","num_nextn_predict_layers":1})");
        QCOMPARE(countOf(imported), countOf(import(R"({"model_type":"deepseek_v3"})")));
        QVERIFY(std::any_of(imported->notes.begin(), imported->notes.end(), [](const auto& note) {
            return note.find("num_nextn_predict_layers") != std::string::npos;
        }));
    }
};

OUTLAY_TEST(TestHuggingFaceMixtures)
#include "tst_huggingface_mixtures.moc"
