// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Fine-tuning that others measured: whole models and adapters, beside their forecasts.
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/hardware/forecast.h"
#include "core/hardware/hardware_catalog.h"
#include "core/model/import/huggingface.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace outlay::core;

namespace {

/// As their makers publish them.
constexpr const char* Mistral = R"({"model_type": "mistral", "hidden_size": 4096,
    "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32,
    "num_key_value_heads": 8, "vocab_size": 32000, "tie_word_embeddings": false})";
constexpr const char* PowerLm = R"({"model_type": "llama", "hidden_size": 2304,
    "intermediate_size": 9216, "num_hidden_layers": 40, "num_attention_heads": 36,
    "num_key_value_heads": 36, "vocab_size": 49152, "tie_word_embeddings": true})";

struct Run {
    std::string group;
    std::int64_t devices = 1;
    Training training;
    bool isMistral = false;
    double tokensPerS = 0;
    double peakBytes = 0;
};

Run runOf(const std::vector<std::string>& cells)
{
    const auto number = [&](std::size_t i) { return std::strtod(cells[i].c_str(), nullptr); };
    const auto whole = [&](std::size_t i) { return std::llround(number(i)); };
    Run run{.group = cells[1] + (cells[2] == "nf4" ? ", quantised" : ""),
            .devices = whole(3),
            .isMistral = cells[0] == "mistral-7b",
            .tokensPerS = number(9),
            .peakBytes = number(10)};
    Training& t = run.training;
    t.precision = Precision::Bf16;
    t.masterWeights = cells[8] == "32";
    t.chunkedLoss = cells[7] == "parts";
    t.compiled = cells[7] != "whole";
    t.optimizer = Optimizer::AdamW;
    t.checkpointing = true;
    t.reentrant = true; // as Transformers did until 2026
    t.attention = AttentionKernel::Fused;
    t.batch = whole(4);
    t.sequence = whole(5);
    if (run.devices > 1)
        t.sharding = Sharding::Full;
    if (cells[1] == "lora") {
        t.method = Method::Lora;
        t.adapterRank = whole(6);
        t.adapterTargets = {"query", "key", "value", "output"};
        t.frozenWeights = cells[2] == "nf4" ? FrozenWeights::Nf4 : FrozenWeights::Same;
    }
    return run;
}

std::vector<Run> runs(const std::string& file = "published_tuning.csv")
{
    std::vector<Run> all;
    for (const std::string& line : split(loadFile(OUTLAY_TEST_DATA "/" + file).value(), '\n')) {
        const auto cells = split(line, ',');
        if (cells.size() == 11 && cells[0] != "model" && !line.starts_with('#'))
            all.push_back(runOf(cells));
    }
    return all;
}

TrainingForecast forecastOf(const Run& run)
{
    const auto imported = importHuggingFace(*readJson(run.isMistral ? Mistral : PowerLm)).value();
    return trainingForecast(
        trainingDemand(expand(imported.model), run.training),
        {*hardwareCatalog()->find("A100-80GB-SXM4"), run.devices, *calibration()});
}

double medianOf(std::vector<double> misses)
{
    std::sort(misses.begin(), misses.end());
    return misses[misses.size() / 2];
}

/// Of adapters on four devices: the upper end over the middle.
double factor(FrozenWeights frozen, bool isPacked, Sharding sharding)
{
    Run run = runs("published_short_tuning.csv").front();
    run.devices = 4;
    run.training.method = Method::Lora;
    run.training.frozenWeights = frozen;
    run.training.packed = isPacked;
    run.training.sharding = sharding;
    const Quantity speed = forecastOf(run).tokensPerS;
    return speed.high() / speed.value();
}

} // namespace

class TestTuning : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void runsAreForecastAsTheyWereMeasured()
    {
        std::map<std::string, std::vector<double>> speed;
        std::map<std::string, std::vector<double>> memory;
        int held = 0;
        int memoryHeld = 0;
        for (const Run& run : runs()) {
            const TrainingForecast f = forecastOf(run);
            speed[run.group].push_back(std::abs(f.tokensPerS.value() / run.tokensPerS - 1));
            memory[run.group].push_back(std::abs(f.memory.value() / run.peakBytes - 1));
            held += f.tokensPerS.low() <= run.tokensPerS && run.tokensPerS <= f.tokensPerS.high();
            memoryHeld += f.memory.low() <= run.peakBytes && run.peakBytes <= f.memory.high();
            QVERIFY2(memory[run.group].back() < 0.3, run.group.c_str());
            QVERIFY2(speed[run.group].back() < 0.45, run.group.c_str());
        }
        QCOMPARE(speed.size(), std::size_t{3});
        for (const auto& [group, misses] : speed) {
            QVERIFY2(medianOf(misses) < 0.14, (group + " speed").c_str());
            QVERIFY2(medianOf(memory[group]) < 0.07, (group + " memory").c_str());
        }
        QVERIFY2(held >= 58 && memoryHeld >= 58, // of 77: four of five, less what chance may take
                 qPrintable(QStringLiteral("%1, %2").arg(held).arg(memoryHeld)));
    }

    // What ran is told to fit, but for two in a hundred, and what ran out of memory isn't.
    void whatFitsIsTold()
    {
        int right = 0;
        const std::vector<Run> ran = runs();
        QCOMPARE(ran.size(), std::size_t{77});
        for (const Run& run : ran)
            right += forecastOf(run).fits == Fits::Yes ? 1 : 0;
        const std::vector<Run> failed = runs("published_out_of_memory.csv");
        QCOMPARE(failed.size(), std::size_t{23});
        for (const Run& run : failed) {
            const TrainingForecast f = forecastOf(run);
            QCOMPARE(f.fits, Fits::No);
            QVERIFY(f.memory.value() > 75e9);
        }
        QVERIFY2(right >= 75, qPrintable(QString::number(right))); // of 77
    }

    // Until a block knows how long its samples are, nothing of it starts; a forecast for packed ones is too fast for them.
    void samplesOfTheirOwnLengthWait()
    {
        std::map<std::string, std::vector<double>> misses;
        std::map<std::string, std::vector<double>> packed;
        int held = 0;
        int count = 0;
        for (Run run : runs("published_short_tuning.csv")) {
            run.training.accumulation = 2;
            run.group += run.devices > 1 ? ", several" : "";
            packed[run.group].push_back(forecastOf(run).tokensPerS.value() / run.tokensPerS - 1);
            run.training.packed = false;
            const Quantity speed = forecastOf(run).tokensPerS;
            misses[run.group].push_back(std::abs(speed.value() / run.tokensPerS - 1));
            QVERIFY2(misses[run.group].back() < 0.33, run.group.c_str());
            held += speed.low() <= run.tokensPerS && run.tokensPerS <= speed.high();
            ++count;
        }
        QCOMPARE(misses.size(), std::size_t{3});
        for (const auto& [group, of] : misses) {
            QVERIFY2(medianOf(of) < 0.08, group.c_str());
            QVERIFY2(medianOf(packed[group]) > 0.08, group.c_str());
        }
        QVERIFY2(held >= 0.7 * count, qPrintable(QString::number(held)));
    }

    // Where libraries differ in how they gather what lies beside adapters, or in what lengths of samples cost there.
    void gatheredAdaptersAreLessSure()
    {
        const double plain = factor(FrozenWeights::Same, true, Sharding::None);
        QVERIFY(factor(FrozenWeights::Same, true, Sharding::Full) > 1.05 * plain);
        QVERIFY(factor(FrozenWeights::Nf4, true, Sharding::Full) < 1.01 * plain);
        QVERIFY(factor(FrozenWeights::Nf4, false, Sharding::Full) > 2 * plain);
        QVERIFY(factor(FrozenWeights::Nf4, false, Sharding::None) < 1.01 * plain);
    }

    // Between several passes some libraries keep whole gradients: that is in the interval, and said.
    void shardedGradientsMayBeWholeBetweenPasses()
    {
        Run run;
        run.isMistral = true;
        run.devices = 8;
        Training& t = run.training;
        t.precision = Precision::Bf16;
        t.masterWeights = false;
        t.optimizer = Optimizer::AdamW;
        t.checkpointing = true;
        t.batch = 8;
        t.sequence = 269;
        t.sharding = Sharding::Full;
        const auto says = [](const Quantity& q) {
            return q.how().sentence().find("Accelerate") != std::string::npos;
        };
        const Quantity once = forecastOf(run).memory;
        QVERIFY(!says(once));
        t.accumulation = 2;
        const Quantity twice = forecastOf(run).memory;
        QVERIFY(says(twice));
        // Measured: foundation-model-stack/fms-acceleration, 8 x A100-80GB, Mistral 7B of which all is trained.
        constexpr double Peak = 22.7e9;
        QVERIFY(twice.low() < Peak && Peak < twice.high());
        QVERIFY(once.high() < 0.75 * Peak);
        t.sharding = Sharding::Gradients; // each pass sums them there
        QVERIFY(!says(forecastOf(run).memory));
    }

    // Where everything is in 16 bits, the optimizer's copy is the peak: ten bytes a parameter.
    void theUpdateIsThePeakOfWholeModels()
    {
        for (const Run& run : runs()) {
            if (run.group != "full" || !run.isMistral || run.training.masterWeights)
                continue;
            // But of one run activations are more than that.
            const bool isUpdating = run.peakBytes < 73e9;
            QVERIFY(!isUpdating ||
                    std::abs(forecastOf(run).memory.value() / run.peakBytes - 1) < 0.005);
        }
    }

    // Of logits made in parts a part is there at a time, so that layers at work are the peak.
    void lossesInPartsHoldAsLittleAsWasMeasured()
    {
        int seen = 0;
        for (const Run& run : runs()) {
            if (!run.training.chunkedLoss)
                continue;
            ++seen;
            Run whole = run;
            whole.training.chunkedLoss = false;
            Run plain = whole;
            plain.training.compiled = false;
            const TrainingForecast inParts = forecastOf(run);
            const TrainingForecast atOnce = forecastOf(whole);
            const double most = run.devices > 1 ? 0.1 : 0.06;
            QVERIFY(std::abs(inParts.memory.value() / run.peakBytes - 1) < most);
            QVERIFY(inParts.memory.value() <= atOnce.memory.value());
            if (run.group != "full")
                QVERIFY(forecastOf(plain).memory.value() > 1.08 * run.peakBytes);
            QVERIFY(inParts.stepSeconds == atOnce.stepSeconds);
        }
        QCOMPARE(seen, 11);
    }

    // A kernel that makes the loss in the place of its logits: all of one device, to a tenth.
    void fusedLossesHoldAsLittleAsWasMeasured()
    {
        int seen = 0;
        for (const Run& run : runs()) {
            if (!run.training.compiled || run.training.chunkedLoss || run.devices > 1)
                continue;
            ++seen;
            Run plain = run;
            plain.training.compiled = false;
            QVERIFY(std::abs(forecastOf(run).memory.value() / run.peakBytes - 1) < 0.1);
            if (run.group != "full")
                QVERIFY(forecastOf(plain).memory.value() > 1.04 * run.peakBytes);
        }
        QCOMPARE(seen, 15);
    }
};

OUTLAY_TEST(TestTuning)
#include "tst_tuning.moc"
