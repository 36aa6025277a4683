// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/huggingface_text.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay::core;
using outlay::tests::countOf;
using outlay::tests::designOf;
using outlay::tests::import;

class TestHuggingFace : public QObject {
    Q_OBJECT
private slots:
    // With nothing but its name, each architecture is the one that its config class describes.
    void absentKeysTakeTheArchitecturesDefaults_data()
    {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<qint64>("parameters");
        QTest::newRow("gpt2") << QByteArray("gpt2") << qint64{124'439'808};
        QTest::newRow("gptj") << QByteArray("gptj") << qint64{6'050'882'784};
        QTest::newRow("gpt_neox") << QByteArray("gpt_neox") << qint64{20'554'567'680};
        QTest::newRow("llama") << QByteArray("llama") << qint64{6'738'415'616};
        QTest::newRow("mistral") << QByteArray("mistral") << qint64{7'241'732'096};
        QTest::newRow("mixtral") << QByteArray("mixtral") << qint64{46'702'792'704};
        QTest::newRow("gemma") << QByteArray("gemma") << qint64{8'537'680'896};
        QTest::newRow("gemma2") << QByteArray("gemma2") << qint64{2'614'341'888};
        QTest::newRow("phi3") << QByteArray("phi3") << qint64{3'821'079'552};
        QTest::newRow("falcon") << QByteArray("falcon") << qint64{6'921'720'704};
        QTest::newRow("bert") << QByteArray("bert") << qint64{109'482'240};
        QTest::newRow("distilbert") << QByteArray("distilbert") << qint64{66'362'880};
        QTest::newRow("electra") << QByteArray("electra") << qint64{13'483'008};
        QTest::newRow("t5") << QByteArray("t5") << qint64{60'506'624};
        QTest::newRow("opt") << QByteArray("opt") << qint64{125'239'296};
    }
    void absentKeysTakeTheArchitecturesDefaults()
    {
        QFETCH(QByteArray, type);
        QFETCH(qint64, parameters);
        QCOMPARE(countOf(import(("{\"model_type\":\"" + type + "\"}").constData())), parameters);
    }

    void everyArchitectureImports()
    {
        QCOMPARE(huggingFaceArchitectures().size(), std::size_t{42});
        for (const std::string_view name : huggingFaceArchitectures()) {
            const auto imported =
                import(("{\"model_type\":\"" + std::string(name) + "\"}").c_str());
            QVERIFY(imported.has_value());
            QVERIFY(checkSize(imported->model).has_value());
        }
    }

    void layersWithAWindow_data()
    {
        QTest::addColumn<QByteArray>("config");
        QTest::addColumn<QByteArray>("windows"); // a digit for each layer
        const QByteArray six = R"("num_hidden_layers":6,)";
        const QByteArray full = R"("full_attention")";
        const QByteArray part = R"("sliding_attention")";
        QTest::newRow("gemma 2") << six + R"("model_type":"gemma2")" << QByteArray("101010");
        QTest::newRow("gemma 3") << six + R"("model_type":"gemma3_text")" << QByteArray("111110");
        QTest::newRow("gpt-oss") << six + R"("model_type":"gpt_oss")" << QByteArray("101010");
        QTest::newRow("listed, three of four")
            << R"("num_hidden_layers":4,"model_type":"gemma3_text","layer_types":[)" + part + "," +
                   part + "," + part + "," + full + "]"
            << QByteArray("1110");
        QTest::newRow("listed, all")
            << R"("num_hidden_layers":2,"model_type":"gpt_oss","layer_types":[)" + part + "," +
                   part + "]"
            << QByteArray("11");
        QTest::newRow("listed, none")
            << R"("num_hidden_layers":2,"model_type":"gpt_oss","layer_types":[)" + full + "," +
                   full + "]"
            << QByteArray("00");
        QTest::newRow("listed, more than layers")
            << R"("num_hidden_layers":2,"model_type":"gpt_oss","layer_types":[)" + part + "," +
                   full + "," + full + "]"
            << QByteArray("10");
        QTest::newRow("listed, fewer than layers")
            << R"("num_hidden_layers":6,"model_type":"gemma3_text","layer_types":[)" + part + "]"
            << QByteArray("000000");
        QTest::newRow("listed, something else")
            << QByteArray(
                   R"("num_hidden_layers":2,"model_type":"gpt_oss","layer_types":["chunked",null])")
            << QByteArray("00");
        QTest::newRow("every second")
            << six + R"("model_type":"gemma3_text","sliding_window_pattern":2)"
            << QByteArray("101010");
        QTest::newRow("every fifth")
            << six + R"("model_type":"gemma3_text","sliding_window_pattern":5)"
            << QByteArray("000000");
        QTest::newRow("no window")
            << six + R"("model_type":"gemma3_text","sliding_window":null)" << QByteArray("000000");
        QTest::newRow("experts, not used")
            << QByteArray(R"("num_hidden_layers":2,"model_type":"qwen3_moe","sliding_window":4096)")
            << QByteArray("00");
        QTest::newRow("experts, used")
            << QByteArray(
                   R"("num_hidden_layers":2,"model_type":"qwen3_moe","use_sliding_window":true)")
            << QByteArray("11");
        QTest::newRow("listed, no pattern")
            << R"("num_hidden_layers":3,"model_type":"gpt_oss","layer_types":[)" + full + "," +
                   full + "," + part + "]"
            << QByteArray("000");
    }
    void layersWithAWindow()
    {
        QFETCH(QByteArray, config);
        QFETCH(QByteArray, windows);
        QByteArray found;
        for (const Layer& layer : expand(
                 Model{Convention::PyTorch, designOf(import(("{" + config + "}").constData()))})) {
            if (const auto* attention = std::get_if<Attention>(&layer.spec))
                found += attention->window > 0 ? '1' : '0';
        }
        QCOMPARE(found, windows);
    }

    // Of a model that sees, its text model; where something is wrong there, its place in the file.
    void aPartForTextIsTaken()
    {
        const auto whole = import(
            R"({"model_type":"mistral3","architectures":["Mistral3ForConditionalGeneration"],"dtype":"bfloat16",
                "text_config":{"model_type":"mistral","num_hidden_layers":2}})");
        QCOMPARE(designOf(whole).layers, 2);
        QVERIFY(designOf(whole).hasLanguageHead());
        QCOMPARE(whole->weightType, std::string("bfloat16"));
        QVERIFY(whole->notes.front().find("text_config") != std::string::npos);
        const auto wrong = import(
            R"({"model_type":"mistral3","text_config":{"model_type":"mistral","hidden_size":-1}})");
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().place, std::string("/text_config/hidden_size"));
        // What stands around the part is of it, too; the part's own name is its base's.
        const auto around = import(
            R"({"architectures":["Gemma3ForConditionalGeneration"],"_name_or_path":"whole",
                "tie_word_embeddings":false,"quantization_config":{"quant_method":"awq","bits":4},
                "text_config":{"model_type":"gemma3_text","_name_or_path":"base"}})");
        QCOMPARE(around->weightType, std::string("int4"));
        QCOMPARE(around->name, std::string("whole"));
        QVERIFY(!designOf(around).isTied());
        const auto unknown =
            import(R"({"model_type":"seer","text_config":{"model_type":"speaker"}})");
        QVERIFY(!unknown);
        QVERIFY(unknown.error().what.find("'seer'") != std::string::npos);
    }

    // Older files name their class alone: another generation's goes on where one's ends.
    void classesAreNotTakenForOthers()
    {
        QCOMPARE(designOf(import(R"({"architectures":["GemmaForCausalLM"]})")).layers, 28);
        QVERIFY(!import(R"({"architectures":["Gemma3ForCausalLM"]})"));
        const auto refused = import(R"({"architectures":["GraniteMoeForCausalLM"]})");
        QVERIFY(!refused);
        QVERIFY(refused.error().what.find("GraniteMoeForCausalLM") != std::string::npos);
    }

    void whatReadsBothWaysIsRefused()
    {
        const auto refused =
            import(R"({"model_type":"gemma3_text","use_bidirectional_attention":true})");
        QVERIFY(!refused);
        QCOMPARE(refused.error().place, std::string("/use_bidirectional_attention"));
    }

    void otherNamesOfTheSame()
    {
        QCOMPARE(designOf(import(R"({"model_type":"qwen3_moe","num_local_experts":64})")).experts,
                 64);
        QCOMPARE(designOf(import(R"({"model_type":"starcoder2","residual_dropout":0.1})")).dropout,
                 0.1);
    }

    void nullIsAbsentExceptWhereItMeansSomething()
    {
        QCOMPARE(designOf(import(R"({"model_type":"mistral"})")).window, 4096);
        QCOMPARE(designOf(import(R"({"model_type":"mistral","sliding_window":null})")).window, 0);
        const auto withNull = import(R"({"model_type":"mistral","num_key_value_heads":null})");
        QCOMPARE(designOf(withNull).kvHeadCount(), 32);
        QCOMPARE(designOf(import(R"({"model_type":"mistral"})")).kvHeadCount(), 8);
        QCOMPARE(countOf(import(R"({"model_type":"bert","tie_word_embeddings":null})")),
                 109'482'240);
    }

    void sizesHaveManyNames()
    {
        const auto one =
            import(R"({"model_type":"gpt2","n_embd":64,"n_layer":3,"n_head":4,"n_inner":100,
                                    "n_positions":50,"vocab_size":70})");
        const auto two = import(R"({"model_type":"gpt2","hidden_size":64,"num_hidden_layers":3,
            "num_attention_heads":4,"intermediate_size":100,"max_position_embeddings":50,
            "vocab_size":70})");
        QCOMPARE(designOf(one), designOf(two));
    }

    void switchesChangeTheDesign()
    {
        QCOMPARE(
            designOf(import(R"({"model_type":"llama","attention_bias":true})")).attentionBias(),
            AttentionBiases::All);
        QVERIFY(
            designOf(import(R"({"model_type":"llama","mlp_bias":true})")).hasFeedForwardBiases());
        QCOMPARE(
            designOf(import(R"({"model_type":"gpt_bigcode","multi_query":false})")).kvHeadCount(),
            12);
        QCOMPARE(designOf(import(R"({"model_type":"falcon","new_decoder_architecture":true,
                                     "num_attention_heads":64,"hidden_size":4096,"num_kv_heads":8})"))
                     .kvHeadCount(),
                 8);
        QCOMPARE(designOf(import(R"({"model_type":"falcon","num_kv_heads":71})")).kvHeadCount(), 1);
        QCOMPARE(designOf(import(R"({"model_type":"phi","qk_layernorm":true})")).qkNorm,
                 QkNorm::Layer);
        QVERIFY(designOf(import(R"({"model_type":"t5","feed_forward_proj":"gated-gelu"})"))
                    .gatedFeedForward);
        QCOMPARE(designOf(import(R"({"model_type":"t5","num_layers":4})")).decoderLayerCount(), 4);
        const auto narrow =
            import(R"({"model_type":"opt","word_embed_proj_dim":512,"hidden_size":1024,
            "num_attention_heads":16,"num_hidden_layers":24,"ffn_dim":4096,
            "do_layer_norm_before":false})");
        // opt-350m: 50272 x 512, 2050 x 1024, two projections of 512 x 1024, no final norm
        QCOMPARE(countOf(narrow), qint64{50272 * 512 + 2050 * 1024 + 2 * 512 * 1024 +
                                         24 * (4 * (1024 * 1024 + 1024) + 2 * 1024 * 4096 + 4096 +
                                               1024 + 4 * 1024)});
    }

    void oldFilesNameOnlyTheirClass()
    {
        const auto imported = import(R"({"architectures":["GPT2LMHeadModel"],"n_embd":768})");
        QCOMPARE(countOf(imported), 124'439'808);
        const auto neox = import(R"({"architectures":["GPTNeoXForCausalLM"]})");
        QCOMPARE(countOf(neox), qint64{20'554'567'680});
    }

    // What the file's class has or lacks beside the bare model.
    void theClassDecidesOnTheHead()
    {
        QCOMPARE(countOf(import(R"({"model_type":"mistral","architectures":["MistralModel"]})")),
                 qint64{7'110'660'096});
        QCOMPARE(
            countOf(import(R"({"model_type":"mistral","architectures":["MistralForCausalLM"]})")),
            qint64{7'241'732'096});
        const auto classifier =
            import(R"({"model_type":"llama","architectures":["LlamaForSequenceClassification"]})");
        QCOMPARE(countOf(classifier), qint64{6'738'415'616 - 32000 * 4096});
        QVERIFY(classifier->notes.front().find("LlamaForSequenceClassification") !=
                std::string::npos);
        // The encoder of t5-small: table, 32 x 8 distances, 6 blocks of 3,146,752, a final norm.
        const auto encoder = import(R"({"model_type":"t5","architectures":["T5EncoderModel"]})");
        QCOMPARE(countOf(encoder), qint64{32128 * 512 + 32 * 8 + 6 * 3'146'752 + 512});
        for (const char* name : {"GPT2LMHeadModel", "GPT2DoubleHeadsModel"}) {
            const std::string text =
                std::string(R"({"model_type":"gpt2","architectures":[")") + name + "\"]}";
            QVERIFY(designOf(import(text.c_str())).hasLanguageHead());
        }
    }

    void quantizedWeightsKeepTheirBits()
    {
        QCOMPARE(import(R"({"model_type":"llama","torch_dtype":"float16",
                            "quantization_config":{"quant_method":"gptq","bits":4}})")
                     ->weightType,
                 std::string("int4"));
        QCOMPARE(import(R"({"model_type":"llama","quantization_config":{"load_in_8bit":true}})")
                     ->weightType,
                 std::string("int8"));
        QCOMPARE(import(R"({"model_type":"qwen3","quantization_config":{"quant_method":"fp8"}})")
                     ->weightType,
                 std::string("fp8"));
        const auto experts =
            import(R"({"model_type":"gpt_oss","quantization_config":{"quant_method":"mxfp4"}})");
        QCOMPARE(experts->weightType, std::string("mxfp4"));
        const auto unknown =
            import(R"({"model_type":"llama","quantization_config":{"quant_method":"x"}})");
        QVERIFY(unknown->notes.front().find("quantization_config") != std::string::npos);
    }

    void rareKeysCount()
    {
        QCOMPARE(designOf(import(R"({"model_type":"gpt_neo"})")).windowLayers, WindowLayers::Even);
        QCOMPARE(designOf(import(R"({"model_type":"gpt_neo","attention_types":[[["global"],24]]})"))
                     .window,
                 0);
        QVERIFY(designOf(import(R"({"model_type":"t5","is_gated_act":true})")).gatedFeedForward);
        QCOMPARE(designOf(import(R"({"model_type":"falcon","ff_factor":8})")).innerSize(),
                 8 * 4544);
        // opt-350m, untied: the head is as wide as the embedding.
        const char* untied = R"({"model_type":"opt","word_embed_proj_dim":512,"hidden_size":1024,
            "num_attention_heads":16,"num_hidden_layers":24,"ffn_dim":4096,
            "do_layer_norm_before":false,"tie_word_embeddings":false})";
        QCOMPARE(countOf(import(untied)), qint64{356'935'680});
    }

    void saysWhatIsIgnored()
    {
        const auto imported = import(R"({"model_type":"bert","architectures":["BertForMaskedLM"],
                                         "hidden_act":"gelu","vocab_size":100})");
        QVERIFY(imported.has_value());
        QCOMPARE(imported->notes.size(), std::size_t{2});
        QVERIFY(imported->notes[0].find("BertForMaskedLM") != std::string::npos);
        QVERIFY(imported->notes[1].find("hidden_act") != std::string::npos);
        QVERIFY(imported->notes[1].find("vocab_size") == std::string::npos);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("place");
        QTest::newRow("unknown") << QByteArray(R"({"model_type":"mamba"})")
                                 << QByteArray("/model_type");
        QTest::newRow("no name") << QByteArray(R"({"architectures":[]})")
                                 << QByteArray("/model_type");
        QTest::newRow("text") << QByteArray(R"({"model_type":"gpt2","n_embd":"x"})")
                              << QByteArray("/n_embd");
        QTest::newRow("negative") << QByteArray(R"({"model_type":"gpt2","n_layer":-1})")
                                  << QByteArray("/n_layer");
        QTest::newRow("absurd") << QByteArray(R"({"model_type":"gpt2","vocab_size":1e18})")
                                << QByteArray("/vocab_size");
        QTest::newRow("flag") << QByteArray(R"({"model_type":"llama","attention_bias":"qkv"})")
                              << QByteArray("/attention_bias");
        QTest::newRow("heads") << QByteArray(R"({"model_type":"gpt2","n_head":7})")
                               << QByteArray("the sizes of this config");
        QTest::newRow("relative keys")
            << QByteArray(R"({"model_type":"bert","position_embedding_type":"relative_key"})")
            << QByteArray("/position_embedding_type");
        QTest::newRow("cross in bert")
            << QByteArray(R"({"model_type":"bert","add_cross_attention":true})")
            << QByteArray("/add_cross_attention");
        QTest::newRow("mpt norms")
            << QByteArray(R"({"model_type":"mpt","attn_config":{"qk_ln":true}})")
            << QByteArray("/attn_config");
        QTest::newRow("dropout") << QByteArray(R"({"model_type":"gpt2","resid_pdrop":1.5})")
                                 << QByteArray("/resid_pdrop");
        QTest::newRow("type is a number")
            << QByteArray(R"({"model_type":5})") << QByteArray("/model_type");
        QTest::newRow("cross") << QByteArray(R"({"model_type":"gpt2","add_cross_attention":true})")
                               << QByteArray("/add_cross_attention");
    }
    void refuses()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, place);
        const auto imported = import(text.constData());
        QVERIFY(!imported.has_value());
        QCOMPARE(QByteArray::fromStdString(imported.error().place), place);
        QVERIFY(!imported.error().remedy.empty());
    }
};

OUTLAY_TEST(TestHuggingFace)
#include "tst_huggingface.moc"
