// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that runs out at the n-th request, for each n that a reader gets to: nothing is torn, lost or left behind, and the
// next reading finds what it always finds.
#include "core/experiment/experiment.h"
#include "core/experiment/presets.h"
#include "core/model/import/huggingface.h"
#include "core/model/import/keras.h"
#include "tests/support/own_new.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

using namespace outlay;
using outlay::tests::Slower;

namespace {

thread_local long left = -1;  // requests until one fails; negative: all are granted
thread_local long living = 0; // blocks, while they are counted
thread_local bool counts = false;

} // namespace

static void* grantedBlock(std::size_t bytes)
{
    if (left == 0)
        return nullptr;
    if (left > 0)
        --left;
    void* block = std::malloc(bytes > 0 ? bytes : 1);
    living += counts && block != nullptr ? 1 : 0;
    return block;
}

static void releaseBlock(void* block)
{
    living -= counts && block != nullptr ? 1 : 0;
    std::free(block);
}

namespace {

std::string contentOf(const std::string& name)
{
    std::ifstream file(std::string(OUTLAY_TEST_DATA) + "/" + name, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Blocks that stay when that has run: what it keeps for the next time is kept already.
long blocksAfter(const std::function<void()>& work)
{
    living = 0;
    counts = true;
    work();
    counts = false;
    return living;
}

} // namespace

class TestOutOfMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readersGiveBackWhatTheyHad_data()
    {
        QTest::addColumn<int>("reader");
        QTest::newRow("experiment") << 0;
        QTest::newRow("text that is no JSON") << 1;
        QTest::newRow("a model's config") << 2;
        QTest::newRow("a Keras model") << 3;
        QTest::newRow("a report written and read") << 4;
    }
    void readersGiveBackWhatTheyHad()
    {
        QFETCH(int, reader);
        const core::Experiment experiment = core::preset("llama-3.1-8b")->experiment;
        const std::string text = core::writeJson(core::toJson(experiment));
        const std::string torn = text.substr(0, text.size() / 2);
        const std::string keras = contentOf("keras/keras3_sequential.json");
        const core::Json config = *core::readJson(
            R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
                "intermediate_size": 128, "vocab_size": 1000, "max_position_embeddings": 256})");
        const std::vector<std::function<bool()>> readers{
            [&] { return core::readExperiment(*core::readJson(text)).has_value(); },
            [&] { return !core::readJson(torn).has_value(); },
            [&] { return core::importHuggingFace(config).has_value(); },
            [&] { return core::importKeras(*core::readJson(keras)).has_value(); },
            [&] { return core::writeJson(core::toJson(experiment)) == text; },
        };
        const auto& read = readers.at(static_cast<std::size_t>(reader));
        QVERIFY(read()); // what is made once is made
        long failed = 0;
        const long step = Slower > 1 ? 7 : 1;
        for (long n = 0;; n += step) {
            bool isDone = false;
            const long blocks = blocksAfter([&] {
                left = n;
                try {
                    isDone = read();
                    left = -1;
                } catch (const std::bad_alloc&) {
                    left = -1;
                    ++failed;
                }
            });
            QVERIFY2(blocks == 0,
                     qPrintable(QStringLiteral("request %1 leaves %2 blocks").arg(n).arg(blocks)));
            if (isDone)
                break;
        }
        QVERIFY2(failed > 20 / step, qPrintable(QString::number(failed)));
        QVERIFY(read());
    }
};

OUTLAY_TEST(TestOutOfMemory)
#include "tst_out_of_memory.moc"
